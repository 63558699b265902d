"""One attacking client at its worst, and what another notices of it: the time of its turns and of a health check.

Each attack has a few seconds (BENCH_ABUSE_SECONDS) and a process of its own; so has the server, which believes both who
they say they are. Where there are only two cores, part of what is measured is that three processes share them.
"""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import httpx

from bench.attacks import ATTACKS
from bench.measure import Figure, setting
from bench.server_load import Table, prepare
from kit.clients import Client
from kit.commands import LIMINA
from kit.matches import new_match, play_until
from kit.raw import TEXT, RawConnection
from kit.servers import free_port, running

PAUSE = 0.03
LATE = 10
"""Rounds that were played at the table that is attacked: much is to be said of it then."""
LATE_BUCKET = r'limina_late_seconds_bucket\{le="([^"]+)"\} (\S+)'
AIM = "aim: 250 at the 99th percentile"


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


def figures() -> Iterator[Figure]:
    """What the other client notices of each attack, and of none."""
    seconds, port = setting("ABUSE_SECONDS", 4), free_port()
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder), "--proxy", "127.0.0.1", "--metrics", str(port), program=LIMINA) as server,
        closing(Client(server.address)) as client,
    ):
        people = [{"kind": "person", "name": "Ada"}] * 8
        target, keys = new_match(server.address, "limes", people)
        play_until(server.address, target, keys, lambda state: state["seats"][7]["turns"] >= LATE)
        chance = Random(1)
        for number, name in enumerate((None, *ATTACKS)):
            before, lately = memory(server.process.pid), late(port)
            tables = [prepare(client, "limit", chance, 1000) for _ in range(int(seconds / PAUSE / 20) + 2)]
            player = Player(server.address, f"198.51.100.{number + 1}", tables)
            attacker = attack(name, server.address, target, seconds + 1) if name else None
            if attacker is not None:
                time.sleep(0.7)  # until it is under way
            player.play(seconds)
            done = int(attacker.communicate()[0] or 0) if attacker is not None else 0
            words = f"under {name}" if name else "in peace"
            note = "; ".join(filter(None, (AIM if name else "", f"{done:,} of them" if name else "")))
            yield spread(f"a turn or coming in, {words}", player.turns, note)
            yield spread(f"health, {words}", player.health, "")
            worst, count = kept(lately, late(port))
            yield Figure(
                f"event loop kept, {words}", worst, worst, worst, "ms", f"the worst of {count:,}, at most; aim: 20"
            )
            if before is not None and (after := memory(server.process.pid)) is not None:
                yield Figure(f"memory, {words}", after, before, after, "MB", "after; lowest: before")


def attack(name: str, address: str, match: str, seconds: float) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "bench.attacks", name, address, match, str(seconds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def spread(name: str, times: list[float], note: str) -> Figure:
    """Median, 99th percentile and the worst: for once not median, lowest and highest."""
    found = sorted(1000 * each for each in times)
    p99 = found[min(len(found) - 1, len(found) * 99 // 100)]
    words = f"median; lowest: 99th percentile; highest: worst of {len(found)}"
    return Figure(name, found[len(found) // 2], p99, found[-1], "ms", "; ".join(filter(None, (words, note))))


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
