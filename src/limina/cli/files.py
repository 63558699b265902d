"""Records from files and from standard input, with the file's name in front of whatever is wrong."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from limina.protocols import LiminaError, UnreadableError
from limina.record import MOST_BYTES, Record


def read_records(names: Iterable[str]) -> Iterator[tuple[str, Record]]:
    """Each file's record, read when it is asked for; `-` is standard input."""
    for name in names:
        try:
            yield name, Record.read(_content(name))
        except LiminaError as error:
            raise type(error)(f"{shown(name)}: {error}") from None


def read_record(name: str) -> Record:
    """One file's record."""
    return next(read_records([name]))[1]


def _content(name: str) -> bytes:
    try:
        if name == "-":
            return sys.stdin.buffer.read(MOST_BYTES + 1)
        with open(name, "rb") as file:
            return file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else "it cannot be opened"
        raise UnreadableError(why.lower()) from None


def read_lines(name: str) -> list[str]:
    """The lines of a text file; `-` is standard input."""
    try:
        return _content(name).decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise UnreadableError(f"{shown(name)}: it is not a text in UTF-8") from None
    except LiminaError as error:
        raise type(error)(f"{shown(name)}: {error}") from None


def shown(name: str) -> str:
    """A file's name for a message."""
    if name == "-":
        return "standard input"
    return name if name.isprintable() and name else ascii(name)


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with open(beside, "w", encoding="utf-8", errors="surrogatepass") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, path)
        finally:
            beside.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else "this is not a file's name"
        raise LiminaError(f"{shown(str(path))} cannot be written: {why.lower()}") from None
