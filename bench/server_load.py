"""Load for the server: many open games in a closed loop, every turn answered before the next of that game is sent.

    PYTHONPATH=tests python -m bench.server_load --games 200 --seconds 10

starts a server on one core with a fresh data folder, keeps itself to the other, and prints turns a second with the
50th and 99th percentile of the time from sending a turn to knowing that it is saved. Two sockets watch every game, one
for each seat; each gets every update.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import uvloop

from limina import Step
from limina.core import registry
from support.processes.cli_commands import LIMINA
from support.server.clients import Client
from support.server.server_process import running_server


@dataclass(frozen=True)
class Figures:
    """What was measured."""

    games: int
    turns: int
    seconds: float
    turns_per_second: float
    median_ms: float
    p99_ms: float
    server_us_per_turn: float | None = None
    """The server's own work for a turn: tells what it could do where others use the machine too."""


class Socket(asyncio.Protocol):
    """Just enough of a WebSocket client that the load is not the bottleneck."""

    def __init__(self, path: str, hello: bytes) -> None:
        self._path = path
        self._hello = hello
        self._buffer = bytearray()
        self._open = False
        self._inbox: asyncio.Queue[bytes] = asyncio.Queue()

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        transport.write(
            f"GET {self._path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._open:
            end = self._buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            assert self._buffer.startswith(b"HTTP/1.1 101"), bytes(self._buffer[:200])
            del self._buffer[: end + 4]
            self._open = True
            self.send(self._hello)
        buffer, at = self._buffer, 0
        while len(buffer) - at >= 2:
            length, head = buffer[at + 1] & 127, 2
            if length == 126:
                length, head = int.from_bytes(buffer[at + 2 : at + 4], "big"), 4
            elif length == 127:
                length, head = int.from_bytes(buffer[at + 2 : at + 10], "big"), 10
            if len(buffer) - at < head + length:
                break
            kind = buffer[at] & 15
            content = bytes(buffer[at + head : at + head + length])
            at += head + length
            if kind == 1:
                self._inbox.put_nowait(content)
            elif kind == 9:
                self._frame(10, content)
        del buffer[:at]

    def connection_lost(self, error: Exception | None) -> None:
        self._inbox.put_nowait(b'{"type":"gone"}')

    def send(self, content: bytes) -> None:
        self._frame(1, content)

    def _frame(self, kind: int, content: bytes) -> None:
        size = len(content)
        length = bytes([128 | size]) if size < 126 else bytes([128 | 126]) + size.to_bytes(2, "big")
        # A mask of zeros leaves the content as it is.
        self._transport.write(bytes([128 | kind]) + length + b"\0\0\0\0" + content)

    async def next(self) -> bytes:
        """The next message."""
        return await self._inbox.get()

    async def until(self, beginning: bytes) -> bytes:
        """The next message that begins like this; others are dropped."""
        while True:
            content = await self.next()
            if content.startswith(beginning):
                return content
            if content.startswith((b'{"type":"refused"', b'{"type":"gone"')):
                raise RuntimeError(content.decode())

    def close(self) -> None:
        self._transport.close()


@dataclass
class Table:
    """A match, where it is played, and the turns that will be played in it, chosen before the clock runs."""

    bases: Sequence[str]
    """The servers, one for each seat."""
    match: str
    keys: list[str]
    turns: list[tuple[int, str]]


def prepare(client: Client, name: str, chance: random.Random, most_turns: int) -> Table:
    """A new match with its turns."""
    state = client.create(name, "me", "me")
    position = registry.game(name).start(2, **state["options"])
    for step in state["steps"]:
        position = position.apply(Step(step["player"], step["text"]))
    turns: list[tuple[int, str]] = []
    while position.to_move and len(turns) < most_turns:
        player = position.to_move[0]
        turn = chance.choice(position.legal_turns())
        turns.append((player, str(turn)))
        position = position.play(turn)
    return Table([client.base] * 2, state["match"], client.keys[state["match"]], turns)


class Start:
    """All open their first game, and only then the clock runs."""

    def __init__(self, parties: int, seconds: float, processes: Sequence[int]) -> None:
        self._processes = processes
        self._missing = parties
        self._seconds = seconds
        self._go = asyncio.Event()
        self.began = self.stop = 0.0
        self.worked = 0.0
        """How long the processes had worked before."""

    async def wait(self) -> None:
        self._missing -= 1
        if self._missing == 0:
            self.worked = sum(map(cpu_seconds, self._processes))
            self.began = time.perf_counter()
            self.stop = self.began + self._seconds
            self._go.set()
        await self._go.wait()

    @property
    def over(self) -> bool:
        return time.perf_counter() > self.stop


async def sit_down(table: Table, legal: bool) -> list[Socket]:
    """A socket for each seat."""
    path = f"/api/matches/{table.match}/live"
    sockets = []
    for base, key in zip(table.bases, table.keys, strict=True):
        host, port = base.removeprefix("http://").split(":")
        hello = json.dumps({"type": "hello", "keys": [key], "legal": legal}).encode()
        _, socket = await asyncio.get_running_loop().create_connection(partial(Socket, path, hello), host, int(port))
        sockets.append(socket)
    return sockets


def turn_messages(table: Table) -> Iterator[tuple[int, bytes]]:
    """The turns as they are sent, each with the seat that sends it."""
    numbers = [0] * len(table.keys)
    for count, (seat, turn) in enumerate(table.turns):
        message = {"type": "turn", "key": str(count), "seat": seat, "number": numbers[seat], "turn": turn}
        yield seat, json.dumps(message).encode()
        numbers[seat] += 1


async def loop_over(tables: list[Table], start: Start, times: list[float], legal: bool, pause: float) -> None:
    """Play one match after the other until the time is up."""
    for number, table in enumerate(tables):
        sockets = await sit_down(table, legal)
        for socket in sockets:
            await socket.until(b'{"type":"state"')
        if number == 0:
            await start.wait()
        for seat, message in turn_messages(table):
            began = time.perf_counter()
            sockets[seat].send(message)
            await sockets[seat].until(b'{"type":"played"')
            times.append(time.perf_counter() - began)
            if start.over:
                break
            if len(set(table.bases)) > 1:  # whoever is next plays once they have seen it
                for other in sockets:
                    if other is not sockets[seat]:
                        await other.until(b'{"type":"update"')
            if pause:
                await asyncio.sleep(pause)
        for socket in sockets:
            socket.close()
        if start.over:
            return


def cpu_seconds(process: int) -> float:
    """The time that a process has worked."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def counts_work() -> bool:
    """Whether this system tells how long a process has worked."""
    return Path("/proc").is_dir()


def turn_by_turn() -> str:
    """The name of a game that is played turn by turn."""
    return next(each for each in registry.game_names() if not registry.game(each).spec.simultaneous)


def run_load(
    bases: Sequence[str],
    open_games: int,
    seconds: float,
    *,
    legal: bool = False,
    processes: Sequence[int] = (),
    pause: float = 0.0,
    apart: bool = False,
) -> Figures:
    """Measure servers that run already, each with its share of the matches; with a pause after each turn, idle ones.

    Both seats of a match are at the same server, or apart at two of them.
    """
    chance = random.Random(1)
    with ExitStack() as opened:
        clients = [opened.enter_context(closing(Client(base.rstrip("/")))) for base in bases]
        first = prepare(clients[0], turn_by_turn(), chance, 1000)
        # Enough matches for the whole time, at three times the speed that is to be beaten.
        turns = seconds / pause if pause else seconds * 5000 / open_games
        each = max(1, round(turns / max(10, len(first.turns))) + 1)
        slots = [
            [prepare(clients[slot % len(clients)], turn_by_turn(), chance, 1000) for _ in range(each)]
            for slot in range(open_games)
        ]
    if apart:
        others = dict(zip(bases, [*bases[1:], bases[0]], strict=True))
        slots = [[replace(each, bases=[each.bases[0], others[each.bases[0]]]) for each in slot] for slot in slots]
    return play(slots, seconds, legal=legal, processes=processes, pause=pause)


def play(
    slots: list[list[Table]],
    seconds: float,
    *,
    legal: bool = False,
    processes: Sequence[int] = (),
    pause: float = 0.0,
) -> Figures:
    """Play matches that are prepared, in every slot one after the other."""
    times: list[float] = []

    async def all_at_once() -> tuple[float, float]:
        start = Start(len(slots), seconds, processes)
        await asyncio.gather(*(loop_over(tables, start, times, legal, pause) for tables in slots))
        return time.perf_counter() - start.began, sum(map(cpu_seconds, processes)) - start.worked

    taken, worked = uvloop.run(all_at_once())
    work = round(1e6 * worked / len(times), 1) if processes else None
    times.sort()
    return Figures(
        len(slots),
        len(times),
        round(taken, 2),
        round(len(times) / taken, 1),
        round(1000 * times[len(times) // 2], 2),
        round(1000 * times[len(times) * 99 // 100], 2),
        work,
    )


def two_cores() -> tuple[int, int] | None:
    """A core for the server and one for the load, where there are two and one may choose."""
    if not hasattr(os, "sched_getaffinity"):
        return None
    ours = sorted(os.sched_getaffinity(0))
    return (ours[0], ours[1]) if len(ours) > 1 else None


@contextmanager
def kept_to(core: int | None) -> Iterator[None]:
    """Stay on one core meanwhile; a process that is started here stays there for good."""
    if core is None:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextmanager
def server_on_core(core: int | None = None, *arguments: str) -> Iterator[tuple[str, int]]:
    """A server with a fresh data folder: its address and its process."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as opened:
        with kept_to(core):
            server = opened.enter_context(running_server(Path(folder), *arguments, program=LIMINA))
        yield server.address, server.process.pid


def measure(open_games: int, seconds: float, *, legal: bool = False) -> Figures:
    """Start a server on one core, load it from the other, stop it."""
    serving, loading = two_cores() or (None, None)
    with server_on_core(serving) as (address, process), kept_to(loading):
        return run_load([address], open_games, seconds, legal=legal, processes=[process] if counts_work() else [])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, nargs="+", default=[10, 50, 200, 1000], help="how many open games")
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--legal", action="store_true", help="have the legal turns sent with every update too")
    parser.add_argument("--url", help="measure a server that runs already, such as http://127.0.0.1:8000")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    for count in chosen.games:
        if chosen.url:
            found = run_load([chosen.url], count, chosen.seconds, legal=chosen.legal)
        else:
            found = measure(count, chosen.seconds, legal=chosen.legal)
        if chosen.json:
            print(json.dumps(asdict(found)), flush=True)
        else:
            print(
                f"{found.games:5} open games: {found.turns_per_second:8.0f} turns/s, "
                f"{found.median_ms:7.1f} ms median, {found.p99_ms:7.1f} ms at the 99th percentile "
                f"({found.turns} turns in {found.seconds} s, {found.server_us_per_turn} us of the server's time each)",
                flush=True,
            )


if __name__ == "__main__":
    main()
