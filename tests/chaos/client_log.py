"""What clients did and were told, in the order in which it happened, kept for the checker in a file for each match."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

What = Literal[
    "begun",  # a match was acknowledged: `request`, as it was asked for
    "seated",  # a seat was acknowledged to somebody: `seat`
    "hello",  # somebody connects to a server: `server`
    "sent",  # somebody sends a turn: `turn`, the message
    "told",  # a message came on somebody's socket: `text`
    "answered",  # a turn that was sent over HTTP was answered: `status`, `text`
    "took back",  # a request to take back a turn was answered: `asked`, the request, `status`, `text`
    "asked",  # after the storm somebody asked a server for the state: `server`, `status`, `text`
]
Entry = dict[str, Any]
"""With `what` happened, to `who`, and what belongs to it."""


class Told:
    """All that is known of one match."""

    def __init__(self, folder: Path, match: str) -> None:
        self.match = match
        self._file = file_of(folder, match)
        self._entries: list[Entry] = []

    def add(self, what: What, who: str, **more: Any) -> None:
        """Something happened."""
        self._entries.append({"what": what, "who": who, **more})

    def keep(self) -> None:
        """Write down what is not yet."""
        with gzip.open(self._file, "at", compresslevel=1, encoding="utf-8") as file:
            file.writelines(json.dumps(entry) + "\n" for entry in self._entries)
        self._entries.clear()


def file_of(folder: Path, match: str) -> Path:
    """Where it is written down."""
    return folder / f"{match}.jsonl.gz"


def read(file: Path) -> Iterator[Entry]:
    """All that was written down of one match."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
