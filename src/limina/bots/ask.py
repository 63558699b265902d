"""Asking a bot for its turn: whatever it does, what comes back is a legal turn or a sentence on what went wrong."""

from __future__ import annotations

from limina.bots.base import Bot, BotError, Budget, Choice
from limina.core.record import Record
from limina.core.validation import quote_truncated
from limina.errors import LiminaError

DEFAULT_TURN_SECONDS = 60.0
"""How long a bot may think about a turn where nobody says otherwise."""
DEFAULT_BUDGET = Budget(seconds=DEFAULT_TURN_SECONDS)


def choose_checked(bot: Bot, record: Record, player: int, budget: Budget = DEFAULT_BUDGET) -> Choice:
    """The bot's choice where the record ends, checked; or BotError."""
    return validate_choice(choose_raw(bot, record, player, budget), record, player)


def choose_raw(bot: Bot, record: Record, player: int, budget: Budget = DEFAULT_BUDGET) -> Choice:
    """Whatever the bot says where the record ends, unchecked; or BotError. It sees what the player may see."""
    try:
        said: object = bot.choose(record.visible_to(player), player, budget)
        return said if isinstance(said, Choice) else Choice(said)
    except BotError:
        raise
    except LiminaError as error:
        raise BotError(str(error)) from None
    except Exception as error:
        words = str(error).strip().split("\n")[0]
        raise BotError(f"it failed with {type(error).__name__}{f': {words}' if words else ''}") from error


def validate_choice(choice: Choice, record: Record, player: int) -> Choice:
    """The choice, if its turn is one and legal."""
    said = choice.turn
    try:
        turn = record.game.read_turn(said) if isinstance(said, str) else said
        record.end.play(turn, player)
    except LiminaError as error:
        told = quote_truncated(said) if isinstance(said, str) else str(said)
        raise BotError(f"its turn {told} was refused: {error}", "illegal_turn") from None
    except Exception:
        raise BotError(f"it answered {quote_truncated(said)}, which is not a turn", "illegal_turn") from None
    return Choice(turn, choice.info)
