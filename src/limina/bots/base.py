"""The bot protocol: a bot chooses a turn for a player of a record within a budget."""

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
    from limina._kernel import CancelToken

_THINKING_SHARE = 0.85
"""Share of the allowed time that a bot uses for thinking. The rest covers delivery of the answer and a busy machine."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits for one choice of a bot. A limit that is None leaves the decision to the bot."""

    seconds: float | None = None
    """Time limit for the turn. A bot that exceeds it forfeits."""
    max_work: int | None = None
    """Limit for the search, in the bot's own unit (rollouts, nodes). A bot without such a limit raises LiminaError."""
    grace: float = 0.0
    """Seconds after the time limit before the bot is interrupted, for callers whose own caller enforces the limit."""
    cancel_token: CancelToken | None = None
    """Cancellation: once it is set, the search returns the best turn that it has found so far."""

    def reject_work_limit(self) -> None:
        """Raise LiminaError if the budget limits the work. Call this in a bot that cannot limit its work."""
        if self.max_work is not None:
            raise LiminaError("this bot has no work limit: leave the work out, or choose another bot")

    @property
    def thinking_seconds(self) -> float:
        """Seconds to think so that the answer arrives within the time limit; infinite without a limit."""
        return inf if self.seconds is None else _THINKING_SHARE * self.seconds


@dataclass(frozen=True, slots=True)
class Candidate(Generic[T]):
    """A turn that the search considered, with its value."""

    turn: T
    value: float
    """Expected final points or win probability, as the game's `EvaluationScale` says."""


@dataclass(frozen=True, slots=True)
class SearchInfo(Generic[T]):
    """The search result behind a choice."""

    value: float
    """Value of the chosen turn, in the unit of its candidates."""
    candidates: tuple[Candidate[T], ...]
    """Considered turns, best first. Contains at least the chosen turn."""
    work: int = 0
    """Work that the search did, in the unit of `Budget.max_work`."""


@dataclass(frozen=True, slots=True)
class Choice(Generic[T]):
    """The turn that a bot plays, with search information if the bot provides it."""

    turn: T
    info: SearchInfo[T] | None = None


class Bot(Protocol[P, T]):
    """A player without a person: it chooses the turns of a seat.

    A bot gets the record as its player may see it. Hidden information is not in the record.

    >>> from random import Random
    >>> from limina import Record, game
    >>> class FirstTurn(Bot):
    ...     def choose(self, record, player, budget):
    ...         return Choice(record.position.legal_turns(player)[0])
    >>> record = Record.new(game("limes"), ["Ada"]).apply_random_chance_step(Random(1))
    >>> str(FirstTurn().choose(record, 0, Budget(seconds=1)).turn)
    'd4r0'
    """

    def choose(self, record: Record[P, T], player: int, budget: Budget) -> Choice[T]:
        """Return a legal turn of the player at the end of the record.

        Raises BotError if the bot fails or exceeds the budget.
        """

    def close(self) -> None:
        """Release resources such as processes. The bot is not used afterwards."""
        return


BotErrorKind = Literal["crashed", "timeout", "illegal_turn", "unavailable"]


class BotError(LiminaError):
    """A bot failed: it crashed, exceeded its time, chose an illegal turn, or is no longer available.

    The bot forfeits. The message says what happened, and `kind` classifies it.
    """

    def __init__(self, message: str, kind: BotErrorKind = "crashed") -> None:
        super().__init__(message)
        self.kind: BotErrorKind = kind


BotFactory = Callable[..., Bot]
"""Callable that makes a bot. It takes `seed` and `threads`; equal values make bots with equal choices. All other
parameters are options of the bot. Its attribute `milliseconds`, if it has one, is the typical time of a turn."""
_Factory = TypeVar("_Factory", bound=BotFactory)
_DEFAULT_TURN_MILLISECONDS = 1000.0
"""Assumed typical time of a turn of a bot that does not declare one."""


def typical_time(milliseconds: float) -> Callable[[_Factory], _Factory]:
    """Return a decorator that declares the typical time of a turn for a bot factory. Schedulers use it."""

    def mark(factory: _Factory) -> _Factory:
        factory.milliseconds = milliseconds  # type: ignore[attr-defined]  # functions may carry attributes
        return factory

    return mark


def typical_milliseconds(factory: BotFactory) -> float:
    """Return the typical time of a turn that a factory declares, or one second if it declares none."""
    return float(getattr(factory, "milliseconds", _DEFAULT_TURN_MILLISECONDS))


@typical_time(milliseconds=1)
class RandomBot(Bot[Any, Any]):
    """Play a legal turn at random, all with the same probability."""

    def __init__(self, *, seed: int = 0, threads: int = 1) -> None:
        self._rng = Random(seed)

    def choose(self, record: Record[P, T], player: int, budget: Budget) -> Choice[T]:
        """Return a random legal turn. Raises LiminaError if the budget limits the work."""
        budget.reject_work_limit()
        return Choice(self._rng.choice(record.position.legal_turns(player)))
