"""Job workers in several processes on one PostgreSQL: each job has its effect once, also after a worker has died."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from subprocess import PIPE
from typing import Any

import pytest
from sqlalchemy import URL, select, text
from sqlalchemy.ext.asyncio import create_async_engine

from limina.bots import bot
from limina.errors import LiminaError
from limina.server.backend import POOLS, Backend
from limina.server.errors import RefusedError
from limina.server.jobs import CURRENT_CLIENT, Job
from limina.server.matches import BotRunner, LoadedMatch, bot_runner
from limina.server.services import Services
from limina.server.settings import ServerSettings
from limina.server.storage import Store
from limina.server.storage.tables import events
from support.processes.cli_commands import Command, limina
from support.server.clients import Client
from support.server.job_workers import read_jobs, run_with_backends, subscribe, until_job_count, until_true
from support.server.match_services import match_request, play, small_match_request
from support.server.server_process import running_server
from support.waiting import wait_until

MASTERS = ["master"] * 7


# --- bots


def test_bots_play_at_any_server_and_all_servers_see_it(url: URL) -> None:
    async def scenario(first: Backend, second: Backend, worker: Backend) -> None:
        loaded, _ = await first.matches.create(match_request("limes", "person", "random", "novice", "casual"))
        match = loaded.match
        elsewhere = await second.matches.get(match.id)
        replica_match = elsewhere.match
        for replica in (loaded, elsewhere):
            subscribe(replica)
        chance = Random(5)
        while not match.is_over:
            turn_index = match.situation.turn_counts[0]
            turn = str(chance.choice(match.situation.position.legal_turns(0)))
            await play(first.matches, loaded, (0,), 0, turn_index, turn, f"k{turn_index}")
            await until_true(lambda: match.is_over or min(match.situation.turn_counts) > turn_index)  # noqa: B023
        await until_true(lambda: replica_match.is_over)
        assert replica_match.steps == match.steps
        saved = await first.store.load(match.id)
        assert saved is not None
        assert [event.event_index for event in saved.events] == list(range(saved.version + 1))
        await until_job_count(first.store, 0)

    run_with_backends(url, scenario, False, False, True)


def test_a_job_that_runs_twice_or_late_plays_once(url: URL) -> None:
    async def scenario(one: Backend, other: Backend) -> None:
        loaded, _ = await one.matches.create(small_match_request("person", "novice"))
        match = loaded.match
        turn = str(match.situation.position.legal_turns(0)[0])
        await play(one.matches, loaded, (0,), 0, 0, turn, "k")
        (queued,) = await until_job_count(one.store, 1)
        job = Job(queued.job_id, queued.kind, queued.pool, queued.client, queued.cost, payload=bytes(queued.payload))

        async def run(process: Backend) -> bool:
            return await process.matches.bot_turns.handlers(process.matches)["turn"].run(job, nothing)

        await asyncio.gather(*map(run, (one, other, other)))
        replica_match = (await other.matches.get(match.id)).match
        assert replica_match.situation.turn_counts == (1, 1)
        assert await read_jobs(one.store) == []
        assert await run(one)
        assert (await other.matches.get(match.id)).match.version == replica_match.version

    run_with_backends(url, scenario, False, False)


async def nothing(_: bytes) -> None:
    return


def test_a_failed_bot_is_replaced_by_the_worker_that_ran_it(url: URL, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen_bots: list[str] = []

    def broken(game: Any, name: str, *, seed: int) -> Any:
        chosen_bots.append(name)
        if name == "master":
            raise ValueError("broken")
        return bot(game, name, seed=seed)

    monkeypatch.setattr(bot_runner, "bot", broken)

    async def scenario(server: Backend, worker: Backend) -> None:
        loaded, _ = await server.matches.create(match_request("limes", "person", "master"))
        match = loaded.match
        subscribe(loaded)
        await until_true(lambda: match.situation.turn_counts[1])
        failed = match.seats[1].failed
        assert failed is not None
        assert (failed.bot, chosen_bots[0], match.seats[1].bot == chosen_bots[-1]) == ("master", "master", True)

    run_with_backends(url, scenario, False, True)


def test_bots_play_after_all_connections_were_lost(url: URL) -> None:
    async def scenario(server: Backend, worker: Backend) -> None:
        loaded, _ = await server.matches.create(match_request("limes", "person", "novice"))
        match = loaded.match
        subscribe(loaded)
        await until_true(lambda: match.situation.turn_counts == (0, 1))
        async with server.store._engine.connect() as connection:
            await connection.execute(
                text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
            )
        turn = str(match.situation.position.legal_turns(0)[0])
        async with asyncio.timeout(60):
            while match.situation.turn_counts != (1, 2):
                loaded = await server.matches.get(match.id)
                match = loaded.match
                subscribe(loaded)
                with suppress(LiminaError):  # while the database is down
                    await play(server.matches, loaded, (0,), 0, 0, turn, "k")
                await asyncio.sleep(0.05)

    run_with_backends(url, scenario, False, True)


# --- scheduling


async def begin(process: Backend, client: str, *bots: str) -> LoadedMatch:
    CURRENT_CLIENT.set(client)
    loaded, _ = await process.matches.create(match_request("limes", "person", *bots))
    return loaded


def test_masters_of_one_client_delay_no_novice_and_alternate(url: URL) -> None:
    async def scenario(one: Backend, other: Backend, worker: Backend) -> None:
        crowded = await begin(one, "ada", *MASTERS)
        await until_job_count(one.store, 7)
        few = await begin(other, "ben", "novice", "master")
        waiting = await until_job_count(one.store, 9)
        # Fast bots have a pool of their own.
        assert [job.job_id for job in waiting if job.pool == "quick_bots"] == [f"turn {few.match.id} 1"]
        subscribe(few)
        subscribe(crowded)
        worker.start_worker()
        await until_true(lambda: few.match.situation.turn_counts == (0, 1, 1))
        assert sum(crowded.match.situation.turn_counts) < 7

    run_with_backends(url, scenario, False, False, None)


def test_a_full_queue_is_refused(url: URL) -> None:
    tiny = {pool: replace(limits, max_waiting=3, max_waiting_per_client=2) for pool, limits in POOLS.items()}

    async def run() -> None:
        server = Backend(Store(url, shared=True), BotRunner(), tiny, runs_jobs=False)
        await server.start()
        try:
            await begin(server, "ada", "master", "master")
            await until_true(lambda: server.queue.waiting["bots"] == 2)
            with pytest.raises(RefusedError, match="try again") as refused:
                await begin(server, "ada", "master")
            assert (refused.value.code, refused.value.retry_after) == ("rate_limited", 10)
            await begin(server, "ada", "novice")
            await begin(server, "ben", "master")
            await until_true(lambda: server.queue.waiting["bots"] == 3)
            with pytest.raises(RefusedError) as refused:
                await begin(server, "cleo", "master")
            assert refused.value.code == "unavailable"
        finally:
            await server.stop()

    asyncio.run(run())


# --- real processes

SLOW = """
import sys, time
from pathlib import Path
from random import Random
from subprocess import PIPE
from limina.bots import Choice

class Slow:
    \"\"\"The first instance takes long, the next one answers at once.\"\"\"

    def choose(self, record, player, budget):
        started = Path(__file__).with_name("started")
        if not started.exists():
            started.touch()
            time.sleep(30)
        return Choice(Random(1).choice(record.position.legal_turns(player)))

    def close(self):
        pass
"""


@contextmanager
def working(*arguments: str) -> Iterator[Command]:
    """Run a `limina worker` until it is ready."""
    worker = Command(["worker", *arguments], stdout=PIPE)
    try:
        assert worker.stdout is not None
        assert "limina worker is ready" in worker.stdout.readline()
        yield worker
    finally:
        worker.kill()
        worker.communicate()


TAKEOVER_SECONDS = 10.0
"""The longest time from the death of a worker to the turn of its bot, at a worker with capacity: the rest of the
lease of 6 s, at most 1 s until the other worker claims jobs, and the turn itself."""
TAKEOVER_SLACK_SECONDS = 5.0
"""Added because other tests may fill every core. Without leases the turn would take 30 s, or wait forever."""


async def read_turns(url: URL, match_id: str, seat: int) -> list[int]:
    """Return when a seat played its turns by the clock of the process that played them, in milliseconds since 1970."""
    engine = create_async_engine(url)
    query = select(events.c.created_at).where(
        events.c.match_id == match_id, events.c.seat_index == seat, events.c.kind == "turn"
    )
    async with engine.connect() as connection:
        times = list((await connection.execute(query.order_by(events.c.event_index))).scalars())
    await engine.dispose()
    return times


def test_a_bot_whose_worker_is_killed_plays_once_within_ten_seconds(url: URL, postgres: str, tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    added = ("--database", postgres, "--bot", f"slow={tmp_path / 'slow.py'}:Slow", "--bot-timeout", "600")
    with ExitStack() as stack:
        first = stack.enter_context(working(*added))
        server = stack.enter_context(running_server(tmp_path / "data", *added, "--shared", "--no-jobs"))
        ada = stack.enter_context(closing(Client(server.address)))
        state = ada.create("limes", "me", "slow")
        live = ada.live(state["match_id"])
        wait_until((tmp_path / "started").exists)
        second = stack.enter_context(working(*added))
        killed_at = time.time_ns() // 1_000_000
        os.kill(first.pid, signal.SIGKILL)
        state = live.until_state(lambda state: state["seats"][1]["turn_count"] >= 1)
        assert state["seats"][1]["bot"] == "slow"
        (played_at,) = asyncio.run(read_turns(url, state["match_id"], 1))
        assert killed_at < played_at < killed_at + 1000 * (TAKEOVER_SECONDS + TAKEOVER_SLACK_SECONDS)
        # A worker that gets SIGTERM ends at once, with status 0.
        second.send_signal(signal.SIGTERM)
        assert second.wait(timeout=10) == 0


def test_the_metrics_show_waiting_jobs_by_pool(url: URL) -> None:
    async def scenario(server: Backend) -> None:
        services = Services(ServerSettings(database=url.render_as_string(), shared=True, runs_jobs=False))
        await services.start()
        try:
            await server.matches.create(match_request("limes", "person", "master", "master"))
            read = services.metrics.registry.get_sample_value
            await until_true(lambda: read("limina_jobs_waiting", {"kind": "bots"}) == 2)
        finally:
            await services.stop()

    run_with_backends(url, scenario, False)


def test_a_worker_without_a_shareable_database_is_one_sentence() -> None:
    for arguments in ((), ("--database", "sqlite:///games.sqlite")):
        done = limina("worker", *arguments)
        assert done.returncode == 1
        assert done.stderr == (
            "limina: a job worker needs the PostgreSQL of its servers: name it with --database or LIMINA_DATABASE\n"
        )
    alone = limina("serve", "--no-jobs")
    assert (alone.returncode, "need PostgreSQL and --shared" in alone.stderr) == (1, True)
