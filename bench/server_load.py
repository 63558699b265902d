"""Load for the server: many open games in a closed loop, in which every turn is answered before the next one is sent.

    PYTHONPATH=tests python -m bench.server_load --games 200 --seconds 10

starts a server on one core with a new data folder, runs on another core, and prints the turns per second with the
50th and 99th percentile of the time from sending a turn to the answer that it is saved. Every game has two sockets, one
for each seat, and each gets every update.
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
class LoadResult:
    """The measurements of a run."""

    games: int
    turns: int
    seconds: float
    turns_per_second: float
    median_ms: float
    p99_ms: float
    server_us_per_turn: float | None = None
    """The server's processor time per turn. Other programs on the machine change it less than the other figures."""


class LoadSocket(asyncio.Protocol):
    """A minimal WebSocket client, so that the load is not the bottleneck."""

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
        """Return the next message."""
        return await self._inbox.get()

    async def until(self, beginning: bytes) -> bytes:
        """Return the next message with this beginning; drop others."""
        while True:
            content = await self.next()
            if content.startswith(beginning):
                return content
            if content.startswith((b'{"type":"refused"', b'{"type":"gone"')):
                raise RuntimeError(content.decode())

    def close(self) -> None:
        self._transport.close()


@dataclass
class PreparedMatch:
    """A match with its servers, its seat tokens and its turns, which are arguments before the clock starts."""

    bases: Sequence[str]
    """The address of a server for each seat."""
    match_id: str
    tokens: list[str]
    turns: list[tuple[int, str]]


def prepare_match(client: Client, name: str, rng: random.Random, max_turns: int) -> PreparedMatch:
    """Create a match and choose random turns for it."""
    state = client.create(name, "me", "me")
    position = registry.game(name).start(2, **state["options"])
    for step in state["steps"]:
        position = position.apply(Step(step["player"], step["text"]))
    turns: list[tuple[int, str]] = []
    while position.to_move and len(turns) < max_turns:
        player = position.to_move[0]
        turn = rng.choice(position.legal_turns())
        turns.append((player, str(turn)))
        position = position.play(turn)
    return PreparedMatch([client.base] * 2, state["match_id"], client.seat_tokens[state["match_id"]], turns)


class StartBarrier:
    """Starts the clock when all slots have opened their first game."""

    def __init__(self, slots: int, seconds: float, processes: Sequence[int]) -> None:
        self._processes = processes
        self._missing = slots
        self._seconds = seconds
        self._started = asyncio.Event()
        self.started_at = self.end = 0.0
        self.cpu_seconds_before = 0.0
        """Processor time of the servers before the clock starts."""

    async def wait(self) -> None:
        self._missing -= 1
        if self._missing == 0:
            self.cpu_seconds_before = sum(map(cpu_seconds, self._processes))
            self.started_at = time.perf_counter()
            self.end = self.started_at + self._seconds
            self._started.set()
        await self._started.wait()

    @property
    def is_over(self) -> bool:
        return time.perf_counter() > self.end


async def open_sockets(match: PreparedMatch, legal: bool) -> list[LoadSocket]:
    """Open a socket for each seat."""
    path = f"/api/matches/{match.match_id}/live"
    sockets = []
    for base, token in zip(match.bases, match.tokens, strict=True):
        host, port = base.removeprefix("http://").split(":")
        hello = json.dumps({"type": "hello", "seat_tokens": [token], "legal": legal}).encode()
        _, socket = await asyncio.get_running_loop().create_connection(
            partial(LoadSocket, path, hello), host, int(port)
        )
        sockets.append(socket)
    return sockets


def turn_messages(match: PreparedMatch) -> Iterator[tuple[int, bytes]]:
    """Yield the messages that play the turns, each with the seat that sends it."""
    turn_indices = [0] * len(match.tokens)
    for count, (seat, turn) in enumerate(match.turns):
        message = {
            "type": "turn",
            "idempotency_key": str(count),
            "seat_index": seat,
            "turn_index": turn_indices[seat],
            "turn": turn,
        }
        yield seat, json.dumps(message).encode()
        turn_indices[seat] += 1


async def play_in_sequence(
    matches: list[PreparedMatch], start: StartBarrier, times: list[float], legal: bool, pause: float
) -> None:
    """Play one match after the other until the end of the run."""
    for index, match in enumerate(matches):
        sockets = await open_sockets(match, legal)
        for socket in sockets:
            await socket.until(b'{"type":"state"')
        if index == 0:
            await start.wait()
        for seat, message in turn_messages(match):
            sent_at = time.perf_counter()
            sockets[seat].send(message)
            await sockets[seat].until(b'{"type":"played"')
            times.append(time.perf_counter() - sent_at)
            if start.is_over:
                break
            if len(set(match.bases)) > 1:  # the next player sees the turn before they play
                for other in sockets:
                    if other is not sockets[seat]:
                        await other.until(b'{"type":"update"')
            if pause:
                await asyncio.sleep(pause)
        for socket in sockets:
            socket.close()
        if start.is_over:
            return


def cpu_seconds(pid: int) -> float:
    """Return the processor time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def has_cpu_times() -> bool:
    """Return True if the system has /proc, where processor time is read."""
    return Path("/proc").is_dir()


def turn_based_game() -> str:
    """Return the name of a game whose players do not move at the same time."""
    return next(name for name in registry.game_names() if not registry.game(name).spec.simultaneous)


def run_load(
    bases: Sequence[str],
    open_games: int,
    seconds: float,
    *,
    legal: bool = False,
    processes: Sequence[int] = (),
    pause: float = 0.0,
    split_seats: bool = False,
) -> LoadResult:
    """Run the load on servers that run already, each with its share of the matches.

    With `pause`, the players wait for so many seconds after each turn. With `split_seats`, the two seats of a match use
    different servers.
    """
    rng = random.Random(1)
    with ExitStack() as opened:
        clients = [opened.enter_context(closing(Client(base.rstrip("/")))) for base in bases]
        first = prepare_match(clients[0], turn_based_game(), rng, 1000)
        # Enough matches for the whole run at 5000 turns per second.
        turns = seconds / pause if pause else seconds * 5000 / open_games
        count = max(1, round(turns / max(10, len(first.turns))) + 1)
        slots = [
            [prepare_match(clients[slot % len(clients)], turn_based_game(), rng, 1000) for _ in range(count)]
            for slot in range(open_games)
        ]
    if split_seats:
        others = dict(zip(bases, [*bases[1:], bases[0]], strict=True))
        slots = [[replace(match, bases=[match.bases[0], others[match.bases[0]]]) for match in slot] for slot in slots]
    return play_slots(slots, seconds, legal=legal, processes=processes, pause=pause)


def play_slots(
    slots: list[list[PreparedMatch]],
    seconds: float,
    *,
    legal: bool = False,
    processes: Sequence[int] = (),
    pause: float = 0.0,
) -> LoadResult:
    """Play prepared matches: all slots at the same time, the matches of a slot one after the other."""
    times: list[float] = []

    async def play_all() -> tuple[float, float]:
        start = StartBarrier(len(slots), seconds, processes)
        await asyncio.gather(*(play_in_sequence(matches, start, times, legal, pause) for matches in slots))
        return time.perf_counter() - start.started_at, sum(map(cpu_seconds, processes)) - start.cpu_seconds_before

    elapsed, worked = uvloop.run(play_all())
    work = round(1e6 * worked / len(times), 1) if processes else None
    times.sort()
    return LoadResult(
        len(slots),
        len(times),
        round(elapsed, 2),
        round(len(times) / elapsed, 1),
        round(1000 * times[len(times) // 2], 2),
        round(1000 * times[len(times) * 99 // 100], 2),
        work,
    )


def two_cores() -> tuple[int, int] | None:
    """Return a core for the server and one for the load, or None if there is one core or no choice of cores."""
    if not hasattr(os, "sched_getaffinity"):
        return None
    cores = sorted(os.sched_getaffinity(0))
    return (cores[0], cores[1]) if len(cores) > 1 else None


@contextmanager
def pinned_to(core: int | None) -> Iterator[None]:
    """Run on one core during the context; a process that is started meanwhile stays on the core."""
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
    """Start a server with a new data folder on one core; yield its address and process id."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as opened:
        with pinned_to(core):
            server = opened.enter_context(running_server(Path(folder), *arguments, program=LIMINA))
        yield server.address, server.process.pid


def measure(open_games: int, seconds: float, *, legal: bool = False) -> LoadResult:
    """Start a server on one core, run the load on another, and stop the server."""
    serving, loading = two_cores() or (None, None)
    with server_on_core(serving) as (address, process), pinned_to(loading):
        return run_load([address], open_games, seconds, legal=legal, processes=[process] if has_cpu_times() else [])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, nargs="+", default=[10, 50, 200, 1000], help="numbers of open games")
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--legal", action="store_true", help="let the server send the legal turns with every update")
    parser.add_argument("--url", help="measure a server that runs already, such as http://127.0.0.1:8000")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    for count in arguments.games:
        if arguments.url:
            result = run_load([arguments.url], count, arguments.seconds, legal=arguments.legal)
        else:
            result = measure(count, arguments.seconds, legal=arguments.legal)
        if arguments.json:
            print(json.dumps(asdict(result)), flush=True)
        else:
            print(
                f"{result.games:5} open games: {result.turns_per_second:8.0f} turns/s, "
                f"{result.median_ms:7.1f} ms median, {result.p99_ms:7.1f} ms at the 99th percentile "
                f"({result.turns} turns in {result.seconds} s, "
                f"{result.server_us_per_turn} us of the server's processor time each)",
                flush=True,
            )


if __name__ == "__main__":
    main()
