"""Fair shares of the job pool: the time of a novice bot's answer while 56 master bots of another client are to move.

The other client has 8 matches of Limes with 7 masters each and plays on when its seat is to move. A person plays Limit
against a novice, once over a socket and once over HTTP alone, where the client polls the state every 50 ms. The servers
are one on SQLite, and then two with one job worker on PostgreSQL, where every process runs jobs. BENCH_FAIRNESS_ANSWERS
is the number of answers for each figure, BENCH_FAIRNESS_MATCHES the number of the other client's matches.
"""

from __future__ import annotations

import random
import statistics
import tempfile
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from subprocess import PIPE

from bench.figure import Figure, figure, number_setting
from bench.server_cost import postgres
from support.games.turns import random_turn
from support.processes.cli_commands import Command
from support.server.clients import Client
from support.server.server_process import running_server

MASTERS_PER_MATCH = 7
"""Master bots in each match of the other client, besides its own seat."""
OTHER_CLIENT = "198.51.100.7"
"""The other client's address in X-Forwarded-For. The measured person has the address of this machine."""
AIM_MILLISECONDS = 1000
"""The aim for 95% of the answers."""
POLL_SECONDS = 0.05
"""The interval at which a person without a socket asks for the state."""
OTHER_POLL_SECONDS = 0.5
"""The interval of the other client's requests, which keeps it below its rate limit."""
PAUSE_SECONDS = 0.2
"""The time that the person waits before each turn."""
START_TIMEOUT_SECONDS = 60.0
"""Bounds the wait for the first turns of the other client's masters."""
ANSWER_TIMEOUT_SECONDS = 60.0
"""Bounds the wait for one answer."""


class OtherClient(threading.Thread):
    """The other client, which plays all its matches over HTTP in a thread."""

    def __init__(self, bases: Sequence[str], matches: int) -> None:
        super().__init__(daemon=True)
        self.waiting: list[int] = []
        """The number of masters to move, in each round of requests."""
        self.turns = 0
        """Turns that the masters of running matches have played."""
        self._clients = [Client(base) for base in bases]
        for client in self._clients:
            client.http.headers["X-Forwarded-For"] = OTHER_CLIENT
        self._rng = random.Random(1)
        self._stopping = threading.Event()
        self.matches = [self._create(self._clients[index % len(bases)]) for index in range(matches)]

    def _create(self, client: Client) -> tuple[Client, str]:
        return client, client.create("limes", "me", *["master"] * MASTERS_PER_MATCH)["match_id"]

    def run(self) -> None:
        while not self._stopping.wait(OTHER_POLL_SECONDS):
            waiting = turns = 0
            for index, (client, match_id) in enumerate(self.matches):
                client.received.clear()
                state = client.state(match_id)
                waiting += sum(seat > 0 for seat in state["to_move"])
                turns += sum(seat["turn_count"] for seat in state["seats"][1:])
                if state["phase"] == "over":
                    self.matches[index] = self._create(client)
                elif 0 in state["to_move"]:
                    client.play(state, 0, random_turn(state, 0, self._rng))
            self.waiting.append(waiting)
            self.turns = turns

    def wait_until_busy(self) -> None:
        """Wait until masters have played, so that the job pool is full."""
        end = time.monotonic() + START_TIMEOUT_SECONDS
        while self.turns == 0:
            if time.monotonic() > end or not self.is_alive():
                raise RuntimeError("the masters do not play")
            time.sleep(0.1)

    def stop(self) -> None:
        self._stopping.set()
        self.join()
        for client in self._clients:
            client.close()


@contextmanager
def other_client_playing(bases: Sequence[str]) -> Iterator[OtherClient]:
    """Let the other client play during the context."""
    other = OtherClient(bases, int(number_setting("FAIRNESS_MATCHES", 8)))
    other.start()
    try:
        other.wait_until_busy()
        yield other
    finally:
        other.stop()


def answer_times_over_socket(base: str) -> Generator[float]:
    """Play over a socket; yield the milliseconds from each turn to the novice's answer."""
    rng = random.Random(2)
    with closing(Client(base)) as client:
        while True:
            live = client.live(client.create("limit", "me", "novice")["match_id"])
            live.until_state(lambda state: 0 in state["to_move"])
            while live.state["phase"] != "over":
                turn, answers = random_turn(live.state, 0, rng), live.state["seats"][1]["turn_count"]
                time.sleep(PAUSE_SECONDS)
                started = time.perf_counter()
                live.play(0, turn)
                live.until_state(lambda state: state["phase"] == "over" or state["seats"][1]["turn_count"] > answers)  # noqa: B023
                if live.state["seats"][1]["turn_count"] > answers:
                    yield 1000 * (time.perf_counter() - started)
            live.close()
            client.received.clear()


def answer_times_over_http(base: str) -> Generator[float]:
    """Play over HTTP; yield the milliseconds from each turn to the first state with the novice's answer."""
    rng = random.Random(3)
    with closing(Client(base)) as client:
        while True:
            state = client.create("limit", "me", "novice")
            while state["phase"] != "over":
                turn, answers = random_turn(state, 0, rng), state["seats"][1]["turn_count"]
                time.sleep(PAUSE_SECONDS)
                started = time.perf_counter()
                client.play(state, 0, turn)
                while (state := client.state(state["match_id"]))["seats"][1]["turn_count"] == answers:
                    if state["phase"] == "over":
                        break
                    if time.perf_counter() - started > ANSWER_TIMEOUT_SECONDS:
                        raise RuntimeError("the novice does not answer")
                    time.sleep(POLL_SECONDS)
                else:
                    yield 1000 * (time.perf_counter() - started)
            client.received.clear()


def measure(setup: str, bases: Sequence[str]) -> Iterator[Figure]:
    """Measure a person over a socket and over HTTP, at the last of these servers."""
    answers = int(number_setting("FAIRNESS_ANSWERS", 60))
    for connection, play in (("over a socket", answer_times_over_socket), ("over HTTP alone", answer_times_over_http)):
        with other_client_playing(bases) as other, closing(play(bases[-1])) as playing:
            other.waiting.clear()
            times = sorted(next(playing) for _ in range(answers))
            if not other.is_alive():
                raise RuntimeError("the other client has stopped playing")
            waiting = statistics.median(other.waiting)
        note = (
            f"{answers} answers; {waiting:.0f} of {MASTERS_PER_MATCH * len(other.matches)} masters were to move, median"
        )
        yield figure(f"{setup}, {connection}, a novice's answer", times, "ms", note)
        p95 = times[min(len(times) - 1, len(times) * 95 // 100)]
        yield figure(f"{setup}, {connection}, 95th percentile", [p95], "ms", f"aim: within {AIM_MILLISECONDS:,}")


@contextmanager
def job_worker(database: str) -> Iterator[None]:
    """Run a job worker during the context."""
    worker = Command(["worker", "--database", database], stdout=PIPE)
    try:
        assert worker.stdout is not None
        if "limina worker is ready" not in worker.stdout.readline():
            raise RuntimeError("the job worker did not start")
        yield
    finally:
        worker.terminate()
        worker.communicate(timeout=20)


def figures() -> Iterator[Figure]:
    """Yield the figures as they are measured."""
    with tempfile.TemporaryDirectory() as folder, running_server(Path(folder), "--proxy") as server:
        yield from measure("SQLite, 1 server", [server.address])
    with ExitStack() as opened:
        folder = opened.enter_context(tempfile.TemporaryDirectory())
        database = opened.enter_context(postgres())
        servers = [
            opened.enter_context(running_server(Path(folder), "--database", database, "--shared", "--proxy"))
            for _ in range(2)
        ]
        opened.enter_context(job_worker(database))
        yield from measure("PostgreSQL, 2 servers and 1 worker", [server.address for server in servers])
