"""`limina show`: draw a position of a record, in the terminal or as a picture."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from limina.cli.color import use_color
from limina.cli.image_files import add_picture_options, is_animation, write_picture
from limina.cli.record_files import check_player, display_name, read_record
from limina.core.files import write_atomic
from limina.errors import LiminaError


def add(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "show", help="draw a position of a record", epilog="example: limina show game.json --round 5 --svg five.svg"
    )
    parser.add_argument("file", metavar="FILE", help="a record; - is standard input")
    parser.add_argument(
        "--round", type=int, metavar="N", help="the position after N rounds or turns (default: the last)"
    )
    parser.add_argument("--player", type=int, metavar="N", help="draw what this player sees, from 0")
    parser.add_argument("--svg", type=Path, metavar="OUT", help="write an SVG to a file instead of the terminal")
    add_picture_options(parser, animated=True)
    parser.add_argument("--no-color", action="store_true", help="draw without colors")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Draw the chosen position, or write it to files."""
    record = read_record(arguments.file)
    position = record.position
    if arguments.round is not None:
        after_round = [p for p in record.positions() if p.progress == arguments.round]
        if not after_round:
            raise LiminaError(
                f"{display_name(arguments.file)}: there is no {record.game.spec.unit} {arguments.round}: "
                f"the record has {position.progress}"
            )
        position = after_round[0]  # before any turn of the next round
    player = None if arguments.player is None else check_player(arguments.file, record, arguments.player)
    if arguments.out is not None:
        positions = record.positions_by_progress(position) if is_animation(arguments.out) else [position]
        write_picture(arguments, [frame.svg(theme=arguments.theme, player=player) for frame in positions])
    if arguments.svg is not None:
        write_atomic(arguments.svg, position.svg(theme=arguments.theme, player=player))
    if arguments.out is None and arguments.svg is None:
        print(position.text(color=use_color(disabled=arguments.no_color), player=player))
