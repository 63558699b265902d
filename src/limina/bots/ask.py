"""Ask a bot for its turn. The result is a legal turn, or a BotError with a sentence that says what went wrong."""

from __future__ import annotations

from limina.bots.base import Bot, BotError, Budget, Choice
from limina.core.record import Record
from limina.core.validation import quote_truncated
from limina.errors import LiminaError

DEFAULT_TURN_SECONDS = 60.0
"""Time limit for a turn if the caller sets none."""
DEFAULT_BUDGET = Budget(seconds=DEFAULT_TURN_SECONDS)


def choose_checked(bot: Bot, record: Record, player: int, budget: Budget = DEFAULT_BUDGET) -> Choice:
    """Return the bot's choice at the end of the record, checked for legality.

    Raises BotError if the bot fails or chooses an illegal turn.
    """
    return validate_choice(choose_raw(bot, record, player, budget), record, player)


def choose_raw(bot: Bot, record: Record, player: int, budget: Budget = DEFAULT_BUDGET) -> Choice:
    """Return the bot's choice at the end of the record without checking it.

    The bot gets the record as the player may see it. Raises BotError if the bot fails.
    """
    try:
        answer: object = bot.choose(record.visible_to(player), player, budget)
        return answer if isinstance(answer, Choice) else Choice(answer)
    except BotError:
        raise
    except LiminaError as error:
        raise BotError(str(error)) from None
    except Exception as error:
        first_line = str(error).strip().split("\n")[0]
        raise BotError(f"it failed with {type(error).__name__}{f': {first_line}' if first_line else ''}") from error


def validate_choice(choice: Choice, record: Record, player: int) -> Choice:
    """Return the choice with its turn parsed. Raises BotError if the turn cannot be read or is illegal."""
    answer = choice.turn
    try:
        turn = record.game.read_turn(answer) if isinstance(answer, str) else answer
        record.position.play(turn, player)
    except LiminaError as error:
        shown = quote_truncated(answer) if isinstance(answer, str) else str(answer)
        raise BotError(f"its turn {shown} was refused: {error}", "illegal_turn") from None
    except Exception:
        raise BotError(f"it answered {quote_truncated(answer)}, which is not a turn", "illegal_turn") from None
    return Choice(turn, choice.info)
