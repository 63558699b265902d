"""`limina verify`: check the chance steps of finished games against their commitments."""

from __future__ import annotations

import argparse
from typing import Any

from limina.cli.record_files import display_name, read_records
from limina.errors import LiminaError


def add(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "verify",
        help="check finished games against the commitment to their shuffle",
        epilog="example: limina verify game.json",
    )
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="a record from a server; - is standard input, and a .jsonl file holds one record a line",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Check each record before the next one is read."""
    from limina.core.commitment import verify

    for name, record in read_records(arguments.files):
        try:
            print(f"{display_name(name)}: {verify(record)}", flush=True)
        except LiminaError as error:
            raise type(error)(f"{display_name(name)}: {error}") from None
