"""The same task for many values, such as games to be played or reviewed: here, in processes, or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import TypeVar

from limina.parallel.processes import map_in_processes

V = TypeVar("V")
R = TypeVar("R")
_DIED = "a process that did a part of the work died"


def map_unordered(
    task: Callable[[V], R], waiting: Iterable[V], *, jobs: int = 1, ray: str | None = None, died: str = _DIED
) -> Generator[R, None, None]:
    """What the task makes of each value, in whichever order they are done; closing the generator ends the work.

    `ray` is the address of a cluster, `died` what to say where a process did not live to its end. Task and values are
    sent to where they are done, so they must be such that they can be.
    """
    if ray is not None:
        from limina.parallel.cluster import map_on_cluster  # it may not be installed

        yield from map_on_cluster(task, waiting, ray, jobs)
    elif jobs == 1:
        yield from map(task, waiting)
    else:
        yield from map_in_processes(task, waiting, jobs, died)
