"""Asking a bot for its turn: whatever it does, what comes back is a legal turn or a sentence on what went wrong."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Literal, Protocol, runtime_checkable

from limina.bot import Bot
from limina.check import short
from limina.protocols import LiminaError
from limina.record import Record

TURN_SECONDS = 60.0
"""How long a bot may think about a turn where nobody says otherwise."""


How = Literal["crashed", "late", "nonsense", "gone"]


class BotFailure(LiminaError):  # noqa: N818  # a verdict on a bot rather than an error of ours
    """A bot crashed, took too long or answered nonsense: it forfeits, and this sentence says why."""

    def __init__(self, sentence: str, how: How = "crashed") -> None:
        super().__init__(sentence)
        self.how: How = how


@runtime_checkable
class RecordBot(Protocol):
    """A bot that has to see how the game came to where it stands."""

    def choose_in(self, record: Record, player: int, seconds: float) -> object:
        """A legal turn for the player where the record ends, within so many seconds."""


@runtime_checkable
class TimedBot(Protocol):
    """A bot that can be told how long it may think, and so never thinks too long."""

    def choose_within(self, position: Any, player: int, seconds: float) -> object:
        """A legal turn for the player, within so many seconds."""


def ask(bot: Bot | RecordBot, record: Record, player: int, seconds: float = TURN_SECONDS) -> object:
    """The bot's turn where the record ends, checked; or BotFailure."""
    return checked(answer(bot, record, player, seconds), record, player)


def answer(bot: Bot | RecordBot, record: Record, player: int, seconds: float = TURN_SECONDS) -> object:
    """Whatever the bot says where the record ends, unchecked; or BotFailure."""
    try:
        if isinstance(bot, RecordBot):
            return bot.choose_in(record, player, seconds)
        with _alarm(seconds):
            if isinstance(bot, TimedBot):
                return bot.choose_within(record.end, player, seconds)
            return bot.choose(record.end, player)
    except BotFailure:
        raise
    except _TooLong:
        raise BotFailure(f"it took longer than {seconds:g} s", "late") from None
    except Exception as error:
        words = str(error).strip().split("\n")[0]
        raise BotFailure(f"it failed with {type(error).__name__}{f': {words}' if words else ''}") from error


def checked(said: object, record: Record, player: int) -> object:
    """The turn that was said, if it is one and legal."""
    try:
        turn = record.game.read_turn(said) if isinstance(said, str) else said
        record.end.play(turn, player)
    except LiminaError as error:
        told = short(said) if isinstance(said, str) else str(said)
        raise BotFailure(f"its turn {told} was refused: {error}", "nonsense") from None
    except Exception:
        raise BotFailure(f"it answered {short(said)}, which is not a turn", "nonsense") from None
    return turn


class _TooLong(BaseException):
    """Not an Exception: a bot that catches everything is to be stopped as well."""


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Stop what runs inside once the time is up, where the system can: in the main thread, between two steps."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
