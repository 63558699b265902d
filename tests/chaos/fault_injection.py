"""The chaos test: kill, cut off and restart servers, job workers and PostgreSQL while simulated players play."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from math import inf
from pathlib import Path
from random import Random

import httpx
from sqlalchemy import URL
from sqlalchemy.exc import SQLAlchemyError

from chaos.checker import check_all
from chaos.client_log import logged_match_id
from chaos.database_checker import DatabaseChecker, Snapshot, take_snapshot
from chaos.restarting_process import RestartingProcess
from chaos.simulated_players import Simulation, log_final_states, play_match
from chaos.tcp_proxy import Proxy, connect_to_port
from limina.server.settings import ServerSettings
from limina.server.storage import url_of
from support.database.postgres import Postgres
from support.server.server_process import free_port, has_worker_command

SERVERS, WORKERS = 3, 2
CLIENT_LOGS = "client_logs"
_SETTLE_TIMEOUT_SECONDS = 120.0
"""Bounds the time from the last fault to the end of all matches: far more than they need."""
_PROGRESS_INTERVAL_SECONDS = 5.0
_COMPARE_INTERVAL_SECONDS = 2.0
"""The time between two comparisons of jobs and matches in the database."""
_COMPARE_TIMEOUT_SECONDS = 20.0
"""Bounds one comparison: a database that is stopped meanwhile gives no answer."""
_MAX_WAIT_FOR_TURNS_SECONDS = 5.0
"""Bounds the wait for turns between two kills, because none can be played while the database is down."""
_QUERY_BATCH = 8
"""Matches whose final states are asked for at the same time."""


@dataclass(frozen=True)
class ChaosPlan:
    """The number and rate of the faults."""

    kills: int
    restarts: int
    seed: int
    matches: int = 24
    """Matches that are played at the same time."""
    mean_pause_seconds: float = 0.6
    """The mean time between two kills, if turns are answered meanwhile."""
    max_seconds: float = inf
    """The time after which no more faults are injected."""


@dataclass(frozen=True)
class Report:
    """The result of a chaos run."""

    contradictions: list[str]
    figures: Counter[str]
    seconds: float
    workers: int


def _batched(files: list[Path], size: int) -> Iterator[list[Path]]:
    for first in range(0, len(files), size):
        yield files[first : first + size]


class ChaosRun:
    """One run: a cluster, simulated players, faults, and the checks after them."""

    def __init__(self, plan: ChaosPlan, folder: Path, report_progress: Callable[[str], None]) -> None:
        self._plan = plan
        self._folder = folder
        self._report_progress = report_progress
        # A generator for each kind of fault: its faults do not depend on the speed of the others.
        self._rngs = {name: Random(f"{plan.seed} {name}") for name in ("kills", "restarts", "network")}
        self._figures: Counter[str] = Counter()
        self._processes: list[RestartingProcess] = []
        self._database: Postgres
        self._url: URL
        self._contradictions: list[str] = []
        """Contradictions in the database, during the faults and after them."""
        self._database_proxy: Proxy
        self._server_proxies: list[Proxy] = []
        self._simulation: Simulation
        self._injecting = True
        self._started_at = time.monotonic()

    async def run(self) -> Report:
        """Inject faults, wait for the end of all matches, ask every server for every match, and check."""
        async with self._cluster(), contextlib.AsyncExitStack() as cleanup:
            players = [asyncio.create_task(self._play_matches(index)) for index in range(self._plan.matches)]
            printing = asyncio.create_task(self._print_progress())
            cleanup.callback(printing.cancel)
            comparing = asyncio.create_task(self._compare_repeatedly())
            cleanup.callback(comparing.cancel)
            await asyncio.gather(self._kill_processes(), self._restart_database(), self._disturb_network())
            faults_ended_at_ms = time.time_ns() // 1_000_000
            self._report_progress(f"the faults ended after {self._seconds():.0f} s: waiting for the end of all matches")
            _, unfinished = await asyncio.wait(players, timeout=_SETTLE_TIMEOUT_SECONDS)
            for task in unfinished:
                task.cancel()
            await asyncio.gather(*unfinished, return_exceptions=True)
            for task in players:
                if not task.cancelled():
                    task.result()
            printing.cancel()
            comparing.cancel()
            await asyncio.wait([comparing])
            if not comparing.cancelled():
                comparing.result()
            await self._wait_until_ready()
            snapshot = await take_snapshot(self._url)
            self._report_progress(
                f"all matches ended after {self._seconds():.0f} s: asking all servers for all matches"
            )
            for files in _batched(sorted(self._simulation.folder.iterdir()), _QUERY_BATCH):
                await asyncio.gather(*(log_final_states(self._simulation, logged_match_id(file)) for file in files))
        # The database first, because the check of all messages takes minutes after a long run.
        await asyncio.to_thread(self._check_database, snapshot, faults_ended_at_ms)
        contradictions, checked = await asyncio.to_thread(check_all, self._simulation.folder)
        contradictions += self._contradictions
        figures = self._figures + self._simulation.figures + checked
        figures["connections"] = sum(proxy.connections for proxy in (self._database_proxy, *self._server_proxies))
        for process in self._processes:
            figures[f"kills of {process.kind}s"] += process.kills
            figures["starts"] += process.starts
        workers = sum(process.kind == "worker" for process in self._processes)
        return Report(contradictions, figures, self._seconds(), workers)

    def stop_faults(self) -> None:
        """Inject no more faults; the run goes on with its checks."""
        self._injecting = False

    def _seconds(self) -> float:
        return time.monotonic() - self._started_at

    # --- the cluster

    @contextlib.asynccontextmanager
    async def _cluster(self) -> AsyncIterator[None]:
        for name in (CLIENT_LOGS, "logs"):
            (self._folder / name).mkdir(parents=True)
        self._database, has_workers = await asyncio.gather(
            asyncio.to_thread(Postgres), asyncio.to_thread(has_worker_command)
        )
        self._url = url_of(ServerSettings(database=self._database.address))
        socket_path = str(self._database.socket)
        self._database_proxy = Proxy(lambda: asyncio.open_unix_connection(socket_path))
        database = f"postgresql://postgres@127.0.0.1:{await self._database_proxy.open()}/postgres"
        addresses = []
        for index in range(SERVERS):
            port = free_port()
            # With job workers, only the first server runs jobs too.
            options = ("--no-jobs",) if has_workers and index else ()
            arguments = ("serve", "--port", str(port), "--database", database, "--shared", *options)
            self._add_process("server", index, arguments)
            self._server_proxies.append(Proxy(connect_to_port(port)))
            addresses.append(f"http://127.0.0.1:{await self._server_proxies[-1].open()}")
        if has_workers:
            for index in range(WORKERS):
                self._add_process("worker", index, ("worker", "--database", database))
        starting = asyncio.Lock()
        running = [asyncio.create_task(process.run(starting)) for process in self._processes]
        limits = httpx.Limits(max_keepalive_connections=0)
        async with httpx.AsyncClient(verify=False, timeout=5, limits=limits) as http:
            self._simulation = Simulation(addresses, self._folder / CLIENT_LOGS, http)
            try:
                await self._wait_until_ready()
                self._report_progress(f"{len(self._processes)} processes are ready after {self._seconds():.0f} s")
                yield
            finally:
                for process in self._processes:
                    process.stop()
                await asyncio.wait(running, timeout=20)
                for proxy in (self._database_proxy, *self._server_proxies):
                    await proxy.close()
                await asyncio.to_thread(self._database.close)

    def _add_process(self, kind: str, index: int, arguments: tuple[str, ...]) -> None:
        name = f"{kind}-{index}"
        rng = Random(f"{self._plan.seed} {name}")
        log = self._folder / "logs" / f"{name}.log"
        process = RestartingProcess("server" if kind == "server" else "worker", name, arguments, log, rng)
        self._processes.append(process)

    async def _wait_until_ready(self) -> None:
        end = time.monotonic() + _SETTLE_TIMEOUT_SECONDS
        for server in self._simulation.servers:
            while True:
                with contextlib.suppress(httpx.HTTPError):
                    if (await self._simulation.http.get(f"{server}/health/ready")).status_code == 200:
                        break
                if time.monotonic() > end:
                    # The last lines are part of the message, because pytest removes the folder of the logs.
                    logs = sorted((self._folder / "logs").glob("server-*"))
                    tails = [f"{log.name}: {' | '.join(log.read_text().splitlines()[-3:])}" for log in logs]
                    raise AssertionError("\n".join(["a server does not start; the last lines of the logs:", *tails]))
                await asyncio.sleep(0.1)

    # --- load and faults

    async def _play_matches(self, index: int) -> None:
        """Play one match after the other until the faults end."""
        rng = Random(f"{self._plan.seed} matches {index}")
        while self._injecting:
            await play_match(self._simulation, rng)

    async def _kill_processes(self) -> None:
        """Kill random processes at random times, and wait for up to 20 turns to be played between two kills."""
        rng = self._rngs["kills"]
        end = time.monotonic() + self._plan.max_seconds
        while self._injecting and self._figures["kills"] < self._plan.kills and time.monotonic() < end:
            turns = self._simulation.figures["turns acknowledged"] + rng.randrange(20)
            wait_end = time.monotonic() + _MAX_WAIT_FOR_TURNS_SECONDS
            await asyncio.sleep(2 * self._plan.mean_pause_seconds * rng.random())
            while self._simulation.figures["turns acknowledged"] < turns and time.monotonic() < wait_end:
                await asyncio.sleep(0.01 * rng.random())
            self._figures["kills"] += rng.choice(self._processes).kill()
        self.stop_faults()

    async def _restart_database(self) -> None:
        """Stop and start the database, with an equal number of kills between the restarts."""
        rng = self._rngs["restarts"]
        for index in range(self._plan.restarts):
            while self._figures["kills"] < (index + 0.5) * self._plan.kills / self._plan.restarts:
                if not self._injecting:
                    return
                await asyncio.sleep(0.05)
            await asyncio.to_thread(self._database.stop, "immediate" if rng.random() < 0.5 else "fast")
            await asyncio.sleep(rng.random())
            await asyncio.to_thread(self._database.start)
            self._figures["restarts of the database"] += 1

    async def _disturb_network(self) -> None:
        """Cut, delay and stall random connections: those of the clients and those to the database."""
        rng = self._rngs["network"]
        while self._injecting:
            await asyncio.sleep(0.8 * rng.random())
            proxy = rng.choice((self._database_proxy, *self._server_proxies))
            match rng.choice(("cut", "cut", "delay", "stall")):
                case "cut":
                    self._figures["connections cut"] += proxy.cut(rng, rng.random())
                case "delay":
                    self._figures["delays"] += 1
                    proxy.delay = 0.1 * rng.random()
                    await asyncio.sleep(rng.random())
                    proxy.delay = 0.0
                case "stall":
                    self._figures["connections stalled"] += 1
                    proxy.stall()
                    await asyncio.sleep(rng.random())
                    if rng.random() < 0.5:
                        self._figures["connections cut"] += proxy.cut(rng, 1.0)
                    proxy.resume()

    # --- checks and progress

    async def _compare_repeatedly(self) -> None:
        """Compare the jobs of bots' turns with the matches while the faults go on."""
        while True:
            await asyncio.sleep(_COMPARE_INTERVAL_SECONDS)
            try:
                async with asyncio.timeout(_COMPARE_TIMEOUT_SECONDS):
                    snapshot = await take_snapshot(self._url, unfinished_only=True)
            except (SQLAlchemyError, OSError, TimeoutError):
                self._figures["comparisons without an answer"] += 1
                continue
            checker = DatabaseChecker(snapshot)
            self._add_contradictions([f"after {self._seconds():.0f} s, {sentence}" for sentence in checker.check()])
            self._figures["comparisons of jobs and matches"] += 1
            self._figures += checker.figures

    def _check_database(self, snapshot: Snapshot, faults_ended_at_ms: int) -> None:
        checker = DatabaseChecker(snapshot)
        self._add_contradictions([*checker.check(), *checker.check_waits(faults_ended_at_ms)])
        self._figures += checker.figures
        figures = ", ".join(f"{name}: {value:,}" for name, value in sorted(checker.figures.items()))
        self._report_progress(f"the database is checked after {self._seconds():.0f} s: {figures}")

    def _add_contradictions(self, contradictions: list[str]) -> None:
        self._contradictions += contradictions
        for sentence in contradictions:
            self._report_progress(f"contradiction: {sentence}")

    async def _print_progress(self) -> None:
        while True:
            await asyncio.sleep(_PROGRESS_INTERVAL_SECONDS)
            faults, players = self._figures, self._simulation.figures
            self._report_progress(
                f"{self._seconds():.0f} s: {faults['kills']} kills, {faults['restarts of the database']} restarts of "
                f"the database, {players['matches over']} of {players['matches']} matches over, "
                f"{players['turns acknowledged']:,} turns acknowledged, {players['turns sent again']} sent again"
            )
