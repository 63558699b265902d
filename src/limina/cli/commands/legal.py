"""`limina legal`: list the legal turns at the end of records."""

from __future__ import annotations

import argparse
import json
from typing import Any

from limina.cli.record_files import check_player, read_records


def add(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "legal", help="list the legal turns at the end of records", epilog="example: limina legal --json game.json"
    )
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="a record; - is standard input, and a .jsonl file holds one record a line",
    )
    parser.add_argument(
        "--player", type=int, metavar="N", help="the player, from 0, in games in which all move at once (default 0)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON list for each record")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Print the legal turns of each record before the next one is read."""
    for name, record in read_records(arguments.files):
        # --player matters only if all players move at once; otherwise the turns are those of the player to move.
        player = check_player(name, record, arguments.player or 0) if record.game.spec.simultaneous else None
        turns = [str(turn) for turn in record.position.legal_turns(player)]
        print(json.dumps(turns) if arguments.json else "\n".join(turns), flush=True)
