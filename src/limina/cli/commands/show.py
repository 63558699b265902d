"""`limina show`: the position of a record, in the terminal or as a picture."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from limina.cli.color import use_color
from limina.cli.image_files import add_picture, is_moving, write_picture
from limina.cli.record_files import check_player, display_name, read_record
from limina.core.files import write_atomic
from limina.errors import LiminaError


def add(commands: Any) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser(
        "show", help="draw the position of a record", epilog="example: limina show game.json --round 5 --svg five.svg"
    )
    parser.add_argument("file", metavar="FILE", help="a record; - is standard input")
    parser.add_argument("--round", type=int, metavar="N", help="the position after N rounds (or turns), not the last")
    parser.add_argument("--player", type=int, metavar="N", help="only this player's view, from 0")
    parser.add_argument("--svg", type=Path, metavar="OUT", help="write an SVG instead of drawing in the terminal")
    add_picture(parser, moving=True)
    parser.add_argument("--no-color", action="store_true", help="draw without colors")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Draw the position asked for."""
    record = read_record(arguments.file)
    position = record.end
    if arguments.round is not None:
        reached = [p for p in record.positions() if p.progress == arguments.round]
        if not reached:
            raise LiminaError(
                f"{display_name(arguments.file)}: there is no {record.game.spec.unit} {arguments.round}: "
                f"the record has {position.progress}"
            )
        # The first position with that many rounds behind it: nothing of the next one has happened.
        position = reached[0]
    player = None if arguments.player is None else check_player(arguments.file, record, arguments.player)
    if arguments.out is not None:
        shown_ones = record.positions_by_progress(position) if is_moving(arguments.out) else [position]
        write_picture(arguments, [each.svg(theme=arguments.theme, player=player) for each in shown_ones])
    if arguments.svg is not None:
        write_atomic(arguments.svg, position.svg(theme=arguments.theme, player=player))
    if arguments.out is None and arguments.svg is None:
        print(position.text(color=use_color(disabled=arguments.no_color), player=player))
