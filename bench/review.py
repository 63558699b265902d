"""Reviews on the server: how long they take, and whether those who play meanwhile notice.

A server and its load share all cores, as at home. A few games go on at the pace of quick players, first with nothing
else to do, then while one review follows the other. BENCH_REVIEW_SECONDS and BENCH_REVIEW_REPEATS change the time of
one run and the number of runs.
"""

from __future__ import annotations

import json
import threading
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random

from bench.measure import Figure, of, setting
from bench.server_load import run_load, server_on_core
from limina import Position, Record, game, game_names
from limina.bots import Budget, bot
from support.games.records import play_on, start_record

OPEN_GAMES = 10
PAUSE = 0.1
AIMS = {"limes": "aim: within 10", "limit": "aim: within 20"}


def figures() -> Iterator[Figure]:
    """How long, then how much in the way."""
    repeats = int(setting("REVIEW_REPEATS", 3))
    with server_on_core() as (address, _):
        for name in game_names():
            taken = [review(address, whole_game(name, seed)) for seed in range(repeats)]
            title = game(name).title
            yield of(f"{title}, the first turn of a review", (first for first, _ in taken), "s", "aim: within 1")
            yield of(f"{title}, a review of a game of two", (whole for _, whole in taken), "s", AIMS.get(name, ""))
    yield from in_the_way(repeats, setting("REVIEW_SECONDS", 8))


def whole_game(name: str, seed: int) -> str:
    """A record of a game of good players."""
    rng, the_game = Random(seed), game(name)
    player = bot(the_game, "skilled", seed=seed)

    def choose(position: Position, mover: int) -> object:
        return player.choose(Record.from_position(the_game, position), mover, Budget()).turn

    return play_on(start_record(the_game, ["Ada", "Ben"], rng), rng, choose).write()


def review(address: str, record: str, stop: threading.Event | None = None) -> tuple[float, float]:
    """Have a record reviewed; how long it took until the first turn came, and until all was told.

    Once `stop` is set, nobody listens any more and the server ends it.
    """
    begun, first = time.perf_counter(), 0.0
    request = urllib.request.Request(f"{address}/api/review", record.encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        for line in answer:
            if stop is not None and stop.is_set():
                break
            kind = json.loads(line)["type"]
            if kind == "failed":
                raise RuntimeError("a review failed")
            if kind == "turn" and not first:
                first = time.perf_counter() - begun
    return first, time.perf_counter() - begun


def in_the_way(repeats: int, seconds: float) -> Iterator[Figure]:
    """A turn while nothing else is done, and while games are reviewed."""
    # Made before: the load is to do nothing but play.
    records = [whole_game(name, seed) for seed in range(1000, 1004) for name in game_names()]
    idle, busy = [], []
    for _ in range(repeats):
        with server_on_core() as (address, _):
            idle.append(run_load([address], OPEN_GAMES, seconds, pause=PAUSE))
            with reviewing(address, records):
                busy.append(run_load([address], OPEN_GAMES, seconds, pause=PAUSE))
    note = f"{OPEN_GAMES} open games, {PAUSE:g} s between turns"
    yield of("a turn, median", (each.median_ms for each in idle), "ms", note)
    yield of("a turn, 99th percentile", (each.p99_ms for each in idle), "ms", note)
    yield of("a turn during reviews, median", (each.median_ms for each in busy), "ms", note)
    yield of("a turn during reviews, 99th percentile", (each.p99_ms for each in busy), "ms", note)
    times = [after.p99_ms / before.p99_ms for before, after in zip(idle, busy, strict=True)]
    yield of("99th percentile, during reviews to before", times, "times", "aim: at most 2")


@contextmanager
def reviewing(address: str, records: Sequence[str]) -> Iterator[None]:
    """One review after the other, of different games, as long as this lasts."""
    stop = threading.Event()

    def work() -> None:
        for record in records:
            if stop.is_set():
                return
            review(address, record, stop)
        assert stop.is_set(), "all games were reviewed before the time was over"

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
