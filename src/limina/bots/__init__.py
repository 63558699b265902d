"""Bots: find them by name, ask them for turns, and write your own.

>>> from random import Random
>>> from limina import Record, game
>>> limes = game("limes")
>>> record = Record.new(limes, ["Ada"]).apply_random_chance_step(Random(1))
>>> choice = choose_checked(bot(limes, "novice", seed=1), record, player=0)
>>> choice.turn in record.position.legal_turns(0)
True
"""

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
