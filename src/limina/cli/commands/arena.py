"""`limina arena`: bots play the same setups against each other, or each one alone."""

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
    """Add the command."""
    first = registry.game_names()[0]
    parser = commands.add_parser(
        "arena",
        help="let bots play each other",
        description="Let bots play the same deals or layouts in every seat, and compare their results with intervals. "
        "A bot is a built-in one by its name, an installed one, MODULE:NAME, FILE.py:NAME or program:COMMAND.",
        epilog=f"example: limina arena {first} random program:'./mine --fast' --games 200 --jobs 2",
    )
    parser.add_argument("game", metavar="GAME", help=" or ".join(registry.game_names()))
    parser.add_argument("bots", nargs="+", metavar="BOT", help="each bot plays each other bot in every seat")
    parser.add_argument(
        "--games",
        type=int,
        metavar="N",
        help="games of each set of bots (alone: of each bot; default: all setups, or 100)",
    )
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--setups", metavar="FILE", help="a file with the setups to play, one a line")
    for setups in _builtin_setups():
        source.add_argument(
            f"--{setups.plural}", metavar="FILE", help=f"a file with one {setups.singular} a line: {setups.line_help}"
        )
    seats = parser.add_mutually_exclusive_group()
    seats.add_argument("--players", type=int, metavar="N", help="seats of a game (default 2, or 1 for a single bot)")
    seats.add_argument("--alone", action="store_true", help="each bot plays each setup alone; points are compared")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="as in `limina play`")
    parser.add_argument("--seed", type=int, default=0, help="the same seed plays the same games (default 0)")
    add_play_options(parser)
    parser.add_argument("--ray", metavar="ADDRESS", help="play on a Ray cluster; `local` starts one here")
    parser.add_argument("--json", action="store_true", help="print the result of every game and all statistics as JSON")
    parser.add_argument("--records", type=Path, metavar="FOLDER", help="save every game as a record in this folder")
    parser.add_argument(
        "--resume",
        type=Path,
        metavar="FILE",
        help="a journal to continue and to keep (default: one that is deleted when the run is complete)",
    )
    parser.add_argument("--no-resume", action="store_true", help="start anew instead of continuing an interrupted run")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Play the games and print the standings."""
    from limina.arena import ArenaPlan, ArenaReport, GameResult, run_arena
    from limina.arena.journal import default_journal_path, delete_journal
    from limina.arena.standings import standings_text

    game = registry.game(arguments.game)
    check_play_options(arguments)
    plan = ArenaPlan(
        game,
        tuple(arguments.bots),
        games=arguments.games,
        seed=arguments.seed,
        players=1 if arguments.alone else arguments.players,
        options=game.spec.parse_options(dict(option.partition("=")[::2] for option in arguments.option)),
        setup_lines=_lines(game, arguments),
        seconds=arguments.bot_timeout,
        keep_records=arguments.records is not None,
    )
    if arguments.no_resume and arguments.resume is None:
        delete_journal(default_journal_path(plan))
    if arguments.records is not None:
        check_writable(arguments.records / "a record")  # fail now rather than after the first game
        remove_stale_temp_files(arguments.records, f"{game.name}-*.json")
    with ProgressBar("games") as bar:

        def progress(done: int, total: int, result: GameResult) -> None:
            if result.record is not None:
                path = arguments.records / f"{game.name}-{result.index:06d}.json"
                write_atomic(path, json.dumps(result.record, ensure_ascii=False) + "\n")
            bar.show(done, total)

        try:
            results = run_arena(
                plan,
                jobs=arguments.jobs,
                ray=arguments.ray,
                journal=arguments.resume,
                resumable=True,
                progress=progress,
            )
        except KeyboardInterrupt:
            bar.clear()
            print("limina: interrupted; the same command continues the run", end="", file=sys.stderr)
            raise
    report = ArenaReport(plan, results)
    print(json.dumps(report.to_json()) if arguments.json else standings_text(report))


def _builtin_setups() -> list[SetupSpec]:
    """Return how built-in games name their setups. Names of third-party games could clash with other options."""
    specs = [registry.game(name).spec.setups for name in registry.BUILTIN_GAMES]
    return [setups for setups in specs if setups is not None]


def _lines(game: Game, arguments: argparse.Namespace) -> list[str] | None:
    """Return the setups of the file that an option names, without empty lines and comments; None without a file."""
    name = arguments.setups
    for setups in _builtin_setups():
        file = getattr(arguments, setups.plural)
        if file is not None and setups != game.spec.setups:
            own = f"--{game.spec.setups.plural}" if game.spec.setups is not None else "a seed alone"
            raise InvalidInputError(f"{game.title} is set up with {own}, not with --{setups.plural}")
        name = name or file
    if name is None:
        return None
    lines = map(str.strip, read_lines(os.path.expanduser(name)))
    return [line for line in lines if line and not line.startswith("#")]
