"""Play batches and playouts in eight threads: they must not crash or change results, even in Python without the GIL."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from random import Random

import limina
import limina.rl
from limina.limit import Position
from limina.rl.batch import Batch

SHARED_POSITION = Position.random(6, 2, rng=Random(1))
SHARED_BATCH = limina.rl.batch("limit", 64, size=5, layouts=4)


def play_batch(seed: int) -> tuple[object, ...]:
    """Return results that depend on the seed alone, not on other threads."""
    own = Batch("limes", 32)
    own.reset(seed)
    for _ in range(60):
        own.step(own.sample())
    assert own.planes is not None
    SHARED_BATCH.step(SHARED_BATCH.sample())  # shared by all threads: its results depend on their order
    turns = [str(turn) for turn in SHARED_POSITION.legal_turns()]
    return int(own.planes.sum()), SHARED_POSITION.playouts(200, seed), len(turns), hash(SHARED_POSITION)


def main() -> None:
    """Compare the results of threads with those of a single thread."""
    seeds = [1, 2, 3, 4] * 8
    sequential = [play_batch(seed) for seed in seeds]
    with ThreadPoolExecutor(8) as pool:
        concurrent = list(pool.map(play_batch, seeds))
    if sequential != concurrent:
        sys.exit("limina: threads gave other results than a single thread")
    has_gil = getattr(sys, "_is_gil_enabled", lambda: True)()
    print(f"{len(seeds)} runs in 8 threads agree, {'with' if has_gil else 'without'} the GIL")


if __name__ == "__main__":
    main()
