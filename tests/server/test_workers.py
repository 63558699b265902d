"""Jobs of several processes on one PostgreSQL: done once by whoever has a place, and found again when they are lost."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from subprocess import PIPE
from typing import Any

import pytest
from sqlalchemy import URL, text

from kit.authorities import play, request, small
from kit.clients import Client
from kit.commands import Command, limina
from kit.servers import running
from kit.stores import open_store
from kit.waiting import wait_until
from kit.workers import Process, jobs_in, tell, until, until_jobs, watch
from limina.bots import bot
from limina.errors import LiminaError
from limina.server.errors import RefusedError
from limina.server.jobs import CURRENT_CLIENT, Job
from limina.server.matches import BotRunner, Match, bot_jobs, bot_runner
from limina.server.services import Services
from limina.server.settings import Settings
from limina.server.workers import SharedWork, lanes_of

MASTERS = ["master"] * 7


# --- bots play


def test_bots_play_wherever_there_is_a_place_and_all_see_it(url: URL) -> None:
    async def story(first: Process, second: Process, worker: Process) -> None:
        loaded, _ = await first.authority.create(request("limes", "person", "random", "novice", "casual"))
        match = loaded.match
        elsewhere = await second.authority.find(match.id)
        there = elsewhere.match
        for each in (loaded, elsewhere):
            watch(each)
        chance = Random(5)
        while not match.over:
            number = match.shown.turns[0]
            turn = str(chance.choice(match.shown.position.legal_turns(0)))
            await play(first.authority, loaded, (0,), 0, number, turn, f"k{number}")
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
        loaded, _ = await one.authority.create(small("person", "novice"))
        match = loaded.match
        turn = str(match.shown.position.legal_turns(0)[0])
        await play(one.authority, loaded, (0,), 0, 0, turn, "k")
        (queued,) = await until_jobs(one.store, 1)
        job = Job(queued.entrypoint, bytes(queued.payload).decode().split("\n")[0], "ada", 1)
        doing = [each.authority.bot_jobs.do(job) for each in (one, other, other) if each.authority.bot_jobs]
        await asyncio.gather(*doing)
        there = await other.authority.find(match.id)
        assert there.match.shown.turns == (1, 1)
        version = there.match.version
        assert one.authority.bot_jobs is not None
        await one.authority.bot_jobs.do(job)
        assert (await other.authority.find(match.id)).match.version == version

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
        loaded, _ = await server.authority.create(request("limes", "person", "master"))
        match = loaded.match
        watch(loaded)
        await until(lambda: match.shown.turns[1])
        failed = match.seats[1].failed
        assert failed is not None
        assert (failed.bot, asked[0], match.seats[1].bot == asked[-1]) == ("master", "master", True)

    tell(url, story, False, True)


# --- what is lost


def test_a_lost_job_is_found_again_soon_where_somebody_watches(url: URL) -> None:
    async def story(server: Process, worker: Process) -> None:
        server.work.queue.add = lambda job, **_: None  # type: ignore[method-assign]  # it dies just before
        loaded, _ = await server.authority.create(small("novice", "person"))
        match = loaded.match
        there = await worker.authority.look_up(match.id)
        watch(there)
        del server.work.queue.add
        # The server that they watch it at looks again, also without having heard of anything.
        assert worker.authority.bot_jobs is not None
        worker.authority.bot_jobs.look_after(there)
        await until(lambda: there.match.shown.turns == (1, 0))

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
            await connection.execute(
                text("DELETE FROM limina_jobs WHERE headers->>'about' = :id"), {"id": lost.match.id}
            )
        assert server.authority.bot_jobs is not None
        await server.authority.bot_jobs.find_lost()
        found = await until_jobs(server.store, 2)
        assert {job.headers["about"] for job in found} == {lost.match.id, known.match.id}
        # Nobody asks for it: it waits behind what somebody has asked for.
        assert [job.headers["about"] for job in found] == [known.match.id, lost.match.id]
        assert before != found
        async with server.store._engine.connect() as connection:
            kept = (await connection.execute(text("SELECT count(*) FROM limina_jobs_log"))).scalar_one()
        assert kept <= 1, "the queue's log does not grow without end"

    tell(url, story, False)


def test_bots_go_on_after_all_connections_were_lost(url: URL) -> None:
    async def story(server: Process, worker: Process) -> None:
        loaded, _ = await server.authority.create(request("limes", "person", "novice"))
        match = loaded.match
        watch(loaded)
        await until(lambda: match.shown.turns == (0, 1))
        async with server.store._engine.connect() as connection:
            await connection.execute(
                text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
            )
        turn = str(match.shown.position.legal_turns(0)[0])
        async with asyncio.timeout(60):
            while match.shown.turns != (1, 2):
                loaded = await server.authority.find(match.id)
                match = loaded.match
                watch(loaded)
                with suppress(LiminaError):  # while the database is not there
                    await play(server.authority, loaded, (0,), 0, 0, turn, "k")
                await asyncio.sleep(0.05)

    tell(url, story, False, True)


# --- who is next


async def begin(process: Process, client: str, *bots: str) -> Match:
    CURRENT_CLIENT.set(client)
    loaded, _ = await process.authority.create(request("limes", "person", *bots))
    match = loaded.match
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


def test_a_job_comes_forward_when_somebody_begins_to_watch_its_match(url: URL) -> None:
    async def story(server: Process) -> None:
        unwatched, _ = await server.authority.create(request("limes", "person", *MASTERS[:2]))
        await until_jobs(server.store, 2)
        for _ in range(2):
            await begin(server, "ada", "master")
        waiting = await until_jobs(server.store, 4)
        assert [job.headers["about"] == unwatched.match.id for job in waiting] == [False, True, False, True]
        CURRENT_CLIENT.set("ben")
        await server.authority.find(unwatched.match.id)
        async with asyncio.timeout(60):
            while (await jobs_in(server.store))[-1].headers["about"] == unwatched.match.id:
                await asyncio.sleep(0.01)
        assert len(await jobs_in(server.store)) == 4

    tell(url, story, False)


def test_a_bot_in_a_match_that_nobody_watches_does_not_wait_for_all_watched_bots_of_one_client(url: URL) -> None:
    async def story(one: Process, other: Process) -> None:
        for _ in range(20):
            await begin(one, "ada", *MASTERS)
        await until_jobs(one.store, 140)
        await until(lambda: other.work.queue.waiting["bot"] == 140)
        CURRENT_CLIENT.set("")
        alone, _ = await other.authority.create(request("limes", "person", "master"))
        waiting = await until_jobs(one.store, 141)
        assert [job.headers["about"] for job in waiting].index(alone.match.id) == 1

    tell(url, story, False, False)


def test_a_full_queue_says_so(url: URL) -> None:
    tiny = {kind: replace(size, waiting=3, waiting_of_one=2) for kind, size in lanes_of().items()}

    async def told() -> None:
        async with open_store(url, shared=True) as store:
            work = SharedWork(store, BotRunner(), tiny, works=False)
            work.start()
            try:
                server = Process(store, work)
                await begin(server, "ada", "master", "master")
                await until(lambda: work.queue.waiting["bot"] == 2)
                with pytest.raises(RefusedError, match="try again") as refused:
                    await begin(server, "ada", "master")
                assert (refused.value.code, refused.value.retry) == ("too_many", 10)
                await begin(server, "ada", "novice")
                await begin(server, "ben", "master")
                await until(lambda: work.queue.waiting["bot"] == 3)
                with pytest.raises(RefusedError) as refused:
                    await begin(server, "cleo", "master")
                assert refused.value.code == "unavailable"
            finally:
                await work.stop()

    asyncio.run(told())


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
        state = live.until_state(lambda state: state["seats"][1]["turns"] >= 1)
        assert state["seats"][1]["bot"] == "slow"
        # And one that is told to stop ends at once, with status 0.
        second.send_signal(signal.SIGTERM)
        assert second.wait(timeout=10) == 0


def test_a_host_sees_how_many_jobs_wait_by_their_kind(url: URL) -> None:
    async def story(server: Process) -> None:
        services = Services(Settings(database=url.render_as_string(), shared=True, jobs=False))
        await services.start()
        try:
            await server.authority.create(request("limes", "person", "master", "master"))
            assert services.work is not None
            queue = services.work.queue
            await until(lambda: queue.waiting["bot"] == 2)
            assert services.metrics.registry.get_sample_value("limina_jobs_waiting", {"kind": "bot"}) == 2
        finally:
            await services.stop()

    tell(url, story, False)


def test_a_worker_without_a_database_that_can_be_shared_says_so_in_a_sentence() -> None:
    for arguments in ((), ("--database", "sqlite:///games.sqlite")):
        done = limina("work", *arguments)
        assert done.returncode == 1
        assert done.stderr == (
            "limina: a worker does the jobs of servers that share a PostgreSQL: "
            "name it with --database or LIMINA_DATABASE\n"
        )
    alone = limina("serve", "--no-jobs")
    assert (alone.returncode, "need a PostgreSQL that is --shared" in alone.stderr) == (1, True)
