"""Find bots by name: those of a game, `random`, installed ones, and external ones (programs, modules, files)."""

from __future__ import annotations

from limina.bots.base import Bot, BotFactory, RandomBot, typical_milliseconds
from limina.bots.external import external_bot, installed_bot, installed_bot_names, is_external, is_program
from limina.bots.options import accepted_arguments, check_options, split_options
from limina.core.game import Game
from limina.core.validation import quote_truncated
from limina.errors import InvalidInputError


def _factories(game: Game) -> dict[str, BotFactory]:
    return {**game.bots, "random": RandomBot}


def bot_names(game: Game) -> tuple[str, ...]:
    """Return the names of the bots that come with a game, weakest first, and `random` last."""
    return tuple(_factories(game))


def typical_bot_milliseconds(game: Game, name: str) -> float:
    """Return the typical time of a turn of a bot that comes with a game. Raises KeyError if there is none."""
    return typical_milliseconds(_factories(game)[name])


def bot(game: Game, name: str, *, seed: int = 0, threads: int = 1, allow_external: bool = False) -> Bot:
    """Return a new bot of that name. Raises LiminaError if there is none or it cannot be loaded.

    External names run code (`program:./mine`, `module:name`, `file.py:name`), and options (`master@milliseconds=100`)
    decide how much a bot computes. Pass `allow_external` only if the name comes from the owner of the machine, such as
    on the command line; never for a name from the network or from a file.
    """
    base, options = split_options(name) if allow_external and not is_program(name) else (name, {})
    factory = _factories(game).get(base)
    if factory is not None:
        check_options(factory, base, options)
        own: Bot = factory(**accepted_arguments(factory, {"seed": seed, "threads": threads}), **options)
        return own
    if is_external(name):
        if not allow_external:
            raise InvalidInputError(
                f"the bot {quote_truncated(name)} is not part of limina, and external bots are not allowed here"
            )
        return external_bot(game, base, seed=seed, threads=threads, options=options)
    installed = installed_bot(base, seed=seed, threads=threads, options=options)
    if installed is None:
        known = ", ".join((*bot_names(game), *installed_bot_names()))
        raise InvalidInputError(f"there is no bot called {quote_truncated(base)}: choose one of {known}")
    return installed
