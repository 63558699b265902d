"""Local jobs: clients have equal shares, and pools are limited."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import pytest

from limina.server.errors import RefusedError
from limina.server.jobs import LocalJobs, PoolLimits


@dataclass
class Work:
    """Runs jobs until they may end, and records their order."""

    jobs: LocalJobs
    started: list[str] = field(default_factory=list)
    ends: dict[str, asyncio.Event] = field(default_factory=dict)
    tasks: dict[str, asyncio.Task[str]] = field(default_factory=dict)

    def submit(self, key: str, client: str, cost: float = 1) -> None:
        self.ends[key] = asyncio.Event()

        async def work() -> str:
            self.started.append(key)
            await self.ends[key].wait()
            return key

        self.tasks[key] = self.jobs.submit("k", client, cost, work)

    async def finish(self, key: str) -> None:
        self.ends[key].set()
        await self.tasks[key]
        await settled()

    async def finish_all(self) -> list[str]:
        """End each job as soon as it has started; return the order in which they started."""
        await settled()
        done = 0
        while done < len(self.started):
            await self.finish(self.started[done])
            done += 1
        return self.started


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def run_scenario(
    scenario: Callable[[Work], Awaitable[None]], at_once: int = 1, of_one: int = 9, waiting: int = 99
) -> None:
    limits = PoolLimits(at_once, of_one, waiting, waiting - 1, "many wait: please try again in a moment")

    async def run() -> None:
        await scenario(Work(LocalJobs({"k": limits})))

    asyncio.run(run())


def test_clients_take_turns_however_many_jobs_each_has() -> None:
    async def scenario(work: Work) -> None:
        for index in range(4):
            work.submit(f"a{index}", "ada")
        for index in range(2):
            work.submit(f"b{index}", "ben")
        work.submit("c0", "cleo")
        assert await work.finish_all() == ["a0", "b0", "c0", "a1", "b1", "a2", "a3"]

    run_scenario(scenario)


def test_clients_share_time_not_numbers_of_jobs() -> None:
    async def scenario(work: Work) -> None:
        for index in range(3):
            work.submit(f"dear{index}", "ada", 300)
        for index in range(5):
            work.submit(f"cheap{index}", "ben", 100)
        order = await work.finish_all()
        assert order == ["dear0", "cheap0", "cheap1", "cheap2", "cheap3", "dear1", "cheap4", "dear2"]

    run_scenario(scenario)


def test_a_clients_cheapest_job_comes_first_and_new_clients_owe_nothing() -> None:
    async def scenario(work: Work) -> None:
        work.submit("first", "ada", 5)
        work.submit("dear", "ada", 500)
        work.submit("cheap", "ada", 5)
        await settled()
        await work.finish("first")
        work.submit("new", "ben", 500)
        await work.finish("cheap")
        assert work.started == ["first", "cheap", "new"]

    run_scenario(scenario)


def test_one_client_cannot_use_a_whole_pool() -> None:
    async def scenario(work: Work) -> None:
        for index in range(3):
            work.submit(f"a{index}", "ada")
        await settled()
        assert work.started == ["a0"]
        work.submit("b0", "ben")
        await settled()
        assert work.started == ["a0", "b0"]

    run_scenario(scenario, at_once=2, of_one=1)


def test_a_full_local_pool_is_refused() -> None:
    async def scenario(work: Work) -> None:
        work.submit("running", "ada")
        work.submit("a", "ada")
        work.submit("b", "ada")
        with pytest.raises(RefusedError, match="try again") as refused:
            work.submit("c", "ada")
        assert (refused.value.code, refused.value.retry_after) == ("rate_limited", 10)
        work.submit("d", "ben")
        with pytest.raises(RefusedError) as refused:
            work.submit("e", "cleo")
        assert refused.value.code == "unavailable"

    run_scenario(scenario, waiting=3)


def test_a_canceled_job_frees_its_place_in_every_state() -> None:
    async def scenario(work: Work) -> None:
        for key in "abcd":
            work.submit(key, key)
        work.tasks["a"].cancel()  # before it has started
        await settled()
        assert work.started == ["b"]
        work.tasks["c"].cancel()
        work.tasks["b"].cancel()
        await settled()
        assert work.started == ["b", "d"]
        await work.finish("d")
        work.submit("e", "e")
        await work.finish("e")
        assert work.started == ["b", "d", "e"]

    run_scenario(scenario)


def test_a_failed_job_frees_its_place() -> None:
    async def scenario(work: Work) -> None:
        async def fail() -> None:
            raise ValueError("no")

        failing = work.jobs.submit("k", "ada", 1, fail)
        work.submit("next", "ada")
        with pytest.raises(ValueError, match="no"):
            await failing
        assert await work.finish_all() == ["next"]

    run_scenario(scenario)
