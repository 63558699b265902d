"""`limina deck check`: whether a deck of cards is one, its statistics, and a picture of its cards."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from limina import games
from limina.cli.colour import wants_colour
from limina.cli.files import shown
from limina.cli.prints import add_print
from limina.errors import LiminaError
from limina.files import write_whole
from limina.protocols import DeckLoader


def add(commands: Any) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser("deck", help="look at decks of cards", epilog="example: limina deck check mine.toml")
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    check = actions.add_parser(
        "check", help="validate a deck and show it", epilog="example: limina deck check mine.toml --svg cards.svg"
    )
    check.add_argument("file", metavar="FILE", help="a TOML file with `name` and 24 `cards`")
    check.add_argument("--svg", type=Path, metavar="OUT", help="write a picture of the cards")
    check.add_argument("--no-colour", action="store_true", help="draw without colours")
    check.set_defaults(run=run)
    game = next((game for game in games.games() if game.decks is not None and game.printer is not None), None)
    if game is not None:
        add_print(actions, game, command="deck", deck=True)


def run(arguments: argparse.Namespace) -> None:
    """Validate the deck with the game that is played with decks, and show it."""
    try:
        deck = _decks().load(arguments.file)
    except LiminaError as error:
        raise type(error)(f"{shown(arguments.file)}: {error}") from None
    print(deck.text(colour=wants_colour(arguments.no_colour)))
    if arguments.svg is not None:
        write_whole(arguments.svg, deck.svg())


def _decks() -> DeckLoader:
    """The decks of the game that is played with some."""
    for game in games.games():
        if game.decks is not None:
            return game.decks
    raise LiminaError("no game here is played with a deck")
