"""Records from files and from standard input, with the file's name in front of whatever is wrong."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import count

from limina.core.files import MAX_FILE_BYTES, decode_text, read_limited, system_error_text
from limina.core.record import Record
from limina.errors import InvalidInputError, LiminaError


def read_records(names: Iterable[str]) -> Iterator[tuple[str, Record]]:
    """Each file's record, read when it is asked for; `-` is standard input, and `.jsonl` files hold one a line."""
    for name in names:
        place = name
        try:
            for place, content in _lines(name) if _has_many(name) else [(name, _content(name))]:
                yield place, Record.read(content)
        except LiminaError as error:
            raise type(error)(f"{display_name(place)}: {error}") from None


def read_record(name: str) -> Record:
    """One file's record."""
    if _has_many(name):
        raise LiminaError(f"{display_name(name)} holds several records: take one of its lines")
    return next(read_records([name]))[1]


def _has_many(name: str) -> bool:
    return name.endswith(".jsonl")


def _lines(name: str) -> Iterator[tuple[str, bytes]]:
    """Each line that is not empty, with the file's name and its number; one after the other, as there may be many."""
    try:
        with open(name, "rb") as file:
            for number in count(1):
                line = file.readline(MAX_FILE_BYTES + 1)
                if not line:
                    return
                if line.strip():
                    yield f"{name}:{number}", line
    except OSError as error:
        raise InvalidInputError(system_error_text(error, "it cannot be read")) from None


def _content(name: str) -> bytes:
    if name != "-":
        return read_limited(name)
    try:
        return sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        raise InvalidInputError(system_error_text(error, "it cannot be read")) from None


def read_lines(name: str) -> list[str]:
    """The lines of a text file; `-` is standard input."""
    try:
        return decode_text(_content(name)).splitlines()
    except LiminaError as error:
        raise type(error)(f"{display_name(name)}: {error}") from None


def check_player(name: str, record: Record, player: int) -> int:
    """The player, if the record has one of that number."""
    last = len(record.names) - 1
    if not 0 <= player <= last:
        there = f"they are 0 to {last}" if last else "there is only 0"
        raise LiminaError(f"{display_name(name)}: there is no player {player}: {there}")
    return player


def display_name(name: str) -> str:
    """A file's name for a message."""
    if name == "-":
        return "standard input"
    return name if name.isprintable() and name else ascii(name)
