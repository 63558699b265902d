"""What a bot is: whoever chooses a turn for a player, within a budget, and perhaps says what it thought."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from random import Random
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeVar

from limina.core.position import P, T
from limina.core.record import Record
from limina.errors import LiminaError

if TYPE_CHECKING:
    from limina._kernel import Stop

_THINKING_SHARE = 0.85
"""The part of the time that is used: the rest is for whoever asks, and for a busy machine."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What a choice may cost. Whatever is not said is left to the bot."""

    seconds: float | None = None
    """The time it may take; whoever is late has lost."""
    max_work: int | None = None
    """How much to think, in what the bot counts: rollouts, nodes. A bot that cannot be told how much refuses."""
    grace: float = 0.0
    """Seconds on top after which a bot that does not answer is ended, where another one keeps the clock."""
    cancel_token: Stop | None = None
    """A bell. Once it is rung, what is being thought ends at once, with the best turn found."""

    def reject_work_limit(self) -> None:
        """For bots that cannot be told how much to think."""
        if self.max_work is not None:
            raise LiminaError("it cannot be told how much to work")

    @property
    def thinking_seconds(self) -> float:
        """The time to think that leaves room for the answer to arrive."""
        return inf if self.seconds is None else _THINKING_SHARE * self.seconds


@dataclass(frozen=True, slots=True)
class Candidate(Generic[T]):
    """A turn that was looked at, and what it is thought to be worth."""

    turn: T
    value: float
    """Expected final points, or the probability to win: the game's scale says which."""


@dataclass(frozen=True, slots=True)
class SearchInfo(Generic[T]):
    """Why a turn was chosen."""

    value: float
    """What the chosen turn is thought to be worth."""
    candidates: tuple[Candidate[T], ...]
    """Best first; at least the chosen one."""
    work: int = 0
    """What the search was bounded by: rollouts or nodes."""


@dataclass(frozen=True, slots=True)
class Choice(Generic[T]):
    """The turn that a bot plays, with its thought if it has one to tell."""

    turn: T
    info: SearchInfo[T] | None = None


class Bot(Protocol[P, T]):
    """Plays a seat without a person in it. It sees what a player may see: the record holds nothing hidden."""

    def choose(self, record: Record[P, T], player: int, budget: Budget) -> Choice[T]:
        """A legal turn for the player where the record ends. It keeps to the budget, or BotError."""

    def close(self) -> None:
        """Let go of whatever the bot holds; it will not be asked again. Most hold nothing."""
        return


BotErrorKind = Literal["crashed", "timeout", "illegal_turn", "unavailable"]
"""How a bot failed, in a word."""


class BotError(LiminaError):
    """A bot crashed, took too long or chose an illegal turn: it forfeits, and this sentence says why."""

    def __init__(self, sentence: str, kind: BotErrorKind = "crashed") -> None:
        super().__init__(sentence)
        self.kind: BotErrorKind = kind


BotFactory = Callable[..., Bot]
"""Makes a bot when called with `seed` and `threads`: the same ones make the same choices. Whatever other parameters it
has are the bot's options. If it has an attribute `milliseconds`, that is what a turn usually takes."""
_Factory = TypeVar("_Factory", bound=BotFactory)
_UNKNOWN_MILLISECONDS = 1000.0


def typical_time(milliseconds: float) -> Callable[[_Factory], _Factory]:
    """Says of a factory what a turn of its bots usually takes, for whoever has to share a machine among many."""

    def mark(make: _Factory) -> _Factory:
        make.milliseconds = milliseconds  # type: ignore[attr-defined]  # a function may carry it
        return make

    return mark


def typical_milliseconds(make: BotFactory) -> float:
    """What a turn of such a bot usually takes; much, where it does not say."""
    return float(getattr(make, "milliseconds", _UNKNOWN_MILLISECONDS))


@typical_time(milliseconds=1)
class RandomBot(Bot[Any, Any]):
    """Plays any legal turn, all with the same probability."""

    def __init__(self, *, seed: int = 0, threads: int = 1) -> None:
        self._rng = Random(seed)

    def choose(self, record: Record[P, T], player: int, budget: Budget) -> Choice[T]:
        """Any legal turn."""
        budget.reject_work_limit()
        return Choice(self._rng.choice(record.end.legal_turns(player)))
