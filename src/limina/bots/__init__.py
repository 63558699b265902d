"""Bots: whoever plays a seat without a person in it. A bot sees what a player may see and names a turn."""

from limina.bots.bot import Bot, BotFactory, Candidate, Thinker, Thought
from limina.bots.find import bot, bot_names

__all__ = ["Bot", "BotFactory", "Candidate", "Thinker", "Thought", "bot", "bot_names"]
