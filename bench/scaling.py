"""The cost of a match on PostgreSQL: processor time, bytes stored, written and sent, and memory.

A server uses a fresh PostgreSQL in shared mode. First it has BENCH_SCALING_GAMES open games for BENCH_SCALING_SECONDS,
then BENCH_SCALING_MATCHES whole matches of each game against the random bot, watched as the page does.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]  # it ships no types

from bench.figure import Figure, PartSkipped, figure, number_setting
from bench.server_load import PreparedMatch, cpu_seconds, open_sockets, run_load
from support.database.postgres import Postgres, PostgresError
from support.server.clients import Client
from support.server.server_process import running_server

_STORED_BYTES = (
    "SELECT sum(pg_total_relation_size(name::regclass)) FROM unnest(ARRAY['matches', 'events', 'seat_tokens']) AS name"
)
_WAL_BYTES = "SELECT pg_current_wal_lsn() - '0/0'::pg_lsn"


def query_number(database: Postgres, query: str) -> float:
    """Run a query that returns one number."""

    async def fetch() -> Any:
        connection = await asyncpg.connect(database.address)
        try:
            return await connection.fetchval(query)
        finally:
            await connection.close()

    return float(asyncio.run(fetch()))


def database_cpu_seconds(database: Postgres) -> float:
    """Return the processor time of the running processes of the database."""
    pid = int((database.folder / "postmaster.pid").read_text().split()[0])
    children = map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
    return sum(map(cpu_seconds, (pid, *children)))


def memory_bytes(process: int) -> float:
    """Return the resident memory of a process."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return 1024 * float(next(line for line in lines if line.startswith("VmRSS")).split()[1])


def figures() -> Iterator[Figure]:
    """Yield the figures, each measured once."""
    if not Path("/proc/self/task").is_dir():
        raise PartSkipped("processor time and memory are read from /proc")
    seconds, games = number_setting("SCALING_SECONDS", 10), int(number_setting("SCALING_GAMES", 50))
    with tempfile.TemporaryDirectory() as folder:
        try:
            database = Postgres(fsync=True)
        except PostgresError as error:
            raise PartSkipped(str(error)) from None
        try:
            with running_server(Path(folder), "--database", database.address, "--shared") as server:
                address, process = server.address, server.process.pid
                work, written = database_cpu_seconds(database), query_number(database, _WAL_BYTES)
                load = run_load([address], games, seconds, processes=[process])
                yield figure(f"Limit, {games} open games, a turn: the server", [load.server_us_per_turn or 0], "us")
                database_us = 1e6 * (database_cpu_seconds(database) - work) / load.turns
                yield figure(
                    f"Limit, {games} open games, a turn: the database",
                    [database_us],
                    "us",
                    "includes the creation of matches",
                )
                wal_bytes = (query_number(database, _WAL_BYTES) - written) / load.turns
                yield figure(
                    f"Limit, {games} open games, a turn: its log (WAL)",
                    [wal_bytes],
                    "bytes",
                    "includes the creation of matches",
                )
                for game in ("limes", "limit"):
                    yield from match_figures(database, address, game, int(number_setting("SCALING_MATCHES", 40)))
                yield from memory_figures(address, process)
        finally:
            database.close()


def match_figures(database: Postgres, address: str, game: str, count: int) -> Iterator[Figure]:
    """Measure the stored bytes of a match and the bytes that a page receives."""
    rng, stored_before = random.Random(1), query_number(database, _STORED_BYTES)
    sent: list[float] = []
    turns: list[float] = []
    with closing(Client(address)) as client:
        for _ in range(count):
            live = client.live(client.create(game, "me", "random")["match_id"])
            client.received.clear()
            state = live.play_until(lambda state: state["phase"] == "over", rng)
            turns.append(sum(seat["turn_count"] for seat in state["seats"]))
            sent.append(sum(map(len, client.received)))
            live.close()
    title = game.capitalize()
    yield figure(f"{title}, turns of a match of two", turns, "", "random play")
    yield figure(f"{title}, a match sent to one page", [size / 1000 for size in sent], "kB", "not compressed")
    yield figure(
        f"{title}, a match stored",
        [(query_number(database, _STORED_BYTES) - stored_before) / count / 1000],
        "kB",
        "with its indexes",
    )


def memory_figures(address: str, process: int, count: int = 1000) -> Iterator[Figure]:
    """Measure the memory of matches in use and of sockets."""
    before = memory_bytes(process)
    with closing(Client(address)) as client:
        matches = [client.create("limit", "me", "me")["match_id"] for _ in range(count)]
    with_matches = memory_bytes(process)
    yield figure("Limit, a match in memory", [(with_matches - before) / count / 1000], "kB", f"{count:,} of them")

    async def watch() -> float:
        opened = []
        for match in matches:
            opened += await open_sockets(
                PreparedMatch([address], match, ["a-token-that-belongs-to-no-seat"], []), legal=False
            )
            await opened[-1].until(b'{"type":"state"')
        watched = memory_bytes(process)
        for socket in opened:
            socket.close()
        return watched

    socket_bytes = (asyncio.run(watch()) - with_matches) / count / 1000
    yield figure("an open socket", [socket_bytes], "kB", f"{count:,} of them, each in a match of its own")
