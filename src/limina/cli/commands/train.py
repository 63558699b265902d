"""`limina train`: train the weights of a game's bots by playing."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from limina.core import registry
from limina.errors import LiminaError

MAX_GAMES = 10**12


def add(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "train",
        help="train the weights of a game's bots by playing",
        epilog=f"example: limina train {registry.game_names()[0]} --minutes 10 --out mine.bin --checkpoint half-way",
    )
    parser.add_argument("game", metavar="GAME", help=" or ".join(registry.game_names()))
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="seed of the random numbers (default 1)")
    parser.add_argument("--minutes", type=float, default=10.0, metavar="M", help="training time (default 10)")
    parser.add_argument("--games", type=int, metavar="N", help="number of games, instead of a time")
    parser.add_argument("--plan", metavar="NAME", help="one of the training plans of the game (default: all of them)")
    parser.add_argument(
        "--from",
        dest="initial_weights",
        type=Path,
        metavar="FILE",
        help="weights to start from (default: untrained weights)",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the file of weights to write")
    parser.add_argument(
        "--checkpoint", type=Path, metavar="FILE", help="file to save the state to, and to continue from"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Train the weights and print the progress on standard error."""
    game = registry.game(arguments.game)
    if game.trainer is None:
        raise LiminaError(f"{game.title} has nothing to learn")
    if not 0 <= arguments.seed < 2**32:
        raise LiminaError("--seed must be from 0 to 4294967295")
    if not arguments.minutes >= 0:
        raise LiminaError("--minutes must not be negative")
    if arguments.games is not None and not 0 <= arguments.games <= MAX_GAMES:
        raise LiminaError(f"--games must be from 0 to {MAX_GAMES}")
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
