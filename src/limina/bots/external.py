"""Bots that are not ours: Python objects found by entry point or `module:name`, and programs."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import sys
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from limina.bots.base import Bot
from limina.bots.duck_typed import adapted
from limina.bots.options import Value, accepted, split
from limina.bots.options import check as check_options
from limina.core.game import Game
from limina.core.validation import quote_truncated
from limina.errors import InvalidInputError, LiminaError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from importlib.metadata import EntryPoint

GROUP = "limina.bots"
NONE: Mapping[str, Value] = MappingProxyType({})
PROGRAM_PREFIXES = ("program:", "exec:")


def is_external(name: str) -> bool:
    """Whether a name says which code is to run, so that it must not be taken from a stranger.

    >>> is_external("program:./mine --fast"), is_external("package.module:Mine"), is_external("random")
    (True, True, False)
    """
    return ":" in name


def is_program(name: str) -> bool:
    """Whether a name is the command of a program.

    >>> is_program("program:./mine@home --fast"), is_program("package.module:Mine")
    (True, False)
    """
    return name.startswith(PROGRAM_PREFIXES)


def check(name: str) -> None:
    """Say what is wrong with the name of an external bot, as far as that can be known without running it."""
    if is_program(name):
        from limina.bots.engine_client import words_of

        words_of(name.partition(":")[2])
        return
    base, _ = split(name)
    home = base.rpartition(":")[0]
    if not is_external(base):
        if base not in installed_names():
            raise InvalidInputError(f"no installed package brings a bot called {quote_truncated(base)}")
    elif home.endswith(".py"):
        _file(home)
    else:
        with _here_first():
            if importlib.util.find_spec(home.partition(".")[0] or "?") is None:
                raise InvalidInputError(f"there is no module {quote_truncated(home)} with a bot")


def _entry_points() -> Iterable[EntryPoint]:
    from importlib.metadata import entry_points  # importing it takes longer than importing limina

    return entry_points(group=GROUP)


def installed_names() -> tuple[str, ...]:
    """The bots that installed packages bring, by the names of their entry points."""
    return tuple(sorted({point.name for point in _entry_points()}))


def installed(name: str, *, seed: int, threads: int, options: Mapping[str, Value] = NONE) -> Bot | None:
    """The bot of an installed package, if there is one of that name."""
    for point in _entry_points():
        if point.name == name:
            try:
                found = point.load()
            except Exception as error:
                raise _broken(name, error) from error
            return made(found, name, seed=seed, threads=threads, options=options)
    return None


def external(game: Game, name: str, *, seed: int, threads: int, options: Mapping[str, Value] = NONE) -> Bot:
    """The bot that `program:COMMAND`, `module:name` or `file.py:name` stands for."""
    for prefix in PROGRAM_PREFIXES:
        if name.startswith(prefix):
            from limina.bots.engine_client import Program  # it needs processes, which most never start

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
    return made(found, name, seed=seed, threads=threads, options=options)


def made(found: object, name: str, *, seed: int, threads: int, options: Mapping[str, Value] = NONE) -> Bot:
    """A bot of whatever was found: an object that can choose, or a class or function that makes one."""
    if not inspect.isclass(found) and hasattr(found, "choose"):
        if options:
            raise InvalidInputError(f"the bot {quote_truncated(name)} takes no options: it is made already")
        return adapted(found, quote_truncated(name))
    if not callable(found):
        return adapted(found, quote_truncated(name))  # says what is missing
    check_options(found, name, options)
    try:
        inside = found(**accepted(found, {"seed": seed, "threads": threads}), **options)
    except Exception as error:
        raise _broken(name, error) from error
    return adapted(inside, quote_truncated(name))


def _module(home: str) -> Any:
    if not home.endswith(".py"):
        with _here_first():
            return importlib.import_module(home)
    path = _file(home)
    known = f"_limina_bot_{path.stem}_{abs(hash(str(path)))}"
    if known in sys.modules:
        return sys.modules[known]
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


def _file(home: str) -> Path:
    path = Path(home).expanduser().resolve()
    if not path.is_file():
        raise InvalidInputError(f"there is no file {quote_truncated(home)} with a bot")
    return path


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
    return LiminaError(f"the bot {quote_truncated(name)} cannot be loaded: {words}")
