"""Jobs of several processes on one PostgreSQL: done once by whoever has a place, and found again when they are lost."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from subprocess import PIPE
from typing import Any

import pytest
from sqlalchemy import URL, text

from kit.authorities import request, small
from kit.clients import Client
from kit.commands import Command, limina
from kit.records import begun, play_on
from kit.servers import running
from kit.stores import drop_tables, open_store
from kit.talkers import talker
from kit.waiting import wait_until
from limina import __version__
from limina.bots import bot
from limina.errors import LiminaError
from limina.games import game
from limina.server.analysis import Reviews
from limina.server.analysis.reviews import ReviewRequest
from limina.server.errors import RefusedError
from limina.server.jobs import CURRENT_CLIENT, Job, LaneSize
from limina.server.matches import Authority, BotRunner, Match, bot_jobs, bot_runner
from limina.server.queue import SharedJobs, Worker
from limina.server.settings import Settings
from limina.server.storage import Store, url_of
from limina.server.workers import SharedWork, lanes_of

JOBS = "SELECT * FROM limina_jobs ORDER BY priority DESC, id"
MASTERS = ["master"] * 7


@pytest.fixture
def url(postgres: str) -> Iterator[URL]:
    url = url_of(Settings(database=postgres))
    yield url
    asyncio.run(drop_tables(url))


@dataclass
class Process:
    """One of several, as far as the database can tell."""

    store: Store
    work: SharedWork

    @property
    def authority(self) -> Authority:
        return self.work.authority


@asynccontextmanager
async def process(url: URL, *, works: bool) -> AsyncIterator[Process]:
    async with open_store(url, shared=True) as store:
        work = SharedWork(store, BotRunner(), lanes_of(), works=works)
        work.start()
        try:
            yield Process(store, work)
        finally:
            await work.stop()


def tell(url: URL, story: Callable[..., Awaitable[None]], *works: bool) -> None:
    """Let a story happen at processes that do jobs or do not."""

    async def told() -> None:
        async with AsyncExitStack() as opened:
            found = [await opened.enter_async_context(process(url, works=each)) for each in works]
            await asyncio.wait_for(story(*found), 120)

    asyncio.run(told())


async def until(happened: Callable[[], object]) -> None:
    async with asyncio.timeout(60):  # far more than anything takes
        while not happened():
            await asyncio.sleep(0.01)


async def jobs_in(store: Store) -> list[Any]:
    async with store._engine.connect() as connection:
        return list((await connection.execute(text(JOBS))).all())


async def until_jobs(store: Store, count: int) -> list[Any]:
    async with asyncio.timeout(60):
        while len(found := await jobs_in(store)) != count:
            await asyncio.sleep(0.01)
    return found


def watch(match: Match) -> None:
    match.listeners.add(lambda *_: None)


# --- bots play


def test_bots_play_wherever_there_is_a_place_and_all_see_it(url: URL) -> None:
    async def story(first: Process, second: Process, worker: Process) -> None:
        match, _ = await first.authority.create(request("limes", "person", "random", "novice", "casual"))
        there = await second.authority.find(match.id)
        for each in (match, there):
            watch(each)
        chance = Random(5)
        while not match.over:
            number = match.shown.turns[0]
            turn = str(chance.choice(match.shown.position.legal_turns(0)))
            await first.authority.play(match, (0,), 0, number, turn, f"k{number}")
            await until(lambda: match.over or min(match.shown.turns) > number)  # noqa: B023
        await until(lambda: there.over)
        assert there.steps == match.steps
        saved = await first.store.load(match.id)
        assert saved is not None
        assert [event.number for event in saved.events] == list(range(saved.version + 1))
        await until_jobs(first.store, 0)

    tell(url, story, False, False, True)


def test_a_job_done_twice_plays_once_and_one_that_comes_late_does_nothing(url: URL) -> None:
    async def story(one: Process, other: Process) -> None:
        match, _ = await one.authority.create(small("person", "novice"))
        turn = str(match.shown.position.legal_turns(0)[0])
        await one.authority.play(match, (0,), 0, 0, turn, "k")
        (queued,) = await until_jobs(one.store, 1)
        job = Job(queued.entrypoint, bytes(queued.payload).decode().split("\n")[0], "ada", 1)
        doing = [each.authority.bot_jobs.do(job) for each in (one, other, other) if each.authority.bot_jobs]
        await asyncio.gather(*doing)
        there = await other.authority.find(match.id)
        assert there.shown.turns == (1, 1)
        version = there.version
        assert one.authority.bot_jobs is not None
        await one.authority.bot_jobs.do(job)
        assert (await other.authority.find(match.id)).version == version

    tell(url, story, False, False)


def test_a_bot_that_fails_is_replaced_by_whoever_let_it_think(url: URL, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def broken(game: Any, name: str, *, seed: int) -> Any:
        asked.append(name)
        if name == "master":
            raise ValueError("broken")
        return bot(game, name, seed=seed)

    monkeypatch.setattr(bot_runner, "bot", broken)

    async def story(server: Process, worker: Process) -> None:
        match, _ = await server.authority.create(request("limes", "person", "master"))
        watch(match)
        await until(lambda: match.shown.turns[1])
        failed = match.seats[1].failed
        assert failed is not None
        assert (failed.bot, asked[0], match.seats[1].bot == asked[-1]) == ("master", "master", True)

    tell(url, story, False, True)


# --- what is lost


def test_a_lost_job_is_found_again_soon_where_somebody_watches(url: URL) -> None:
    async def story(server: Process, worker: Process) -> None:
        server.work.queue.add = lambda job, **_: None  # type: ignore[method-assign]  # it dies just before
        match, _ = await server.authority.create(small("novice", "person"))
        there = await worker.authority.look_up(match.id)
        watch(there)
        del server.work.queue.add
        # The server that they watch it at looks again, also without having heard of anything.
        assert worker.authority.bot_jobs is not None
        worker.authority.bot_jobs.look_after(there)
        await until(lambda: there.shown.turns == (1, 0))

    tell(url, story, False, True)


def test_a_lost_job_is_found_again_by_whoever_looks_through_all_matches(
    url: URL, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_jobs, "LOST_SECONDS", 0.0)

    async def story(server: Process) -> None:
        lost, _ = await server.authority.create(small("novice", "person"))
        known, _ = await server.authority.create(small("novice", "person"))
        await server.authority.create(small("person", "novice"))
        before = await until_jobs(server.store, 2)
        async with server.store._engine.begin() as connection:
            await connection.execute(text("DELETE FROM limina_jobs WHERE headers->>'about' = :id"), {"id": lost.id})
        assert server.authority.bot_jobs is not None
        await server.authority.bot_jobs.find_lost()
        found = await until_jobs(server.store, 2)
        assert {job.headers["about"] for job in found} == {lost.id, known.id}
        # Nobody asks for it: it waits behind what somebody has asked for.
        assert [job.headers["about"] for job in found] == [known.id, lost.id]
        assert before != found
        async with server.store._engine.connect() as connection:
            kept = (await connection.execute(text("SELECT count(*) FROM limina_jobs_log"))).scalar_one()
        assert kept <= 1, "the queue's log does not grow without end"

    tell(url, story, False)


def test_bots_go_on_after_all_connections_were_lost(url: URL) -> None:
    async def story(server: Process, worker: Process) -> None:
        match, _ = await server.authority.create(request("limes", "person", "novice"))
        watch(match)
        await until(lambda: match.shown.turns == (0, 1))
        async with server.store._engine.connect() as connection:
            await connection.execute(
                text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
            )
        turn = str(match.shown.position.legal_turns(0)[0])
        async with asyncio.timeout(60):
            while match.shown.turns != (1, 2):
                match = await server.authority.find(match.id)
                watch(match)
                with suppress(LiminaError):  # while the database is not there
                    await server.authority.play(match, (0,), 0, 0, turn, "k")
                await asyncio.sleep(0.05)

    tell(url, story, False, True)


# --- who is next


async def begin(process: Process, client: str, *bots: str) -> Match:
    CURRENT_CLIENT.set(client)
    match, _ = await process.authority.create(request("limes", "person", *bots))
    return match


def test_a_clients_masters_keep_nobodys_novice_waiting_and_take_turns_with_other_masters(url: URL) -> None:
    async def story(one: Process, other: Process) -> None:
        await begin(one, "ada", *MASTERS)
        await until_jobs(one.store, 7)
        await until(lambda: one.work.queue.waiting["bot"] == other.work.queue.waiting["bot"] == 7)
        await begin(other, "ben", "novice", "master", "master")
        waiting = await until_jobs(one.store, 10)
        # The novice has a lane of its own, which no master can fill.
        assert [job.headers["client"] for job in waiting if job.entrypoint == "quick bot"] == ["ben"]
        order = [job.headers["client"] for job in waiting if job.entrypoint == "bot"]
        assert order == ["ada", "ben", "ada", "ben", *["ada"] * 5]

    tell(url, story, False, False)


def test_what_nobody_watches_waits_until_somebody_does(url: URL) -> None:
    async def story(server: Process) -> None:
        unwatched, _ = await server.authority.create(request("limes", "person", "master"))
        await until_jobs(server.store, 1)
        for _ in range(2):
            await begin(server, "ada", "master")
        waiting = await until_jobs(server.store, 3)
        assert [job.headers["about"] == unwatched.id for job in waiting] == [False, False, True]
        CURRENT_CLIENT.set("ben")
        await server.authority.find(unwatched.id)
        async with asyncio.timeout(60):
            while (await jobs_in(server.store))[-1].headers["about"] == unwatched.id:
                await asyncio.sleep(0.01)
        assert len(await jobs_in(server.store)) == 3

    tell(url, story, False)


def test_a_full_queue_says_so(url: URL) -> None:
    tiny = {kind: replace(size, waiting=3, waiting_of_one=2) for kind, size in lanes_of().items()}

    async def told() -> None:
        async with open_store(url, shared=True) as store:
            work = SharedWork(store, BotRunner(), tiny, works=False)
            work.start()
            try:
                server = Process(store, work)
                await begin(server, "ada", "master", "master")
                await until_jobs(store, 2)
                with pytest.raises(RefusedError, match="try again") as refused:
                    await begin(server, "ada", "master")
                assert (refused.value.code, refused.value.retry) == ("too_many", 10)
                await begin(server, "ada", "novice")
                await begin(server, "ben", "master")
                await until_jobs(store, 4)
                with pytest.raises(RefusedError) as refused:
                    await begin(server, "cleo", "master")
                assert refused.value.code == "unavailable"
            finally:
                await work.stop()

    asyncio.run(told())


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


def test_what_is_not_to_begin_before_a_time_waits_for_it(url: URL) -> None:
    async def story(queue: SharedJobs, worker: Callable[[Work], Worker]) -> None:
        work = Work()
        work.may_end.set()
        later = time.time() + 1
        queue.add(Job("k", "later", "ada", 1, at=later))
        queue.add(Job("k", "now", "ben", 1000))
        worker(work)
        await until(lambda: work.ended == ["now", "later"])
        assert time.time() >= later

    tell_of_jobs(url, story, LaneSize(2, 2, 99, 99, "full"))


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


async def lines(reviews: Reviews, key: str, game: ReviewRequest) -> list[dict[str, Any]]:
    return [json.loads(line) async for line in reviews.watch(key, game)]


def test_a_review_is_made_by_a_worker_and_heard_at_every_server_that_asks(url: URL) -> None:
    async def story(one: Process, other: Process, worker: Process) -> None:
        over = finished()
        await one.work.reviews.check("k", over)
        heard = await asyncio.gather(*(lines(each.work.reviews, "k", over) for each in (one, other)))
        for each in heard:
            assert [line["type"] for line in each] == ["begin", *["turn"] * over.turns, "end"]
        assert heard[0][1:] == heard[1][1:]
        await until_jobs(one.store, 0)
        # And it is kept.
        async with asyncio.timeout(60):
            while await one.store.review("k", __version__) is None:
                await asyncio.sleep(0.01)

    tell(url, story, False, False, True)


def test_a_review_that_nobody_listens_to_any_more_is_ended(url: URL, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("limina.server.queue.lines.WANTED_SECONDS", 1.0)
    monkeypatch.setattr("limina.server.analysis.listened._LOOK_SECONDS", 0.1)

    async def story(server: Process, worker: Process) -> None:
        worker.work.reviews._worker = talker('{"type":"turn"}', stays=True)
        watching = server.work.reviews.watch("k", finished())
        assert [json.loads(await anext(watching))["type"] for _ in range(2)] == ["begin", "turn"]
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
        match, _ = await server.authority.create(small("person", "novice"))
        found = await server.work.hints.ask(match, (0,), 0)
        assert (found["version"], found["seat"]) == (match.version, 0)
        assert found["turn"] in map(str, match.shown.position.legal_turns(0))
        await until_jobs(server.store, 0)

    tell(url, story, False, True)


# --- real processes

SLOW = """
import sys, time
from pathlib import Path
from random import Random
from subprocess import PIPE
from limina.bots import Choice

class Slow:
    \"\"\"Whoever is asked first thinks for long; then one answers at once.\"\"\"

    def choose(self, record, player, budget):
        begun = Path(__file__).with_name("begun")
        if not begun.exists():
            begun.touch()
            time.sleep(30)
        return Choice(Random(1).choice(record.end.legal_turns(player)))

    def close(self):
        pass
"""


@contextmanager
def working(*arguments: str) -> Iterator[Command]:
    """A `limina work` that has begun."""
    worker = Command(["work", *arguments], stdout=PIPE)
    try:
        assert worker.stdout is not None
        assert "limina is working" in worker.stdout.readline()
        yield worker
    finally:
        worker.kill()
        worker.communicate()


def test_when_a_worker_is_killed_in_the_middle_of_a_thought_another_takes_over_and_plays_once(
    url: URL, postgres: str, tmp_path: Path
) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    added = ("--database", postgres, "--bot", f"slow={tmp_path / 'slow.py'}:Slow", "--bot-time", "600")
    with ExitStack() as stack:
        first = stack.enter_context(working(*added))
        server = stack.enter_context(running(tmp_path / "data", *added, "--shared", "--no-jobs"))
        ada = stack.enter_context(closing(Client(server.address)))
        state = ada.create("limes", "me", "slow")
        live = ada.live(state["match"])
        wait_until((tmp_path / "begun").exists)
        second = stack.enter_context(working(*added))
        os.kill(first.pid, signal.SIGKILL)
        state = live.until_state(lambda state: state["seats"][1]["turns"] == 1)
        assert state["seats"][1]["bot"] == "slow"
        # And one that is told to stop ends at once, with status 0.
        second.send_signal(signal.SIGTERM)
        assert second.wait(timeout=10) == 0


def test_a_worker_without_a_database_that_can_be_shared_says_so_in_a_sentence() -> None:
    for arguments in ((), ("--database", "sqlite:///games.sqlite")):
        done = limina("work", *arguments)
        assert done.returncode == 1
        assert done.stderr == (
            "limina: a worker does the jobs of servers that share a PostgreSQL: name it with --database\n"
        )
    alone = limina("serve", "--no-jobs")
    assert (alone.returncode, "need a PostgreSQL that is --shared" in alone.stderr) == (1, True)
