"""Playing the games of a plan: here, in several processes, or on a cluster; the results are the same."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from itertools import islice
from pathlib import Path

from limina.arena.journal import DamagedJournalError, Journal, forget, usual_path
from limina.arena.match import Job, Played, play_game
from limina.arena.plan import Plan
from limina.errors import LiminaError

Progress = Callable[[int, int, Played], None]


def run(
    plan: Plan,
    *,
    jobs: int = 1,
    ray: str | None = None,
    journal: Path | None = None,
    resumable: bool = False,
    keep_journal: bool = False,
    progress: Progress = lambda done, of, played: None,
) -> list[Played]:
    """Play all games of a plan that no journal has yet; all of them in the plan's order.

    A run that is `resumable` keeps a journal of its own where none is named, until it is over; with `keep_journal`
    until whoever asked for several runs forgets it.
    """
    kept = Journal(journal, plan) if journal is not None else _usual_journal(plan) if resumable else None
    played = dict(kept.played) if kept is not None else {}
    total = len(plan)
    waiting = (job for job in plan.jobs() if job.index not in played)
    try:
        with closing(_play(waiting, jobs, ray)) as games:
            for game in games:
                played[game.index] = game
                # First whatever is made of the game: what stands in the journal is never looked at again.
                progress(len(played), total, game)
                if kept is not None:
                    kept.add(game)
        if kept is not None and journal is None and not keep_journal:
            kept.remove()
    finally:
        if kept is not None:
            kept.close()
    return [played[index] for index in sorted(played)]


def _usual_journal(plan: Plan) -> Journal | None:
    """The journal for a run whose journal nobody named; a run that cannot have one does without."""
    path = usual_path(plan)
    try:
        try:
            return Journal(path, plan)
        except DamagedJournalError:
            forget(path)  # it is ours alone, and nobody would ever mend it
            return Journal(path, plan)
    except LiminaError:
        return None


def _play(waiting: Iterable[Job], jobs: int, ray: str | None) -> Generator[Played, None, None]:
    if ray is not None:
        from limina.arena.cluster import play_on_cluster  # it may not be installed

        yield from play_on_cluster(waiting, ray, jobs)
    elif jobs == 1:
        yield from map(play_game, waiting)
    else:
        yield from _in_processes(iter(waiting), jobs)


def _in_processes(waiting: Iterator[Job], jobs: int) -> Iterator[Played]:
    # Spawned, not forked: a fork would copy whatever threads and locks the caller has.
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), initializer=_leave_interrupts)
    others = set(multiprocessing.active_children())
    running: set[Future[Played]] = set()
    finished = False
    try:
        # A few games ahead of the processes, not all of them: a plan may have millions.
        running.update(pool.submit(play_game, job) for job in islice(waiting, 2 * jobs))
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            running.update(pool.submit(play_game, job) for job in islice(waiting, len(done)))
            for future in done:
                yield future.result()
        finished = True
    except BrokenProcessPool:
        raise LiminaError(
            "a process of the arena died: a bot brought it down (--resume goes on with the rest)"
        ) from None
    finally:
        if not finished:
            for child in set(multiprocessing.active_children()) - others:
                child.terminate()
        pool.shutdown(cancel_futures=True)


def _leave_interrupts() -> None:
    """Ctrl-C is for the process that the person sees; it ends the others, and what they have started ends with them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # at once, in the middle of a search too
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    """Whoever is killed cannot end the others: they have to notice."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
