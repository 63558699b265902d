"""`limina benchmark`: measure a bot on fixed setups, or write games of the ladder of bots."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from limina.cli.bot_options import add_play_options, check_play_options
from limina.cli.progress import ProgressBar
from limina.core import registry
from limina.core.files import check_writable, write_atomic
from limina.core.game import Game
from limina.errors import LiminaError


def add(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "benchmark",
        help="measure a bot on fixed setups",
        description="Measure a bot on fixed deals and layouts, against par, exact values and a ladder of bots; or, "
        "with --games, write games of that ladder as records. A bot is named as in `limina arena`.",
        epilog="example: limina benchmark FILE.py:NAME --quick",
    )
    parser.add_argument("bot", nargs="?", metavar="BOT", help="the bot to measure")
    parser.add_argument("--game", metavar="GAME", help="measure on one game only (default: all games with a benchmark)")
    parser.add_argument("--quick", action="store_true", help="play a few setups of each set, for a first impression")
    parser.add_argument(
        "--games", type=int, metavar="N", help="write N records of the ladder for each game instead of measuring a bot"
    )
    parser.add_argument("--seed", type=int, default=0, help="with --games: the same seed plays the same games (0)")
    add_play_options(parser)
    parser.add_argument("--json", action="store_true", help="print all results and settings as JSON")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the output to this file")
    parser.add_argument("--no-resume", action="store_true", help="start anew instead of continuing an interrupted run")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Measure a bot, or write games of the ladder."""
    check_play_options(arguments)
    if (arguments.bot is None) == (arguments.games is None):
        raise LiminaError("name a bot to measure, or the number of games to write with --games")
    if arguments.out is not None:
        check_writable(arguments.out)  # fail now rather than after all games
    games = [registry.game(arguments.game)] if arguments.game is not None else _games_with_benchmark()
    try:
        text = _play_ladder(arguments, games) if arguments.bot is None else _measure(arguments, games)
    except KeyboardInterrupt:
        print("limina: interrupted; the same command continues the run", end="", file=sys.stderr)
        raise
    if arguments.out is not None:
        write_atomic(arguments.out, text + "\n")
    else:
        print(text)


def _games_with_benchmark() -> list[Game]:
    return [game for game in registry.games() if game.spec.benchmark is not None]


def _measure(arguments: argparse.Namespace, games: list[Game]) -> str:
    from limina.benchmark import Benchmark
    from limina.benchmark.measure import QUICK_SETUPS
    from limina.benchmark.text_report import text_report

    max_setups = QUICK_SETUPS if arguments.quick else None
    benchmark = Benchmark(arguments.bot, games, max_setups=max_setups, seconds=arguments.bot_timeout)
    if arguments.no_resume:
        benchmark.delete_journals()
    with ProgressBar("games") as bar:
        results = benchmark.play(jobs=arguments.jobs, resumable=True, progress=bar.show)
    return json.dumps(benchmark.to_json(results)) if arguments.json else text_report(benchmark, results)


def _play_ladder(arguments: argparse.Namespace, games: list[Game]) -> str:
    from limina.benchmark import play_training_games

    lines = []
    for game in games:
        with ProgressBar(f"games of {game.title}") as bar:
            records = play_training_games(
                game,
                arguments.games,
                seed=arguments.seed,
                jobs=arguments.jobs,
                resumable=True,
                progress=bar.show,
            )
        lines += [json.dumps(record, ensure_ascii=False) for record in records]
    return "\n".join(lines)
