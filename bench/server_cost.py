"""What a turn costs the server, beside a server of the same stack that only echoes the same bytes.

Both are measured in the same run, in turn, so that the ratio holds where the figures themselves depend on who else
uses the machine. So are one process and several on one PostgreSQL.
"""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from bench.echo import Script
from bench.measure import Figure, Skipped, of
from bench.server_load import (
    Figures,
    Table,
    kept_to,
    measure,
    play,
    prepare,
    run_load,
    server_on_core,
    sit_down,
    turn_by_turn,
    turn_messages,
    two_cores,
)
from support.database.postgres import Postgres, PostgresError
from support.server.clients import Client

RECORDED = 12
"""Matches whose bytes are echoed."""
MOST_SPEED = 20_000
"""Turns a second for which there are always matches left."""


async def _record(table: Table, legal: bool) -> Script:
    """Play a match and note all that is said in it."""
    sockets = await sit_down(table, legal)
    states = [(await socket.next()).decode() for socket in sockets]
    turns: list[tuple[list[str], str]] = []
    for seat, message in turn_messages(table):
        sockets[seat].send(message)
        updates = [(await socket.next()).decode() for socket in sockets]
        turns.append((updates, (await sockets[seat].next()).decode()))
    for socket in sockets:
        socket.close()
    return {"states": states, "turns": turns}


def recorded(legal: bool) -> tuple[list[Table], list[Script]]:
    """A few matches on our own server, and what it said in them."""
    chance = random.Random(1)
    with server_on_core() as (address, _), closing(Client(address)) as client:
        tables = [prepare(client, turn_by_turn(), chance, 1000) for _ in range(RECORDED)]
        return tables, [asyncio.run(_record(table, legal)) for table in tables]


@contextmanager
def echoing(scripts: list[Script], core: int | None) -> Iterator[tuple[str, int]]:
    """The server that echoes: its address and its process."""
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / "scripts.json"
        written.write_text(json.dumps(scripts))
        with kept_to(core):
            command = [sys.executable, "-m", "bench.echo", str(written)]
            server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            yield f"http://127.0.0.1:{server.stdout.readline().split()[1]}", server.pid
        finally:
            server.terminate()
            server.communicate(timeout=20)


def measure_echo(
    tables: list[Table], scripts: list[Script], open_games: int, seconds: float, *, legal: bool
) -> Figures:
    """The same load for the server that echoes."""
    serving, loading = two_cores() or (None, None)
    with echoing(scripts, serving) as (address, process), kept_to(loading):
        each = round(seconds * MOST_SPEED / open_games / min(len(table.turns) for table in tables)) + 1

        def table(slot: int, number: int) -> Table:
            script = (slot + number) % len(tables)
            return Table([address] * 2, f"{script}-{slot}-{number}", ["0", "1"], tables[script].turns)

        slots = [[table(slot, number) for number in range(each)] for slot in range(open_games)]
        return play(slots, seconds, legal=legal, processes=[process])


def against_echo(open_games: int, seconds: float, repeats: int) -> Iterator[Figure]:
    """Ours and the other, so many times one after the other."""
    for legal, words, aim in ((False, "", "at most 2.5, better 2.0"), (True, " with its legal turns", "at most 3.5")):
        tables, scripts = recorded(legal)
        ours, echo = [], []
        for _ in range(repeats):
            ours.append(work(measure(open_games, seconds, legal=legal)))
            echo.append(work(measure_echo(tables, scripts, open_games, seconds, legal=legal)))
        yield of(f"a turn{words}, the server's own work", ours, "us")
        yield of(f"a turn{words}, that of a server which only echoes", echo, "us")
        ratios = [mine / other for mine, other in zip(ours, echo, strict=True)]
        yield of(f"a turn{words}, ours to the echo", ratios, "times", f"aim: {aim}")


def work(found: Figures) -> float:
    """The server's processor time a turn, in microseconds."""
    assert found.server_us_per_turn is not None
    return found.server_us_per_turn


@contextmanager
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL in a folder of its own."""
    try:
        database = Postgres(fsync=True)
    except PostgresError as error:
        raise Skipped(str(error)) from None
    with closing(database):
        yield database.address


def measure_processes(database: str, count: int, open_games: int, seconds: float, *, apart: bool = False) -> Figures:
    """So many servers on one database; a match has both its seats at one of them, as a proxy with affinity does."""
    serving, loading = two_cores() or (None, None)
    arguments = ["--database", database, *(["--shared"] if count > 1 else [])]
    with ExitStack() as opened:
        servers = [opened.enter_context(server_on_core(serving, *arguments)) for _ in range(count)]
        addresses, processes = zip(*servers, strict=True)
        with kept_to(loading):
            return run_load(addresses, open_games, seconds, processes=processes, apart=apart)


def on_postgres(open_games: int, seconds: float, repeats: int) -> Iterator[Figure]:
    """Processor time a turn with one process and with several, one after the other so many times."""
    found: dict[tuple[int, bool], list[float]] = {(1, False): [], (2, False): [], (4, False): [], (4, True): []}
    with postgres() as database:
        for _ in range(repeats):
            for (count, apart), values in found.items():
                values.append(work(measure_processes(database, count, open_games, seconds, apart=apart)))
    for (count, apart), values in found.items():
        words = f"PostgreSQL, {count} process{'es' if count > 1 else ''}{', seats apart' if apart else ''}"
        yield of(f"{words}, the servers' own work a turn", values, "us")
        if count > 1:
            ratios = [mine / one for mine, one in zip(values, found[1, False], strict=True)]
            aim = "aim: at most 1.25" if (count, apart) == (4, False) else ""
            yield of(f"{words}, to one process", ratios, "times", aim)
