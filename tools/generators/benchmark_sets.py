"""Write the setups of the benchmark and the ratings of its ladder of bots: benchmark_sets.py GAME [SET or ladder]...

The setups are fixed so that results of different years can be compared. Other setups would be another benchmark, with
another `VERSION`. The setups of a set are derived from its name, so they are the same on every machine.
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
from limina.arena import ArenaPlan, ArenaReport, run_arena
from limina.arena.schedule import derive_seed
from limina.benchmark.setups import VERSION, benchmark_of, load_entries, pack_turns
from limina.core.files import write_atomic
from limina.core.position import Setup
from limina.core.spec import BenchmarkSet
from limina.limit.weights import WEIGHTS

PACKAGE_FOLDER = Path(__file__).parents[2] / "src" / "limina"
MAX_SOLVER_POSITIONS = 10**8
"""Bounds the search for the exact value of a start. It solves every start of size 4."""
MAX_LADDER_SETUPS = 40
"""Setups on which the bots of the ladder play against each other."""


def main() -> None:
    """Write the named sets and the ladder, or everything."""
    the_game, set_names = game(sys.argv[1]), sys.argv[2:]
    folder = PACKAGE_FOLDER / the_game.name / "benchmark"
    for bench_set in benchmark_of(the_game).sets:
        if set_names and bench_set.name not in set_names:
            continue
        lines = []
        for index, entry in enumerate(generate_entries(the_game, bench_set), 1):
            lines.append(json.dumps(entry))
            print(f"{bench_set.name}: {index} of {bench_set.setup_count}", file=sys.stderr, flush=True)
        write_atomic(folder / f"{bench_set.name}.jsonl", "\n".join(lines) + "\n")
    if not set_names or "ladder" in set_names:
        write_atomic(folder / "ladder.json", json.dumps(rate_ladder_bots(the_game), indent=1) + "\n")


def generate_entries(the_game: Game, bench_set: BenchmarkSet) -> Iterator[dict[str, Any]]:
    """Yield the entries of a set: each setup with its known results."""
    for index in range(bench_set.setup_count):
        rng = Random(derive_seed(f"limina benchmark {VERSION}", the_game.name, bench_set.name, index))
        setup = the_game.random_setup(rng, bench_set.players, **bench_set.options)
        yield {"setup": " ".join(step.text for step in setup.deal), **known_results(the_game, bench_set, setup)}


def known_results(the_game: Game, bench_set: BenchmarkSet, setup: Setup) -> dict[str, Any]:
    """Return par of a deal, or the exact value of a start with the turns that keep it, unless all turns do."""
    if the_game.solver is not None:
        return {"par": the_game.solver.solve(setup.start, setup.deal).total}
    if not bench_set.is_solved:
        return {}
    position = setup.start.apply(setup.deal[0])
    solved = kernel.solve(position.board, WEIGHTS.default, MAX_SOLVER_POSITIONS)
    if solved is None:
        return {}
    value = max(result for _, result in solved)
    keeping = {str(position.decode_turn(turn)) for turn, result in solved if result == value}
    return (
        {"value": value} if len(keeping) == len(solved) else {"value": value, "keeping": pack_turns(position, keeping)}
    )


def rate_ladder_bots(the_game: Game) -> list[dict[str, Any]]:
    """Return the ratings of the ladder's bots on setups of the first training set: each alone, or all against all."""
    bench = benchmark_of(the_game)
    chosen = next(bench_set for bench_set in bench.sets if bench_set.is_training)
    lines = [entry.setup for entry in load_entries(the_game.name, chosen.name)]
    lines = lines if chosen.players == 1 else lines[:MAX_LADDER_SETUPS]
    plan = ArenaPlan(the_game, bench.ladder, players=chosen.players, options=chosen.options, setup_lines=lines)
    report = ArenaReport(
        plan, run_arena(plan, resumable=True, progress=lambda done, of, _: print(done, of, file=sys.stderr))
    )
    if chosen.players > 1:
        ratings = [(index, elo, margin) for index, elo, margin in report.ratings]
    else:
        points = [(index, report.mean_points(index)) for index in range(len(bench.ladder))]
        ratings = [(index, mean.mean, mean.margin) for index, mean in points if mean is not None]
    return [
        {"bot": bench.ladder[index], "rating": round(rating, 2), "within": round(margin, 2)}
        for index, rating, margin in sorted(ratings, key=lambda entry: entry[1])
    ]


if __name__ == "__main__":
    main()
