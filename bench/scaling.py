"""What a match costs a site on PostgreSQL: processor time, bytes kept, written and sent, and memory.

A server that shares a fresh PostgreSQL, with BENCH_SCALING_GAMES open games for BENCH_SCALING_SECONDS, and after that
BENCH_SCALING_MATCHES whole matches of each game against the bot that plays anything, watched as the page does.
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

from bench.measure import Figure, Skipped, of, setting
from bench.server_load import Table, cpu_seconds, run_load, sit_down
from support.database.postgres import Postgres, PostgresError
from support.server.clients import Client
from support.server.server_process import running_server

_KEPT = "SELECT sum(pg_total_relation_size(name::regclass)) FROM unnest(ARRAY['matches', 'events', 'keys']) AS name"
_WRITTEN = "SELECT pg_current_wal_lsn() - '0/0'::pg_lsn"


def ask(database: Postgres, query: str) -> float:
    """A number of the database."""

    async def fetch() -> Any:
        connection = await asyncpg.connect(database.address)
        try:
            return await connection.fetchval(query)
        finally:
            await connection.close()

    return float(asyncio.run(fetch()))


def worked_by(database: Postgres) -> float:
    """The processor seconds of all processes of the database that are there."""
    pid = int((database.folder / "postmaster.pid").read_text().split()[0])
    children = map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
    return sum(map(cpu_seconds, (pid, *children)))


def memory_of(process: int) -> float:
    """Bytes."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return 1024 * float(next(line for line in lines if line.startswith("VmRSS")).split()[1])


def figures() -> Iterator[Figure]:
    """Everything, once."""
    if not Path("/proc/self/task").is_dir():
        raise Skipped("processor time and memory are read from /proc")
    seconds, games = setting("SCALING_SECONDS", 10), int(setting("SCALING_GAMES", 50))
    with tempfile.TemporaryDirectory() as folder:
        try:
            database = Postgres(fsync=True)
        except PostgresError as error:
            raise Skipped(str(error)) from None
        try:
            with running_server(Path(folder), "--database", database.address, "--shared") as server:
                address, process = server.address, server.process.pid
                work, written = worked_by(database), ask(database, _WRITTEN)
                load = run_load([address], games, seconds, processes=[process])
                yield of(f"Limit, {games} open games, a turn: the server", [load.server_us_per_turn or 0], "us")
                spent = 1e6 * (worked_by(database) - work) / load.turns
                yield of(f"Limit, {games} open games, a turn: the database", [spent], "us", "matches begun included")
                each = (ask(database, _WRITTEN) - written) / load.turns
                yield of(f"Limit, {games} open games, a turn: its log (WAL)", [each], "bytes", "the same")
                for game in ("limes", "limit"):
                    yield from whole_matches(database, address, game, int(setting("SCALING_MATCHES", 40)))
                yield from in_memory(address, process)
        finally:
            database.close()


def whole_matches(database: Postgres, address: str, game: str, count: int) -> Iterator[Figure]:
    """What stays of a match, and what a page is sent."""
    chance, kept = random.Random(1), ask(database, _KEPT)
    sent: list[float] = []
    turns: list[float] = []
    with closing(Client(address)) as client:
        for _ in range(count):
            live = client.live(client.create(game, "me", "random")["match"])
            client.received.clear()
            state = live.play_until(lambda state: state["phase"] == "over", chance)
            turns.append(sum(seat["turns"] for seat in state["seats"]))
            sent.append(sum(map(len, client.received)))
            live.close()
    title = game.capitalize()
    yield of(f"{title}, turns of a match of two", turns, "", "of chance")
    yield of(f"{title}, a match sent to one page", [each / 1000 for each in sent], "kB", "not compressed")
    yield of(f"{title}, a match kept", [(ask(database, _KEPT) - kept) / count / 1000], "kB", "with its indexes")


def in_memory(address: str, process: int, count: int = 1000) -> Iterator[Figure]:
    """What matches in use take, and those who look at them."""
    before = memory_of(process)
    with closing(Client(address)) as client:
        matches = [client.create("limit", "me", "me")["match"] for _ in range(count)]
    begun = memory_of(process)
    yield of("Limit, a match in memory", [(begun - before) / count / 1000], "kB", f"{count:,} of them")

    async def watch() -> float:
        opened = []
        for match in matches:
            opened += await sit_down(Table([address], match, ["nobody-holds-this-key-at-all"], []), legal=False)
            await opened[-1].until(b'{"type":"state"')
        watched = memory_of(process)
        for socket in opened:
            socket.close()
        return watched

    each = (asyncio.run(watch()) - begun) / count / 1000
    yield of("an open socket", [each], "kB", f"{count:,} of them, each at a match of its own")
