"""Tasks in processes of this machine, which end with whoever started them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import TypeVar

from limina.errors import LiminaError

V = TypeVar("V")
R = TypeVar("R")


def map_in_processes(task: Callable[[V], R], values: Iterable[V], jobs: int, died: str) -> Iterator[R]:
    """What becomes of the values, so many at a time; LiminaError where a process dies."""
    # Spawned, not forked: a fork would copy whatever threads and locks the caller has.
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), initializer=_leave_interrupts)
    others = set(multiprocessing.active_children())
    waiting = iter(values)
    running: set[Future[R]] = set()
    finished = False
    try:
        # A few ahead of the processes, not all of them: there may be millions.
        running.update(pool.submit(task, value) for value in islice(waiting, 2 * jobs))
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            running.update(pool.submit(task, value) for value in islice(waiting, len(done)))
            for future in done:
                yield future.result()
        finished = True
    except BrokenProcessPool:
        raise LiminaError(died) from None
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
