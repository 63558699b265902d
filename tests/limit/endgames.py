"""Small endgames of Limit, solved by exhaustive search with the reference rules: python -m limit.endgames writes them.

A line has the number of players, a layout, the turns played, and all legal turns with their results of best play: +
wins, = ties, - loses. Two players still have pawns, so that the game is zero-sum and best play is defined.
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
_MAX_POSITIONS = 4000
_MAX_POSITIONS_WITH_TIES = 20_000


class _SearchTooLargeError(Exception):
    """The search exceeds its limit of positions."""


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
        values = {sign: value for value, sign in SIGNS.items()}
        parsed = {entry[:-2]: values[entry[-1]] for entry in results.split(", ")}
        return cls(int(players), tuple(layout.split()), tuple(turns.split(", ")), parsed)

    def position(self) -> Position:
        return _play(Position.from_layout(self.layout, self.players), self.turns)


def endgames() -> list[Endgame]:
    return [Endgame.read(line) for line in FILE.read_text().splitlines()]


def _play(position: Position, turns: tuple[str, ...]) -> Position:
    for turn in turns:
        position = position.play(turn)
    return position


def _players_in_game(position: Position) -> int:
    return sum(bool(position.pawns(player)) for player in range(position.players))


def result(state: reference.State, player: int, cache: dict[object, int], remaining: list[int]) -> int:
    """Return the result of best play for one of the two players in the game.

    `remaining` holds the number of positions that may still be searched.
    """
    if state.result is not None:
        return -1 if player not in state.result else 0 if len(state.result) > 1 else 1
    tiles = frozenset(state.tiles)
    # A result can be cached only if no earlier position can be repeated.
    is_cacheable = not any(then == tiles and len(pawns) == len(state.pawns) for then, pawns, _ in state.history[:-1])
    key = tiles, frozenset(state.pawns.items()), state.to_move
    best = cache.get(key) if is_cacheable else None
    if best is None:
        remaining[0] -= 1
        if remaining[0] < 0:
            raise _SearchTooLargeError
        best = -1
        for turn in reference.turns(state):
            best = max(best, result(reference.play(state, str(turn)), state.to_move, cache, remaining))
            if best == 1:
                break
        if is_cacheable:
            cache[key] = best
    return best if player == state.to_move else -best


def _solve(position: Position, turns: tuple[str, ...], max_positions: int) -> Endgame | None:
    """Return the endgame after some turns, or None if three players have pawns or the search is too large."""
    state = reference.start(position.layout, position.players, position.size)
    for turn in turns:
        state = reference.play(state, turn)
    if len(set(state.pawns.values())) > 2:
        return None
    remaining = [max_positions]
    results = {}
    cache: dict[object, int] = {}
    try:
        for text in reference.legal(state):
            results[text] = result(reference.play(state, text), state.to_move, cache, remaining)
    except _SearchTooLargeError:
        return None
    return Endgame(position.players, position.layout, turns, results)


def _starts(rng: Random, max_tiles: int, players: int) -> Iterator[tuple[Position, tuple[str, ...]]]:
    """Yield layouts with random turns after which two players have pawns."""
    while True:
        position = Position.random(rng.choice((4, 4, 5)), players, rng=rng)
        turns: list[str] = []
        while position.outcome is None and (len(position.tiles) > max_tiles or _players_in_game(position) > 2):
            turns.append(str(rng.choice(position.legal_turns())))
            position = position.play(turns[-1])
        for _ in range(rng.randrange(3)):
            if position.outcome is None:
                turns.append(str(rng.choice(position.legal_turns())))
                position = position.play(turns[-1])
        if position.outcome is None:
            yield position, tuple(turns)


def _common(count: int, seed: int, players: int) -> Iterator[Endgame]:
    """Yield endgames in which the choice matters. At least a quarter of them have turns that remove no tile."""
    yielded = 0
    for position, turns in _starts(Random(seed), 8, players):
        if yielded == count:
            return
        can_repeat = any(turn.removed is None for turn in position.legal_turns())
        if not can_repeat and 4 * yielded > 3 * count:
            continue
        endgame = _solve(position, turns, _MAX_POSITIONS)
        if endgame is not None and (can_repeat or len(set(endgame.results.values())) > 1):
            yielded += 1
            yield endgame


def _with_ties(count: int, seed: int, players: int) -> Iterator[Endgame]:
    """Yield endgames with a turn that ties. The kernel's solver finds them, but does not provide the results."""
    rng = Random(seed)
    yielded = 0
    while yielded < count:
        start = Position.random(rng.choice((5, 6)), players, rng=rng)
        board = start.board
        codes: list[int] = []
        while not board.over and yielded < count:
            legal = board.legal_turns()
            results = None
            if all(kernel.turn_parts(code)[2] is None for code in legal):
                results = kernel.solve(board, kernel.Weights(), 10**5)
            if results is not None and any(value == 0 for _, value in results):
                turns, position = [], start
                for code in codes:
                    turns.append(str(position.decode_turn(code)))
                    position = position.play(turns[-1])
                # One turn earlier, there is often a choice between this tie and other results.
                for last in (len(turns) - 1, len(turns)):
                    endgame = _solve(start, tuple(turns[:last]), _MAX_POSITIONS_WITH_TIES)
                    if endgame is not None and 0 in endgame.results.values():
                        yielded += 1
                        yield endgame
            codes.append(rng.choice(legal))
            played = board.play(codes[-1])
            assert isinstance(played, kernel.PlayedTurn)
            board = played.board


def write() -> None:
    """Write the file again."""
    written: list[Endgame] = []
    for part in (_common(120, 1, 2), _common(20, 2, 3), _with_ties(36, 3, 2), _with_ties(4, 4, 3)):
        for endgame in part:
            written.append(endgame)
            print(f"{len(written)} endgames", end="\r", file=sys.stderr)
    FILE.write_text("".join(f"{endgame}\n" for endgame in written))


if __name__ == "__main__":
    write()
