"""The processes below a server: its own, and those that it starts in order to read, draw, review and play."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from limina import Record, game
from support.games.records import example_record, play_on
from support.server.clients import Client
from support.waiting import wait_until

SLEEPING_BOT = """
import time
class Sleeper:
    def choose(self, position, player):
        time.sleep(600)
"""
"""A bot that is still thinking whenever one looks."""
HELPER_COMMANDS = ("limina.isolated.record", "limina.isolated.render", "limina.isolated.review", "limina engine")
"""What the command lines of the processes hold that a server starts beside its own."""


def command_line(process: int) -> str:
    """The words with which a process was started; none if it has ended."""
    with suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    return ""


def descendants(process: int) -> dict[int, str]:
    """The command lines of the processes that a process has started, and of those that these have started."""
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
    found: dict[int, str] = {}
    new = {process}
    while new := {child for child, parent in parents.items() if parent in new}:
        found |= {child: command_line(child) for child in new}
    return found


def sleeping_bot_arguments(folder: Path) -> tuple[str, ...]:
    """The arguments that let a server offer the bot `sleeper`."""
    (folder / "sleeper.py").write_text(SLEEPING_BOT)
    return "--bot", f"sleeper={folder / 'sleeper.py'}:Sleeper", "--bot-timeout", "600"


@contextmanager
def busy_server(address: str) -> Iterator[None]:
    """Let a server with the bot `sleeper` start a process of every kind; the bot and the review keep theirs busy."""
    # Eight players, sixteen rounds: the review goes on for many seconds.
    record = play_on(Record.new(game("limes"), [f"Player {n}" for n in range(8)]), random.Random(1))
    with closing(Client(address)) as ada:
        ada.call("POST", "/replay", example_record("limes"))
        assert ada.request("POST", "/picture", {"record": example_record("limes"), "kind": "svg"}).status_code == 200
        ada.live(ada.create("limes", "me", "sleeper")["match"]).until("state")
        with ada.http.stream("POST", "/api/review", json=record.to_json(), timeout=120) as answer:
            lines = answer.iter_lines()
            assert '"begin"' in next(lines)
            assert '"turn"' in next(lines)
            yield


@contextmanager
def busy_helpers(process: int, address: str) -> Iterator[dict[int, str]]:
    """The same, and all processes below the server once those of every kind are there."""
    with busy_server(address):
        wait_until(lambda: all(any(word in line for line in descendants(process).values()) for word in HELPER_COMMANDS))
        yield descendants(process)
