"""Fairness between bots of many matches: slow bots of one client do not delay other clients."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from limina.bots import Budget, Choice, bot
from limina.core.record import Record
from limina.server.backend import POOLS, Backend
from limina.server.errors import RefusedError
from limina.server.jobs import CURRENT_CLIENT, PoolLimits
from limina.server.matches import BotRunner, LoadedMatch, Match, MatchRequest, MatchService, SeatRequest, bot_runner
from limina.server.settings import ServerSettings
from limina.server.storage import Store, url_of
from support.server.job_workers import read_jobs

MASTERS = ["master"] * 7


class Masters:
    """Bots that wait until they may end, and record their positions in order."""

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.may_end = threading.Semaphore(0)

    def choose(self, record: Record, player: int, budget: Budget) -> Choice[Any]:
        self.records.append(record)
        while not self.may_end.acquire(timeout=0.05):
            if budget.cancel_token is not None and budget.cancel_token.is_canceled():
                break
        return Choice(Random(1).choice(record.position.legal_turns(player)))

    def close(self) -> None:
        return


class Watched(BotRunner):
    """Records the order in which bots run."""

    def __init__(self) -> None:
        super().__init__()
        self.order: list[str] = []
        """The name of the person in the match of each bot."""
        self.matches: list[str] = []
        """The id of the match of each bot."""

    async def _choose(self, loaded: LoadedMatch, seat: int) -> str:
        match = loaded.match
        self.order.append(match.seats[0].name)
        self.matches.append(match.id)
        return await super()._choose(loaded, seat)


@pytest.fixture
def masters(monkeypatch: pytest.MonkeyPatch) -> Iterator[Masters]:
    bots = Masters()
    monkeypatch.setattr(
        bot_runner, "bot", lambda game, name, *, seed: bots if name == "master" else bot(game, name, seed=seed)
    )
    yield bots
    bots.may_end.release(10_000)


def request(name: str, *bots: str) -> MatchRequest:
    return MatchRequest("limes", [SeatRequest("person", name), *(SeatRequest("bot", bot=level) for level in bots)])


def run_scenario(
    folder: Path,
    scenario: Callable[[MatchService, Store], Awaitable[None]],
    runner: Callable[[], BotRunner] = BotRunner,
    pools: dict[str, PoolLimits] | None = None,
) -> None:
    async def run() -> None:
        # The pool of fast bots has the same limits as that of slow ones.
        limits = {**POOLS, "quick_bots": POOLS["bots"]} if pools is None else {**POOLS, **pools}
        backend = Backend(Store(url_of(ServerSettings(data=folder))), runner(), limits)
        await backend.start()
        try:
            await scenario(backend.matches, backend.store)
        finally:
            await backend.stop()

    asyncio.run(run())


async def begin(service: MatchService, client: str, *bots: str, watched: bool = True) -> Match:
    CURRENT_CLIENT.set(client)
    loaded, _ = await service.create(request(client, *bots))
    match = loaded.match
    if watched:
        loaded.subscribers.add(lambda *_: None)
        service.watch(loaded)
    return match


async def until(happened: Callable[[], object]) -> None:
    async with asyncio.timeout(120):  # far more than any step takes
        while not happened():
            await asyncio.sleep(0.005)


def test_56_masters_of_one_client_do_not_delay_other_novices(tmp_path: Path, masters: Masters) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        crowded = [await begin(service, "ada", *MASTERS) for _ in range(8)]
        await until(lambda: len(masters.records) == 2)
        quick = await begin(service, "ben", "novice", "casual", "skilled", "random")
        await until(lambda: quick.situation.turn_counts == (0, 1, 1, 1, 1))
        # No master has ended meanwhile.
        assert not any(any(match.situation.turn_counts) for match in crowded)
        assert len(masters.records) == 2

    run_scenario(tmp_path, scenario)


def test_masters_of_two_clients_alternate(tmp_path: Path, masters: Masters) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        for _ in range(4):
            await begin(service, "ada", *MASTERS)
        await until(lambda: len(masters.records) == 2)
        few = await begin(service, "ben", *MASTERS[:2])
        masters.may_end.release(100)
        await until(lambda: sum(few.situation.turn_counts) == 2)
        # Ada's two that run already, then Ben's and Ada's in turn.
        assert isinstance(service.bots, Watched)
        assert service.bots.order[:5] == ["ada", "ada", "ben", "ada", "ben"]

    run_scenario(tmp_path, scenario, Watched)


def test_a_masters_turn_counts_for_the_client_of_the_turn_before(tmp_path: Path, masters: Masters) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        async def play(client: str) -> Match:
            CURRENT_CLIENT.set(client)
            seats = [SeatRequest("person", client), SeatRequest("bot", bot="master")]
            loaded, _ = await service.create(MatchRequest("limit", seats, {"size": 4}))
            match = loaded.match
            loaded.subscribers.add(lambda *_: None)
            turn = str(match.situation.position.legal_turns()[0])
            await service.submit_turn(loaded, (0,), 0, 0, turn, "first")
            return match

        for _ in range(5):
            await play("ada")
        await until(lambda: len(masters.records) == 2)
        few = await play("ben")
        masters.may_end.release(100)
        await until(lambda: few.situation.turn_counts == (1, 1))
        # Ada's two that run already, and then Ben's, although three of hers were submitted before.
        assert isinstance(service.bots, Watched)
        assert service.bots.order[:3] == ["ada", "ada", "ben"]

    run_scenario(tmp_path, scenario, Watched)


def test_bots_of_a_clients_watched_match_come_first(tmp_path: Path, masters: Masters) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        unwatched = await begin(service, "ada", *MASTERS, watched=False)
        await until(lambda: len(masters.records) == 2)
        watched = await begin(service, "ada", *MASTERS[:3])
        masters.may_end.release(100)
        await until(lambda: len(masters.records) == 10)
        assert isinstance(service.bots, Watched)
        assert service.bots.matches == [unwatched.id] * 2 + [watched.id] * 3 + [unwatched.id] * 5

    run_scenario(tmp_path, scenario, Watched)


def test_watched_bots_of_one_client_do_not_starve_another_client(tmp_path: Path, masters: Masters) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        for _ in range(20):
            await begin(service, "ada", *MASTERS)
        await until(lambda: len(masters.records) == 2)
        alone = await begin(service, "ben", "master", watched=False)
        masters.may_end.release(200)
        await until(lambda: alone.situation.turn_counts == (0, 1))
        assert isinstance(service.bots, Watched)
        assert service.bots.order[:3] == ["ada", "ada", "ben"]

    run_scenario(tmp_path, scenario, Watched)


def test_a_list_of_matches_starts_no_bot(tmp_path: Path, masters: Masters) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        created = [await service.create(request("Ada", "master")) for _ in range(5)]
        await until(lambda: len(masters.records) == 2)
        before = await read_jobs(store)
        assert len(before) == 5
        restarted = MatchService(store)
        assert len(await restarted.matches_by_token([keys[0] for _, keys in created], 100)) == 5
        assert [job.job_id for job in await read_jobs(store)] == [job.job_id for job in before]
        assert len(masters.records) == 2
        await restarted.close()

    run_scenario(tmp_path, scenario)


def test_a_full_pool_refuses_new_bots_and_runs_the_others(tmp_path: Path, masters: Masters) -> None:
    limits = PoolLimits(1, 1, 9, 6, "many bots are thinking already: try again")

    async def scenario(service: MatchService, store: Store) -> None:
        match = await begin(service, "ada", *MASTERS)
        await until(lambda: len(masters.records) == 1)
        with pytest.raises(RefusedError, match="try again") as refused:
            await begin(service, "ada", "master")
        assert (refused.value.code, refused.value.retry_after) == ("rate_limited", 10)
        # A bot cannot take an open seat either.
        CURRENT_CLIENT.set("ada")
        waiting, _ = await service.create(MatchRequest("limes", [SeatRequest("person"), SeatRequest("open")]))
        with pytest.raises(RefusedError, match="try again") as refused:
            await service.add_bot(waiting, (0,), 1, "master")
        assert (refused.value.code, waiting.match.seats[1].kind, waiting.match.version) == ("rate_limited", "open", 0)
        await service.add_bot(waiting, (0,), 1, "novice")
        await begin(service, "ada", "novice")
        await begin(service, "ben", "master")
        masters.may_end.release(100)
        await until(lambda: match.situation.turn_counts == (0, *[1] * 7))

    run_scenario(tmp_path, scenario, pools={"bots": limits})


def test_a_match_in_which_a_bot_thinks_stays_in_memory(
    tmp_path: Path, masters: Masters, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("limina.server.matches.match_service._MAX_LOADED_MATCHES", 1)

    async def scenario(service: MatchService, store: Store) -> None:
        loaded, _ = await service.create(request("Ada", "master"))
        await until(lambda: len(masters.records) == 1)
        for _ in range(3):
            await service.create(request("Ben"))
        assert await service.get(loaded.match.id) is loaded
        masters.may_end.release(1)
        await until(lambda: loaded.match.situation.turn_counts == (0, 1))

    run_scenario(tmp_path, scenario)
