"""The server: turns per second and the time until a turn is saved, with many open games of Limit.

Each number of open games gets a new server and a new SQLite file (WAL, synchronous FULL), with the server on one core
and the load on another. BENCH_SERVER_GAMES, BENCH_SERVER_SECONDS and BENCH_SERVER_REPEATS are the numbers of open
games, the duration of a run and the number of runs. The processor time of a turn is then compared, at
BENCH_SERVER_COST_GAMES open games, with an echo server (`bench/server_cost.py`), and between one process and several on
one PostgreSQL, with both seats of a match at the same process and at different ones. BENCH_SERVER_PARTS="sizes echo
postgres" selects some of it.
"""

from __future__ import annotations

import os
import sys
import time
import urllib.request
from collections.abc import Iterator

from bench.figure import Figure, PartSkipped, figure, integer_settings, number_setting
from bench.server_cost import echo_figures, postgres_figures
from bench.server_load import has_cpu_times, measure, server_on_core, two_cores

AIMS_AT_200_GAMES = {
    "speed": "to beat: 1,640, boardgame.io in memory",
    "median": "to beat: 106",
    "p99": "to beat: 196",
}
"""The aims at 200 open games."""


def startup_seconds() -> float:
    """Measure the time from the start of a server with an empty data folder to its first answer."""
    started = time.perf_counter()
    with server_on_core() as (address, _), urllib.request.urlopen(f"{address}/api/health"):
        return time.perf_counter() - started


def figures() -> Iterator[Figure]:
    """Yield the figures as they are measured."""
    seconds, repeats = number_setting("SERVER_SECONDS", 5), int(number_setting("SERVER_REPEATS", 3))
    parts = (os.environ.get("BENCH_SERVER_PARTS") or "sizes echo postgres").split()
    if "sizes" in parts:
        yield from load_figures(seconds, repeats)
    if not has_cpu_times():
        return
    games = int(number_setting("SERVER_COST_GAMES", 200))
    if "echo" in parts:
        yield from echo_figures(games, seconds, repeats)
    if "postgres" in parts:
        try:
            yield from postgres_figures(games, seconds, repeats)
        except PartSkipped as reason:
            print(f"bench: {reason}", file=sys.stderr)


def load_figures(seconds: float, repeats: int) -> Iterator[Figure]:
    """Measure the start of the server, and the load with each number of open games."""
    yield figure(
        "from `limina serve` to its first answer", [startup_seconds() for _ in range(repeats)], "s", "aim: within 2"
    )
    cores = "" if two_cores() else "server and load share their cores"
    for games in integer_settings("SERVER_GAMES", "10 50 200 1000"):
        runs = [measure(games, seconds) for _ in range(repeats)]
        size = f"{games:,} open games"
        aims = AIMS_AT_200_GAMES if games == 200 else {}

        def note(statistic: str, aims: dict[str, str] = aims) -> str:
            return "; ".join(filter(None, (aims.get(statistic, ""), cores)))

        yield figure(f"{size}, turns saved and answered", (run.turns_per_second for run in runs), "/s", note("speed"))
        yield figure(f"{size}, a turn, median", (run.median_ms for run in runs), "ms", note("median"))
        yield figure(f"{size}, a turn, 99th percentile", (run.p99_ms for run in runs), "ms", note("p99"))
        work = [run.server_us_per_turn for run in runs if run.server_us_per_turn is not None]
        if work:
            yield figure(f"{size}, the server's own work a turn", work, "us", cores)
