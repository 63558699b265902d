"""Bots by name: those of a game, those that every game has, those installed, and those that someone points at."""

from __future__ import annotations

from limina.bots import options
from limina.bots.base import Bot, BotFactory, RandomBot, typical_milliseconds
from limina.bots.external import external, installed, installed_names, is_external, is_program
from limina.core.game import Game
from limina.core.validation import quote_truncated
from limina.errors import InvalidInputError


def _of(game: Game) -> dict[str, BotFactory]:
    return {**game.bots, "random": RandomBot}


def bot_names(game: Game) -> tuple[str, ...]:
    """The bots that play a game, weakest first, and `random` last."""
    return tuple(_of(game))


def typical_bot_milliseconds(game: Game, name: str) -> float:
    """What a turn of one of the bots that play a game usually takes."""
    return typical_milliseconds(_of(game)[name])


def bot(game: Game, name: str, *, seed: int = 0, threads: int = 1, allow_external: bool = False) -> Bot:
    """The bot of that name.

    Names with a colon say which code is to run (`program:./mine`, `module:name`, `file.py:name`), names with options
    (`master@milliseconds=100`) how long. Only whoever owns the machine may say that: pass `allow_external` where the
    name comes from a command line, never where it came over a network or in a file.
    """
    base, chosen = options.split(name) if allow_external and not is_program(name) else (name, {})
    make = _of(game).get(base)
    if make is not None:
        options.check(make, base, chosen)
        made: Bot = make(**options.accepted(make, {"seed": seed, "threads": threads}), **chosen)
        return made
    if is_external(name):
        if not allow_external:
            raise InvalidInputError(
                f"the bot {quote_truncated(name)} is not one of ours, and external bots are not allowed here"
            )
        return external(game, base, seed=seed, threads=threads, options=chosen)
    found = installed(base, seed=seed, threads=threads, options=chosen)
    if found is None:
        known = ", ".join((*bot_names(game), *installed_names()))
        raise InvalidInputError(f"there is no bot called {quote_truncated(base)}: choose one of {known}")
    return found
