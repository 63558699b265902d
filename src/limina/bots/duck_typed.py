"""Use any Python object with a method `choose` as a bot, and end it if it exceeds its time."""

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


class DuckTypedBot:
    """A bot around an object whose `choose` takes the record, the player and the budget.

    A `choose` with two parameters gets the position and the player instead. It may return a turn or a `Choice`.

    >>> from random import Random
    >>> from limina.core.registry import game
    >>> class First:
    ...     def choose(self, position, player):
    ...         return position.legal_turns(player)[0]
    >>> record = Record.new(game("limes"), ["Ada"]).apply_random_chance_step(Random(1))
    >>> str(DuckTypedBot(First()).choose(record, 0, Budget()).turn)
    'd4r0'
    """

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self._takes_record = _parameter_count(inner.choose) != 2

    def choose(self, record: Record, player: int, budget: Budget) -> Choice:
        """Return the object's choice. Raises BotError if it exceeds its time."""
        with _time_limit(budget.seconds, budget.grace):
            if self._takes_record:
                answer = self._inner.choose(record, player, budget)
            else:
                budget.reject_work_limit()
                answer = self._inner.choose(record.position, player)
        return answer if isinstance(answer, Choice) else Choice(answer)

    def close(self) -> None:
        """Call the object's own `close`, if it has one."""
        if hasattr(self._inner, "close"):
            self._inner.close()


def as_bot(inner: object, name: str) -> DuckTypedBot:
    """Return a bot around the object. Raises InvalidInputError if it has no method `choose`."""
    if not callable(getattr(inner, "choose", None)):
        raise InvalidInputError(f"the bot {name} cannot choose a turn: it has no method `choose`")
    return DuckTypedBot(inner)


def _parameter_count(choose: Any) -> int | None:
    """Return the number of positional parameters; None for a variable number or without a signature."""
    try:
        parameters = inspect.signature(choose).parameters.values()
    except (TypeError, ValueError):  # written in C
        return None
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters):
        return None
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(parameter.kind in positional for parameter in parameters)


class _TimeLimitExceeded(BaseException):
    """Raised inside the bot. Not an Exception, so that a bot that catches all exceptions stops too."""


@contextmanager
def _time_limit(seconds: float | None, grace: float) -> Iterator[None]:
    """Interrupt the body after the time limit. Works in the main thread of systems with interval timers only."""
    is_main = threading.current_thread() is threading.main_thread()
    if seconds is None or not is_main or not hasattr(signal, "setitimer"):
        yield
        return

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise _TimeLimitExceeded

    previous_handler = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds + grace)
    try:
        yield
    except _TimeLimitExceeded:
        raise BotError(f"it took longer than {seconds:g} s", "timeout") from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous_handler)
