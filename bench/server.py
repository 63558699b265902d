"""The server: turns a second and the time until a turn is saved, many games of the turn-by-turn game at once.

Every size is measured with a fresh server and a fresh SQLite file (WAL, synchronous FULL), the server on one core and
the load on another. BENCH_SERVER_GAMES, BENCH_SERVER_SECONDS and BENCH_SERVER_REPEATS change the sizes, the time of one
run and the number of runs. What a turn costs is then compared, at BENCH_SERVER_COST_GAMES open games, with a server
that only echoes (`bench/server_cost.py`), and between one process and several on one PostgreSQL, with both seats of a
match at one of them, as a proxy with affinity by match has it, and once apart. BENCH_SERVER_WHAT="sizes echo postgres"
names what of these is measured.
"""

from __future__ import annotations

import os
import sys
import time
import urllib.request
from collections.abc import Iterator

from bench.measure import Figure, Skipped, of, setting, settings
from bench.server_cost import against_echo, on_postgres
from bench.server_load import counts_work, measure, server_on_core, two_cores

ISSUE = {
    "speed": "to beat: 1,640, boardgame.io in memory",
    "median": "to beat: 106",
    "p99": "to beat: 196",
}
"""What is asked for at 200 open games."""


def until_ready() -> float:
    """How long a server takes until it answers, with an empty data folder."""
    begun = time.perf_counter()
    with server_on_core() as (address, _), urllib.request.urlopen(f"{address}/api/health"):
        return time.perf_counter() - begun


def figures() -> Iterator[Figure]:
    """Each figure, as soon as it is there."""
    seconds, repeats = setting("SERVER_SECONDS", 5), int(setting("SERVER_REPEATS", 3))
    wanted = (os.environ.get("BENCH_SERVER_WHAT") or "sizes echo postgres").split()
    if "sizes" in wanted:
        yield from sizes(seconds, repeats)
    if not counts_work():
        return
    games = int(setting("SERVER_COST_GAMES", 200))
    if "echo" in wanted:
        yield from against_echo(games, seconds, repeats)
    if "postgres" in wanted:
        try:
            yield from on_postgres(games, seconds, repeats)
        except Skipped as why:
            print(f"bench: {why}", file=sys.stderr)


def sizes(seconds: float, repeats: int) -> Iterator[Figure]:
    """How long it takes to start, and each number of open games."""
    yield of("from `limina serve` to its first answer", [until_ready() for _ in range(repeats)], "s", "aim: within 2")
    where = "" if two_cores() else "server and load share their cores"
    for games in settings("SERVER_GAMES", "10 50 200 1000"):
        runs = [measure(games, seconds) for _ in range(repeats)]
        size = f"{games:,} open games"
        aims = ISSUE if games == 200 else {}

        def note(key: str, aims: dict[str, str] = aims) -> str:
            return "; ".join(filter(None, (aims.get(key, ""), where)))

        yield of(f"{size}, turns saved and answered", (run.turns_per_second for run in runs), "/s", note("speed"))
        yield of(f"{size}, a turn, median", (run.median_ms for run in runs), "ms", note("median"))
        yield of(f"{size}, a turn, 99th percentile", (run.p99_ms for run in runs), "ms", note("p99"))
        work = [run.server_us_per_turn for run in runs if run.server_us_per_turn is not None]
        if work:
            yield of(f"{size}, the server's own work a turn", work, "us", where)
