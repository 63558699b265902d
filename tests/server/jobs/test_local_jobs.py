"""Jobs of one process: however many a client has, others have their share, and a pool has an end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import pytest

from limina.server.errors import RefusedError
from limina.server.jobs import LocalJobs, PoolLimits


@dataclass
class Work:
    """Jobs that end when they are told to, and the order in which their turns came."""

    jobs: LocalJobs
    begun: list[str] = field(default_factory=list)
    ends: dict[str, asyncio.Event] = field(default_factory=dict)
    tasks: dict[str, asyncio.Task[str]] = field(default_factory=dict)

    def submit(self, key: str, client: str, cost: float = 1) -> None:
        self.ends[key] = asyncio.Event()

        async def work() -> str:
            self.begun.append(key)
            await self.ends[key].wait()
            return key

        self.tasks[key] = self.jobs.submit("k", client, cost, work)

    async def finish(self, key: str) -> None:
        self.ends[key].set()
        await self.tasks[key]
        await settled()

    async def finish_all(self) -> list[str]:
        """Let each end as soon as it has begun; the order in which they did."""
        await settled()
        done = 0
        while done < len(self.begun):
            await self.finish(self.begun[done])
            done += 1
        return self.begun


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def run_scenario(
    scenario: Callable[[Work], Awaitable[None]], at_once: int = 1, of_one: int = 9, waiting: int = 99
) -> None:
    limits = PoolLimits(at_once, of_one, waiting, waiting - 1, "many wait: please try again in a moment")

    async def told() -> None:
        await scenario(Work(LocalJobs({"k": limits})))

    asyncio.run(told())


def test_clients_take_turns_however_many_jobs_each_has() -> None:
    async def scenario(work: Work) -> None:
        for number in range(4):
            work.submit(f"a{number}", "ada")
        for number in range(2):
            work.submit(f"b{number}", "ben")
        work.submit("c0", "cleo")
        assert await work.finish_all() == ["a0", "b0", "c0", "a1", "b1", "a2", "a3"]

    run_scenario(scenario)


def test_a_share_is_work_and_not_jobs() -> None:
    async def scenario(work: Work) -> None:
        for number in range(3):
            work.submit(f"dear{number}", "ada", 300)
        for number in range(5):
            work.submit(f"cheap{number}", "ben", 100)
        order = await work.finish_all()
        assert order == ["dear0", "cheap0", "cheap1", "cheap2", "cheap3", "dear1", "cheap4", "dear2"]

    run_scenario(scenario)


def test_of_one_client_the_cheapest_comes_first_and_whoever_is_new_need_not_pay_for_the_past() -> None:
    async def scenario(work: Work) -> None:
        work.submit("first", "ada", 5)
        work.submit("dear", "ada", 500)
        work.submit("cheap", "ada", 5)
        await settled()
        await work.finish("first")
        work.submit("new", "ben", 500)
        await work.finish("cheap")
        assert work.begun == ["first", "cheap", "new"]

    run_scenario(scenario)


def test_one_client_leaves_a_place_for_others_where_that_is_asked() -> None:
    async def scenario(work: Work) -> None:
        for number in range(3):
            work.submit(f"a{number}", "ada")
        await settled()
        assert work.begun == ["a0"]
        work.submit("b0", "ben")
        await settled()
        assert work.begun == ["a0", "b0"]

    run_scenario(scenario, at_once=2, of_one=1)


def test_a_queue_has_an_end_and_says_so() -> None:
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


def test_what_is_cancelled_leaves_its_place_whether_it_waits_or_runs_or_has_not_even_begun() -> None:
    async def scenario(work: Work) -> None:
        for key in "abcd":
            work.submit(key, key)
        work.tasks["a"].cancel()  # before it could take a single step
        await settled()
        assert work.begun == ["b"]
        work.tasks["c"].cancel()
        work.tasks["b"].cancel()
        await settled()
        assert work.begun == ["b", "d"]
        await work.finish("d")
        work.submit("e", "e")
        await work.finish("e")
        assert work.begun == ["b", "d", "e"]

    run_scenario(scenario)


def test_a_job_that_fails_leaves_its_place_too() -> None:
    async def scenario(work: Work) -> None:
        async def fail() -> None:
            raise ValueError("no")

        failing = work.jobs.submit("k", "ada", 1, fail)
        work.submit("next", "ada")
        with pytest.raises(ValueError, match="no"):
            await failing
        assert await work.finish_all() == ["next"]

    run_scenario(scenario)
