"""Turn counts and golden games as text files. `make golden-games` writes them again after an intended change of rules.

Turn counts are the numbers of turn sequences of each length, like perft in chess. A golden game is a record with its
summary.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import limina
from limina import Position, Record
from limina.limes import Position as Limes
from limina.limit import Position as Limit

FOLDER = Path(__file__).parent / "golden"


def count(position: Position, draws: list[int], depth: int) -> int:
    """Return the number of sequences of `depth` turns with these draws (perft)."""
    if depth == 0:
        return 1
    if position.awaits_chance:
        return count(position.apply(limina.Step(None, str(draws[0]))), draws[1:], depth)
    player = position.to_move[0] if position.to_move else None
    turns = position.legal_turns(player)
    if depth == 1:
        return len(turns)
    return sum(count(position.play(turn, player), draws, depth - 1) for turn in turns)


def count_table() -> str:
    """Return the turn counts, one line for each start: the counts for depth 1, 2, ..."""
    lines = []
    for diagonal in (False, True):
        for ferryman in (False, True):
            for draws in ([1, 5, 9], [13, 14, 18], [24, 4, 16]):
                start = Limes.start(diagonal=diagonal, ferryman=ferryman)
                counts = " ".join(str(count(start, draws, depth)) for depth in (1, 2))
                lines.append(f"limes diagonal={diagonal:d} ferryman={ferryman:d} draws={draws}: {counts}")
    for size, players, depths in ((4, 2, 2), (4, 3, 3), (5, 2, 2), (6, 3, 2), (8, 2, 1), (16, 2, 1)):
        for name, layout in layouts(size, players).items():
            position = Limit.from_layout(layout, players)
            counts = " ".join(str(count(position, [], depth)) for depth in range(1, depths + 1))
            lines.append(f"limit {name}: {counts}")
    return "\n".join(lines) + "\n"


def layouts(size: int, players: int) -> dict[str, tuple[str, ...]]:
    """Return two random layouts by name. Their seeds are fixed, so a change of the generator shows as well."""
    return {
        f"size={size} players={players} seed={seed}": Limit.random(size, players, rng=Random(seed)).layout
        for seed in (1, 2)
    }


def golden_games() -> dict[str, str]:
    """Return finished random games by name, each with the output of `limina replay --json`."""
    games = {}
    starts: list[tuple[str, str, int, dict[str, Any]]] = [
        ("limes-alone", "limes", 1, {}),
        ("limes-two-diagonal", "limes", 2, {"diagonal": True}),
        ("limes-three-ferryman", "limes", 3, {"ferryman": True}),
        ("limes-both-variants", "limes", 1, {"diagonal": True, "ferryman": True}),
        ("limit-two", "limit", 2, {}),
        ("limit-three", "limit", 3, {}),
        ("limit-small", "limit", 2, {"size": 4}),
        ("limit-large", "limit", 2, {"size": 16}),
    ]
    for index, (name, game, player_count, options) in enumerate(starts):
        rng = Random(index)
        record = Record.new(limina.game(game), ["Ada", "Ben", "Cem"][:player_count], **options)
        while record.position.outcome is None:
            if record.position.awaits_chance:
                record = record.apply_random_chance_step(rng)
            else:
                player = record.position.to_move[0]
                record = record.play(rng.choice(record.position.legal_turns(player)), player)
        games[name] = json.dumps({"record": record.to_json(), "replay": record.summary()}, indent=1) + "\n"
    return games


def main() -> None:
    """Write all files."""
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "counts.txt").write_text(count_table())
    for name, text in golden_games().items():
        (FOLDER / f"{name}.json").write_text(text)
    print(f"written to {FOLDER.relative_to(Path.cwd())}: review the difference before you commit it")


if __name__ == "__main__":
    main()
