"""Run a task for many values, in this process, in several processes, or on a Ray cluster."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import TypeVar

from limina.parallel.processes import map_in_processes

V = TypeVar("V")
R = TypeVar("R")
_CRASH_MESSAGE = "a worker process ended unexpectedly: perhaps there is not enough memory, try fewer jobs"


def map_unordered(
    task: Callable[[V], R],
    values: Iterable[V],
    *,
    jobs: int = 1,
    ray: str | None = None,
    crash_message: str = _CRASH_MESSAGE,
) -> Generator[R, None, None]:
    """Yield the result of the task for each value, in the order in which they finish. Closing the generator cancels.

    `ray` is the address of a Ray cluster. Without it, up to `jobs` processes of this machine work, or this process
    alone. Raises LiminaError with `crash_message` if a process dies. Task and values must be picklable unless this
    process does all the work.
    """
    if ray is not None:
        from limina.parallel.cluster import map_on_cluster  # imports Ray, which is optional

        yield from map_on_cluster(task, values, ray, jobs)
    elif jobs == 1:
        yield from map(task, values)
    else:
        yield from map_in_processes(task, values, jobs, crash_message)
