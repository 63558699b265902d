"""Bots: whoever plays a seat without a person in it. A bot sees what a player may see and names a turn."""

from limina.bot import Bot, BotFactory, Candidate, Thinker, Thought
from limina.bots.ask import BotFailure, RecordBot, ask
from limina.bots.find import bot, bot_names

__all__ = [
    "Bot",
    "BotFactory",
    "BotFailure",
    "Candidate",
    "RecordBot",
    "Thinker",
    "Thought",
    "ask",
    "bot",
    "bot_names",
]
