"""Three servers and two workers on a PostgreSQL, people who play, and everything that can go wrong meanwhile."""

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
from chaos.database_checker import Snapshot, StoredChecker, take_snapshot
from chaos.restarting_process import Process
from chaos.simulated_players import World, ask, play_match
from chaos.tcp_proxy import Proxy, to_port
from limina.server.settings import Settings
from limina.server.storage import url_of
from support.database.postgres import Postgres
from support.server.server_process import free_port, has_worker_command

SERVERS, WORKERS = 3, 2
_CALM_SECONDS = 120.0
"""In which all matches come to their end once the storm is over: far more than they need."""
_SAY_SECONDS = 5.0
_LOOK_SECONDS = 2.0
"""The time between two comparisons of jobs and matches in the database."""
_MAX_LOOK_SECONDS = 20.0
"""The longest time that one comparison may take. A database that is stopped meanwhile gives no answer."""
_AT_ONCE = 8
"""How many matches are asked for at the same time in the end."""


@dataclass(frozen=True)
class Plan:
    """How much of it there is to be."""

    kills: int
    restarts: int
    seed: int
    tables: int = 24
    """How many matches are played at the same time."""
    pause: float = 0.6
    """Seconds between two kills, on average, where turns are answered meanwhile."""
    seconds: float = inf
    """After which the storm is over, however many there were."""


@dataclass(frozen=True)
class Report:
    """What came of it."""

    contradictions: list[str]
    figures: Counter[str]
    seconds: float
    workers: int


def batched(files: list[Path], size: int) -> Iterator[list[Path]]:
    """Files in groups."""
    for first in range(0, len(files), size):
        yield files[first : first + size]


class Storm:
    """One run."""

    def __init__(self, plan: Plan, folder: Path, say: Callable[[str], None]) -> None:
        self._plan = plan
        self._folder = folder
        self._say = say
        # Each has its own, so that what one does changes nothing for the others.
        self._chance = {name: Random(f"{plan.seed} {name}") for name in ("kills", "restarts", "network")}
        self._figures: Counter[str] = Counter()
        self._processes: list[Process] = []
        self._database: Postgres
        self._url: URL
        self._found: list[str] = []
        """Contradictions in the database, while the storm lasted and after it."""
        self._to_database: Proxy
        self._to_servers: list[Proxy] = []
        self._world: World
        self._raging = True
        self._begun = time.monotonic()

    async def run(self) -> Report:
        """Let it rage, wait for calm, ask everybody once more, and check."""
        async with self._cluster(), contextlib.AsyncExitStack() as ending:
            people = [asyncio.create_task(self._table(number)) for number in range(self._plan.tables)]
            talking = asyncio.create_task(self._talk())
            ending.callback(talking.cancel)
            looking = asyncio.create_task(self._look())
            ending.callback(looking.cancel)
            await asyncio.gather(self._kill(), self._restart(), self._trouble())
            calm_at = time.time_ns() // 1_000_000
            self._say(f"the storm is over after {self._seconds():.0f} s: all play to the end")
            _, late = await asyncio.wait(people, timeout=_CALM_SECONDS)
            for each in late:
                each.cancel()
            await asyncio.gather(*late, return_exceptions=True)
            for each in people:
                if not each.cancelled():
                    each.result()
            talking.cancel()
            looking.cancel()
            await asyncio.wait([looking])
            if not looking.cancelled():
                looking.result()
            await self._until_ready()
            stored = await take_snapshot(self._url)
            self._say(f"all are over after {self._seconds():.0f} s: every server is asked for every match")
            for some in batched(sorted(self._world.folder.iterdir()), _AT_ONCE):
                await asyncio.gather(*(ask(self._world, file.name.partition(".")[0]) for file in some))
        # First, and with what was found said at once: the check of all messages takes minutes after a long storm.
        await asyncio.to_thread(self._check_stored, stored, calm_at)
        contradictions, checked = await asyncio.to_thread(check_all, self._world.folder)
        contradictions += self._found
        figures = self._figures + self._world.figures + checked
        figures["connections"] = sum(proxy.connections for proxy in (self._to_database, *self._to_servers))
        for process in self._processes:
            figures[f"kills of {process.kind}s"] += process.kills
            figures["starts"] += process.lives
        workers = sum(process.kind == "worker" for process in self._processes)
        return Report(contradictions, figures, self._seconds(), workers)

    def calm(self) -> None:
        """End the storm now; what was played is checked all the same."""
        self._raging = False

    def _seconds(self) -> float:
        return time.monotonic() - self._begun

    # --- what there is

    @contextlib.asynccontextmanager
    async def _cluster(self) -> AsyncIterator[None]:
        for name in ("told", "logs"):
            (self._folder / name).mkdir(parents=True)
        self._database, has_workers = await asyncio.gather(
            asyncio.to_thread(Postgres), asyncio.to_thread(has_worker_command)
        )
        self._url = url_of(Settings(database=self._database.address))
        way = str(self._database.socket)
        self._to_database = Proxy(lambda: asyncio.open_unix_connection(way))
        database = f"postgresql://postgres@127.0.0.1:{await self._to_database.open()}/postgres"
        addresses = []
        for number in range(SERVERS):
            port = free_port()
            # Where there are workers, only the first server lets bots think, too.
            alone = ("--no-jobs",) if has_workers and number else ()
            arguments = ("serve", "--port", str(port), "--database", database, "--shared", *alone)
            self._add("server", number, arguments)
            self._to_servers.append(Proxy(to_port(port)))
            addresses.append(f"http://127.0.0.1:{await self._to_servers[-1].open()}")
        if has_workers:
            for number in range(WORKERS):
                self._add("worker", number, ("worker", "--database", database))
        starting = asyncio.Lock()
        living = [asyncio.create_task(process.live(starting)) for process in self._processes]
        limits = httpx.Limits(max_keepalive_connections=0)
        async with httpx.AsyncClient(verify=False, timeout=5, limits=limits) as http:
            self._world = World(addresses, self._folder / "told", http)
            try:
                await self._until_ready()
                self._say(f"{len(self._processes)} processes are there after {self._seconds():.0f} s")
                yield
            finally:
                for process in self._processes:
                    process.stop()
                await asyncio.wait(living, timeout=20)
                for proxy in (self._to_database, *self._to_servers):
                    await proxy.close()
                await asyncio.to_thread(self._database.close)

    def _add(self, kind: str, number: int, arguments: tuple[str, ...]) -> None:
        name = f"{kind}-{number}"
        chance = Random(f"{self._plan.seed} {name}")
        log = self._folder / "logs" / f"{name}.log"
        self._processes.append(Process("server" if kind == "server" else "worker", name, arguments, log, chance))

    async def _until_ready(self) -> None:
        end = time.monotonic() + _CALM_SECONDS
        for server in self._world.servers:
            while True:
                with contextlib.suppress(httpx.HTTPError):
                    if (await self._world.http.get(f"{server}/health/ready")).status_code == 200:
                        break
                if time.monotonic() > end:
                    # pytest may have removed the logs when somebody wants to read them.
                    logs = sorted((self._folder / "logs").glob("server-*"))
                    ends = [f"{log.name}: {' | '.join(log.read_text().splitlines()[-3:])}" for log in logs]
                    raise AssertionError("\n".join(["a server does not start; the last lines of the logs:", *ends]))
                await asyncio.sleep(0.1)

    # --- what happens

    async def _table(self, number: int) -> None:
        """One match after the other, until the storm is over."""
        chance = Random(f"{self._plan.seed} table {number}")
        while self._raging:
            await play_match(self._world, chance)

    async def _kill(self) -> None:
        """At any moment; on a slow machine not before something was played since the last one, if anything can be."""
        chance = self._chance["kills"]
        end_of_all = time.monotonic() + self._plan.seconds
        while self._raging and self._figures["kills"] < self._plan.kills and time.monotonic() < end_of_all:
            enough = self._world.figures["turns acknowledged"] + chance.randrange(20)
            end = time.monotonic() + _SAY_SECONDS
            await asyncio.sleep(2 * self._plan.pause * chance.random())
            while self._world.figures["turns acknowledged"] < enough and time.monotonic() < end:
                await asyncio.sleep(0.01 * chance.random())
            self._figures["kills"] += chance.choice(self._processes).kill()
        self.calm()

    async def _restart(self) -> None:
        """Stop the database and start it, at even distances between the kills."""
        chance = self._chance["restarts"]
        for number in range(self._plan.restarts):
            while self._figures["kills"] < (number + 0.5) * self._plan.kills / self._plan.restarts:
                if not self._raging:
                    return
                await asyncio.sleep(0.05)
            await asyncio.to_thread(self._database.stop, "immediate" if chance.random() < 0.5 else "fast")
            await asyncio.sleep(chance.random())
            await asyncio.to_thread(self._database.start)
            self._figures["restarts of the database"] += 1

    async def _trouble(self) -> None:
        """Cut, delay and hold up connections, of clients as of servers."""
        chance = self._chance["network"]
        while self._raging:
            await asyncio.sleep(0.8 * chance.random())
            proxy = chance.choice((self._to_database, *self._to_servers))
            match chance.choice(("cut", "cut", "delay", "hold")):
                case "cut":
                    self._figures["connections cut"] += proxy.cut(chance, chance.random())
                case "delay":
                    self._figures["delays"] += 1
                    proxy.delay = 0.1 * chance.random()
                    await asyncio.sleep(chance.random())
                    proxy.delay = 0.0
                case "hold":
                    self._figures["connections held up"] += 1
                    proxy.hold()
                    await asyncio.sleep(chance.random())
                    if chance.random() < 0.5:
                        self._figures["connections cut"] += proxy.cut(chance, 1.0)
                    proxy.resume()

    async def _look(self) -> None:
        """Compare the jobs of bots' turns with the matches, at any moment of the storm."""
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            try:
                async with asyncio.timeout(_MAX_LOOK_SECONDS):
                    snapshot = await take_snapshot(self._url, unfinished_only=True)
            except (SQLAlchemyError, OSError, TimeoutError):
                self._figures["comparisons without an answer"] += 1
                continue
            checker = StoredChecker(snapshot)
            self._keep([f"after {self._seconds():.0f} s, {each}" for each in checker.check()])
            self._figures["comparisons of jobs and matches"] += 1
            self._figures += checker.figures

    def _check_stored(self, snapshot: Snapshot, calm_at: int) -> None:
        checker = StoredChecker(snapshot)
        self._keep([*checker.check(), *checker.check_waits(calm_at)])
        self._figures += checker.figures
        figures = ", ".join(f"{name}: {value:,}" for name, value in sorted(checker.figures.items()))
        self._say(f"the database is checked after {self._seconds():.0f} s: {figures}")

    def _keep(self, contradictions: list[str]) -> None:
        self._found += contradictions
        for each in contradictions:
            self._say(f"contradiction: {each}")

    async def _talk(self) -> None:
        while True:
            await asyncio.sleep(_SAY_SECONDS)
            now, people = self._figures, self._world.figures
            self._say(
                f"{self._seconds():.0f} s: {now['kills']} kills, {now['restarts of the database']} restarts of the "
                f"database, {people['matches over']} of {people['matches']} matches over, "
                f"{people['turns acknowledged']:,} turns acknowledged, {people['turns sent again']} sent again"
            )
