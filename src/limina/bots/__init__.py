"""Bots: ours and anyone's by their names, and the one way to ask them for a turn."""

from limina.bots.ask import ask
from limina.bots.base import Bot, BotFactory, BotFailure, Budget, Candidate, Choice, Thought
from limina.bots.registry import bot, bot_milliseconds, bot_names

__all__ = [
    "Bot",
    "BotFactory",
    "BotFailure",
    "Budget",
    "Candidate",
    "Choice",
    "Thought",
    "ask",
    "bot",
    "bot_milliseconds",
    "bot_names",
]
