"""Complete an entered position with invented removed tiles, so that it is one that a game can reach.

It does not matter for the rest of a game which tiles were removed. So a layout is invented that contains the entered
tiles: colored by a pattern in which neighbors differ, and filled up until there are as many tiles of each color.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import permutations, product
from random import Random

from limina._kernel import limit as kernel
from limina.errors import InvalidInputError
from limina.limit.draw.scene import STEPS
from limina.limit.notation import read_place, tile_name
from limina.limit.position import COLORS, Position

MAX_SIZE = 16
_MIN_SIZE = 4
_ATTEMPTS_PER_SIZE = 12
_CAPTURING_TURN = 6
"""Index of a turn on which every player may capture. An entered position stands there after its first turns."""

Place = tuple[int, int]
Pattern = Callable[[Place], int]
_PATTERNS: tuple[Pattern, ...] = (
    lambda place: place[0] % 2 + place[1] % 2 * 2,
    lambda place: (place[0] + 2 * place[1]) % 4,
    lambda place: (2 * place[0] + place[1]) % 4,
    lambda place: (place[0] - place[1]) % 4,
)
"""Colorings of the infinite board with four colors. Neighbors have different colors."""


def position_from_pieces(
    tiles: Collection[str],
    pawns: Sequence[Sequence[str]],
    to_move: int,
    *,
    is_first_turn: bool,
    layout: Sequence[str] = (),
) -> Position:
    """Return the position with these tiles and pawns. Raises InvalidInputError if no game can lead to it.

    The given layout is used if it contains the tiles. Otherwise one is invented.
    """
    start = _start_on(layout, tiles, len(pawns)) if layout else None
    start = start or _invent_start({read_place(tile) for tile in tiles}, max(map(len, pawns)), len(pawns))
    if start is None:
        raise InvalidInputError("no game can lead to these tiles")
    indices = {name: index for index, name in enumerate(start.names)}
    pawn_sets = [sum(1 << indices[tile] for tile in own) for own in pawns]
    tile_set = sum(1 << indices[tile] for tile in tiles)
    turn = 0 if is_first_turn else _CAPTURING_TURN
    state = (tile_set, (pawn_sets[0], pawn_sets[1], pawn_sets[2] if len(pawns) > 2 else 0), turn, to_move, False, 0)
    board = kernel.Board.__new__(kernel.Board)
    try:
        board.__setstate__((start.board.places(), len(pawns), state, []))
    except (ValueError, TypeError):
        raise InvalidInputError("no game can lead to this position") from None
    return Position(board, start.size)


def is_connected(places: Collection[Place]) -> bool:
    """Return True if each place can be reached from each other one over touching places."""
    unvisited, frontier = set(places), list(places)[:1]
    unvisited.difference_update(frontier)
    while frontier:
        neighbors = [place for place in _neighbors(frontier.pop()) if place in unvisited]
        unvisited.difference_update(neighbors)
        frontier += neighbors
    return not unvisited


def _start_on(layout: Sequence[str], tiles: Collection[str], players: int) -> Position | None:
    start = Position.from_layout(layout, players)
    return start if set(tiles) <= set(start.names) else None


def _invent_start(places: set[Place], pawns: int, players: int) -> Position | None:
    color_counts = [max(Counter(map(pattern, places)).values()) for pattern in _PATTERNS]
    for size in range(max(_MIN_SIZE, pawns, min(color_counts)), MAX_SIZE + 1):
        for seed, pattern in product(range(_ATTEMPTS_PER_SIZE), _PATTERNS):
            filled = _fill_up(places, size, pattern, Random(seed))
            start = next(_starts_on(filled, pattern, players), None) if filled is not None else None
            if start is not None:
                return start
    return None


def _fill_up(places: set[Place], size: int, pattern: Pattern, rng: Random) -> set[Place] | None:
    """Add places until there are `size` of each color and each touches two others, or return None if that fails."""
    filled = set(places)
    missing = Counter(dict.fromkeys(range(4), size))
    missing.subtract(Counter(map(pattern, places)))
    if min(missing.values()) < 0:
        return None
    while any(missing.values()):
        touching = Counter(near for place in filled for near in _neighbors(place) if near not in filled)
        needed = min(2, len(filled))
        candidates = [place for place, count in touching.items() if count >= needed and missing[pattern(place)] > 0]
        if not candidates:
            return None
        near_lonely = {near for place in filled if _count_neighbors(place, filled) < 2 for near in _neighbors(place)}
        rng.shuffle(candidates)
        chosen = max(candidates, key=lambda place: (place in near_lonely, touching[place]))
        filled.add(chosen)
        missing[pattern(chosen)] -= 1
    return filled if all(_count_neighbors(place, filled) >= 2 for place in filled) else None


def _starts_on(places: set[Place], pattern: Pattern, players: int) -> Iterator[Position]:
    """Yield the legal starts on these places, for each assignment of colors to the pattern."""
    for colors in permutations(COLORS):
        try:
            yield Position.from_layout(
                [tile_name(*place) + colors[pattern(place)] for place in sorted(places)], players
            )
        except InvalidInputError:
            continue


def _neighbors(place: Place) -> list[Place]:
    """Return the touching places that have a name."""
    around = [(place[0] + q, place[1] + r) for q, r in STEPS]
    return [(q, r) for q, r in around if 0 <= q < 26 and 0 <= r < 100]


def _count_neighbors(place: Place, places: set[Place]) -> int:
    return sum(near in places for near in _neighbors(place))
