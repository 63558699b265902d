"""`limina engine`: run a bot as a program that speaks the engine protocol."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from limina.core import registry
from limina.errors import LiminaError

MAX_THREADS = 256


def add(commands: Any) -> None:
    """Add the command."""
    first = registry.game_names()[0]
    parser = commands.add_parser(
        "engine",
        help="run a bot as a program that speaks the engine protocol",
        description="Run a bot as a program that speaks the engine protocol (docs/engine-protocol.md) on its standard "
        "input and output.",
        epilog=f"example: limina engine {first} random",
    )
    parser.add_argument("game", metavar="GAME", help=" or ".join(registry.game_names()))
    parser.add_argument("bot", metavar="BOT", help="the bot, named as in `limina arena`")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="threads of the search (default 1)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Answer the host until it says `quit` or closes the pipe."""
    if not 1 <= arguments.threads <= MAX_THREADS:
        raise LiminaError(f"--threads must be from 1 to {MAX_THREADS}")
    from limina.bots.engine import Engine

    def write_line(line: str) -> None:
        print(line, flush=True)

    Engine(registry.game(arguments.game), arguments.bot, write_line, threads=arguments.threads).run(sys.stdin)
