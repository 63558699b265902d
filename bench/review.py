"""Reviews on the server: their duration, and the time of a turn in other matches meanwhile.

The server and its load share all cores. Ten games are played at the pace of quick players, first without reviews, then
with one review after the other. BENCH_REVIEW_SECONDS and BENCH_REVIEW_REPEATS are the duration of a run and the number
of runs.
"""

from __future__ import annotations

import json
import threading
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random

from bench.figure import Figure, figure, number_setting
from bench.server_load import run_load, server_on_core
from limina import Position, Record, game, game_names
from limina.bots import Budget, bot
from support.games.records import play_on, start_record

OPEN_GAMES = 10
PAUSE_SECONDS = 0.1
AIMS = {"limes": "aim: within 10", "limit": "aim: within 20"}


def figures() -> Iterator[Figure]:
    """Yield the figures of reviews, then those of turns during reviews."""
    repeats = int(number_setting("REVIEW_REPEATS", 3))
    with server_on_core() as (address, _):
        for name in game_names():
            durations = [review(address, whole_game(name, seed)) for seed in range(repeats)]
            title = game(name).title
            yield figure(
                f"{title}, the first turn of a review", (first for first, _ in durations), "s", "aim: within 1"
            )
            yield figure(
                f"{title}, a review of a game of two", (whole for _, whole in durations), "s", AIMS.get(name, "")
            )
    yield from turns_during_reviews(repeats, number_setting("REVIEW_SECONDS", 8))


def whole_game(name: str, seed: int) -> str:
    """Return the record of a game of skilled bots."""
    rng, the_game = Random(seed), game(name)
    player = bot(the_game, "skilled", seed=seed)

    def choose(position: Position, mover: int) -> object:
        return player.choose(Record.from_position(the_game, position), mover, Budget()).turn

    return play_on(start_record(the_game, ["Ada", "Ben"], rng), rng, choose).to_json_text()


def review(address: str, record: str, stop: threading.Event | None = None) -> tuple[float, float]:
    """Review a record; return the seconds until its first turn came, and until its end.

    Once `stop` is set, the connection is closed, so that the server cancels the review.
    """
    started, first = time.perf_counter(), 0.0
    request = urllib.request.Request(f"{address}/api/review", record.encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        for line in answer:
            if stop is not None and stop.is_set():
                break
            kind = json.loads(line)["type"]
            if kind == "failed":
                raise RuntimeError("a review failed")
            if kind == "turn" and not first:
                first = time.perf_counter() - started
    return first, time.perf_counter() - started


def turns_during_reviews(repeats: int, seconds: float) -> Iterator[Figure]:
    """Measure a turn without reviews and during reviews."""
    # The records are created first, so that the load only plays.
    records = [whole_game(name, seed) for seed in range(1000, 1004) for name in game_names()]
    idle, busy = [], []
    for _ in range(repeats):
        with server_on_core() as (address, _):
            idle.append(run_load([address], OPEN_GAMES, seconds, pause=PAUSE_SECONDS))
            with continuous_reviews(address, records):
                busy.append(run_load([address], OPEN_GAMES, seconds, pause=PAUSE_SECONDS))
    note = f"{OPEN_GAMES} open games, {PAUSE_SECONDS:g} s between turns"
    yield figure("a turn, median", (run.median_ms for run in idle), "ms", note)
    yield figure("a turn, 99th percentile", (run.p99_ms for run in idle), "ms", note)
    yield figure("a turn during reviews, median", (run.median_ms for run in busy), "ms", note)
    yield figure("a turn during reviews, 99th percentile", (run.p99_ms for run in busy), "ms", note)
    times = [after.p99_ms / before.p99_ms for before, after in zip(idle, busy, strict=True)]
    yield figure("99th percentile, during reviews to before", times, "times", "aim: at most 2")


@contextmanager
def continuous_reviews(address: str, records: Sequence[str]) -> Iterator[None]:
    """Review one game after the other during the context."""
    stop = threading.Event()

    def work() -> None:
        for record in records:
            if stop.is_set():
                return
            review(address, record, stop)
        assert stop.is_set(), "all games were reviewed before the end of the run"

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
