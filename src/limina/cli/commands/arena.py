"""`limina arena`: bots against each other, or side by side alone, on the same setups."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from limina.cli.bot_options import add_play_options, check_play_options
from limina.cli.progress import ProgressBar
from limina.cli.record_files import read_lines
from limina.core import registry
from limina.core.files import check_writable, remove_stale_temp_files, write_atomic
from limina.core.game import Game
from limina.core.spec import SetupSpec
from limina.errors import InvalidInputError


def add(commands: Any) -> None:
    """Add the command's arguments."""
    first = registry.game_names()[0]
    parser = commands.add_parser(
        "arena",
        help="let bots play each other",
        description="Let bots play the same deals or layouts in every seat, and count with intervals who is better. "
        "A bot is one of ours by its name, an installed one, MODULE:NAME, FILE.py:NAME or program:COMMAND.",
        epilog=f"example: limina arena {first} random program:'./mine --fast' --games 200 --jobs 2",
    )
    parser.add_argument("game", metavar="GAME", help=" or ".join(registry.game_names()))
    parser.add_argument("bots", nargs="+", metavar="BOT", help="each one plays each other one in every seat")
    parser.add_argument(
        "--games", type=int, metavar="N", help="games of each table (alone: of each bot; default: all setups, or 100)"
    )
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--setups", metavar="FILE", help="the setups to play, a line each, as the game writes them")
    for words in _setup_words():
        source.add_argument(f"--{words.plural}", metavar="FILE", help=f"a line a {words.singular}: {words.line_help}")
    seats = parser.add_mutually_exclusive_group()
    seats.add_argument("--players", type=int, metavar="N", help="seats at a table (default 2, or 1 for a single bot)")
    seats.add_argument("--alone", action="store_true", help="each bot plays each setup alone: points are compared")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="as in `limina play`")
    parser.add_argument("--seed", type=int, default=0, help="the same seed plays the same games (default 0)")
    add_play_options(parser)
    parser.add_argument("--ray", metavar="ADDRESS", help="play on the Ray cluster there; `local` starts one here")
    parser.add_argument("--json", action="store_true", help="print every game's result and all figures as JSON")
    parser.add_argument("--records", type=Path, metavar="FOLDER", help="keep every game as a record")
    parser.add_argument(
        "--resume",
        type=Path,
        metavar="FILE",
        help="a journal to go on with and to keep (without one, an interrupted run goes on and a finished one is over)",
    )
    parser.add_argument("--no-resume", action="store_true", help="do not go on with an interrupted run")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Play, and print what came of it."""
    from limina.arena import Plan, Played, Report
    from limina.arena import run as play
    from limina.arena.journal import forget, usual_path
    from limina.arena.standings import standings

    game = registry.game(arguments.game)
    check_play_options(arguments)
    plan = Plan(
        game,
        tuple(arguments.bots),
        games=arguments.games,
        seed=arguments.seed,
        players=1 if arguments.alone else arguments.players,
        options=game.spec.parse_options(dict(option.partition("=")[::2] for option in arguments.option)),
        lines=_lines(game, arguments),
        seconds=arguments.bot_timeout,
        keep=arguments.records is not None,
    )
    if arguments.no_resume and arguments.resume is None:
        forget(usual_path(plan))
    if arguments.records is not None:
        check_writable(arguments.records / "a record")  # better now than after the first game
        remove_stale_temp_files(arguments.records, f"{game.name}-*.json")
    with ProgressBar("games") as bar:

        def progress(done: int, of: int, played: Played) -> None:
            if played.record is not None:
                home = arguments.records / f"{game.name}-{played.index:06d}.json"
                write_atomic(home, json.dumps(played.record, ensure_ascii=False) + "\n")
            bar.show(done, of)

        try:
            played = play(
                plan,
                jobs=arguments.jobs,
                ray=arguments.ray,
                journal=arguments.resume,
                resumable=True,
                progress=progress,
            )
        except KeyboardInterrupt:
            bar.clear()
            print("limina: interrupted; the same command goes on where it was", end="", file=sys.stderr)
            raise
    report = Report(plan, played)
    print(json.dumps(report.to_json()) if arguments.json else standings(report))


def _setup_words() -> list[SetupSpec]:
    """What our own games call their setups; a stranger's words might be those of another option."""
    ours = [registry.game(name).spec.setups for name in registry.BUILTIN_GAMES]
    return [words for words in ours if words is not None]


def _lines(game: Game, arguments: argparse.Namespace) -> list[str] | None:
    """The setups of the file, without empty lines and remarks."""
    name = arguments.setups
    for words in _setup_words():
        given = getattr(arguments, words.plural)  # the option of that name, as argparse keeps it
        if given is not None and words != game.spec.setups:
            own = f"--{game.spec.setups.plural}" if game.spec.setups is not None else "a seed alone"
            raise InvalidInputError(f"{game.title} is set up with {own}, not with --{words.plural}")
        name = name or given
    if name is None:
        return None
    lines = map(str.strip, read_lines(os.path.expanduser(name)))
    return [line for line in lines if line and not line.startswith("#")]
