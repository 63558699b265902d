"""`limina replay`: print the last position of records."""

from __future__ import annotations

import argparse
import json
from typing import Any

from limina.cli.record_files import display_name, read_records
from limina.core.validation import printable


def add(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "replay", help="replay records and print their last positions", epilog="example: limina replay --json game.json"
    )
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="a record; - is standard input, and a .jsonl file holds one record a line",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object for each record")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Replay each record and print it before the next one is read."""
    for name, record in read_records(arguments.files):
        if arguments.json:
            print(json.dumps(record.summary()), flush=True)
            continue
        names = ", ".join(map(printable, record.names))
        print(f"{display_name(name)}: {record.game.title}, {names}\n{record.position.text()}", flush=True)
