"""What a turn costs the server, beside a server of the same stack that only echoes the same bytes.

Both are measured in the same run, in turn, so that the ratio holds where the figures themselves depend on who else
uses the machine.
"""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from bench.echo import Script
from bench.server_load import (
    Figures,
    Table,
    kept_to,
    measure,
    play,
    prepare,
    running_server,
    sit_down,
    turn_by_turn,
    turn_messages,
    two_cores,
)
from kit.clients import Client

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
    with running_server() as (address, _), closing(Client(address)) as client:
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
        slots = [
            [
                Table(
                    address,
                    f"{(slot + number) % len(tables)}-{slot}-{number}",
                    ["0", "1"],
                    tables[(slot + number) % len(tables)].turns,
                )
                for number in range(each)
            ]
            for slot in range(open_games)
        ]
        return play(slots, seconds, legal=legal, processes=[process])


def compared(open_games: int, seconds: float, repeats: int, *, legal: bool) -> list[tuple[Figures, Figures]]:
    """Ours and the other, so many times one after the other."""
    tables, scripts = recorded(legal)
    return [
        (
            measure(open_games, seconds, legal=legal),
            measure_echo(tables, scripts, open_games, seconds, legal=legal),
        )
        for _ in range(repeats)
    ]


if __name__ == "__main__":
    for legal in (False, True):
        for ours, echo in compared(200, 2.5, 2, legal=legal):
            work, other = ours.server_us_per_turn or 0, echo.server_us_per_turn or 1
            print(legal, work, other, work / other, ours.turns_per_second, echo.turns_per_second, flush=True)
