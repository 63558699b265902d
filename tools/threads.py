"""Plays batches and playouts in several threads at once: where Python has no lock, nothing may crash or differ."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from random import Random

import limina
import limina.rl
from limina.limit import Position
from limina.rl.batch import Batch

SHARED = Position.random(6, 2, rng=Random(1))
MANY = limina.rl.batch("limit", 64, size=5, layouts=4)


def work(seed: int) -> tuple[object, ...]:
    """The same for the same seed, whatever others do."""
    own = Batch("limes", 32)
    own.reset(seed)
    for _ in range(60):
        own.step(own.sample())
    assert own.planes is not None
    MANY.step(MANY.sample())  # one that all share: what comes of it depends on who was first
    turns = [str(turn) for turn in SHARED.legal_turns()]
    return int(own.planes.sum()), SHARED.playouts(200, seed), len(turns), hash(SHARED)


def main() -> None:
    """Compare threads with one after the other."""
    seeds = [1, 2, 3, 4] * 8
    alone = [work(seed) for seed in seeds]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(work, seeds))
    if alone != together:
        sys.exit("limina: threads came to other results")
    locked = getattr(sys, "_is_gil_enabled", lambda: True)()
    print(f"{len(seeds)} works in 8 threads agree, {'with' if locked else 'without'} Python's lock")


if __name__ == "__main__":
    main()
