"""Anyone's Python object as a bot: it may answer with a mere turn, know nothing of budgets, and never come back."""

from __future__ import annotations

import inspect
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from limina.bots.base import BotError, Budget, Choice
from limina.core.record import Record
from limina.errors import InvalidInputError


class BotAdapter:
    """Keeps the contract of a bot for an object whose `choose` takes the record, the player and the budget.

    A `choose` that takes two parameters is shown the position and the player: all that a simple bot needs.

    >>> from random import Random
    >>> from limina.core.registry import game
    >>> class First:
    ...     def choose(self, position, player):
    ...         return position.legal_turns(player)[0]
    >>> record = Record.new(game("limes"), ["Ada"]).apply_chance(Random(1))
    >>> str(BotAdapter(First()).choose(record, 0, Budget()).turn)
    'd4r0'
    """

    def __init__(self, inside: Any) -> None:
        self._inside = inside
        self._takes_record = _parameters(inside.choose) != 2

    def choose(self, record: Record, player: int, budget: Budget) -> Choice:
        """What the object says, ended when its time is up."""
        with _alarm(budget.seconds, budget.grace):
            if self._takes_record:
                said = self._inside.choose(record, player, budget)
            else:
                budget.reject_work_limit()
                said = self._inside.choose(record.end, player)
        # A mere turn is an answer too.
        return said if isinstance(said, Choice) else Choice(said)

    def close(self) -> None:
        """Let the object close what it holds, if it has a way to."""
        if hasattr(self._inside, "close"):
            self._inside.close()


def adapted(inside: object, name: str) -> BotAdapter:
    """The object as a bot, if it can choose."""
    if not callable(getattr(inside, "choose", None)):
        raise InvalidInputError(f"the bot {name} cannot choose a turn: it has no method `choose`")
    return BotAdapter(inside)


def _parameters(choose: Any) -> int | None:
    """How many parameters a function takes by their place; None where it takes any number or does not say."""
    try:
        known = inspect.signature(choose).parameters.values()
    except (TypeError, ValueError):  # written in C
        return None
    if any(each.kind is each.VAR_POSITIONAL for each in known):
        return None
    return sum(each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD) for each in known)


class _TooLong(BaseException):
    """Not an Exception: a bot that catches everything is to be stopped as well."""


@contextmanager
def _alarm(seconds: float | None, grace: float) -> Iterator[None]:
    """Stop what runs inside once the time is up, where the system can: in the main thread, between two steps."""
    main = threading.current_thread() is threading.main_thread()
    if seconds is None or not main or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds + grace)
    try:
        yield
    except _TooLong:
        raise BotError(f"it took longer than {seconds:g} s", "timeout") from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
