"""Small endgames of Limit, solved by trying everything with the plain reference rules: python -m endgames writes them.

A line is a layout, the turns played on it, and every legal turn then with what it leads to under best play: + wins,
= ties, - loses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from limina.limit import Position
from reference import limit as reference

FILE = Path(__file__).with_name("endgames.txt")
SIGNS = {1: "+", 0: "=", -1: "-"}
_PATIENCE = 4000


class _TooMuchError(Exception):
    pass


@dataclass(frozen=True)
class Endgame:
    layout: tuple[str, ...]
    turns: tuple[str, ...]
    results: dict[str, int]

    def __str__(self) -> str:
        results = ", ".join(turn + " " + SIGNS[result] for turn, result in self.results.items())
        return " | ".join([" ".join(self.layout), ", ".join(self.turns), results])

    @classmethod
    def read(cls, line: str) -> Endgame:
        layout, turns, results = line.split(" | ")
        found = {entry[:-2]: next(r for r, sign in SIGNS.items() if sign == entry[-1]) for entry in results.split(", ")}
        return cls(tuple(layout.split()), tuple(turns.split(", ")), found)

    def position(self) -> Position:
        position = Position.from_layout(self.layout)
        for turn in self.turns:
            position = position.play(turn)
        return position


def endgames() -> list[Endgame]:
    return [Endgame.read(line) for line in FILE.read_text().splitlines()]


def result(state: reference.State, player: int, known: dict[object, int], budget: list[int]) -> int:
    """What the player who moves now, or would, gets with best play: tries everything until it wins."""
    if state.result is not None:
        return -1 if player not in state.result else 0 if len(state.result) > 1 else 1
    tiles = frozenset(state.tiles)
    # A result may be remembered only where nothing that was on the table before can come back.
    fresh = not any(then == tiles and len(pawns) == len(state.pawns) for then, pawns, _ in state.history[:-1])
    key = tiles, frozenset(state.pawns.items()), state.to_move
    if fresh and key in known:
        return known[key]
    budget[0] -= 1
    if budget[0] < 0:
        raise _TooMuchError
    best = -1
    for turn in reference.turns(state):
        best = max(best, -result(reference.play(state, str(turn)), 1 - player, known, budget))
        if best == 1:
            break
    if fresh:
        known[key] = best
    return best


def _starts(chance: Random, most_tiles: int) -> Iterator[tuple[Position, list[str]]]:
    while True:
        position = Position.random(chance.choice((4, 4, 5)), chance=chance)
        turns: list[str] = []
        while position.outcome is None and len(position.tiles) > most_tiles:
            turns.append(str(chance.choice(position.legal_turns())))
            position = position.play(turns[-1])
        for _ in range(chance.randrange(3)):
            if position.outcome is None:
                turns.append(str(chance.choice(position.legal_turns())))
                position = position.play(turns[-1])
        if position.outcome is None:
            yield position, turns


def _solved(position: Position, turns: list[str]) -> Endgame | None:
    state = reference.start(position.layout, 2, position.size)
    for turn in turns:
        state = reference.play(state, turn)
    budget = [_PATIENCE]
    results = {}
    try:
        for text in reference.legal(state):
            results[text] = -result(reference.play(state, text), 1 - state.to_move, {}, budget)
    except _TooMuchError:
        return None
    return Endgame(position.layout, tuple(turns), results)


def write(count: int, seed: int) -> None:
    """Endgames in which the choice matters, a quarter of them with turns that remove no tile."""
    found: list[Endgame] = []
    for position, turns in _starts(Random(seed), 8):
        circles = any(turn.removed is None for turn in position.legal_turns())
        if not circles and 4 * len(found) > 3 * count:
            continue
        endgame = _solved(position, turns)
        if endgame is not None and (circles or len(set(endgame.results.values())) > 1):
            found.append(endgame)
        if len(found) == count:
            break
    FILE.write_text("".join(f"{endgame}\n" for endgame in found))


if __name__ == "__main__":
    write(120, seed=1)
