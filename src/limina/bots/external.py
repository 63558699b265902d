"""Load bots that do not come with a game: installed packages, Python modules and files, and programs."""

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
from limina.bots.duck_typed import as_bot
from limina.bots.options import Value, accepted_arguments, check_options, split_options
from limina.core.game import Game
from limina.core.validation import quote_truncated
from limina.errors import InvalidInputError, LiminaError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from importlib.metadata import EntryPoint

ENTRY_POINT_GROUP = "limina.bots"
NO_OPTIONS: Mapping[str, Value] = MappingProxyType({})
PROGRAM_PREFIXES = ("program:", "exec:")


def is_external(name: str) -> bool:
    """Return True if a name runs code of its own, so that it must not come from an untrusted source.

    >>> is_external("program:./mine --fast"), is_external("package.module:Mine"), is_external("random")
    (True, True, False)
    """
    return ":" in name


def is_program(name: str) -> bool:
    """Return True if a name is the command of a program.

    >>> is_program("program:./mine@home --fast"), is_program("package.module:Mine")
    (True, False)
    """
    return name.startswith(PROGRAM_PREFIXES)


def check_external(name: str) -> None:
    """Check the name of an external or installed bot without running it. Raises InvalidInputError if it is wrong."""
    if is_program(name):
        from limina.bots.engine_client import split_command

        split_command(name.partition(":")[2])
        return
    base, _ = split_options(name)
    source = base.rpartition(":")[0]
    if not is_external(base):
        if base not in installed_bot_names():
            raise InvalidInputError(f"no installed package provides a bot called {quote_truncated(base)}")
    elif source.endswith(".py"):
        _bot_file(source)
    else:
        with _current_folder_importable():
            if importlib.util.find_spec(source.partition(".")[0] or "?") is None:
                raise InvalidInputError(f"there is no module {quote_truncated(source)} with a bot")


def _entry_points() -> Iterable[EntryPoint]:
    from importlib.metadata import entry_points  # importing it takes longer than importing limina

    return entry_points(group=ENTRY_POINT_GROUP)


def installed_bot_names() -> tuple[str, ...]:
    """Return the names of the bots of installed packages (entry points of the group `limina.bots`)."""
    return tuple(sorted({point.name for point in _entry_points()}))


def installed_bot(name: str, *, seed: int, threads: int, options: Mapping[str, Value] = NO_OPTIONS) -> Bot | None:
    """Return the bot of an installed package, or None if no package has one of that name."""
    for point in _entry_points():
        if point.name == name:
            try:
                loaded = point.load()
            except Exception as error:
                raise _load_error(name, error) from error
            return make_bot(loaded, name, seed=seed, threads=threads, options=options)
    return None


def external_bot(game: Game, name: str, *, seed: int, threads: int, options: Mapping[str, Value] = NO_OPTIONS) -> Bot:
    """Return the bot for `program:COMMAND`, `module:name` or `file.py:name`.

    Raises LiminaError if it cannot be loaded.
    """
    for prefix in PROGRAM_PREFIXES:
        if name.startswith(prefix):
            from limina.bots.engine_client import EngineClient  # it needs processes, which most never start

            return EngineClient(game, name.removeprefix(prefix), seed=seed)
    source, _, attributes = name.rpartition(":")
    try:
        target = _import(source)
        for attribute in attributes.split("."):
            target = getattr(target, attribute)
    except LiminaError:
        raise
    except Exception as error:
        raise _load_error(name, error) from error
    return make_bot(target, name, seed=seed, threads=threads, options=options)


def make_bot(target: object, name: str, *, seed: int, threads: int, options: Mapping[str, Value] = NO_OPTIONS) -> Bot:
    """Return a bot of an object with `choose`, or of a class or function that makes one.

    Raises LiminaError if there is no method `choose`, or making the bot fails.
    """
    if not inspect.isclass(target) and hasattr(target, "choose"):
        if options:
            raise InvalidInputError(f"the bot {quote_truncated(name)} takes no options: it is an object, not a class")
        return as_bot(target, quote_truncated(name))
    if not callable(target):
        return as_bot(target, quote_truncated(name))  # raises: there is no `choose`
    check_options(target, name, options)
    try:
        inner = target(**accepted_arguments(target, {"seed": seed, "threads": threads}), **options)
    except Exception as error:
        raise _load_error(name, error) from error
    return as_bot(inner, quote_truncated(name))


def _import(source: str) -> Any:
    """Import a module by its name, or a file once under a name made of its path."""
    if not source.endswith(".py"):
        with _current_folder_importable():
            return importlib.import_module(source)
    path = _bot_file(source)
    module_name = f"_limina_bot_{path.stem}_{abs(hash(str(path)))}"
    if module_name in sys.modules:
        return sys.modules[module_name]
    spec = importlib.util.spec_from_file_location(module_name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[module_name]
        raise
    return module


def _bot_file(source: str) -> Path:
    path = Path(source).expanduser().resolve()
    if not path.is_file():
        raise InvalidInputError(f"there is no file {quote_truncated(source)} with a bot")
    return path


@contextmanager
def _current_folder_importable() -> Iterator[None]:
    """Import modules of the current folder too, as `python -m` does."""
    folder = os.getcwd()
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        sys.path.remove(folder)


def _load_error(name: str, error: Exception) -> LiminaError:
    reason = (str(error).strip() or type(error).__name__).split("\n")[0]
    return LiminaError(f"the bot {quote_truncated(name)} cannot be loaded: {reason}")
