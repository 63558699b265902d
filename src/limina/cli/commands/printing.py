"""`limina GAME print` and `limina GAME layout`: print a game, or deal its layout, to play at a table."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from limina.cli.image_files import add_picture_options, write_picture
from limina.core import registry
from limina.core.capabilities import PrintJob
from limina.core.files import check_writable, write_atomic
from limina.core.game import Game
from limina.errors import LiminaError
from limina.printing.rulebook import LANGUAGES
from limina.printing.sheets import MAX_BLEED_MM, PAPER_SIZES_MM


def add(commands: Any) -> None:
    """Add a command for each game that can be printed or laid out."""
    for game in registry.games():
        if game.printer is None and game.setup_guide is None:
            continue
        parser = commands.add_parser(
            game.name,
            help=f"print {game.title} to play offline",
            epilog=f"example: limina {game.name} print --out game.pdf",
        )
        actions = parser.add_subparsers(metavar="ACTION", required=True)
        if game.printer is not None:
            add_print(actions, game)
        if game.setup_guide is not None and game.spec.setups is not None:
            _add_layout(actions, game)


def add_print(actions: Any, game: Game, *, command: str = "", deck: bool = False) -> None:
    """Add the action that prints a game."""
    assert game.printer is not None
    size = game.printer.width_range
    parser = actions.add_parser(
        "print",
        help="write a PDF to cut out and play with",
        epilog=f"example: limina {command or game.name} print --out {game.name}.pdf --paper letter --language fr",
    )
    if deck:
        parser.add_argument("deck", nargs="?", metavar="DECK", help="a deck file (default: the standard deck)")
    parser.add_argument("--out", type=Path, metavar="FILE", help=f"the file to write (default {game.name}.pdf)")
    parser.add_argument("--paper", choices=tuple(PAPER_SIZES_MM), default="a4", help="paper format (default a4)")
    parser.add_argument(
        "--size",
        type=float,
        default=size.default_mm,
        metavar="MM",
        help=f"width of a {size.name} (default {size.default_mm:g})",
    )
    parser.add_argument("--bleed", type=float, default=0.0, metavar="MM", help="bleed beyond the cut (default 0)")
    parser.add_argument("--language", choices=LANGUAGES, default="en", help="language of the rules (default en)")
    options = "; ".join(f"{option.name} {option.describe()}" for option in game.spec.options)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help=options.replace("%", "%%"))
    parser.set_defaults(run=_print, game=game, deck=None)


def _print(arguments: argparse.Namespace) -> None:
    """Write the sheets of a game as a PDF."""
    game: Game = arguments.game
    assert game.printer is not None
    size = game.printer.width_range
    if not size.min_mm <= arguments.size <= size.max_mm:
        raise LiminaError(f"--size must be from {size.min_mm:g} to {size.max_mm:g}, the width of a {size.name} in mm")
    if not 0 <= arguments.bleed <= MAX_BLEED_MM:
        raise LiminaError(f"--bleed must be from 0 to {MAX_BLEED_MM:g} mm")
    out = arguments.out or Path(f"{game.name}.pdf")
    options = _options(game, arguments.option)
    if arguments.deck is not None:
        options["deck"] = game.spec.parse_options({"deck": arguments.deck})["deck"]
    check_writable(out)
    job = PrintJob(arguments.paper, arguments.size, arguments.bleed, arguments.language)
    write_atomic(out, game.printer.pdf(job, game.spec.check_options(options)))
    print(f"Wrote {out}")


def _options(game: Game, assignments: list[str]) -> dict[str, Any]:
    pairs: Mapping[str, str] = dict(option.partition("=")[::2] for option in assignments)
    return game.spec.parse_options(pairs)


def _add_layout(actions: Any, game: Game) -> None:
    assert game.spec.setups is not None
    name = game.spec.setups.singular
    parser = actions.add_parser(
        name,
        help=f"deal a {name} to lay out at a table",
        epilog=f"example: limina {game.name} {name} --out table.svg --seed 7",
    )
    for option in game.spec.options:
        parser.add_argument(f"--{option.name}", metavar="X", help=option.describe().replace("%", "%%"))
    min_players = game.spec.players[0]
    parser.add_argument("--players", type=int, default=min_players, metavar="N", help=f"default {min_players}")
    parser.add_argument("--seed", type=int, help="seed of the random numbers, for a repeatable layout")
    add_picture_options(parser)
    parser.set_defaults(run=_lay_out, game=game)


def _lay_out(arguments: argparse.Namespace) -> None:
    """Deal a setup, print the places of all pieces, and write a picture if `--out` names a file."""
    game: Game = arguments.game
    assert game.setup_guide is not None
    values = {option.name: getattr(arguments, option.name) for option in game.spec.options}
    options = game.spec.parse_options({name: value for name, value in values.items() if value is not None})
    setup = game.random_setup(Random(arguments.seed), game.spec.check_players(arguments.players), **options)
    position = setup.start
    for step in setup.deal:
        position = position.apply(step)
    if arguments.out is not None:
        write_picture(arguments, [position.svg(theme=arguments.theme)])
    print(game.setup_guide.instructions(position))
    print(f"As a line for a file of {game.spec.setups.plural if game.spec.setups else 'setups'}:")
    print(" ".join(step.text for step in setup.deal))
