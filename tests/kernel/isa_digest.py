"""What the kernel's ISAs are compared by: `python -m kernel.isa_digest`, with LIMINA_KERNEL_ISA set.

Plays the golden games and some differential ones, and prints what random play and every kind of search come to.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

import limina
from kernel import golden
from kernel.differential import compare_limes, compare_limit
from limina import Record
from limina._kernel import __file__ as library
from limina._kernel import _isa
from limina.bots import Budget, bot
from limina.limes import Deck
from limina.limes import Position as Limes
from limina.limes.par import par
from limina.limit import Position as Limit

GAMES = 6
SEARCHERS = ("master", "uct")


def turns(game: str, players: int, names: list[str], work: int, **options: Any) -> list[str]:
    """A whole game of these bots, seeded; those that can be told do so much work a turn."""
    chance = Random(players)
    record = Record.new(limina.game(game), [f"player {seat}" for seat in range(players)], **options)
    seats = [(bot(record.game, name, seed=5), Budget(max_work=work if name in SEARCHERS else None)) for name in names]
    chosen = []
    while record.end.outcome is None:
        if record.end.awaits_chance:
            record = record.apply_chance(chance)
            continue
        mover = record.end.to_move[0]
        player, budget = seats[mover % len(seats)]
        turn = player.choose(record, mover, budget).turn
        chosen.append(str(turn))
        record = record.play(turn, mover)
    return chosen


def results() -> dict[str, Any]:
    """All that must be the same on every ISA."""
    found: dict[str, Any] = {}
    for seed in range(4):
        start = Limes.start(diagonal=seed % 2 == 0, ferryman=seed > 1)
        found[f"limes playouts {seed}"] = start.playouts(203, seed)
    for size in (4, 8, 12, 16):
        for players in (2, 3):
            start_of_limit = Limit.random(size, players, rng=Random(size))
            found[f"limit playouts {size} {players}"] = start_of_limit.playouts(53, 1)
    found["limes alone"] = turns("limes", 1, ["master"], 20)
    found["limes by two"] = turns("limes", 2, ["master", "skilled"], 10)
    found["limes levels"] = turns("limes", 2, ["novice", "casual"], 10)
    found["limit by two"] = turns("limit", 2, ["master", "uct"], 400)
    found["limit by three"] = turns("limit", 3, ["master", "skilled", "casual"], 400, size=6)
    found["limit large"] = turns("limit", 2, ["master"], 300, size=16)
    best = par(Deck.default(), range(1, 17), max_arrangements=2000)
    found["par"] = [best.total, *map(str, best.turns)]
    return found


def main() -> None:
    """Compare with the reference and the golden files, then print."""
    assert _isa.selected_isa() in library
    for seed in range(GAMES):
        compare_limes(seed)
        compare_limit(seed)
    assert golden.count_table() == (golden.FOLDER / "counts.txt").read_text()
    assert golden.golden_games() == {path.stem: path.read_text() for path in golden.FOLDER.glob("*.json")}
    print(json.dumps(results()))


if __name__ == "__main__":
    main()
