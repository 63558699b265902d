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
from limina.cli.color import use_color
from limina.cli.record_files import read_record
from limina.cli.terminal_game import HELP, Console, TerminalGame
from limina.cli.wrapping import terminal_width, wrap_text
from limina.core import registry
from limina.core.files import write_atomic
from limina.core.game import Game
from limina.core.record import Record
from limina.errors import LiminaError


def add(commands: Any) -> None:
    """Add the command."""
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
    parser.add_argument("--resume", metavar="FILE", help="continue a game from its record")
    parser.add_argument(
        "--save", type=Path, metavar="FILE", help="the file of the record (default: a new file in your data folder)"
    )
    parser.add_argument(
        "--run-bots", action="store_true", help="with --resume: run programs and modules that the record names as bots"
    )
    parser.add_argument("--seed", type=int, help="seed of the random numbers, for a repeatable game")
    parser.add_argument("--no-color", action="store_true", help="draw without colors")
    parser.set_defaults(run=run)


def _bot_names() -> str:
    names = dict.fromkeys(name for game in registry.games() for name in bot_names(game))
    return ", ".join(f"bot:{name}" for name in names)


def _option_help() -> list[str]:
    return [
        f"{game.name}: {option.name} {option.describe()}" for game in registry.games() for option in game.spec.options
    ]


def run(arguments: argparse.Namespace) -> int:
    """Play until the game is over or the people leave. The record is saved after every step."""
    rng = Random(arguments.seed)
    record = read_record(arguments.resume) if arguments.resume else _new_record(arguments, rng)
    path = arguments.save or (Path(arguments.resume) if arguments.resume not in (None, "-") else _new_path(record))
    console = Console(_ask, print, write_atomic, use_color(disabled=arguments.no_color))
    # A record may come from anyone, so the programs that it names run only with --run-bots.
    game = TerminalGame(record, path, console, rng, allow_external=not arguments.resume or arguments.run_bots)
    if record.position.outcome is None:
        print(wrap_text(f"{record.game.title}\n\n{record.game.spec.rules}\n\n{HELP}\n", terminal_width()))
    over = False
    try:
        over = game.play()
    except (KeyboardInterrupt, EOFError):
        print()
    except BotError as error:
        print(wrap_text(str(error), terminal_width()))
    command = "limina show" if over else "limina play --resume"
    print(f"The game is saved. To {'see' if over else 'continue'} it: {command} '{path}'")
    return 0


def _new_record(arguments: argparse.Namespace, rng: Random) -> Record:
    game = registry.game(arguments.game or registry.game_names()[0])
    pairs = dict(option.partition("=")[::2] for option in arguments.option)
    names = arguments.players or _default_players(game)
    if len(names) not in game.spec.players:
        raise LiminaError(f"{game.title} is for {game.spec.player_range_text}: name that many")
    record = Record.new(game, names, **game.spec.parse_options(pairs))
    # The layout belongs to the start, so it is chosen before the record is first saved.
    return record.apply_random_chance_step(rng) if game.spec.chance == "setup" else record


def _default_players(game: Game) -> list[str]:
    """Return "you", with the weakest bot in each further seat that the game needs."""
    return ["you", *[f"bot:{bot_names(game)[0]}"] * (game.spec.players[0] - 1)]


def _new_path(record: Record) -> Path:
    """Return the path of a new file in the user's data folder."""
    base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    stamp = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    return base / "limina" / "games" / f"{record.game.name}-{stamp}-{os.getpid()}.json"


def _ask(prompt: str) -> str:
    """Return a line of input, with history and editing if the system has readline."""
    if sys.stdin.isatty():
        with contextlib.suppress(ImportError):  # importing it gives input() line editing
            importlib.import_module("readline")
    return input(prompt)
