"""Bots: ours and anyone's by their names, and the one way to ask them for a turn."""

from limina.bots.ask import choose_checked
from limina.bots.base import Bot, BotError, BotFactory, Budget, Candidate, Choice, SearchInfo
from limina.bots.registry import bot, bot_names, typical_bot_milliseconds

__all__ = [
    "Bot",
    "BotError",
    "BotFactory",
    "Budget",
    "Candidate",
    "Choice",
    "SearchInfo",
    "bot",
    "bot_names",
    "choose_checked",
    "typical_bot_milliseconds",
]
