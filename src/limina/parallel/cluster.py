"""Run tasks on a Ray cluster."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar

from limina.errors import LiminaError

LOCAL = "local"
V = TypeVar("V")
R = TypeVar("R")


def map_on_cluster(task: Callable[[V], R], values: Iterable[V], address: str, jobs: int) -> Iterator[R]:
    """Yield the results of the task from the cluster at an address, as they finish.

    The address `local` starts a cluster on this machine with `jobs` CPUs. Raises LiminaError if Ray is not installed,
    the cluster is out of reach, or a task fails there.
    """
    try:
        ray: Any = importlib.import_module("ray")
    except ImportError:
        raise LiminaError("--ray needs Ray: install limina[ray]") from None
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no telemetry
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    try:
        if address == LOCAL:
            ray.init(num_cpus=max(1, jobs), include_dashboard=False, **quiet)
        else:
            ray.init(address=address, **quiet)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise LiminaError(f"the Ray cluster at {address} cannot be reached: {str(error).splitlines()[0]}") from None
    try:
        remote = ray.remote(num_cpus=1, max_retries=2)(task)
        queue = iter(values)
        slots = max(2, 2 * int(ray.cluster_resources().get("CPU", 1)))
        running = [remote.remote(value) for value in islice(queue, slots)]
        while running:
            done, running = ray.wait(running, num_returns=1)
            running.extend(remote.remote(value) for value in islice(queue, len(done)))
            yield from ray.get(done)
    except ray.exceptions.RayError as error:
        lines = str(error).strip().splitlines() or [type(error).__name__]
        raise LiminaError(f"the Ray cluster failed: {lines[-1].strip()}") from None
    finally:
        ray.shutdown()
