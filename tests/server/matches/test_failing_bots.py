"""A failed bot is replaced and named; if every bot fails, the job is retried later."""

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
    """A runner in which some bots always fail."""

    def __init__(self, *failing: str) -> None:
        super().__init__()
        self._failing = failing
        self.chosen_bots: list[str] = []

    async def choose(self, loaded: LoadedMatch, seat: int) -> str:
        level = loaded.match.seats[seat].bot or ""
        self.chosen_bots.append(level)
        if level in self._failing:
            raise BotError("it fell over", "crashed")
        return await super().choose(loaded, seat)


def test_a_failed_bot_is_replaced_and_named(tmp_path: Path) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        loaded, _ = await service.create(small_match_request("novice", "person"))
        match = loaded.match
        updates = UpdateListener(loaded)
        await updates.until(lambda: match.to_move == (1,))
        seat = match.seats[0]
        assert (seat.bot, seat.failed and (seat.failed.bot, seat.failed.kind)) == ("skilled", ("novice", "crashed"))
        failed_bot = visibility.state(match, (1,))["seats"][0]["failed_bot"]
        assert failed_bot["message"] == "the bot novice has crashed: skilled plays on in its place"
        assert match.version == 3  # the layout, the replacement and a turn
        restored = await MatchService(store).get(match.id)
        assert visibility.state(restored.match, (1,)) == visibility.state(match, (1,))

    run_with_service(tmp_path, scenario, lambda: Failing("novice"))


class FailingBot:
    """A built-in bot that fails in one of the ways."""

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
def test_a_failed_built_in_bot_is_replaced(kind: BotErrorKind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failing = FailingBot(kind)
    monkeypatch.setattr(
        bot_runner, "bot", lambda game, name, *, seed: failing if name == "novice" else bot(game, name, seed=seed)
    )

    async def scenario(service: MatchService, store: Store) -> None:
        loaded, _ = await service.create(small_match_request("novice", "person"))
        match = loaded.match
        # The replacement may take as long as this machine needs.
        loaded.subscribers.add(lambda *_: setattr(service.bots, "_seconds", 60.0))
        updates = UpdateListener(loaded)
        await updates.until(lambda: match.to_move == (1,))
        failing.enough.set()
        assert match.seats[0].bot == "skilled"
        assert match.seats[0].failed == FailedBot("novice", kind, 1)

    run_with_service(tmp_path, scenario, lambda: BotRunner(seconds=0.01 if kind == "timeout" else 60))


def test_if_the_replacement_fails_too_the_random_bot_plays(tmp_path: Path) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        loaded, _ = await service.create(small_match_request("novice", "person"))
        match = loaded.match
        updates = UpdateListener(loaded)
        await updates.until(lambda: match.to_move == (1,))
        assert match.seats[0].bot == "random"
        assert match.version == 4
        # A restored match has the same versions, although a seat names only the last failed bot.
        restored = await MatchService(store).get(match.id)
        assert restored.match.version == 4

    run_with_service(tmp_path, scenario, lambda: Failing("novice", "skilled"))


def test_if_every_bot_fails_the_job_is_retried_later(tmp_path: Path) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        bots = service.bots
        assert isinstance(bots, Failing)
        loaded, _ = await service.create(small_match_request("novice", "person"))
        match = loaded.match
        await until_true(lambda: len(bots.chosen_bots) == 3)
        await until_true(lambda: not bots.running)
        assert match.seats[0].bot == "random"
        assert bots.chosen_bots == ["novice", "skilled", "random"]
        (job,) = await read_jobs(store)  # it runs again when the lease ends
        assert job.claimed_until > time.time() * 1000

    run_with_service(tmp_path, scenario, lambda: Failing("novice", "skilled", "random"))
