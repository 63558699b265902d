"""Read records from files and standard input. Errors begin with the name of the file."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import count

from limina.core.files import MAX_FILE_BYTES, decode_text, read_limited, system_error_text
from limina.core.record import Record
from limina.errors import InvalidInputError, LiminaError


def read_records(names: Iterable[str]) -> Iterator[tuple[str, Record]]:
    """Yield the records of files with their names, one after the other.

    `-` is standard input, and a `.jsonl` file holds one record a line. Raise LiminaError for an invalid record.
    """
    for name in names:
        source = name
        try:
            for source, content in _lines(name) if _is_jsonl(name) else [(name, _content(name))]:
                yield source, Record.from_json_text(content)
        except LiminaError as error:
            raise type(error)(f"{display_name(source)}: {error}") from None


def read_record(name: str) -> Record:
    """Return the record in a file. Raise LiminaError if it is invalid, or the file may hold several."""
    if _is_jsonl(name):
        raise LiminaError(f"{display_name(name)} holds several records: use one of its lines")
    return next(read_records([name]))[1]


def _is_jsonl(name: str) -> bool:
    return name.endswith(".jsonl")


def _lines(name: str) -> Iterator[tuple[str, bytes]]:
    """Yield each line that is not empty with its place `NAME:NUMBER`, without reading the whole file."""
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
    """Return the lines of a text file; `-` is standard input."""
    try:
        return decode_text(_content(name)).splitlines()
    except LiminaError as error:
        raise type(error)(f"{display_name(name)}: {error}") from None


def check_player(name: str, record: Record, player: int) -> int:
    """Return the player's index. Raise LiminaError if the record has no such player."""
    last = len(record.names) - 1
    if not 0 <= player <= last:
        players = f"they are 0 to {last}" if last else "there is only 0"
        raise LiminaError(f"{display_name(name)}: there is no player {player}: {players}")
    return player


def display_name(name: str) -> str:
    """Return a file's name for a message, with control characters escaped."""
    if name == "-":
        return "standard input"
    return name if name.isprintable() and name else ascii(name)
