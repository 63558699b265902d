"""`limina par`: search the best result of a game for a player who knows all cards in advance."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from limina._kernel import CancelToken
from limina.cli.color import use_color
from limina.cli.record_files import display_name, read_lines, read_record
from limina.core import registry
from limina.core.capabilities import Solution
from limina.core.files import write_atomic
from limina.core.game import Game
from limina.core.position import Position, Step
from limina.core.record import Record
from limina.errors import LiminaError

MAX_BUDGET = 10**11
MAX_SECONDS = 86_400


def add(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "par",
        help="search the best score for the deal of a record, with all cards known in advance",
        epilog="example: limina par game.json --budget 10000000 --save best.json",
    )
    parser.add_argument("file", metavar="FILE", help="a record, or a file of deals; - is standard input")
    parser.add_argument("--deals", action="store_true", help="FILE holds one deal a line: the card numbers as drawn")
    parser.add_argument("--budget", type=int, metavar="N", help="maximum number of card arrangements to try")
    parser.add_argument("--seconds", type=float, metavar="S", help="maximum time; without --budget all of it is used")
    parser.add_argument("--save", type=Path, metavar="OUT", help="write the best game as a record to this file")
    parser.add_argument("--json", action="store_true", help="print one JSON object for each deal")
    parser.add_argument("--no-color", action="store_true", help="draw without colors")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Search the par of each deal and print it before the next search."""
    if arguments.budget is not None and not 1 <= arguments.budget <= MAX_BUDGET:
        raise LiminaError(f"--budget must be from 1 to {MAX_BUDGET}")
    if arguments.seconds is not None and not 0 < arguments.seconds <= MAX_SECONDS:
        raise LiminaError("--seconds must be a number above 0, up to a day")
    limits = {"max_seconds": arguments.seconds, "max_work": arguments.budget}
    if arguments.deals:
        if arguments.save is not None:
            raise LiminaError("--save is for one record, not for a file of deals")
        _solve_deals(arguments, limits)
        return
    record = read_record(arguments.file)
    try:
        par = _solve(record.game, record.start, record.chance_steps, limits)
    except LiminaError as error:
        raise type(error)(f"{display_name(arguments.file)}: {error}") from None
    best = Record(record.game, ("par",), par.start, par.steps)
    if arguments.save is not None:
        write_atomic(arguments.save, best.to_json_text() + "\n")
    if arguments.json:
        print(json.dumps({**par.to_json(), "record": best.to_json()}))
        return
    print(best.position.text(color=use_color(disabled=arguments.no_color)))
    print(f"Par {par_text(par)}, found with {par.effort}.")
    for step in par.steps:
        print(f"  {step.text}" if step.player is None else f"    {step.text}")


def _solve_deals(arguments: argparse.Namespace, limits: dict[str, Any]) -> None:
    game = next((game for game in registry.games() if game.solver is not None), None)
    if game is None:
        raise LiminaError("no game has a par")
    pars = []
    for number, line in enumerate(read_lines(arguments.file), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            setup = game.read_setup(line, game.spec.players[0])
            par = _solve(game, setup.start, setup.deal, limits)
        except LiminaError as error:
            raise type(error)(f"{display_name(arguments.file)}, line {number}: {error}") from None
        pars.append(par)
        text = f"{par.total} <= {par.bound}  {line.strip()}"
        print(json.dumps(par.to_json()) if arguments.json else text, flush=True)
    if pars and not arguments.json:
        total, bound = (sum(par.total for par in pars) / len(pars), sum(par.bound for par in pars) / len(pars))
        optimal = sum(par.total == par.bound for par in pars)
        print(f"mean {total:.2f}, bound {bound:.2f} over {len(pars)} deals; {optimal} of them known to be the best")


def par_text(par: Solution) -> str:
    """Return a par with its upper bound as text."""
    if par.total == par.bound:
        return f"{par.total} (nothing better is possible)"
    return f"{par.total} (more than {par.bound} is not possible)"


def _solve(game: Game, start: Position, deal: Sequence[Step], limits: Mapping[str, Any]) -> Solution:
    if game.solver is None:
        raise LiminaError(f"{game.title} has no par")
    cancel_token = CancelToken()
    # Search in a thread: Python does not handle Ctrl-C while the kernel runs in the main thread.
    with ThreadPoolExecutor(1) as pool:
        try:
            return pool.submit(game.solver.solve, start, deal, cancel_token=cancel_token, **limits).result()
        finally:
            cancel_token.cancel()
