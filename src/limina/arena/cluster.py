"""The arena on a cluster, with Ray."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from limina.arena.match import Job, Played, play_game
from limina.errors import LiminaError

LOCAL = "local"


def play_on_cluster(waiting: Iterable[Job], address: str, jobs: int) -> Iterator[Played]:
    """Play games on the cluster at an address; `local` starts one here with as many workers as `jobs`."""
    try:
        ray: Any = importlib.import_module("ray")
    except ImportError:
        raise LiminaError("--ray needs Ray: install limina[ray]") from None
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nobody is to be told
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    try:
        if address == LOCAL:
            ray.init(num_cpus=max(1, jobs), include_dashboard=False, **quiet)
        else:
            ray.init(address=address, **quiet)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise LiminaError(f"the cluster at {address} cannot be reached: {str(error).splitlines()[0]}") from None
    try:
        remote = ray.remote(num_cpus=1, max_retries=2)(play_game)
        queue = iter(waiting)
        slots = max(2, 2 * int(ray.cluster_resources().get("CPU", 1)))
        running = [remote.remote(job) for job in islice(queue, slots)]
        while running:
            done, running = ray.wait(running, num_returns=1)
            running.extend(remote.remote(job) for job in islice(queue, len(done)))
            yield from ray.get(done)
    except ray.exceptions.RayError as error:
        words = str(error).strip().splitlines() or [type(error).__name__]
        raise LiminaError(f"the cluster could not play a game: {words[-1].strip()}") from None
    finally:
        ray.shutdown()
