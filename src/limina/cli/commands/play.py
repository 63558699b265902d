"""`limina play`: a game in the terminal."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import sys
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

from limina.bots import BotError, bot_names
from limina.cli.color import wants_color
from limina.cli.record_files import read_record
from limina.cli.terminal_game import HELP, Console, TerminalGame
from limina.core import registry
from limina.core.files import write_atomic
from limina.core.game import Game
from limina.core.record import Record
from limina.errors import LiminaError


def add(commands: Any) -> None:
    """Add the command's arguments."""
    default = registry.game_names()[0]
    parser = commands.add_parser(
        "play",
        help="play in the terminal",
        description="Play in the terminal: alone, at one keyboard, or against bots.",
        epilog=f"example: limina play {default} Ada bot:random",
    )
    parser.add_argument(
        "game", nargs="?", metavar="GAME", help=f"{' or '.join(registry.game_names())} (default {default})"
    )
    parser.add_argument(
        "players",
        nargs="*",
        metavar="PLAYER",
        help=f"names in playing order; bots: {_bot_names()}, bot:program:COMMAND, bot:MODULE:NAME (default: you)",
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=("; ".join(_option_help()) + "; may be repeated").replace("%", "%%"),
    )
    parser.add_argument("--resume", metavar="FILE", help="go on with a game from its record")
    parser.add_argument(
        "--save", type=Path, metavar="FILE", help="where to keep the record (default: your data folder)"
    )
    parser.add_argument(
        "--run-bots", action="store_true", help="with --resume: run the programs and modules that the record names"
    )
    parser.add_argument("--seed", type=int, help="make chance repeatable")
    parser.add_argument("--no-color", action="store_true", help="draw without colors")
    parser.set_defaults(run=run)


def _bot_names() -> str:
    found = dict.fromkeys(name for game in registry.games() for name in bot_names(game))
    return ", ".join(f"bot:{name}" for name in found)


def _option_help() -> list[str]:
    return [
        f"{game.name}: {option.name} {option.describe()}" for game in registry.games() for option in game.spec.options
    ]


def run(arguments: argparse.Namespace) -> int:
    """Play until the end, or until the people leave; either way the record is kept."""
    rng = Random(arguments.seed)
    record = read_record(arguments.resume) if arguments.resume else _new(arguments, rng)
    home = arguments.save or (Path(arguments.resume) if arguments.resume not in (None, "-") else _home(record))
    console = Console(_ask, print, write_atomic, wants_color(arguments.no_color))
    # A record may come from anyone, so what it says is to be run is run only if the person here says so too.
    session = TerminalGame(record, home, console, rng, allow_external=not arguments.resume or arguments.run_bots)
    if record.end.outcome is None:
        print(f"{record.game.title}\n\n{record.game.spec.rules}\n\n{HELP}\n")
    finished = False
    try:
        finished = session.play()
    except (KeyboardInterrupt, EOFError):
        print()
    except BotError as failure:
        print(failure)
    kept = f"limina show '{home}'" if finished else f"limina play --resume '{home}'"
    print(f"The game is kept: {kept}")
    return 0


def _new(arguments: argparse.Namespace, rng: Random) -> Record:
    game = registry.game(arguments.game or registry.game_names()[0])
    pairs = dict(option.partition("=")[::2] for option in arguments.option)
    names = arguments.players or _usual_players(game)
    if len(names) not in game.spec.players:
        raise LiminaError(f"{game.title} is for {game.spec.player_range_text}: name that many")
    record = Record.new(game, names, **game.spec.parse_options(pairs))
    # A table that has to be laid is laid before the record is first kept.
    return record.apply_chance(rng) if game.spec.chance == "setup" else record


def _usual_players(game: Game) -> list[str]:
    """You, alone where that is a game, else against the weakest bot."""
    return ["you", *[f"bot:{bot_names(game)[0]}"] * (game.spec.players[0] - 1)]


def _home(record: Record) -> Path:
    """A new file in the user's data folder."""
    base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    stamp = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    return base / "limina" / "games" / f"{record.game.name}-{stamp}-{os.getpid()}.json"


def _ask(prompt: str) -> str:
    """A line from the keyboard, with history and editing where the system has them."""
    if sys.stdin.isatty():
        with contextlib.suppress(ImportError):  # loading it is what gives input() its line editing
            importlib.import_module("readline")
    return input(prompt)
