"""A bot that fails is replaced, and the players are told; where every bot fails, nobody is asked for ever."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from limina.bots import BotError, Budget, Choice, bot
from limina.bots.base import BotErrorKind
from limina.core.record import Record
from limina.server.matches import BotRunner, LoadedMatch, MatchService, bot_runner, visibility
from limina.server.model import FailedBot
from limina.server.storage import Store
from support.server.job_workers import read_jobs, until_true
from support.server.match_services import UpdateListener, run_with_service, small_match_request


class Failing(BotRunner):
    """Some bots fail whenever they are asked."""

    def __init__(self, *failing: str) -> None:
        super().__init__()
        self._failing = failing
        self.asked: list[str] = []

    async def choose(self, loaded: LoadedMatch, seat: int) -> str:
        level = loaded.match.seats[seat].bot or ""
        self.asked.append(level)
        if level in self._failing:
            raise BotError("it fell over", "crashed")
        return await super().choose(loaded, seat)


def test_a_bot_that_fails_is_replaced_and_the_players_are_told(tmp_path: Path) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        loaded, _ = await service.create(small_match_request("novice", "person"))
        match = loaded.match
        updates = UpdateListener(loaded)
        await updates.until(lambda: match.to_move == (1,))
        seat = match.seats[0]
        assert (seat.bot, seat.failed and (seat.failed.bot, seat.failed.kind)) == ("skilled", ("novice", "crashed"))
        told = visibility.state(match, (1,))["seats"][0]["failed_bot"]
        assert told["message"] == "the bot novice has crashed: skilled plays on in its place"
        assert match.version == 3  # the tiles were laid, it was replaced, and the other one has played
        found = await MatchService(store).get(match.id)
        assert visibility.state(found.match, (1,)) == visibility.state(match, (1,))

    run_with_service(tmp_path, scenario, lambda: Failing("novice"))


class Odd:
    """A bot of ours that does what none of ours should do."""

    def __init__(self, kind: BotErrorKind) -> None:
        self._kind = kind
        self.enough = threading.Event()

    def choose(self, record: Record, player: int, budget: Budget) -> Choice[str]:
        if self._kind == "crashed":
            raise ZeroDivisionError
        if self._kind == "timeout":
            self.enough.wait()
        return Choice("to be or not to be")


@pytest.mark.parametrize("kind", ["crashed", "timeout", "illegal_turn"])
def test_one_of_ours_that_fails_is_replaced_like_any_other(
    kind: BotErrorKind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = Odd(kind)
    monkeypatch.setattr(
        bot_runner, "bot", lambda game, name, *, seed: odd if name == "novice" else bot(game, name, seed=seed)
    )

    async def scenario(service: MatchService, store: Store) -> None:
        loaded, _ = await service.create(small_match_request("novice", "person"))
        match = loaded.match
        # Whoever comes next may take as long as this machine needs.
        loaded.subscribers.add(lambda *_: setattr(service.bots, "_seconds", 60.0))
        updates = UpdateListener(loaded)
        await updates.until(lambda: match.to_move == (1,))
        odd.enough.set()
        assert match.seats[0].bot == "skilled"
        assert match.seats[0].failed == FailedBot("novice", kind, 1)

    run_with_service(tmp_path, scenario, lambda: BotRunner(seconds=0.01 if kind == "timeout" else 60))


def test_where_the_usual_bot_fails_too_any_legal_turn_is_played(tmp_path: Path) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        loaded, _ = await service.create(small_match_request("novice", "person"))
        match = loaded.match
        updates = UpdateListener(loaded)
        await updates.until(lambda: match.to_move == (1,))
        assert match.seats[0].bot == "random"
        assert match.version == 4
        # Also the version of every step is as it was, though a seat remembers only the last that failed.
        found = await MatchService(store).get(match.id)
        assert found.match.version == 4

    run_with_service(tmp_path, scenario, lambda: Failing("novice", "skilled"))


def test_where_every_bot_fails_nobody_is_asked_for_ever(tmp_path: Path) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        bots = service.bots
        assert isinstance(bots, Failing)
        loaded, _ = await service.create(small_match_request("novice", "person"))
        match = loaded.match
        await until_true(lambda: len(bots.asked) == 3)
        await until_true(lambda: not bots.running)
        assert match.seats[0].bot == "random"
        assert bots.asked == ["novice", "skilled", "random"]
        (job,) = await read_jobs(store)  # it is asked again when the lease ends, and not before
        assert job.claimed_until > time.time() * 1000

    run_with_service(tmp_path, scenario, lambda: Failing("novice", "skilled", "random"))
