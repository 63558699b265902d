"""One attacking client at its worst, and what others notice: a person's turns, a novice's answers, health, memory.

Each attack has a few seconds (BENCH_ABUSE_SECONDS) and a process of its own; so has the server, which believes all who
they say they are. Where there are only two cores, part of what is measured is that three processes share them. At last
many play against masters at once (BENCH_ABUSE_MASTERS), which is no attack but asks for more than there is.
"""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from random import Random

import httpx

import limina
from bench.attacks import AGAINST_NEWCOMERS, ATTACKS
from bench.measure import Figure, of, setting
from bench.server_load import Table, prepare
from support.games.records import random_record
from support.games.turns import random_turn
from support.network.raw_connection import TEXT, RawConnection
from support.processes.cli_commands import LIMINA
from support.server.clients import Client
from support.server.matches import new_match, play_until
from support.server.server_process import free_port, running_server

PAUSE = 0.03
LATE = 10
"""Rounds that were played at the table that is attacked: much is to be said of it then."""
SETTLES_SECONDS = 15.0
"""How long memory may take to come back."""
LATE_BUCKET = r'limina_late_seconds_bucket\{le="([^"]+)"\} (\S+)'


class Player:
    """Another client: plays one turn after the other in matches of its own, and asks for the server's health."""

    def __init__(self, address: str, who: str, tables: list[Table]) -> None:
        self._address = address
        self._who = who
        self._tables = tables
        self.turns: list[float] = []
        self.health: list[float] = []

    def play(self, seconds: float) -> None:
        """Until the time is over."""
        end = time.monotonic() + seconds
        with httpx.Client(base_url=self._address, headers={"X-Forwarded-For": self._who}, timeout=60) as http:
            for table in self._tables:
                begun = time.perf_counter()
                with RawConnection(self._address, self._who, timeout=60) as socket:
                    socket.upgrade(f"/api/matches/{table.match}/live")
                    _say(socket, {"type": "hello", "keys": table.keys, "legal": False})
                    _until(socket, b'{"type":"state"')
                    self.turns.append(time.perf_counter() - begun)
                    numbers = [0, 0]
                    for count, (seat, turn) in enumerate(table.turns):
                        if time.monotonic() > end and self.health:
                            return
                        message = {
                            "type": "turn",
                            "key": str(count),
                            "seat": seat,
                            "number": numbers[seat],
                            "turn": turn,
                        }
                        begun = time.perf_counter()
                        _say(socket, message)
                        _until(socket, b'{"type":"played"')
                        self.turns.append(time.perf_counter() - begun)
                        numbers[seat] += 1
                        begun = time.perf_counter()
                        http.get("/api/health").raise_for_status()
                        self.health.append(time.perf_counter() - begun)
                        time.sleep(PAUSE)


def _say(socket: RawConnection, message: dict[str, object]) -> None:
    socket.send(socket.frame(TEXT, json.dumps(message).encode()))


def _until(socket: RawConnection, beginning: bytes) -> None:
    while True:
        found = socket.next_frame()
        if found is None:
            raise RuntimeError("the other client was thrown out")
        if found[1].startswith(beginning):
            return
        if found[1].startswith(b'{"type":"refused"'):
            raise RuntimeError(found[1].decode())


class Novice(threading.Thread):
    """Somebody else, who plays against a novice: how long each answer takes."""

    def __init__(self, address: str) -> None:
        super().__init__(daemon=True)
        self._address = address
        self._told = threading.Event()
        self.answers: list[float] = []

    def __enter__(self) -> Novice:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._told.set()
        self.join(60)

    def run(self) -> None:
        """Match after match, until told to stop."""
        chance = Random(2)
        while not self._told.is_set():
            with closing(Client(self._address)) as client:
                live = client.live(client.create("limit", "me", "novice")["match"], legal=False)
                live.until_state(lambda state: True)
                while 0 in live.state["to_move"] and not self._told.is_set():
                    turn = random_turn(live.state, 0, chance)
                    begun = time.perf_counter()
                    live.play(0, turn)
                    live.until_state(lambda state: state["to_move"] != [1])
                    self.answers.append(time.perf_counter() - begun)
                    time.sleep(5 * PAUSE)


def figures() -> Iterator[Figure]:
    """What others notice of each attack, of many masters, and of nothing."""
    seconds, port = setting("ABUSE_SECONDS", 8), free_port()
    with (
        tempfile.TemporaryDirectory() as folder,
        running_server(Path(folder), "--proxy", "127.0.0.1", "--metrics", str(port), program=LIMINA) as server,
        closing(Client(server.address)) as client,
    ):
        people = [{"kind": "person", "name": "Ada"}] * 8
        target, keys = new_match(server.address, "limes", people)
        play_until(server.address, target, keys, lambda state: state["seats"][7]["turns"] >= LATE)
        chance = Random(1)

        def player(number: int) -> Player:
            tables = [prepare(client, "limit", chance, 1000) for _ in range(int(seconds / PAUSE / 20) + 2)]
            return Player(server.address, f"198.51.100.{number}", tables)

        for number, name in enumerate((None, *ATTACKS), 1):
            other, before, lately = player(number), memory(server.process.pid), late(port)
            attacker = attack(name, server.address, target, seconds + 1) if name else None
            with Novice(server.address) as novice:
                if attacker is not None:
                    time.sleep(0.7)  # until it is under way
                other.play(seconds)
            done = int(attacker.communicate()[0] or 0) if attacker is not None else 0
            words = f"under {name}" if name else "in peace"
            yield from noticed(words, other, novice, 250 if name else None, f"{done:,} of them" if name else "")
            worst, count = kept(lately, late(port))
            yield of(f"{words}, event loop kept", [worst], "ms", f"aim: at most 20; the worst of {count:,}")
            if before is not None:
                after = settled(server.process.pid, before)
                yield of(f"{words}, memory after to before", [after / before], "times", "aim: at most 1.2")
        masters = int(setting("ABUSE_MASTERS", 200))
        other = player(number + 1)
        with against_masters(server.address, masters), Novice(server.address) as novice:
            other.play(seconds)
        yield from noticed(f"{masters} against masters", other, novice, 100)
    yield from newcomers(seconds)


def newcomers(seconds: float) -> Iterator[Figure]:
    """How long a client waits that opens a connection and sends a record, while others try to lock it out.

    The server takes the machine itself for one address among others. Newcomers come through a proxy.
    """
    record = json.dumps(random_record(limina.game("limes"), 3, players=1, steps=32).to_json()).encode()
    for name in (None, *AGAINST_NEWCOMERS):
        with (
            tempfile.TemporaryDirectory() as folder,
            running_server(Path(folder), "--proxy", "127.0.0.1", "--max", "at_home=1", program=LIMINA) as server,
        ):
            attacker = attack(name, server.address, "none", seconds + 2) if name else None
            time.sleep(1 if name else 0)
            words = f"under {name}" if name else "in peace"
            looks: list[float] = []
            sends: list[float] = []
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                for path, body, times in (("/api/health", b"", looks), ("/api/replay", record, sends)):
                    begun = time.perf_counter()
                    with RawConnection(server.address, f"198.51.100.{1 + len(looks) % 250}", timeout=60) as newcomer:
                        about = ("Connection: close", f"Content-Length: {len(body)}", "Content-Type: application/json")
                        newcomer.send(newcomer.head(f"{'POST' if body else 'GET'} {path} HTTP/1.1", *about) + body)
                        answer = newcomer.rest()
                    times.append(1000 * (time.perf_counter() - begun))
                    if not answer.startswith(b"HTTP/1.1 200 "):
                        raise RuntimeError(answer.decode())
                time.sleep(PAUSE)
            done = int(attacker.communicate()[0] or 0) if attacker is not None else 0
        for what, times in (("a newcomer's first answer", looks), ("a newcomer's record", sends)):
            aim = "aim: median below 100, slowest below 500" if what.endswith("answer") else ""
            spread = f"slowest of {len(times)} {max(times):.0f}"
            notes = "; ".join(filter(None, (aim, spread, f"{done:,} of them" if name else "")))
            yield of(f"{words}, {what}, median", [sorted(times)[len(times) // 2]], "ms", notes)


def noticed(words: str, player: Player, novice: Novice, most: int | None, note: str = "") -> Iterator[Figure]:
    """What the others have measured, with what is asked for."""
    for what, times, aim in (
        ("a turn or coming in", player.turns, most),
        ("health", player.health, None),
        ("a novice's answer", novice.answers, most and 1000),
    ):
        found = sorted(1000 * each for each in times) or [float("inf")]
        p99 = found[min(len(found) - 1, len(found) * 99 // 100)]
        spread = f"median {found[len(found) // 2]:.1f}, slowest of {len(times)} {found[-1]:.0f}"
        notes = "; ".join(filter(None, (f"aim: within {aim:,}" if aim else "", spread, note)))
        yield of(f"{words}, {what}, 99th percentile", [p99], "ms", notes)


@contextmanager
def against_masters(address: str, count: int) -> Iterator[None]:
    """So many people, each at a match whose master is to move, and watching it."""
    with ExitStack() as opened, httpx.Client(base_url=address, timeout=60) as http:
        seats = [{"kind": "bot", "bot": "master"}, {"kind": "person", "name": "Ben"}]
        for number in range(count):
            who = f"203.0.113.{number % 250 + 1}"
            asked = http.post("/api/matches", json={"game": "limit", "seats": seats}, headers={"X-Forwarded-For": who})
            created = asked.raise_for_status().json()
            socket = opened.enter_context(RawConnection(address, who, timeout=60))
            socket.upgrade(f"/api/matches/{created['state']['match']}/live")
            _say(socket, {"type": "hello", "keys": [held["key"] for held in created["keys"]], "legal": False})
        yield


def attack(name: str, address: str, match: str, seconds: float) -> subprocess.Popen[str]:
    """An attack in a process of its own."""
    command = [sys.executable, "-m", "bench.attacks", name, address, match, str(seconds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def settled(process: int, before: float) -> float:
    """The memory after an attack, once it is near what it was or no longer falls."""
    end = time.monotonic() + SETTLES_SECONDS
    while (after := memory(process) or before) > 1.2 * before and time.monotonic() < end:
        time.sleep(0.5)
    return after


def late(port: int) -> dict[float, int]:
    """How often the event loop came late by at most so many seconds."""
    found = httpx.get(f"http://127.0.0.1:{port}/metrics").text
    return {float(most): int(float(count)) for most, count in re.findall(LATE_BUCKET, found)}


def kept(before: dict[float, int], after: dict[float, int]) -> tuple[float, int]:
    """By how many milliseconds it came late at most, and how often that was looked at."""
    new = {most: after[most] - before.get(most, 0) for most in after}
    looked = new[math.inf]
    return 1000 * min(most for most, count in new.items() if count == looked), looked


def memory(process: int) -> float | None:
    """The megabytes that a process holds."""
    status = Path(f"/proc/{process}/status")
    if not status.exists():
        return None
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024
