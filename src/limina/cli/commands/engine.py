"""`limina engine`: one of our bots as a program that speaks the line protocol."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from limina.core import registry
from limina.errors import LiminaError

MOST_THREADS = 256


def add(commands: Any) -> None:
    """Add the command's arguments."""
    first = registry.game_names()[0]
    parser = commands.add_parser(
        "engine",
        help="let a bot speak the line protocol",
        description="Let a bot speak the line protocol of docs/engine-protocol.md on standard input and output.",
        epilog=f"example: limina engine {first} random",
    )
    parser.add_argument("game", metavar="GAME", help=" or ".join(registry.game_names()))
    parser.add_argument("bot", metavar="BOT", help="a bot as in `limina arena`")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="cores to think with (default 1)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Listen until the other side has had enough."""
    if not 1 <= arguments.threads <= MOST_THREADS:
        raise LiminaError(f"--threads must be from 1 to {MOST_THREADS}")
    from limina.bots.engine import Engine

    def say(line: str) -> None:
        print(line, flush=True)

    Engine(registry.game(arguments.game), arguments.bot, say, threads=arguments.threads).listen(sys.stdin)
