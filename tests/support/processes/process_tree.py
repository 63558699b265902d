"""The descendants of a server process: server processes, and helpers that read records, draw, review and play."""

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
"""The source of a bot that thinks for ten minutes."""
HELPER_COMMANDS = ("limina.isolated.record", "limina.isolated.render", "limina.isolated.review", "limina engine")
"""Parts of the command lines of the helper processes of a server."""


def command_line(process: int) -> str:
    """Return the command line of a process, or an empty string if it has ended."""
    with suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    return ""


def descendants(process: int) -> dict[int, str]:
    """Return the command lines of all descendants of a process, by process id."""
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
    lines: dict[int, str] = {}
    new = {process}
    while new := {child for child, parent in parents.items() if parent in new}:
        lines |= {child: command_line(child) for child in new}
    return lines


def sleeping_bot_arguments(folder: Path) -> tuple[str, ...]:
    """Return the options of a server with the bot `sleeper`."""
    (folder / "sleeper.py").write_text(SLEEPING_BOT)
    return "--bot", f"sleeper={folder / 'sleeper.py'}:Sleeper", "--bot-timeout", "600"


@contextmanager
def busy_server(address: str) -> Iterator[None]:
    """Let a server with the bot `sleeper` start every kind of helper; the bot and the review stay busy."""
    # Eight players, sixteen rounds: the review goes on for many seconds.
    record = play_on(Record.new(game("limes"), [f"Player {n}" for n in range(8)]), random.Random(1))
    with closing(Client(address)) as ada:
        ada.call("POST", "/replay", example_record("limes"))
        assert ada.request("POST", "/picture", {"record": example_record("limes"), "format": "svg"}).status_code == 200
        ada.live(ada.create("limes", "me", "sleeper")["match_id"]).until("state")
        with ada.http.stream("POST", "/api/review", json=record.to_json(), timeout=120) as answer:
            lines = answer.iter_lines()
            assert '"begin"' in next(lines)
            assert '"turn"' in next(lines)
            yield


@contextmanager
def busy_helpers(process: int, address: str) -> Iterator[dict[int, str]]:
    """Do the same, and yield all descendants of the server once every kind of helper runs."""
    with busy_server(address):
        wait_until(lambda: all(any(part in line for line in descendants(process).values()) for part in HELPER_COMMANDS))
        yield descendants(process)
