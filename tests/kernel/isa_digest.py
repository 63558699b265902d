"""Print results that must be the same on every ISA: `python -m kernel.isa_digest`, with LIMINA_KERNEL_ISA set.

It also plays the golden games and some differential games, and prints the results of playouts and of every search.
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
    """Play a game of these bots and return its turns. Bots with a work limit get `work` for each turn."""
    rng = Random(players)
    record = Record.new(limina.game(game), [f"player {seat}" for seat in range(players)], **options)
    seats = [(bot(record.game, name, seed=5), Budget(max_work=work if name in SEARCHERS else None)) for name in names]
    chosen = []
    while record.position.outcome is None:
        if record.position.awaits_chance:
            record = record.apply_random_chance_step(rng)
            continue
        player = record.position.to_move[0]
        seat_bot, budget = seats[player % len(seats)]
        turn = seat_bot.choose(record, player, budget).turn
        chosen.append(str(turn))
        record = record.play(turn, player)
    return chosen


def results() -> dict[str, Any]:
    """Return the results by name."""
    digest: dict[str, Any] = {}
    for seed in range(4):
        start = Limes.start(diagonal=seed % 2 == 0, ferryman=seed > 1)
        digest[f"limes playouts {seed}"] = start.playouts(203, seed)
    for size in (4, 8, 12, 16):
        for players in (2, 3):
            start_of_limit = Limit.random(size, players, rng=Random(size))
            digest[f"limit playouts {size} {players}"] = start_of_limit.playouts(53, 1)
    digest["limes alone"] = turns("limes", 1, ["master"], 20)
    digest["limes by two"] = turns("limes", 2, ["master", "skilled"], 10)
    digest["limes levels"] = turns("limes", 2, ["novice", "casual"], 10)
    digest["limit by two"] = turns("limit", 2, ["master", "uct"], 400)
    digest["limit by three"] = turns("limit", 3, ["master", "skilled", "casual"], 400, size=6)
    digest["limit large"] = turns("limit", 2, ["master"], 300, size=16)
    best = par(Deck.default(), range(1, 17), max_arrangements=2000)
    digest["par"] = [best.total, *map(str, best.turns)]
    return digest


def main() -> None:
    """Compare with the reference and the golden games, then print the results."""
    assert _isa.selected_isa() in library
    for seed in range(GAMES):
        compare_limes(seed)
        compare_limit(seed)
    assert golden.count_table() == (golden.FOLDER / "counts.txt").read_text()
    assert golden.golden_games() == {path.stem: path.read_text() for path in golden.FOLDER.glob("*.json")}
    print(json.dumps(results()))


if __name__ == "__main__":
    main()
