"""Geometry of a drawing. The board is seen from a little to the south, which shortens it from north to south."""

import math
from collections import deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from limina.gamekit.noise import noise
from limina.gamekit.svg import format_number
from limina.limit.draw.scene import STEPS, Place, Scene

Point: TypeAlias = tuple[float, float]

TILT = 0.84
"""Factor by which the view shortens the board from north to south. The symbols are drawn for it."""
RADIUS = 50.0
"""Distance from the center of a tile to its corners, before the tilt."""
ASPECT = 0.84
"""Height of a picture divided by its width, equal for all positions so that pictures of a game keep their size."""
_COLUMN_WIDTH = RADIUS * math.sqrt(3)
_ROW_HEIGHT = RADIUS * 1.5 * TILT
_MIN_WIDTH = 470.0
"""Minimum width of the view box, so that a board of a few tiles is not enlarged too much."""


@dataclass(frozen=True, slots=True)
class ViewBox:
    """The visible rectangle of a drawing."""

    x: float
    y: float
    width: float
    height: float


def center(place: Place) -> Point:
    """Return the center of the upper side of the tile on a place."""
    q, r = place
    return _COLUMN_WIDTH * (q + r / 2), _ROW_HEIGHT * r


def painting_order(places: Iterable[Place]) -> list[Place]:
    """Return places from the farthest to the nearest, since nearer ones can hide parts of farther ones."""
    return sorted(places, key=lambda place: (place[1], place[0]))


def view_box(places: Collection[Place]) -> ViewBox:
    """Return the smallest view box of the constant aspect, with the places at its center."""
    points = [center(place) for place in places] or [(0.0, 0.0)]
    left, right = min(x for x, _ in points) - 43, max(x for x, _ in points) + 43
    # A pawn reaches above the far edge of its tile, and the side of a tile is visible below its near edge.
    top, bottom = min(y for _, y in points) - 52, max(y for _, y in points) + 52
    width = max(_MIN_WIDTH, (right - left) * 1.06 + 58, ((bottom - top) * 1.06 + 52) / ASPECT)
    height = width * ASPECT
    return ViewBox((left + right - width) / 2, (top + bottom - height) / 2, width, height)


def hexagon_path(place: Place, radius: float = RADIUS) -> str:
    """Return the SVG path of the hexagon of a place."""
    x, y = center(place)
    half, quarter = radius * math.sqrt(3) / 2, radius * TILT / 2
    corners = (
        (x, y - 2 * quarter),
        (x + half, y - quarter),
        (x + half, y + quarter),
        (x, y + 2 * quarter),
        (x - half, y + quarter),
        (x - half, y - quarter),
    )
    return "M" + "L".join(f"{format_number(a)} {format_number(b)}" for a, b in corners) + "Z"


def wave_path(visible: ViewBox, land: Collection[Place]) -> str:
    """Return the SVG path of waves on visible places that are neither tiles nor touch one.

    The waves are scattered by noise that is the same for all drawings.
    """
    path = ""
    for place in _open_water(visible, land):
        if noise("wave", *place) < 1 / 3:
            x, y = center(place)
            x, y = x + 23 * (noise("wave east", *place) - 0.5), y + 17 * (noise("wave south", *place) - 0.5)
            path += f"M{format_number(x - 12)} {format_number(y)}q4 -5 8 0t8 0t8 0"
    return path


def _open_water(visible: ViewBox, land: Collection[Place]) -> list[Place]:
    coast = set(land) | {(q + dq, r + dr) for q, r in land for dq, dr in STEPS}
    places = []
    for r in range(math.floor(visible.y / _ROW_HEIGHT), math.ceil((visible.y + visible.height) / _ROW_HEIGHT) + 1):
        first = math.floor(visible.x / _COLUMN_WIDTH - r / 2)
        places += [(q, r) for q in range(first, first + math.ceil(visible.width / _COLUMN_WIDTH) + 2)]
    return [place for place in places if place not in coast]


def shortest_route(scene: Scene) -> list[Place]:
    """Return a shortest route of the last move, or only its ends if there is none. Empty without a move."""
    if scene.moved is None:
        return []
    start, end = scene.moved
    # When the pawn moved, the sunk tiles were still there, and the captured pawns were in the way.
    occupied = set(scene.pawns) | {place for place, _ in scene.captured}
    free = ((set(scene.tiles) | set(scene.sunk)) - occupied) | {start, end}
    came_from: dict[Place, Place] = {start: start}
    queue = deque([start])
    while queue and end not in came_from:
        q, r = place = queue.popleft()
        for dq, dr in STEPS:
            neighbor = (q + dq, r + dr)
            if neighbor in free and neighbor not in came_from:
                came_from[neighbor] = place
                queue.append(neighbor)
    if end not in came_from:
        return [start, end]
    places = [end]
    while places[-1] != start:
        places.append(came_from[places[-1]])
    return places[::-1]


def smooth_path(places: Collection[Place]) -> str:
    """Return an SVG path along the places, with rounded bends."""
    (x, y), *rest = [center(place) for place in places]
    if rest:  # leave space for the mark on the first place
        x, y = x + (rest[0][0] - x) * 0.34, y + (rest[0][1] - y) * 0.34
    path = f"M{format_number(x)} {format_number(y)}"
    for (ax, ay), (bx, by) in pairwise(rest):
        path += (
            f"Q{format_number(ax)} {format_number(ay)} {format_number((ax + bx) / 2)} {format_number((ay + by) / 2)}"
        )
    return path + (f"L{format_number(rest[-1][0])} {format_number(rest[-1][1])}" if rest else "")
