"""Records from files and from standard input, with the file's name in front of whatever is wrong."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from limina.errors import LiminaError, UnreadableError
from limina.files import MOST_BYTES, decoded, read_whole, system_error
from limina.record import Record


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
    if name != "-":
        return read_whole(name)
    try:
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise UnreadableError(system_error(error, "it cannot be read")) from None


def read_lines(name: str) -> list[str]:
    """The lines of a text file; `-` is standard input."""
    try:
        return decoded(_content(name)).splitlines()
    except LiminaError as error:
        raise type(error)(f"{shown(name)}: {error}") from None


def check_player(name: str, record: Record, player: int) -> int:
    """The player, if the record has one of that number."""
    last = len(record.names) - 1
    if not 0 <= player <= last:
        there = f"they are 0 to {last}" if last else "there is only 0"
        raise LiminaError(f"{shown(name)}: there is no player {player}: {there}")
    return player


def shown(name: str) -> str:
    """A file's name for a message."""
    if name == "-":
        return "standard input"
    return name if name.isprintable() and name else ascii(name)
