"""The queue of processes that share a PostgreSQL: who takes what, what is given back, and what a job has to say."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from sqlalchemy import URL

from chaos.proxy import Proxy
from kit.authorities import small
from kit.records import begun, play_on
from kit.stores import open_store
from kit.talkers import talker
from kit.workers import Process, jobs_in, tell, until, until_jobs
from limina import __version__
from limina.games import game
from limina.limes.deck import Deck
from limina.server.analysis import Reviews
from limina.server.analysis.reviews import ReviewRequest
from limina.server.jobs import Job, LaneSize
from limina.server.queue import SharedJobs, SharedLines, Worker
from limina.server.settings import Settings
from limina.server.storage import Store, url_of
from limina.server.wire.encoding import dump

SIZE = LaneSize(2, 2, 99, 99, "full")

# --- the queue and its workers themselves


@dataclass
class Work:
    """Jobs that end when they are told to, and the order in which their turns came."""

    begun: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    may_end: asyncio.Event = field(default_factory=asyncio.Event)

    async def do(self, job: Job) -> None:
        self.begun.append(job.key)
        await self.may_end.wait()
        self.ended.append(job.key)


def tell_of_jobs(
    url: URL, story: Callable[[SharedJobs, Callable[[Work], Worker]], Awaitable[None]], size: LaneSize
) -> None:
    sizes = {"k": size}

    async def told() -> None:
        async with open_store(url, shared=True) as store:
            queue, workers = SharedJobs(store, sizes), list[Worker]()

            def worker(work: Work) -> Worker:
                workers.append(Worker(store, {"k": work.do}, sizes))
                workers[-1].start()
                return workers[-1]

            queue.open()
            try:
                await asyncio.wait_for(story(queue, worker), 120)
            finally:
                for each in workers:
                    await each.stop()
                await queue.close()

    asyncio.run(told())


def test_a_worker_takes_what_it_has_places_for_and_of_one_client_so_many_that_others_find_one(url: URL) -> None:
    async def story(queue: SharedJobs, worker: Callable[[Work], Worker]) -> None:
        work = Work()
        for number in range(3):
            queue.add(Job("k", f"a{number}", "ada", 1))
        worker(work)
        await until(lambda: len(work.begun) == 2)
        queue.add(Job("k", "b0", "ben", 1))
        await until(lambda: "b0" in work.begun)
        assert sorted(work.begun) == ["a0", "a1", "b0"]
        await until(lambda: (queue.waiting["k"], queue.running["k"]) == (1, 3))
        work.may_end.set()
        await until(lambda: len(work.ended) == 4)

    tell_of_jobs(url, story, LaneSize(3, 2, 99, 99, "full"))


def test_a_worker_that_stops_gives_back_what_it_was_doing_and_another_goes_on_with_it(url: URL) -> None:
    async def story(queue: SharedJobs, worker: Callable[[Work], Worker]) -> None:
        first, second = Work(), Work()
        stopped = worker(first)
        queue.add(Job("k", "x", "ada", 1))
        await until(lambda: first.begun == ["x"])
        worker(second)
        await stopped.stop()
        await until(lambda: second.begun == ["x"])
        second.may_end.set()
        await until(lambda: second.ended == ["x"])
        assert not first.ended

    tell_of_jobs(url, story, LaneSize(2, 2, 99, 99, "full"))


def test_a_queue_whose_connections_are_dead_without_a_word_is_asked_over_others(
    postgres: str, url: URL, monkeypatch: pytest.MonkeyPatch
) -> None:
    for patience in ("driver", "shared"):
        monkeypatch.setattr(f"limina.server.queue.{patience}.SECONDS", 0.5)
    way = Path(parse_qs(urlsplit(postgres).query)["host"][0]) / ".s.PGSQL.5432"

    async def told() -> None:
        proxy, work, sizes = Proxy(lambda: asyncio.open_unix_connection(str(way))), Work(), {"k": SIZE}
        work.may_end.set()
        address = f"postgresql://postgres@127.0.0.1:{await proxy.open()}/postgres"
        async with open_store(url_of(Settings(database=address)), shared=True) as store:
            queue, worker = SharedJobs(store, sizes), Worker(store, {"k": work.do}, sizes)
            queue.open()
            worker.start()
            queue.add(Job("k", "before", "ada", 1))
            await until(lambda: work.ended == ["before"])
            proxy.strand()
            queue.add(Job("k", "after", "ada", 1))
            await until(lambda: "after" in work.ended)
            await worker.stop()
            await queue.close()
        await proxy.close()

    asyncio.run(asyncio.wait_for(told(), 120))


def test_tables_of_another_version_of_the_queue_are_brought_up_to_date(url: URL) -> None:
    async def made_by_another() -> None:
        async with open_store(url, shared=True) as store, store.connection() as connection:
            await connection.execute("ALTER TABLE limina_jobs DROP COLUMN headers")
            await connection.execute("COMMENT ON TABLE limina_jobs IS 'pgqueuer 0.0'")

    async def story(queue: SharedJobs, worker: Callable[[Work], Worker]) -> None:
        work = Work()
        work.may_end.set()
        worker(work)
        queue.add(Job("k", "x", "ada", 1))
        await until(lambda: work.ended == ["x"])

    asyncio.run(made_by_another())
    tell_of_jobs(url, story, SIZE)


def test_what_is_not_to_begin_before_a_time_waits_for_it(url: URL) -> None:
    async def story(queue: SharedJobs, worker: Callable[[Work], Worker]) -> None:
        work = Work()
        work.may_end.set()
        worker(work)
        queue.add(Job("k", "first", "ada", 1))
        await until(lambda: work.ended == ["first"])  # the worker is there
        later = time.time() + 1
        queue.add(Job("k", "later", "ada", 1, at=later))
        queue.add(Job("k", "now", "ben", 1000))
        await until(lambda: work.ended == ["first", "now", "later"])
        assert time.time() >= later

    tell_of_jobs(url, story, LaneSize(2, 2, 99, 99, "full"))


def test_processes_that_ask_for_the_same_jobs_in_opposite_orders_never_wait_for_each_other(
    url: URL, caplog: pytest.LogCaptureFixture
) -> None:
    names = [f"{number:03}" for number in range(300)]

    async def ask(store: Store, names: list[str]) -> None:
        queue, lines = SharedJobs(store, {"k": replace(SIZE, waiting=9999, waiting_of_one=9999)}), SharedLines(store)
        listening = [asyncio.ensure_future(anext(lines.read(name))) for name in names]
        queue.open()
        lines.open()
        for _ in range(3):
            for name in names:
                queue.add(Job("k", name, "ada", 1))
            await until(lambda: not queue._waiting)
            await lines._say_that_somebody_listens()
        for each in listening:
            each.cancel()
        await lines.close()
        await queue.close()

    async def told() -> None:
        async with open_store(url, shared=True) as store:
            await asyncio.gather(ask(store, names), ask(store, names[::-1]))
            assert len(await jobs_in(store)) == len(names)

    asyncio.run(told())
    assert not [record for record in caplog.records if record.name == "limina.server"]


def test_a_job_that_fails_is_tried_again(url: URL) -> None:
    async def story(queue: SharedJobs, worker: Callable[[Work], Worker]) -> None:
        class Failing(Work):
            async def do(self, job: Job) -> None:
                self.begun.append(job.key)
                if len(self.begun) == 1:
                    raise ValueError("no")
                self.ended.append(job.key)

        work = Failing()
        worker(work)
        queue.add(Job("k", "x", "ada", 1))
        await until(lambda: work.ended == ["x"])
        assert work.begun == ["x", "x"]

    tell_of_jobs(url, story, LaneSize(2, 2, 99, 99, "full"))


# --- reviews and hints


def finished() -> ReviewRequest:
    record = begun(game("limit"), ["Ada", "Ben"], Random(3), size=4)
    return ReviewRequest.of(play_on(record, Random(4)))


def trial(deals: int) -> ReviewRequest:
    """A deck that bots are to play so many times."""
    asked = ReviewRequest.trial("limes", Deck.random(Random(7), "mine").faces)
    told = json.loads(asked.record)["trial"] | {"deals": deals, "seconds": 600.0}
    return replace(asked, record=dump({"trial": told}), turns=deals)


async def lines(reviews: Reviews, key: str, game: ReviewRequest) -> list[dict[str, Any]]:
    return [json.loads(line) async for line in reviews.watch(key, game)]


def test_a_review_and_a_trial_are_made_by_a_worker_and_heard_at_every_server_that_asks(url: URL) -> None:
    async def story(one: Process, other: Process, worker: Process) -> None:
        over, deck = finished(), trial(2)
        await one.work.reviews.check("k", over)
        *heard, deals = await asyncio.gather(
            lines(one.work.reviews, "k", over), lines(other.work.reviews, "k", over), lines(one.work.reviews, "d", deck)
        )
        for each in heard:
            assert [line["type"] for line in each] == ["begin", *["turn"] * over.turns, "end"]
        assert heard[0][1:] == heard[1][1:]
        # So are the deals that bots play with a deck.
        assert [line["type"] for line in deals] == ["begin", "deal", "deal", "end"]
        await until_jobs(one.store, 0)
        # And both are kept.
        async with asyncio.timeout(60):
            for key in ("k", "d"):
                while await one.store.review(key, __version__) is None:
                    await asyncio.sleep(0.01)

    tell(url, story, False, False, True)


def test_what_nobody_listens_to_any_more_is_ended_where_it_is_made(url: URL, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("limina.server.queue.lines._LISTENS_SECONDS", 0.1)
    monkeypatch.setattr("limina.server.queue.lines.WANTED_SECONDS", 2.0)
    monkeypatch.setattr("limina.server.analysis.listened._LOOK_SECONDS", 0.1)

    async def story(server: Process, worker: Process) -> None:
        watching = server.work.reviews.watch("d", trial(100_000))
        assert [json.loads(await anext(watching))["type"] for _ in range(3)] == ["begin", "deal", "deal"]
        assert len(await jobs_in(server.store)) == 1
        await watching.aclose()
        await until_jobs(server.store, 0)

    tell(url, story, False, True)


def test_a_review_that_fails_says_so_wherever_it_was_made(url: URL, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("limina.server.queue.lines._GONE_SECONDS", 0.5)

    async def story(server: Process, worker: Process) -> None:
        worker.work.reviews._worker = talker('{"type":"turn"}')
        heard = await lines(server.work.reviews, "k", finished())
        assert [line["type"] for line in heard] == ["begin", "turn", "failed"]

    tell(url, story, False, True)


def test_a_hint_is_thought_of_by_a_worker(url: URL) -> None:
    async def story(server: Process, worker: Process) -> None:
        loaded, _ = await server.authority.create(small("person", "novice"))
        match = loaded.match
        found = await server.work.hints.ask(match, (0,), 0)
        assert (found["version"], found["seat"]) == (match.version, 0)
        assert found["turn"] in map(str, match.shown.position.legal_turns(0))
        await until_jobs(server.store, 0)

    tell(url, story, False, True)
