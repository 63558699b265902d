"""The job queue: claims, leases, released jobs, and output."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from sqlalchemy import URL, text

from chaos.tcp_proxy import Proxy
from limina.server.errors import RefusedError
from limina.server.jobs import CURRENT_CLIENT, Handler, Job, JobQueue, JobWorker, PoolLimits, WriteLine
from limina.server.model import Append, Event, NewMatch, SavedMatch, Seat
from limina.server.settings import ServerSettings
from limina.server.storage import Store, WriteResult, url_of
from support.database.databases import Database
from support.database.stores import open_store
from support.server.job_workers import read_jobs, until_job_count, until_true

SEATS = (Seat("person", "Ada"),)
LIMITS = {"k": PoolLimits(2, 2, 99, 99, "many wait: please try again")}


@dataclass
class Work:
    """Runs jobs until they may end, and records their order."""

    started: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    canceled: list[str] = field(default_factory=list)
    may_end: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self, job: Job, write: WriteLine) -> bool:
        self.started.append(job.job_id)
        try:
            await self.may_end.wait()
        except asyncio.CancelledError:
            self.canceled.append(job.job_id)
            raise
        await write(job.job_id.encode())
        self.ended.append(job.job_id)
        return True


class Process:
    """Submits jobs like a process, and runs them after `work`."""

    def __init__(self, store: Store, limits: dict[str, PoolLimits]) -> None:
        self.store = store
        self.queue = JobQueue(limits)
        self._workers: list[JobWorker] = []
        self._submitted: list[asyncio.Task[list[bytes]]] = []

    def work(self, work: Work, *, needs_watcher: bool = False, min_age: int = 0) -> JobWorker:
        worker = JobWorker(self.queue, {"k": Handler(work.run, needs_watcher)}, {"k": min_age})
        worker.start(self.store.jobs)
        self._workers.append(worker)
        return worker

    async def add(self, job_id: str, client: str, cost: int = 1, **more: Any) -> None:
        """Add a job without watching it."""
        await self.store.jobs.submit(Job(job_id, "k", "k", client, cost, **more))

    def submit(self, job_id: str, client: str = "ada") -> asyncio.Task[list[bytes]]:
        """Submit a job; return the task that reads all its lines."""

        async def read() -> list[bytes]:
            CURRENT_CLIENT.set(client)
            lines = []
            async for line in self.queue.submit(Job(job_id, "k", "k", self.queue.client(), 1)):
                lines.append(line)
            return lines

        self._submitted.append(asyncio.create_task(read()))
        return self._submitted[-1]

    async def stop(self) -> None:
        for task in self._submitted:
            task.cancel()
        await asyncio.gather(*self._submitted, return_exceptions=True)
        for worker in self._workers:
            await worker.stop()
        await self.queue.stop()


def run(
    url: URL, scenario: Callable[..., Awaitable[None]], count: int = 1, limits: dict[str, PoolLimits] | None = None
) -> None:
    """Run a scenario with so many processes on one database."""

    async def run_scenario_once() -> None:
        async with open_store(url, shared=url.get_backend_name() != "sqlite") as store:
            processes = [Process(store, limits or LIMITS) for _ in range(count)]
            for process in processes:
                await process.queue.start(store.jobs)
            try:
                await asyncio.wait_for(scenario(*processes), 120)
            finally:
                for process in processes:
                    await process.stop()

    asyncio.run(run_scenario_once())


def test_a_worker_claims_up_to_its_limits_for_each_client(database: Database) -> None:
    async def scenario(process: Process) -> None:
        work = Work()
        for index in range(3):
            await process.add(f"a{index}", "ada")
        process.work(work)
        await until_true(lambda: len(work.started) == 2)
        await process.add("b0", "ben")
        await until_true(lambda: "b0" in work.started)
        assert sorted(work.started) == ["a0", "a1", "b0"]
        await until_true(lambda: (process.queue.waiting["k"], process.queue.running["k"]) == (1, 3))
        work.may_end.set()
        await until_true(lambda: len(work.ended) == 4)
        await until_job_count(process.store, 0)

    run(database.url, scenario, limits={"k": PoolLimits(3, 2, 99, 99, "full")})


def test_clients_take_turns_however_many_jobs_each_has(database: Database) -> None:
    async def scenario(process: Process) -> None:
        work = Work()
        work.may_end.set()
        for client, count in (("ada", 4), ("ben", 2), ("cleo", 1)):
            for index in range(count):
                await process.add(f"{client[0]}{index}", client, delay=index)
        process.work(work)
        await until_true(lambda: len(work.ended) == 7)
        assert sorted(work.started[:3]) == ["a0", "b0", "c0"]
        assert sorted(work.started[3:5]) == ["a1", "b1"]
        assert work.started[5:] == ["a2", "a3"]

    run(database.url, scenario, limits={"k": PoolLimits(1, 1, 99, 99, "full")})


def test_a_clients_watched_jobs_come_first_then_the_cheapest(database: Database) -> None:
    async def scenario(process: Process) -> None:
        work = Work()
        work.may_end.set()
        await process.add("dear", "ada", 500)
        await process.add("cheap", "ada", 5)
        await process.add("watched", "ada", 900, watched_until=2**53)
        process.work(work)
        await until_true(lambda: len(work.ended) == 3)
        assert work.started == ["watched", "cheap", "dear"]

    run(database.url, scenario, limits={"k": PoolLimits(1, 1, 99, 99, "full")})


def test_a_job_does_not_run_before_it_is_due(database: Database) -> None:
    async def scenario(process: Process) -> None:
        work = Work()
        work.may_end.set()
        await process.add("later", "ada", delay=2**50)
        await process.add("now", "ben", 1000)
        process.work(work)
        await until_true(lambda: work.ended == ["now"])
        async with process.store._engine.begin() as connection:
            await connection.execute(text("UPDATE jobs SET due_at = 1"))
        await until_true(lambda: work.ended == ["now", "later"])

    run(database.url, scenario)


def test_a_worker_with_a_minimum_age_claims_only_old_jobs(database: Database) -> None:
    async def scenario(process: Process) -> None:
        work = Work()
        work.may_end.set()
        process.work(work, min_age=600_000)
        await process.add("young", "ada", delay=-60_000)
        await process.add("old", "ben", delay=-660_000)
        await until_true(lambda: work.ended == ["old"])
        assert [job.job_id for job in await until_job_count(process.store, 1)] == ["young"]

    run(database.url, scenario)


def test_a_worker_that_stops_releases_its_jobs_at_once(database: Database) -> None:
    async def scenario(one: Process, other: Process) -> None:
        first, second = Work(), Work()
        stopped = one.work(first)
        await one.add("x", "ada")
        await until_true(lambda: first.started == ["x"])
        other.work(second)
        await stopped.stop()
        await until_true(lambda: second.started == ["x"])
        second.may_end.set()
        await until_true(lambda: second.ended == ["x"])
        assert not first.ended

    run(database.url, scenario, 2)


def test_a_job_of_a_dead_worker_runs_again_when_its_lease_has_ended(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("limina.server.jobs.worker._RENEW_SECONDS", 600.0)  # like a dead worker
    monkeypatch.setattr("limina.server.jobs.worker.LEASE_SECONDS", 1.0)

    async def scenario(one: Process, other: Process) -> None:
        dead, alive = Work(), Work()
        one.work(dead)
        await one.add("x", "ada")
        await until_true(lambda: dead.started == ["x"])
        alive.may_end.set()
        other.work(alive)
        await until_true(lambda: alive.ended == ["x"])

    run(database.url, scenario, 2)


def test_a_worker_releases_and_removes_only_its_own_job(database: Database) -> None:
    async def scenario() -> None:
        async with open_store(database.url) as store:
            jobs = store.jobs
            old = Job("j", "k", "k", "ada", 1, payload=b"old")
            new = old._replace(payload=b"new")
            await jobs.submit(old)
            assert await jobs.claim("k", "ada", "w", 60_000) is not None
            # The next turn replaces the job, and the same worker claims it while the former one still runs.
            async with store._engine.begin() as connection:
                await connection.execute(text("UPDATE jobs SET payload = :new, claimed_until = 0"), {"new": b"new"})
            claimed = await jobs.claim("k", "ada", "w", 60_000)
            assert claimed is not None
            assert claimed[0] == new
            await jobs.remove("w", old)
            await jobs.release("w", [old])
            (row,) = await read_jobs(store)
            assert (row.payload, row.claimed_by) == (b"new", "w")
            await jobs.release("w", [new])
            assert (await read_jobs(store))[0].claimed_by == ""
            assert await jobs.claim("k", "ada", "w", 60_000) is not None
            await jobs.remove("w", new)
            assert await read_jobs(store) == []

    asyncio.run(scenario())


def test_a_lease_is_renewed_for_as_long_as_the_job_runs(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("limina.server.jobs.worker._RENEW_SECONDS", 0.1)
    monkeypatch.setattr("limina.server.jobs.worker.LEASE_SECONDS", 2.0)

    async def scenario(one: Process, other: Process) -> None:
        work, idle = Work(), Work()
        one.work(work)
        await one.add("x", "ada")
        await until_true(lambda: work.started == ["x"])
        other.work(idle)
        (before,) = await read_jobs(one.store)
        await until_true(lambda: True)
        async with asyncio.timeout(60):
            while (await read_jobs(one.store))[0].claimed_until < before.claimed_until + 2000:
                await asyncio.sleep(0.05)
        assert not idle.started
        work.may_end.set()
        await until_job_count(one.store, 0)

    run(database.url, scenario, 2)


def test_a_job_that_fails_runs_again(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("limina.server.jobs.worker._RETRY_SECONDS", 0.1)

    async def scenario(process: Process) -> None:
        class Failing(Work):
            async def run(self, job: Job, write: WriteLine) -> bool:
                self.started.append(job.job_id)
                if len(self.started) == 1:
                    raise ValueError("no")
                self.ended.append(job.job_id)
                return True

        work = Failing()
        process.work(work)
        await process.add("x", "ada")
        await until_true(lambda: work.ended == ["x"])
        assert work.started == ["x", "x"]
        await until_job_count(process.store, 0)

    run(database.url, scenario)


def test_every_process_that_submits_a_job_reads_its_output(database: Database) -> None:
    async def scenario(one: Process, other: Process) -> None:
        work = Work()
        work.may_end.set()
        reading = [process.submit("x") for process in (one, other)]
        await until_job_count(one.store, 1)
        other.work(work, needs_watcher=True)
        assert await asyncio.gather(*reading) == [[b"x"], [b"x"]]
        assert work.ended == ["x"]

    run(database.url, scenario, 2)


def test_a_job_without_a_watcher_is_ended(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("limina.server.jobs.worker._RENEW_SECONDS", 0.1)
    monkeypatch.setattr("limina.server.jobs.queue.WATCH_SECONDS", 2.0)

    async def scenario(one: Process, other: Process) -> None:
        work = Work()
        other.work(work, needs_watcher=True)
        reading = one.submit("x")
        await until_true(lambda: work.started == ["x"])
        reading.cancel()
        await until_true(lambda: work.canceled == ["x"])
        await until_job_count(one.store, 0)
        # A job that is no longer watched does not start.
        await one.add("y", "ada")
        await until_job_count(one.store, 0)
        assert work.started == ["x"]

    run(database.url, scenario, 2)


def test_a_full_pool_refuses_in_a_sentence(database: Database) -> None:
    async def scenario(process: Process) -> None:
        process.submit("a0")
        process.submit("a1")
        await until_job_count(process.store, 2)
        await process.queue.refresh()
        with pytest.raises(RefusedError, match="try again") as refused:
            await process.submit("a2")
        assert (refused.value.code, refused.value.retry_after) == ("rate_limited", 10)
        process.submit("b", "ben")
        await until_job_count(process.store, 3)
        await process.queue.refresh()
        with pytest.raises(RefusedError) as refused:
            await process.submit("c", "cleo")
        assert refused.value.code == "unavailable"

    run(database.url, scenario, limits={"k": PoolLimits(1, 1, 3, 2, "many wait: please try again")})


@pytest.mark.postgres
def test_an_append_waits_for_an_update_of_its_job_and_removes_it(url: URL) -> None:
    async def scenario(process: Process) -> None:
        store, job = process.store, Job("x", "k", "k", "ada", 1)
        saved = SavedMatch("m", "any", {}, {}, False, True, (), "", 1, (Event(0, "created", 1, seats=SEATS),))
        assert await store.write(NewMatch(saved, (job,))) is WriteResult.COMMITTED
        async with store._engine.connect() as noting:
            await noting.execute(text("UPDATE jobs SET watched_until = 1"))
            append = store.write(Append("m", 0, (Event(1, "turn", 1, 0, "t"),), done_jobs=("x",)))
            await asyncio.wait([append], timeout=0.2)
            assert not append.done()
            await noting.commit()
        assert await append is WriteResult.COMMITTED
        assert await read_jobs(store) == []

    run(url, scenario)


def test_the_table_holds_no_address_of_a_client(database: Database) -> None:
    async def scenario(process: Process) -> None:
        process.submit("x", "192.0.2.7")
        (row,) = await until_job_count(process.store, 1)
        assert "192.0.2.7" not in repr(row)
        # A job that a job submits counts for the same client.
        CURRENT_CLIENT.set(row.client)
        assert process.queue.client() == row.client

    run(database.url, scenario)


@pytest.mark.postgres
def test_a_queue_with_silently_dead_connections_goes_on(
    postgres: str, url: URL, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("limina.server.storage.transactions._TIMEOUT_SECONDS", 0.5)
    way = Path(parse_qs(urlsplit(postgres).query)["host"][0]) / ".s.PGSQL.5432"

    async def run_scenario_once() -> None:
        proxy, work = Proxy(lambda: asyncio.open_unix_connection(str(way))), Work()
        work.may_end.set()
        address = f"postgresql://postgres@127.0.0.1:{await proxy.open()}/postgres"
        async with open_store(url_of(ServerSettings(database=address)), shared=True) as store:
            process = Process(store, LIMITS)
            await process.queue.start(store.jobs)
            process.work(work)
            await process.add("before", "ada")
            await until_true(lambda: work.ended == ["before"])
            proxy.freeze_open_connections()
            async with open_store(url, shared=True) as other:
                await Process(other, LIMITS).add("after", "ada")
            await until_true(lambda: "after" in work.ended)
            await process.stop()
        await proxy.close()

    asyncio.run(asyncio.wait_for(run_scenario_once(), 120))
