"""Logs of matches as the checker reads them, and what all who damage them need."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from chaos.checker import Checker
from chaos.client_log import Entry

Log = list[Entry]


def complaints(log: Log) -> str:
    return "\n".join(Checker("it", log).check())


def in_text(entry: Entry, change: Callable[[Any], None]) -> None:
    """Change what a message says."""
    message = json.loads(entry["text"])
    change(message)
    entry["text"] = json.dumps(message, separators=(",", ":"))


def told(log: Log, kind: str, number: int = 0, who: str | None = None) -> Entry:
    """A message of a kind that somebody was told."""
    found = [
        entry
        for entry in log
        if entry["what"] == "told" and json.loads(entry["text"])["type"] == kind and who in (None, entry["who"])
    ]
    return found[number]


def with_steps(log: Log) -> Entry:
    """An update in which somebody saw something happen."""
    return next(
        entry for entry in log if entry["what"] == "told" and len(json.loads(entry["text"]).get("steps", ())) > 0
    )


def asked(log: Log) -> Log:
    return [entry for entry in log if entry["what"] == "asked"]


def in_all_ends(log: Log, change: Callable[[Any], None]) -> None:
    for entry in asked(log):
        in_text(entry, change)


def taken_back(log: Log) -> Log:
    """The answers to whoever took back a turn."""
    return [entry for entry in log if entry["what"] == "took back"]
