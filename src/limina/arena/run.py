"""Playing the games of a plan: here, in several processes, or on a cluster; the results are the same."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from limina.arena.game import Played, play_game
from limina.arena.journal import DamagedJournalError, Journal, forget, usual_path
from limina.arena.schedule import Plan
from limina.errors import LiminaError
from limina.parallel import map_unordered

Progress = Callable[[int, int, Played], None]
_DIED = "a process of the arena died: a bot brought it down (--resume goes on with the rest)"


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
        with closing(map_unordered(play_game, waiting, jobs=jobs, ray=ray, crash_message=_DIED)) as games:
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
