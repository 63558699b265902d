"""Run tasks in processes of this machine. The processes end when their parent ends."""

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


def map_in_processes(task: Callable[[V], R], values: Iterable[V], jobs: int, crash_message: str) -> Iterator[R]:
    """Yield the results of the task as they finish, with `jobs` processes. Raises LiminaError if a process dies."""
    # Spawn, because a fork would copy the locks of the caller's threads.
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), initializer=_handle_signals)
    others = set(multiprocessing.active_children())
    waiting = iter(values)
    running: set[Future[R]] = set()
    finished = False
    try:
        # Submit only a few values ahead: there may be millions.
        running.update(pool.submit(task, value) for value in islice(waiting, 2 * jobs))
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            running.update(pool.submit(task, value) for value in islice(waiting, len(done)))
            for future in done:
                yield future.result()
        finished = True
    except BrokenProcessPool:
        raise LiminaError(crash_message) from None
    finally:
        if not finished:
            for child in set(multiprocessing.active_children()) - others:
                child.terminate()
        pool.shutdown(cancel_futures=True)


def _handle_signals() -> None:
    """Ignore Ctrl-C, which the parent handles, and exit when the parent exits."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # ends the process at once, even during a search in the kernel
    threading.Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    # A parent that is killed cannot terminate its children.
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
