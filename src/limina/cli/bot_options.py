"""What every command that lets bots play games asks for: how many at a time, and how long a bot may take."""

from __future__ import annotations

import argparse

from limina.errors import LiminaError

_MOST_JOBS = 1024


def add_play_options(parser: argparse.ArgumentParser) -> None:
    """Add them to a command."""
    parser.add_argument("--jobs", type=int, default=1, metavar="J", help="games at the same time (default 1)")
    parser.add_argument(
        "--bot-timeout", type=float, default=60.0, metavar="SECONDS", help="what a bot may take for a turn (default 60)"
    )


def check_play_options(arguments: argparse.Namespace) -> None:
    """Refuse what cannot be."""
    if not 1 <= arguments.jobs <= _MOST_JOBS:
        raise LiminaError(f"--jobs must be from 1 to {_MOST_JOBS}")
    if not 0 < arguments.bot_timeout <= 86400:
        raise LiminaError("--bot-timeout must be a number of seconds up to a day")
