"""Small endgames of Limit, solved by trying everything with the reference rules: python -m limit.endgames writes them.

A line is the number of players, a layout, the turns played on it, and every legal turn then with what it leads to under
best play: + wins, = ties, - loses. Two are still in the game, so that there is such a thing as best play.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from limina._kernel import limit as kernel
from limina.limit import Position
from reference import limit as reference

FILE = Path(__file__).with_name("endgames.txt")
SIGNS = {1: "+", 0: "=", -1: "-"}
_PATIENCE = 4000
_PATIENCE_WITH_TIES = 20_000


class _TooMuchError(Exception):
    pass


@dataclass(frozen=True)
class Endgame:
    players: int
    layout: tuple[str, ...]
    turns: tuple[str, ...]
    results: dict[str, int]

    def __str__(self) -> str:
        results = ", ".join(turn + " " + SIGNS[result] for turn, result in self.results.items())
        return " | ".join([str(self.players), " ".join(self.layout), ", ".join(self.turns), results])

    @classmethod
    def read(cls, line: str) -> Endgame:
        players, layout, turns, results = line.split(" | ")
        found = {entry[:-2]: next(r for r, sign in SIGNS.items() if sign == entry[-1]) for entry in results.split(", ")}
        return cls(int(players), tuple(layout.split()), tuple(turns.split(", ")), found)

    def position(self) -> Position:
        return _played(Position.from_layout(self.layout, self.players), self.turns)


def endgames() -> list[Endgame]:
    return [Endgame.read(line) for line in FILE.read_text().splitlines()]


def _played(position: Position, turns: tuple[str, ...]) -> Position:
    for turn in turns:
        position = position.play(turn)
    return position


def _left(position: Position) -> int:
    return sum(bool(position.pawns(player)) for player in range(position.players))


def result(state: reference.State, player: int, known: dict[object, int], budget: list[int]) -> int:
    """What one of the two players in the game gets with best play: tries everything until the one to move wins."""
    if state.result is not None:
        return -1 if player not in state.result else 0 if len(state.result) > 1 else 1
    tiles = frozenset(state.tiles)
    # A result may be remembered only where nothing that was on the table before can come back.
    fresh = not any(then == tiles and len(pawns) == len(state.pawns) for then, pawns, _ in state.history[:-1])
    key = tiles, frozenset(state.pawns.items()), state.to_move
    best = known.get(key) if fresh else None
    if best is None:
        budget[0] -= 1
        if budget[0] < 0:
            raise _TooMuchError
        best = -1
        for turn in reference.turns(state):
            best = max(best, result(reference.play(state, str(turn)), state.to_move, known, budget))
            if best == 1:
                break
        if fresh:
            known[key] = best
    return best if player == state.to_move else -best


def _solved(position: Position, turns: tuple[str, ...], patience: int) -> Endgame | None:
    state = reference.start(position.layout, position.players, position.size)
    for turn in turns:
        state = reference.play(state, turn)
    if len(set(state.pawns.values())) > 2:
        return None
    budget = [patience]
    results = {}
    known: dict[object, int] = {}
    try:
        for text in reference.legal(state):
            results[text] = result(reference.play(state, text), state.to_move, known, budget)
    except _TooMuchError:
        return None
    return Endgame(position.players, position.layout, turns, results)


def _starts(chance: Random, most_tiles: int, players: int) -> Iterator[tuple[Position, tuple[str, ...]]]:
    """Positions of random games in which two are left."""
    while True:
        position = Position.random(chance.choice((4, 4, 5)), players, rng=chance)
        turns: list[str] = []
        while position.outcome is None and (len(position.tiles) > most_tiles or _left(position) > 2):
            turns.append(str(chance.choice(position.legal_turns())))
            position = position.play(turns[-1])
        for _ in range(chance.randrange(3)):
            if position.outcome is None:
                turns.append(str(chance.choice(position.legal_turns())))
                position = position.play(turns[-1])
        if position.outcome is None:
            yield position, tuple(turns)


def _common(count: int, seed: int, players: int) -> Iterator[Endgame]:
    """Endgames in which the choice matters, a quarter of them with turns that remove no tile."""
    found = 0
    for position, turns in _starts(Random(seed), 8, players):
        if found == count:
            return
        circles = any(turn.removed is None for turn in position.legal_turns())
        if not circles and 4 * found > 3 * count:
            continue
        endgame = _solved(position, turns, _PATIENCE)
        if endgame is not None and (circles or len(set(endgame.results.values())) > 1):
            found += 1
            yield endgame


def _with_ties(count: int, seed: int, players: int) -> Iterator[Endgame]:
    """Endgames in which some turn ties: rare, so the solver looks for them, but does not say what they come to."""
    chance = Random(seed)
    found = 0
    while found < count:
        start = Position.random(chance.choice((5, 6)), players, rng=chance)
        board = start.board
        codes: list[int] = []
        while not board.over and found < count:
            legal = board.legal_turns()
            results = None
            if all(kernel.turn_parts(code)[2] is None for code in legal):
                results = kernel.solve(board, kernel.Values(), 10**5)
            if results is not None and any(value == 0 for _, value in results):
                turns, position = [], start
                for code in codes:
                    turns.append(str(position.decode(code)))
                    position = position.play(turns[-1])
                # The turn before often has a choice between this tie and something else.
                for last in (len(turns) - 1, len(turns)):
                    endgame = _solved(start, tuple(turns[:last]), _PATIENCE_WITH_TIES)
                    if endgame is not None and 0 in endgame.results.values():
                        found += 1
                        yield endgame
            codes.append(chance.choice(legal))
            played = board.play(codes[-1])
            assert isinstance(played, kernel.PlayedTurn)
            board = played.board


def write() -> None:
    """Write them all again."""
    found: list[Endgame] = []
    for part in (_common(120, 1, 2), _common(20, 2, 3), _with_ties(36, 3, 2), _with_ties(4, 4, 3)):
        for endgame in part:
            found.append(endgame)
            print(f"{len(found)} endgames", end="\r", file=sys.stderr)
    FILE.write_text("".join(f"{endgame}\n" for endgame in found))


if __name__ == "__main__":
    write()
