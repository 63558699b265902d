"""Bots by name: those of a game, and those that every game has."""

from __future__ import annotations

from limina.bots.bot import Bot, BotFactory, random_bot
from limina.check import short
from limina.protocols import Game, UnreadableError


def _of(game: Game) -> dict[str, BotFactory]:
    return {**game.bots, "random": random_bot}


def bot_names(game: Game) -> tuple[str, ...]:
    """The bots that play a game, weakest first, and `random` last."""
    return tuple(_of(game))


def bot(game: Game, name: str, *, seed: int = 0, threads: int = 1) -> Bot:
    """The bot of that name."""
    make = _of(game).get(name)
    if make is None:
        raise UnreadableError(f"there is no bot called {short(name)}: choose one of {', '.join(bot_names(game))}")
    return make(seed=seed, threads=threads)
