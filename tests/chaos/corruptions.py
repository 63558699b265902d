"""Helpers of the tests that damage client logs and run the checker on them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from chaos.checker import Checker
from chaos.client_log import Entry

Log = list[Entry]


def check_log(log: Log) -> str:
    """Return the contradictions that the checker finds, one per line."""
    return "\n".join(Checker("it", log).check())


def change_text(entry: Entry, change: Callable[[Any], None]) -> None:
    """Change the JSON text of an entry."""
    message = json.loads(entry["text"])
    change(message)
    entry["text"] = json.dumps(message, separators=(",", ":"))


def received(log: Log, message_type: str, index: int = 0, client: str | None = None) -> Entry:
    """Return one of the messages of a type that any client received, or a named one."""
    entries = [
        entry
        for entry in log
        if entry["kind"] == "received"
        and json.loads(entry["text"])["type"] == message_type
        and client in (None, entry["client"])
    ]
    return entries[index]


def received_with_steps(log: Log) -> Entry:
    """Return the first message with at least one step."""
    return next(
        entry for entry in log if entry["kind"] == "received" and len(json.loads(entry["text"]).get("steps", ())) > 0
    )


def final_states(log: Log) -> Log:
    """Return the servers' answers with the state at the end."""
    return [entry for entry in log if entry["kind"] == "final_state"]


def change_final_states(log: Log, change: Callable[[Any], None]) -> None:
    """Change the state at the end in the same way for all servers."""
    for entry in final_states(log):
        change_text(entry, change)


def take_backs(log: Log) -> Log:
    """Return the answers to requests to take back a turn."""
    return [entry for entry in log if entry["kind"] == "took_back"]
