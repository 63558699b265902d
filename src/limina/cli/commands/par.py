"""`limina par`: how well a game could have gone, had all its chance been known."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from limina._kernel import Stop
from limina.cli.color import use_color
from limina.cli.record_files import display_name, read_lines, read_record
from limina.core import registry
from limina.core.capabilities import Solution
from limina.core.files import write_atomic
from limina.core.game import Game
from limina.core.position import Position, Step
from limina.core.record import Record
from limina.errors import LiminaError

MOST_BUDGET = 10**11
MOST_SECONDS = 86_400


def add(commands: Any) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser(
        "par",
        help="the best score found for a record's deal, with all cards known in advance",
        epilog="example: limina par game.json --budget 10000000 --save best.json",
    )
    parser.add_argument("file", metavar="FILE", help="a record, or deals; - is standard input")
    parser.add_argument("--deals", action="store_true", help="FILE holds a line a deal: the card numbers as drawn")
    parser.add_argument("--budget", type=int, metavar="N", help="how many arrangements of the cards to try")
    parser.add_argument("--seconds", type=float, metavar="S", help="how long at most; alone: all of it")
    parser.add_argument("--save", type=Path, metavar="OUT", help="write the best game as a record")
    parser.add_argument("--json", action="store_true", help="print one JSON object a deal")
    parser.add_argument("--no-color", action="store_true", help="draw without colors")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Look at each deal, and print what was found before the next is looked at."""
    if arguments.budget is not None and not 1 <= arguments.budget <= MOST_BUDGET:
        raise LiminaError(f"--budget must be from 1 to {MOST_BUDGET}")
    if arguments.seconds is not None and not 0 < arguments.seconds <= MOST_SECONDS:
        raise LiminaError("--seconds must be a number above 0, up to a day")
    limits = {"max_seconds": arguments.seconds, "max_work": arguments.budget}
    if arguments.deals:
        if arguments.save is not None:
            raise LiminaError("--save is for one record, not for a file of deals")
        _deals(arguments, limits)
        return
    record = read_record(arguments.file)
    try:
        found = _solved(record.game, record.start, record.chance_steps, limits)
    except LiminaError as error:
        raise type(error)(f"{display_name(arguments.file)}: {error}") from None
    best = Record(record.game, ("par",), found.start, found.steps)
    if arguments.save is not None:
        write_atomic(arguments.save, best.write() + "\n")
    if arguments.json:
        print(json.dumps({**found.to_json(), "record": best.to_json()}))
        return
    print(best.end.text(color=use_color(disabled=arguments.no_color)))
    print(f"Par {in_words(found)}, found with {found.effort}.")
    for step in found.steps:
        print(f"  {step.text}" if step.player is None else f"    {step.text}")


def _deals(arguments: argparse.Namespace, limits: dict[str, Any]) -> None:
    game = next((game for game in registry.games() if game.solver is not None), None)
    if game is None:
        raise LiminaError("no game has a par")
    solved = []
    for number, line in enumerate(read_lines(arguments.file), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            setup = game.read_setup(line, game.spec.players[0])
            found = _solved(game, setup.start, setup.deal, limits)
        except LiminaError as error:
            raise type(error)(f"{display_name(arguments.file)}, line {number}: {error}") from None
        solved.append(found)
        said = f"{found.total} <= {found.bound}  {line.strip()}"
        print(json.dumps(found.to_json()) if arguments.json else said, flush=True)
    if solved and not arguments.json:
        total, bound = (sum(each) / len(solved) for each in zip(*((f.total, f.bound) for f in solved), strict=True))
        best = sum(found.total == found.bound for found in solved)
        print(f"mean {total:.2f}, bound {bound:.2f} over {len(solved)} deals; {best} of them known to be the best")


def in_words(found: Solution) -> str:
    """A par and what is known beyond it."""
    if found.total == found.bound:
        return f"{found.total} (nothing better is possible)"
    return f"{found.total} (more than {found.bound} is not possible)"


def _solved(game: Game, start: Position, deal: Sequence[Step], limits: Mapping[str, Any]) -> Solution:
    if game.solver is None:
        raise LiminaError(f"{game.title} has no par")
    cancel_token = Stop()
    # In a thread of its own: Python hears no Ctrl-C while the kernel searches in the main one.
    with ThreadPoolExecutor(1) as pool:
        try:
            return pool.submit(game.solver.solve, start, deal, cancel_token=cancel_token, **limits).result()
        finally:
            cancel_token.set()
