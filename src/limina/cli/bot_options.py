"""Options of the commands that let bots play: games at the same time, and time for a turn."""

from __future__ import annotations

import argparse

from limina.errors import LiminaError

_MAX_JOBS = 1024


def add_play_options(parser: argparse.ArgumentParser) -> None:
    """Add `--jobs` and `--bot-timeout`."""
    parser.add_argument("--jobs", type=int, default=1, metavar="J", help="games at the same time (default 1)")
    parser.add_argument(
        "--bot-timeout", type=float, default=60.0, metavar="SECONDS", help="time for a turn of a bot (default 60)"
    )


def check_play_options(arguments: argparse.Namespace) -> None:
    """Raise LiminaError if a value is out of range."""
    if not 1 <= arguments.jobs <= _MAX_JOBS:
        raise LiminaError(f"--jobs must be from 1 to {_MAX_JOBS}")
    if not 0 < arguments.bot_timeout <= 86400:
        raise LiminaError("--bot-timeout must be a number of seconds above 0, up to a day")
