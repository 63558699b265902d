"""Fair shares of the job workers: how long a novice bot takes to answer while 56 master bots of another client think.

The other client has 8 matches of Limes with 7 masters each and plays on whenever its seat is to move. A person plays
Limit against a novice, once over a socket and once over HTTP alone, where the state is polled every 50 ms. This is
measured with one server on SQLite, and with two servers and one job worker process on PostgreSQL, where every process
does jobs. BENCH_FAIRNESS_ANSWERS is the number of answers for each figure, BENCH_FAIRNESS_MATCHES the number of the
other client's matches.
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

from bench.measure import Figure, of, setting
from bench.server_cost import postgres
from support.games.turns import random_turn
from support.processes.cli_commands import Command
from support.server.clients import Client
from support.server.server_process import running_server

MASTERS = 7
"""In each match of the other client, beside its own seat."""
OTHER_CLIENT = "198.51.100.7"
"""The other client's address, as a proxy names it. The person who is measured has the address of this machine."""
AIM_MILLISECONDS = 1000
"""Within which 95% of the answers are to come."""
POLL_SECONDS = 0.05
"""The time between two requests for the state by a person without a socket."""
CROWD_POLL_SECONDS = 0.5
"""The time between two rounds of requests of the other client, which stays below its rate limit."""
THINKING_SECONDS = 0.2
"""The time that the person waits before each turn."""
START_SECONDS = 60.0
"""The longest time until every master of the other client has begun to be to move."""
ANSWER_SECONDS = 60.0
"""The longest time that is waited for one answer."""


class Crowd(threading.Thread):
    """The other client, which plays at all its matches over HTTP."""

    def __init__(self, bases: Sequence[str], matches: int) -> None:
        super().__init__(daemon=True)
        self.waiting: list[int] = []
        """How many masters were to move, in each round of requests."""
        self.turns = 0
        """How many turns the masters of running matches have played, in all."""
        self._clients = [Client(base) for base in bases]
        for client in self._clients:
            client.http.headers["X-Forwarded-For"] = OTHER_CLIENT
        self._chance = random.Random(1)
        self._stopping = threading.Event()
        self.matches = [self._begin(self._clients[number % len(bases)]) for number in range(matches)]

    def _begin(self, client: Client) -> tuple[Client, str]:
        return client, client.create("limes", "me", *["master"] * MASTERS)["match"]

    def run(self) -> None:
        while not self._stopping.wait(CROWD_POLL_SECONDS):
            waiting = turns = 0
            for number, (client, match) in enumerate(self.matches):
                client.received.clear()
                state = client.state(match)
                waiting += sum(seat > 0 for seat in state["to_move"])
                turns += sum(seat["turns"] for seat in state["seats"][1:])
                if state["phase"] == "over":
                    self.matches[number] = self._begin(client)
                elif 0 in state["to_move"]:
                    client.play(state, 0, random_turn(state, 0, self._chance))
            self.waiting.append(waiting)
            self.turns = turns

    def until_busy(self) -> None:
        """Wait until masters have played, so that all places for them are taken."""
        end = time.monotonic() + START_SECONDS
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
def crowded(bases: Sequence[str]) -> Iterator[Crowd]:
    """Let the other client play meanwhile."""
    crowd = Crowd(bases, int(setting("FAIRNESS_MATCHES", 8)))
    crowd.start()
    try:
        crowd.until_busy()
        yield crowd
    finally:
        crowd.stop()


def over_socket(base: str) -> Generator[float]:
    """Milliseconds from a person's turn to the novice's answer, again and again."""
    chance = random.Random(2)
    with closing(Client(base)) as client:
        while True:
            live = client.live(client.create("limit", "me", "novice")["match"])
            live.until_state(lambda state: 0 in state["to_move"])
            while live.state["phase"] != "over":
                turn, number = random_turn(live.state, 0, chance), live.state["seats"][1]["turns"]
                time.sleep(THINKING_SECONDS)
                begun = time.perf_counter()
                live.play(0, turn)
                live.until_state(lambda state: state["phase"] == "over" or state["seats"][1]["turns"] > number)  # noqa: B023
                if live.state["seats"][1]["turns"] > number:
                    yield 1000 * (time.perf_counter() - begun)
            live.close()
            client.received.clear()


def over_http(base: str) -> Generator[float]:
    """Milliseconds from a person's turn to the first state that shows the novice's answer, again and again."""
    chance = random.Random(3)
    with closing(Client(base)) as client:
        while True:
            state = client.create("limit", "me", "novice")
            while state["phase"] != "over":
                turn, number = random_turn(state, 0, chance), state["seats"][1]["turns"]
                time.sleep(THINKING_SECONDS)
                begun = time.perf_counter()
                client.play(state, 0, turn)
                while (state := client.state(state["match"]))["seats"][1]["turns"] == number:
                    if state["phase"] == "over":
                        break
                    if time.perf_counter() - begun > ANSWER_SECONDS:
                        raise RuntimeError("the novice does not answer")
                    time.sleep(POLL_SECONDS)
                else:
                    yield 1000 * (time.perf_counter() - begun)
            client.received.clear()


def measure(where: str, bases: Sequence[str]) -> Iterator[Figure]:
    """Measure both ways to play, at the last of these servers."""
    answers = int(setting("FAIRNESS_ANSWERS", 60))
    for how, play in (("over a socket", over_socket), ("over HTTP alone", over_http)):
        with crowded(bases) as crowd, closing(play(bases[-1])) as playing:
            crowd.waiting.clear()
            found = sorted(next(playing) for _ in range(answers))
            if not crowd.is_alive():
                raise RuntimeError("the other client has stopped playing")
            waiting = statistics.median(crowd.waiting)
        note = f"{answers} answers; {waiting:.0f} of {MASTERS * len(crowd.matches)} masters were to move, median"
        yield of(f"{where}, {how}, a novice's answer", found, "ms", note)
        p95 = found[min(len(found) - 1, len(found) * 95 // 100)]
        yield of(f"{where}, {how}, 95th percentile", [p95], "ms", f"aim: within {AIM_MILLISECONDS:,}")


@contextmanager
def job_worker(database: str) -> Iterator[None]:
    """Run a process that only does jobs."""
    worker = Command(["work", "--database", database], stdout=PIPE)
    try:
        assert worker.stdout is not None
        if "limina is working" not in worker.stdout.readline():
            raise RuntimeError("the job worker did not start")
        yield
    finally:
        worker.terminate()
        worker.communicate(timeout=20)


def figures() -> Iterator[Figure]:
    """Each figure, as soon as it is there."""
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
