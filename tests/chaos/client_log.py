"""The client log: what the clients of a match sent and received, in order of time, in one file for each match."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

EntryKind = Literal[
    "created",  # a server confirmed a new match: `request`, the body that created it
    "joined",  # a server gave the client a seat: `seat`
    "hello",  # the client connects to a server: `server`
    "sent",  # the client sends a turn: `turn`, the message
    "received",  # a message came on the client's socket: `text`
    "answered",  # a turn or a join over HTTP was answered: `status`, `text`
    "took_back",  # a request to take back a turn was answered: `request`, `status`, `text`
    "final_state",  # a server's answer with the state, after all faults: `server`, `status`, `text`
]
Entry = dict[str, Any]
"""One line of a log: its `kind`, the name of the `client`, and the fields of its kind."""
SUFFIX = ".jsonl.gz"


class ClientLog:
    """Collects the entries of one match in memory and appends them to its file."""

    def __init__(self, folder: Path, match_id: str) -> None:
        self.match_id = match_id
        self._file = folder / f"{match_id}{SUFFIX}"
        self._entries: list[Entry] = []

    def add(self, kind: EntryKind, client: str, **fields: Any) -> None:
        """Add an entry, in memory."""
        self._entries.append({"kind": kind, "client": client, **fields})

    def save(self) -> None:
        """Append the entries since the last save to the file."""
        with gzip.open(self._file, "at", compresslevel=1, encoding="utf-8") as file:
            file.writelines(json.dumps(entry) + "\n" for entry in self._entries)
        self._entries.clear()


def logged_match_id(file: Path) -> str:
    """Return the id of the match whose log this file is."""
    return file.name.removesuffix(SUFFIX)


def read_log(file: Path) -> Iterator[Entry]:
    """Yield the entries of a file."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
