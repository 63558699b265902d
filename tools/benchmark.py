"""Writes the sets of the benchmark and how strong the bots of its ladder are: benchmark.py GAME [SET or ladder]...

They are fixed, so that figures of different years can be compared: whoever writes other ones makes another benchmark,
with another number (`VERSION`). What a set holds follows from its name, on any machine.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from limina import Game, game
from limina._kernel import limit as kernel
from limina.arena import Plan, Report, run
from limina.arena.schedule import derived
from limina.benchmark.setups import VERSION, benchmark_of, entries, packed
from limina.core.files import write_whole
from limina.core.position import Setup
from limina.core.spec import BenchmarkSet
from limina.limit.weights import VALUES

ROOT = Path(__file__).parents[1] / "src" / "limina"
MOST_POSITIONS = 10**8
"""A start that is not solved with so many positions looked at has no exact value; each of size 4 is."""
LADDER_SETUPS = 40


def main() -> None:
    """Write what is named."""
    the_game, wanted = game(sys.argv[1]), sys.argv[2:]
    folder = ROOT / the_game.name / "benchmark"
    for each in benchmark_of(the_game).sets:
        if wanted and each.name not in wanted:
            continue
        lines = []
        for number, entry in enumerate(made(the_game, each), 1):
            lines.append(json.dumps(entry))
            print(f"{each.name}: {number} of {each.setups}", file=sys.stderr, flush=True)
        write_whole(folder / f"{each.name}.jsonl", "\n".join(lines) + "\n")
    if not wanted or "ladder" in wanted:
        write_whole(folder / "ladder.json", json.dumps(rungs(the_game), indent=1) + "\n")


def made(the_game: Game, each: BenchmarkSet) -> Iterator[dict[str, Any]]:
    """The setups of a set, with what is known of them."""
    for number in range(each.setups):
        rng = Random(derived(f"limina benchmark {VERSION}", the_game.name, each.name, number))
        setup = the_game.setup(rng, each.players, **each.options)
        yield {"setup": " ".join(step.text for step in setup.deal), **known(the_game, each, setup)}


def known(the_game: Game, each: BenchmarkSet, setup: Setup) -> dict[str, Any]:
    """Par of a deal, or the exact value of a start, and which turns keep it where not every turn does."""
    if the_game.solver is not None:
        return {"par": the_game.solver.solve(setup.start, setup.deal).total}
    if not each.exact:
        return {}
    position = setup.start.apply(setup.deal[0])
    solved = kernel.solve(position.board, VALUES.shipped, MOST_POSITIONS)
    if solved is None:
        return {}
    value = max(result for _, result in solved)
    keeping = {str(position.decode(turn)) for turn, result in solved if result == value}
    return {"value": value} if len(keeping) == len(solved) else {"value": value, "keeping": packed(position, keeping)}


def rungs(the_game: Game) -> list[dict[str, Any]]:
    """The bots of the ladder, each alone or all against all on the first setups for training."""
    bench = benchmark_of(the_game)
    chosen = next(each for each in bench.sets if each.training)
    lines = [entry.setup for entry in entries(the_game.name, chosen.name)]
    lines = lines if chosen.players == 1 else lines[:LADDER_SETUPS]
    plan = Plan(the_game, bench.ladder, players=chosen.players, options=chosen.options, lines=lines)
    report = Report(plan, run(plan, resumable=True, progress=lambda done, of, _: print(done, of, file=sys.stderr)))
    if chosen.players > 1:
        found = [(number, elo, within) for number, elo, within in report.ratings]
    else:
        points = [(number, report.points(number)) for number in range(len(bench.ladder))]
        found = [(number, each.mean, each.within) for number, each in points if each is not None]
    return [
        {"bot": bench.ladder[number], "rating": round(rating, 2), "within": round(within, 2)}
        for number, rating, within in sorted(found, key=lambda each: each[1])
    ]


if __name__ == "__main__":
    main()
