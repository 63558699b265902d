"""Effects of an attacking client on others: the time of a turn, a bot's answer and a health request, and memory.

Each attack runs for BENCH_ATTACKS_SECONDS in a process of its own. The server runs in another one and believes the
addresses in X-Forwarded-For. On two cores the figures include that three processes share them. The last part has
BENCH_ATTACKS_MASTERS matches in which a master is to move, which is more load than the server has processors.
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
from bench.attack_client import ATTACKS, ATTACKS_ON_NEW_CLIENTS
from bench.figure import Figure, figure, number_setting
from bench.server_load import PreparedMatch, prepare_match, turn_messages
from support.games.records import random_record
from support.games.turns import random_turn
from support.network.raw_connection import TEXT, RawConnection
from support.processes.cli_commands import LIMINA
from support.server.clients import Client
from support.server.matches import new_match, play_until
from support.server.server_process import free_port, running_server

PAUSE_SECONDS = 0.03
"""The time between two turns of the other client."""
ROUNDS_BEFORE = 10
"""Rounds that are played in the attacked match before: its state is large then."""
MEMORY_SETTLE_SECONDS = 15.0
"""Bounds the wait for memory to be released after an attack."""
LAG_BUCKET = r'limina_event_loop_lag_seconds_bucket\{le="([^"]+)"\} (\S+)'


class OtherClient:
    """A client that plays turn after turn in its own matches, asks for the server's health, and measures both."""

    def __init__(self, address: str, client_address: str, matches: list[PreparedMatch]) -> None:
        self._address = address
        self._client_address = client_address
        self._matches = matches
        self.turns: list[float] = []
        self.health: list[float] = []

    def play(self, seconds: float) -> None:
        """Play for this time."""
        end = time.monotonic() + seconds
        with httpx.Client(
            base_url=self._address, headers={"X-Forwarded-For": self._client_address}, timeout=60
        ) as http:
            for match in self._matches:
                started = time.perf_counter()
                with RawConnection(self._address, self._client_address, timeout=60) as socket:
                    socket.upgrade(f"/api/matches/{match.match_id}/live")
                    _send_json(socket, {"type": "hello", "seat_tokens": match.tokens, "legal": False})
                    _receive_until(socket, b'{"type":"state"')
                    self.turns.append(time.perf_counter() - started)
                    for _, message in turn_messages(match):
                        if time.monotonic() > end and self.health:
                            return
                        started = time.perf_counter()
                        socket.send(socket.frame(TEXT, message))
                        _receive_until(socket, b'{"type":"played"')
                        self.turns.append(time.perf_counter() - started)
                        started = time.perf_counter()
                        http.get("/api/health").raise_for_status()
                        self.health.append(time.perf_counter() - started)
                        time.sleep(PAUSE_SECONDS)


def _send_json(socket: RawConnection, message: dict[str, object]) -> None:
    socket.send(socket.frame(TEXT, json.dumps(message).encode()))


def _receive_until(socket: RawConnection, beginning: bytes) -> None:
    while True:
        frame = socket.next_frame()
        if frame is None:
            raise RuntimeError("the server closed the socket of the other client")
        if frame[1].startswith(beginning):
            return
        if frame[1].startswith(b'{"type":"refused"'):
            raise RuntimeError(frame[1].decode())


class NoviceOpponent(threading.Thread):
    """A client that plays against a novice bot and measures the time of each answer."""

    def __init__(self, address: str) -> None:
        super().__init__(daemon=True)
        self._address = address
        self._stopping = threading.Event()
        self.answers: list[float] = []

    def __enter__(self) -> NoviceOpponent:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stopping.set()
        self.join(60)

    def run(self) -> None:
        """Play match after match until the context ends."""
        rng = Random(2)
        while not self._stopping.is_set():
            with closing(Client(self._address)) as client:
                live = client.live(client.create("limit", "me", "novice")["match_id"], legal=False)
                live.until_state(lambda state: True)
                while 0 in live.state["to_move"] and not self._stopping.is_set():
                    turn = random_turn(live.state, 0, rng)
                    started = time.perf_counter()
                    live.play(0, turn)
                    live.until_state(lambda state: state["to_move"] != [1])
                    self.answers.append(time.perf_counter() - started)
                    time.sleep(5 * PAUSE_SECONDS)


def figures() -> Iterator[Figure]:
    """Measure without an attack, under each attack, and with many masters."""
    seconds, port = number_setting("ATTACKS_SECONDS", 8), free_port()
    with (
        tempfile.TemporaryDirectory() as folder,
        running_server(Path(folder), "--proxy", "127.0.0.1", "--metrics", str(port), program=LIMINA) as server,
        closing(Client(server.address)) as client,
    ):
        people = [{"kind": "person", "name": "Ada"}] * 8
        target, tokens = new_match(server.address, "limes", people)
        play_until(server.address, target, tokens, lambda state: state["seats"][7]["turn_count"] >= ROUNDS_BEFORE)
        rng = Random(1)

        def other_client(number: int) -> OtherClient:
            count = int(seconds / PAUSE_SECONDS / 20) + 2
            matches = [prepare_match(client, "limit", rng, 1000) for _ in range(count)]
            return OtherClient(server.address, f"198.51.100.{number}", matches)

        for number, name in enumerate((None, *ATTACKS), 1):
            other = other_client(number)
            memory_before, lag_before = memory_megabytes(server.process.pid), read_lag_histogram(port)
            attacker = start_attack(name, server.address, target, seconds + 1) if name else None
            with NoviceOpponent(server.address) as novice:
                if attacker is not None:
                    time.sleep(0.7)  # for the attack to start
                other.play(seconds)
            repetitions = int(attacker.communicate()[0] or 0) if attacker is not None else 0
            label = name or "no attack"
            yield from client_figures(
                label, other, novice, 250 if name else None, f"{repetitions:,} repetitions" if name else ""
            )
            lag, samples = max_lag(lag_before, read_lag_histogram(port))
            yield figure(f"{label}, event loop lag", [lag], "ms", f"aim: at most 20; highest of {samples:,}")
            if memory_before is not None:
                memory_after = settled_memory(server.process.pid, memory_before)
                yield figure(
                    f"{label}, memory after to before", [memory_after / memory_before], "times", "aim: at most 1.2"
                )
        masters = int(number_setting("ATTACKS_MASTERS", 200))
        other = other_client(number + 1)
        with master_matches(server.address, masters), NoviceOpponent(server.address) as novice:
            other.play(seconds)
        yield from client_figures(f"{masters} matches against masters", other, novice, 100)
    yield from new_client_figures(seconds)


def new_client_figures(seconds: float) -> Iterator[Figure]:
    """Measure the first answer and a record sent by new clients, while an attacker tries to use up the connections.

    The server gives this machine no higher limits than others. The new clients come through a proxy.
    """
    record = json.dumps(random_record(limina.game("limes"), 3, players=1, steps=32).to_json()).encode()
    for name in (None, *ATTACKS_ON_NEW_CLIENTS):
        with (
            tempfile.TemporaryDirectory() as folder,
            running_server(
                Path(folder), "--proxy", "127.0.0.1", "--max", "localhost_multiplier=1", program=LIMINA
            ) as server,
        ):
            attacker = start_attack(name, server.address, "none", seconds + 2) if name else None
            time.sleep(1 if name else 0)
            label = name or "no attack"
            first_answers: list[float] = []
            records: list[float] = []
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                for path, body, times in (("/api/health", b"", first_answers), ("/api/replay", record, records)):
                    started = time.perf_counter()
                    with RawConnection(
                        server.address, f"198.51.100.{1 + len(first_answers) % 250}", timeout=60
                    ) as new_client:
                        headers = (
                            "Connection: close",
                            f"Content-Length: {len(body)}",
                            "Content-Type: application/json",
                        )
                        new_client.send(
                            new_client.head(f"{'POST' if body else 'GET'} {path} HTTP/1.1", *headers) + body
                        )
                        answer = new_client.read_all()
                    times.append(1000 * (time.perf_counter() - started))
                    if not answer.startswith(b"HTTP/1.1 200 "):
                        raise RuntimeError(answer.decode())
                time.sleep(PAUSE_SECONDS)
            repetitions = int(attacker.communicate()[0] or 0) if attacker is not None else 0
        for measured, times in (("a new client's first answer", first_answers), ("a new client's record", records)):
            aim = "aim: median below 100, slowest below 500" if measured.endswith("answer") else ""
            spread = f"slowest of {len(times)} {max(times):.0f}"
            notes = "; ".join(filter(None, (aim, spread, f"{repetitions:,} repetitions" if name else "")))
            yield figure(f"{label}, {measured}, median", [sorted(times)[len(times) // 2]], "ms", notes)


def client_figures(
    label: str, other: OtherClient, novice: NoviceOpponent, turn_aim: int | None, note: str = ""
) -> Iterator[Figure]:
    """Yield the figures of the other clients; `turn_aim` is the aim for a turn, in milliseconds."""
    for measured, times, aim in (
        ("a turn or a connection", other.turns, turn_aim),
        ("health", other.health, None),
        ("a novice's answer", novice.answers, turn_aim and 1000),
    ):
        ordered = sorted(1000 * seconds for seconds in times) or [float("inf")]
        p99 = ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]
        spread = f"median {ordered[len(ordered) // 2]:.1f}, slowest of {len(times)} {ordered[-1]:.0f}"
        notes = "; ".join(filter(None, (f"aim: within {aim:,}" if aim else "", spread, note)))
        yield figure(f"{label}, {measured}, 99th percentile", [p99], "ms", notes)


@contextmanager
def master_matches(address: str, count: int) -> Iterator[None]:
    """Create matches in which a master is to move, each watched by its person over a socket."""
    with ExitStack() as opened, httpx.Client(base_url=address, timeout=60) as http:
        seats = [{"kind": "bot", "bot": "master"}, {"kind": "person", "name": "Ben"}]
        for number in range(count):
            client_address = f"203.0.113.{number % 250 + 1}"
            response = http.post(
                "/api/matches", json={"game": "limit", "seats": seats}, headers={"X-Forwarded-For": client_address}
            )
            created = response.raise_for_status().json()
            socket = opened.enter_context(RawConnection(address, client_address, timeout=60))
            socket.upgrade(f"/api/matches/{created['state']['match_id']}/live")
            _send_json(
                socket,
                {
                    "type": "hello",
                    "seat_tokens": [held["seat_token"] for held in created["seat_tokens"]],
                    "legal": False,
                },
            )
        yield


def start_attack(name: str, address: str, match_id: str, seconds: float) -> subprocess.Popen[str]:
    """Start an attack in a process of its own."""
    command = [sys.executable, "-m", "bench.attack_client", name, address, match_id, str(seconds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def settled_memory(pid: int, before: float) -> float:
    """Return the memory after an attack, once it is near the memory before or the time to settle is over."""
    end = time.monotonic() + MEMORY_SETTLE_SECONDS
    while (after := memory_megabytes(pid) or before) > 1.2 * before and time.monotonic() < end:
        time.sleep(0.5)
    return after


def read_lag_histogram(port: int) -> dict[float, int]:
    """Return the cumulative histogram of the event loop's lag: samples by upper bound in seconds."""
    metrics = httpx.get(f"http://127.0.0.1:{port}/metrics").text
    return {float(bound): int(float(count)) for bound, count in re.findall(LAG_BUCKET, metrics)}


def max_lag(before: dict[float, int], after: dict[float, int]) -> tuple[float, int]:
    """Return the upper bound of the lag between two histograms in milliseconds, and the number of samples."""
    new = {bound: after[bound] - before.get(bound, 0) for bound in after}
    samples = new[math.inf]
    return 1000 * min(bound for bound, count in new.items() if count == samples), samples


def memory_megabytes(pid: int) -> float | None:
    """Return the resident memory of a process, or None where there is no /proc."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return None
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024
