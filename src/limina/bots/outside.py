"""Bots that are not ours: Python objects found by entry point or `module:name`, and programs."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import sys
from contextlib import contextmanager
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

from limina.bot import Bot
from limina.check import short
from limina.protocols import Game, LiminaError, UnreadableError

if TYPE_CHECKING:
    from collections.abc import Iterator

GROUP = "limina.bots"
PROGRAM_PREFIXES = ("program:", "exec:")


def is_outside(name: str) -> bool:
    """Whether a name says which code is to run, so that it must not be taken from a stranger.

    >>> is_outside("program:./mine --fast"), is_outside("package.module:Mine"), is_outside("random")
    (True, True, False)
    """
    return ":" in name


def installed_names() -> tuple[str, ...]:
    """The bots that installed packages bring, by the names of their entry points."""
    return tuple(sorted({point.name for point in entry_points(group=GROUP)}))


def installed(name: str, *, seed: int, threads: int) -> Bot | None:
    """The bot of an installed package, if there is one of that name."""
    for point in entry_points(group=GROUP):
        if point.name == name:
            try:
                found = point.load()
            except Exception as error:
                raise _broken(name, error) from error
            return made(found, name, seed=seed, threads=threads)
    return None


def outside(game: Game, name: str, *, seed: int, threads: int) -> Bot:
    """The bot that `program:COMMAND`, `module:name` or `file.py:name` stands for."""
    for prefix in PROGRAM_PREFIXES:
        if name.startswith(prefix):
            from limina.bots.program import Program  # it needs processes, which most never start

            return Program(game, name.removeprefix(prefix), seed=seed)
    home, _, attribute = name.rpartition(":")
    try:
        module = _module(home)
        found = module
        for part in attribute.split("."):
            found = getattr(found, part)
    except LiminaError:
        raise
    except Exception as error:
        raise _broken(name, error) from error
    return made(found, name, seed=seed, threads=threads)


def made(found: object, name: str, *, seed: int, threads: int) -> Bot:
    """A bot of whatever was found: a bot as such, or a class or function that makes one.

    >>> class First:
    ...     def choose(self, position, player):
    ...         return position.legal_turns(player)[0]
    >>> isinstance(made(First, "first", seed=1, threads=1), First)
    True
    """
    if not inspect.isclass(found) and isinstance(found, Bot):
        return found
    if not callable(found):
        raise UnreadableError(f"the bot {short(name)} cannot choose a turn: it has no method `choose`")
    try:
        bot = found(**_accepted(found, {"seed": seed, "threads": threads}))
    except Exception as error:
        raise _broken(name, error) from error
    if not isinstance(bot, Bot):
        raise UnreadableError(f"the bot {short(name)} cannot choose a turn: it has no method `choose`")
    return bot


def _accepted(maker: Any, values: dict[str, int]) -> dict[str, int]:
    """Those of the values that the maker takes by name."""
    try:
        known = inspect.signature(maker).parameters.values()
    except (TypeError, ValueError):  # written in C: it does not say
        return {}
    if any(each.kind is each.VAR_KEYWORD for each in known):
        return values
    names = {each.name for each in known if each.kind in (each.KEYWORD_ONLY, each.POSITIONAL_OR_KEYWORD)}
    return {name: value for name, value in values.items() if name in names}


def _module(home: str) -> Any:
    if not home.endswith(".py"):
        with _here_first():
            return importlib.import_module(home)
    path = Path(home).expanduser().resolve()
    known = f"_limina_bot_{path.stem}_{abs(hash(str(path)))}"
    if known in sys.modules:
        return sys.modules[known]
    if not path.is_file():
        raise UnreadableError(f"there is no file {short(home)} with a bot")
    spec = importlib.util.spec_from_file_location(known, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[known] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[known]
        raise
    return module


@contextmanager
def _here_first() -> Iterator[None]:
    """Modules beside the caller are found too, as with `python -m`."""
    here = os.getcwd()
    sys.path.insert(0, here)
    try:
        yield
    finally:
        sys.path.remove(here)


def _broken(name: str, error: Exception) -> LiminaError:
    words = (str(error).strip() or type(error).__name__).split("\n")[0]
    return LiminaError(f"the bot {short(name)} cannot be loaded: {words}")
