"""A board of which only the moment is known: what is gone is made up, so that it is one that the rules lead to.

Which tiles were removed does not matter for what follows. So a layout is invented that holds those still there: in the
colors of a pattern in which no two neighbors are alike, and filled up until every color has its share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import permutations, product
from random import Random

from limina._kernel import limit as kernel
from limina.errors import InvalidInputError
from limina.limit.draw.scene import STEPS
from limina.limit.notation import name_of, read_place
from limina.limit.position import COLORS, Position

MOST_SIZE = 16
_LEAST_SIZE = 4
_TRIES = 12
_LATER = 6
"""A turn on which everybody may capture."""

Place = tuple[int, int]
Pattern = Callable[[Place], int]
_PATTERNS: tuple[Pattern, ...] = (
    lambda place: place[0] % 2 + place[1] % 2 * 2,
    lambda place: (place[0] + 2 * place[1]) % 4,
    lambda place: (2 * place[0] + place[1]) % 4,
    lambda place: (place[0] - place[1]) % 4,
)
"""Four colors over the whole plane, each unlike those around it."""


def board_of(
    tiles: Collection[str], pawns: Sequence[Sequence[str]], to_move: int, *, first: bool, layout: Sequence[str] = ()
) -> Position:
    """The position with these tiles and pawns; of this layout, or of one that is made up. InvalidInputError if there is
    none."""
    laid = _given(tiles, layout, len(pawns)) if layout else None
    laid = laid or _invented({read_place(tile) for tile in tiles}, max(map(len, pawns)), len(pawns))
    if laid is None:
        raise InvalidInputError("no game leads to these tiles")
    numbers = {name: number for number, name in enumerate(laid.names)}
    standing = [sum(1 << numbers[tile] for tile in each) for each in pawns]
    there = sum(1 << numbers[tile] for tile in tiles)
    turn = 0 if first else _LATER
    state = (there, (standing[0], standing[1], standing[2] if len(standing) > 2 else 0), turn, to_move, False, 0)
    board = kernel.Board.__new__(kernel.Board)
    try:
        board.__setstate__((laid.board.places(), len(pawns), state, []))
    except (ValueError, TypeError):
        raise InvalidInputError("this is not a position that can come about") from None
    return Position(board, laid.size)


def together(places: Collection[Place]) -> bool:
    """Whether every tile can be reached from every other."""
    left, waiting = set(places), list(places)[:1]
    left.difference_update(waiting)
    while waiting:
        near = [place for place in _beside(waiting.pop()) if place in left]
        left.difference_update(near)
        waiting += near
    return not left


def _given(tiles: Collection[str], layout: Sequence[str], players: int) -> Position | None:
    laid = Position.from_layout(layout, players)
    return laid if set(tiles) <= set(laid.names) else None


def _invented(places: set[Place], pawns: int, players: int) -> Position | None:
    most = [max(Counter(map(pattern, places)).values()) for pattern in _PATTERNS]
    for size in range(max(_LEAST_SIZE, pawns, min(most)), MOST_SIZE + 1):
        for seed, pattern in product(range(_TRIES), _PATTERNS):
            whole = _filled(places, size, pattern, Random(seed))
            for laid in _colored(whole, pattern, players) if whole is not None else ():
                return laid
    return None


def _filled(places: set[Place], size: int, pattern: Pattern, rng: Random) -> set[Place] | None:
    """The places with others beside them, every color as often, and every one beside two."""
    whole = set(places)
    missing = Counter(dict.fromkeys(range(4), size))
    missing.subtract(Counter(map(pattern, places)))
    if min(missing.values()) < 0:
        return None
    while any(missing.values()):
        touching = Counter(near for place in whole for near in _beside(place) if near not in whole)
        needed = min(2, len(whole))
        open_places = [place for place, count in touching.items() if count >= needed and missing[pattern(place)] > 0]
        if not open_places:
            return None
        lonely = {near for place in whole if _touches(place, whole) < 2 for near in _beside(place)}
        rng.shuffle(open_places)
        chosen = max(open_places, key=lambda place: (place in lonely, touching[place]))
        whole.add(chosen)
        missing[pattern(chosen)] -= 1
    return whole if all(_touches(place, whole) >= 2 for place in whole) else None


def _colored(whole: set[Place], pattern: Pattern, players: int) -> Iterator[Position]:
    """The layouts that these places make, the four colors given out in any order."""
    for colors in permutations(COLORS):
        try:
            yield Position.from_layout([name_of(*place) + colors[pattern(place)] for place in sorted(whole)], players)
        except InvalidInputError:
            continue


def _beside(place: Place) -> list[Place]:
    near = [(place[0] + q, place[1] + r) for q, r in STEPS]
    return [(q, r) for q, r in near if 0 <= q < 26 and 0 <= r < 100]


def _touches(place: Place, whole: set[Place]) -> int:
    return sum(near in whole for near in _beside(place))
