"""`limina deck`: create, edit, check and print decks of cards."""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random
from typing import Any

from limina.cli.color import use_color
from limina.cli.commands.printing import add_print
from limina.cli.deck_editor import DeckEditor
from limina.cli.deck_trial import try_deck
from limina.cli.record_files import display_name
from limina.core import registry
from limina.core.capabilities import Deck, DeckLoader
from limina.core.files import check_writable, write_atomic
from limina.core.validation import expect_str
from limina.errors import LiminaError

MAX_DEALS = 10_000
MAX_SECONDS = 3600


def add(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "deck", help="create, edit and print decks", epilog="example: limina deck check mine.toml"
    )
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    new = actions.add_parser(
        "new", help="create a deck to fill in, or a random one", epilog="example: limina deck new mine.toml --random"
    )
    new.add_argument("file", metavar="FILE", help="the new file to write")
    new.add_argument("--name", default="", help="name of the deck (default: name of the file)")
    new.add_argument("--random", action="store_true", help="choose random faces, similar to those of the standard deck")
    new.add_argument("--seed", type=int, help="seed of the random numbers, for a repeatable deck")
    new.set_defaults(run=_new)
    edit = actions.add_parser("edit", help="edit a deck card by card", epilog="example: limina deck edit mine.toml")
    edit.add_argument("file", metavar="FILE", help="a deck file")
    edit.add_argument("--no-color", action="store_true", help="draw without colors")
    edit.set_defaults(run=_edit)
    check = actions.add_parser(
        "check", help="validate a deck and show it", epilog="example: limina deck check mine.toml --play"
    )
    check.add_argument("file", metavar="FILE", help="a TOML file with `name` and 24 `cards`")
    check.add_argument("--svg", type=Path, metavar="OUT", help="write a picture of the cards to this file")
    check.add_argument("--play", action="store_true", help="let bots play it on random deals; Ctrl-C stops")
    check.add_argument("--deals", type=int, default=60, metavar="N", help="with --play: number of deals (default 60)")
    check.add_argument("--seconds", type=float, default=8.0, metavar="S", help="with --play: maximum time (default 8)")
    check.add_argument("--seed", type=int, default=0, help="with --play: seed of the deals")
    check.add_argument("--no-color", action="store_true", help="draw without colors")
    check.set_defaults(run=_check)
    game = next((game for game in registry.games() if game.decks is not None and game.printer is not None), None)
    if game is not None:
        add_print(actions, game, command="deck", deck=True)


def _new(arguments: argparse.Namespace) -> None:
    """Write a new deck file. Raise LiminaError if the file exists."""
    out = Path(arguments.file)
    name = expect_str(arguments.name, "name") or out.stem
    check_writable(out)
    if out.exists():
        raise LiminaError(f"{display_name(arguments.file)}: the file exists already: change it with `limina deck edit`")
    decks = _decks()
    deck = decks.random(Random(arguments.seed), name) if arguments.random else decks.template(name)
    write_atomic(out, deck.to_toml())
    print(f"Wrote {display_name(arguments.file)}. Change it with `limina deck edit` or in any text editor.")


def _edit(arguments: argparse.Namespace) -> int:
    """Edit a deck until the user quits; return exit status 1 if changes are lost."""
    path = Path(arguments.file)
    editor = DeckEditor(
        _load(arguments.file),
        save=lambda deck: write_atomic(path, deck.to_toml()),
        color=use_color(disabled=arguments.no_color),
    )
    print(editor.help)
    try:
        while not editor.is_finished:
            print(editor.execute(input("deck> ")))
    except (KeyboardInterrupt, EOFError):
        print()
    if editor.has_unsaved_changes:
        print("Unsaved changes are lost.")
        return 1
    return 0


def _check(arguments: argparse.Namespace) -> None:
    """Validate a deck, show it, and let bots play it if requested."""
    if not 1 <= arguments.deals <= MAX_DEALS:
        raise LiminaError(f"--deals must be from 1 to {MAX_DEALS}")
    if not 0 < arguments.seconds <= MAX_SECONDS:
        raise LiminaError(f"--seconds must be a number above 0, up to {MAX_SECONDS}")
    deck = _load(arguments.file)
    print(deck.text(color=use_color(disabled=arguments.no_color)), flush=True)
    if arguments.svg is not None:
        write_atomic(arguments.svg, deck.svg())
    if arguments.play:
        print(try_deck(deck.trial(arguments.seed), arguments.deals, arguments.seconds))


def _load(name: str) -> Deck:
    try:
        return _decks().load(name)
    except LiminaError as error:
        raise type(error)(f"{display_name(name)}: {error}") from None


def _decks() -> DeckLoader:
    """Return the deck loader of the first game that has one."""
    for game in registry.games():
        if game.decks is not None:
            return game.decks
    raise LiminaError("no game here is played with a deck")
