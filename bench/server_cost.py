"""The processor time of a turn, compared with an echo server of the same stack, and between several server processes.

Both sides of a comparison are measured alternately in the same run, so other programs change the figures more than the
ratio.
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

from bench.echo_server import MatchScript
from bench.figure import Figure, PartSkipped, figure
from bench.server_load import (
    LoadResult,
    PreparedMatch,
    measure,
    open_sockets,
    pinned_to,
    play_slots,
    prepare_match,
    run_load,
    server_on_core,
    turn_based_game,
    turn_messages,
    two_cores,
)
from support.database.postgres import Postgres, PostgresError
from support.server.clients import Client

RECORDED_MATCHES = 12
"""Matches whose messages the echo server sends."""
MAX_TURNS_PER_SECOND = 20_000
"""Determines the number of prepared matches: enough for this speed over the whole run."""


async def _record(match: PreparedMatch, legal: bool) -> MatchScript:
    """Play a match and record all messages of the server."""
    sockets = await open_sockets(match, legal)
    states = [(await socket.next()).decode() for socket in sockets]
    turns: list[tuple[list[str], str]] = []
    for seat, message in turn_messages(match):
        sockets[seat].send(message)
        updates = [(await socket.next()).decode() for socket in sockets]
        turns.append((updates, (await sockets[seat].next()).decode()))
    for socket in sockets:
        socket.close()
    return {"states": states, "turns": turns}


def record_matches(legal: bool) -> tuple[list[PreparedMatch], list[MatchScript]]:
    """Play a few matches on limina's server; return them with its messages."""
    rng = random.Random(1)
    with server_on_core() as (address, _), closing(Client(address)) as client:
        matches = [prepare_match(client, turn_based_game(), rng, 1000) for _ in range(RECORDED_MATCHES)]
        return matches, [asyncio.run(_record(match, legal)) for match in matches]


@contextmanager
def echo_server(scripts: list[MatchScript], core: int | None) -> Iterator[tuple[str, int]]:
    """Start the echo server on a core; yield its address and process id."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scripts.json"
        file.write_text(json.dumps(scripts))
        with pinned_to(core):
            command = [sys.executable, "-m", "bench.echo_server", str(file)]
            server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            yield f"http://127.0.0.1:{server.stdout.readline().split()[1]}", server.pid
        finally:
            server.terminate()
            server.communicate(timeout=20)


def measure_echo(
    matches: list[PreparedMatch], scripts: list[MatchScript], open_games: int, seconds: float, *, legal: bool
) -> LoadResult:
    """Run the load with the echo server."""
    serving, loading = two_cores() or (None, None)
    with echo_server(scripts, serving) as (address, process), pinned_to(loading):
        count = round(seconds * MAX_TURNS_PER_SECOND / open_games / min(len(match.turns) for match in matches)) + 1

        def echoed_match(slot: int, index: int) -> PreparedMatch:
            script = (slot + index) % len(matches)
            return PreparedMatch([address] * 2, f"{script}-{slot}-{index}", ["0", "1"], matches[script].turns)

        slots = [[echoed_match(slot, index) for index in range(count)] for slot in range(open_games)]
        return play_slots(slots, seconds, legal=legal, processes=[process])


def echo_figures(open_games: int, seconds: float, repeats: int) -> Iterator[Figure]:
    """Compare limina's server with the echo server, without and with legal turns in the updates."""
    for legal, suffix, aim in ((False, "", "at most 2.5, better 2.0"), (True, " with its legal turns", "at most 3.5")):
        matches, scripts = record_matches(legal)
        ours, echo = [], []
        for _ in range(repeats):
            ours.append(cpu_us_per_turn(measure(open_games, seconds, legal=legal)))
            echo.append(cpu_us_per_turn(measure_echo(matches, scripts, open_games, seconds, legal=legal)))
        yield figure(f"a turn{suffix}, the server's own work", ours, "us")
        yield figure(f"a turn{suffix}, that of a server which only echoes", echo, "us")
        ratios = [own / echoed for own, echoed in zip(ours, echo, strict=True)]
        yield figure(f"a turn{suffix}, ours to the echo", ratios, "times", f"aim: {aim}")


def cpu_us_per_turn(result: LoadResult) -> float:
    """Return the server's processor time per turn in microseconds."""
    assert result.server_us_per_turn is not None
    return result.server_us_per_turn


@contextmanager
def postgres() -> Iterator[str]:
    """Start a PostgreSQL; yield its address."""
    try:
        database = Postgres(fsync=True)
    except PostgresError as error:
        raise PartSkipped(str(error)) from None
    with closing(database):
        yield database.address


def measure_processes(
    database: str, count: int, open_games: int, seconds: float, *, split_seats: bool = False
) -> LoadResult:
    """Run the load with several servers on one database."""
    serving, loading = two_cores() or (None, None)
    arguments = ["--database", database, *(["--shared"] if count > 1 else [])]
    with ExitStack() as opened:
        servers = [opened.enter_context(server_on_core(serving, *arguments)) for _ in range(count)]
        addresses, processes = zip(*servers, strict=True)
        with pinned_to(loading):
            return run_load(addresses, open_games, seconds, processes=processes, split_seats=split_seats)


def postgres_figures(open_games: int, seconds: float, repeats: int) -> Iterator[Figure]:
    """Compare one process with several on one PostgreSQL."""
    results: dict[tuple[int, bool], list[float]] = {(1, False): [], (2, False): [], (4, False): [], (4, True): []}
    with postgres() as database:
        for _ in range(repeats):
            for (count, split_seats), values in results.items():
                values.append(
                    cpu_us_per_turn(measure_processes(database, count, open_games, seconds, split_seats=split_seats))
                )
    for (count, split_seats), values in results.items():
        label = f"PostgreSQL, {count} process{'es' if count > 1 else ''}{', seats apart' if split_seats else ''}"
        yield figure(f"{label}, the servers' own work a turn", values, "us")
        if count > 1:
            ratios = [several / one for several, one in zip(values, results[1, False], strict=True)]
            aim = "aim: at most 1.25" if (count, split_seats) == (4, False) else ""
            yield figure(f"{label}, to one process", ratios, "times", aim)
