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

PACKAGE_FOLDER = Path(__file__).parents[2] / "src" / "limina"
MAX_SOLVER_POSITIONS = 10**8
"""A start that is not solved with so many positions looked at has no exact value; each of size 4 is."""
MAX_LADDER_SETUPS = 40


def main() -> None:
    """Write what is named."""
    the_game, set_names = game(sys.argv[1]), sys.argv[2:]
    folder = PACKAGE_FOLDER / the_game.name / "benchmark"
    for bench_set in benchmark_of(the_game).sets:
        if set_names and bench_set.name not in set_names:
            continue
        lines = []
        for index, entry in enumerate(generate_entries(the_game, bench_set), 1):
            lines.append(json.dumps(entry))
            print(f"{bench_set.name}: {index} of {bench_set.setups}", file=sys.stderr, flush=True)
        write_whole(folder / f"{bench_set.name}.jsonl", "\n".join(lines) + "\n")
    if not set_names or "ladder" in set_names:
        write_whole(folder / "ladder.json", json.dumps(rate_ladder_bots(the_game), indent=1) + "\n")


def generate_entries(the_game: Game, bench_set: BenchmarkSet) -> Iterator[dict[str, Any]]:
    """The setups of a set, with what is known of them."""
    for index in range(bench_set.setups):
        rng = Random(derived(f"limina benchmark {VERSION}", the_game.name, bench_set.name, index))
        setup = the_game.setup(rng, bench_set.players, **bench_set.options)
        yield {"setup": " ".join(step.text for step in setup.deal), **known_results(the_game, bench_set, setup)}


def known_results(the_game: Game, bench_set: BenchmarkSet, setup: Setup) -> dict[str, Any]:
    """Par of a deal, or the exact value of a start, and which turns keep it where not every turn does."""
    if the_game.solver is not None:
        return {"par": the_game.solver.solve(setup.start, setup.deal).total}
    if not bench_set.exact:
        return {}
    position = setup.start.apply(setup.deal[0])
    solved = kernel.solve(position.board, VALUES.shipped, MAX_SOLVER_POSITIONS)
    if solved is None:
        return {}
    value = max(result for _, result in solved)
    keeping = {str(position.decode(turn)) for turn, result in solved if result == value}
    return {"value": value} if len(keeping) == len(solved) else {"value": value, "keeping": packed(position, keeping)}


def rate_ladder_bots(the_game: Game) -> list[dict[str, Any]]:
    """The bots of the ladder, each alone or all against all on the first setups for training."""
    bench = benchmark_of(the_game)
    chosen = next(bench_set for bench_set in bench.sets if bench_set.training)
    lines = [entry.setup for entry in entries(the_game.name, chosen.name)]
    lines = lines if chosen.players == 1 else lines[:MAX_LADDER_SETUPS]
    plan = Plan(the_game, bench.ladder, players=chosen.players, options=chosen.options, lines=lines)
    report = Report(plan, run(plan, resumable=True, progress=lambda done, of, _: print(done, of, file=sys.stderr)))
    if chosen.players > 1:
        found = [(index, elo, within) for index, elo, within in report.ratings]
    else:
        points = [(index, report.points(index)) for index in range(len(bench.ladder))]
        found = [(index, bench_set.mean, bench_set.within) for index, bench_set in points if bench_set is not None]
    return [
        {"bot": bench.ladder[index], "rating": round(rating, 2), "within": round(within, 2)}
        for index, rating, within in sorted(found, key=lambda bench_set: bench_set[1])
    ]


if __name__ == "__main__":
    main()
