"""`limina legal`: every legal turn where a record ends."""

from __future__ import annotations

import argparse
import json
from typing import Any

from limina.cli.record_files import check_player, read_records


def add(commands: Any) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser(
        "legal", help="list the legal turns where records end", epilog="example: limina legal --json game.json"
    )
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="a record; - is standard input, and a file called .jsonl holds one a line",
    )
    parser.add_argument(
        "--player", type=int, metavar="N", help="the player, from 0, where all move in one round (default 0)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON list a record")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Print the turns of each record before the next one is read."""
    for name, record in read_records(arguments.files):
        # One at a time: the player to move is meant. All at once: the first one, unless another is named.
        player = check_player(name, record, arguments.player or 0) if record.game.spec.simultaneous else None
        turns = [str(turn) for turn in record.end.legal_turns(player)]
        print(json.dumps(turns) if arguments.json else "\n".join(turns), flush=True)
