"""`limina train`: learn a game's values by playing."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from limina.core import registry
from limina.errors import LiminaError

MOST_GAMES = 10**12


def add(commands: Any) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser(
        "train",
        help="learn what the bots of a game know, by playing",
        epilog=f"example: limina train {registry.game_names()[0]} --minutes 10 --out mine.bin --checkpoint half-way",
    )
    parser.add_argument("game", metavar="GAME", help=" or ".join(registry.game_names()))
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="where all luck comes from (1)")
    parser.add_argument("--minutes", type=float, default=10.0, metavar="M", help="how long to learn (10)")
    parser.add_argument("--games", type=int, metavar="N", help="how many games in all, instead of the time")
    parser.add_argument("--plan", metavar="NAME", help="what to practise, one of the game's own plans (all)")
    parser.add_argument(
        "--from",
        dest="initial_weights",
        type=Path,
        metavar="FILE",
        help="values to begin with, instead of knowing nothing",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="where the values are written")
    parser.add_argument("--checkpoint", type=Path, metavar="FILE", help="kept while it runs, and gone on from")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Train and say how it goes."""
    game = registry.game(arguments.game)
    if game.trainer is None:
        raise LiminaError(f"{game.title} has nothing to learn")
    if not 0 <= arguments.seed < 2**32:
        raise LiminaError("the seed must be a whole number below 2 to the 32nd")
    if not arguments.minutes >= 0:
        raise LiminaError("the minutes must not be negative")
    if arguments.games is not None and not 0 <= arguments.games <= MOST_GAMES:
        raise LiminaError(f"--games must be from 0 to {MOST_GAMES}")
    if arguments.plan is not None and arguments.plan not in game.trainer.plans:
        raise LiminaError(f"{game.title} has no plan {arguments.plan}: it has {', '.join(game.trainer.plans)}")
    game.trainer.train(
        games=arguments.games,
        seed=arguments.seed,
        minutes=arguments.minutes,
        plan=arguments.plan,
        initial_weights=arguments.initial_weights,
        out=arguments.out,
        checkpoint=arguments.checkpoint,
        report=lambda line: print(line, file=sys.stderr, flush=True),
    )
