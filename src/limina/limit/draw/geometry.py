"""Where things stand in a drawing: the board seen from a little to the south, so rows are nearer than they are wide."""

import math
from collections import deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from limina.gamekit.noise import noise
from limina.gamekit.svg import number
from limina.limit.draw.scene import STEPS, Place, Scene

Point: TypeAlias = tuple[float, float]

TILT = 0.84
"""How much the view from the south shortens the board from north to south; the symbols are drawn for it."""
RADIUS = 50.0
"""From the middle of a tile's place to its corner, before the tilt."""
ASPECT = 0.84
"""Height of a picture by its width: the same for every position, so that pictures of a game do not jump."""
_COLUMN = RADIUS * math.sqrt(3)
_ROW = RADIUS * 1.5 * TILT
# Below this width a board of a few tiles would be blown up out of all proportion.
_LEAST_WIDTH = 470.0


@dataclass(frozen=True, slots=True)
class ViewBox:
    """The visible rectangle."""

    x: float
    y: float
    width: float
    height: float


def center(place: Place) -> Point:
    """The middle of the upper face of the tile on a place."""
    q, r = place
    return _COLUMN * (q + r / 2), _ROW * r


def painting_order(places: Iterable[Place]) -> list[Place]:
    """Places from the farthest to the nearest, since the nearer ones may hide a part of the farther."""
    return sorted(places, key=lambda place: (place[1], place[0]))


def view_box(places: Collection[Place]) -> ViewBox:
    """The smallest picture, of constant proportions, with all the places in its middle."""
    points = [center(place) for place in places] or [(0.0, 0.0)]
    left, right = min(x for x, _ in points) - 43, max(x for x, _ in points) + 43
    # a pawn stands higher than the far edge of its tile, the side of a tile is seen below the near one
    top, bottom = min(y for _, y in points) - 52, max(y for _, y in points) + 52
    width = max(_LEAST_WIDTH, (right - left) * 1.06 + 58, ((bottom - top) * 1.06 + 52) / ASPECT)
    height = width * ASPECT
    return ViewBox((left + right - width) / 2, (top + bottom - height) / 2, width, height)


def hexagon(place: Place, radius: float = RADIUS) -> str:
    """Path of the hexagon of a place."""
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
    return "M" + "L".join(f"{number(a)} {number(b)}" for a, b in corners) + "Z"


def waves(visible: ViewBox, land: Collection[Place]) -> str:
    """Wave lines on the places in view that no tile is on or beside: scattered, but always the same."""
    drawn = ""
    for place in _open_water(visible, land):
        if noise("wave", *place) < 1 / 3:
            x, y = center(place)
            x, y = x + 23 * (noise("wave east", *place) - 0.5), y + 17 * (noise("wave south", *place) - 0.5)
            drawn += f"M{number(x - 12)} {number(y)}q4 -5 8 0t8 0t8 0"
    return drawn


def _open_water(visible: ViewBox, land: Collection[Place]) -> list[Place]:
    coast = set(land) | {(q + dq, r + dr) for q, r in land for dq, dr in STEPS}
    places = []
    for r in range(math.floor(visible.y / _ROW), math.ceil((visible.y + visible.height) / _ROW) + 1):
        first = math.floor(visible.x / _COLUMN - r / 2)
        places += [(q, r) for q in range(first, first + math.ceil(visible.width / _COLUMN) + 2)]
    return [place for place in places if place not in coast]


def route(scene: Scene) -> list[Place]:
    """A shortest way that the last move can have taken, or the straight line if the scene shows none."""
    if scene.moved is None:
        return []
    start, end = scene.moved
    # the tiles were still there and the captured pawns stood in the way when the pawn moved
    stood = set(scene.pawns) | {place for place, _ in scene.captured}
    free = ((set(scene.tiles) | set(scene.sunk)) - stood) | {start, end}
    came_from: dict[Place, Place] = {start: start}
    queue = deque([start])
    while queue and end not in came_from:
        q, r = here = queue.popleft()
        for dq, dr in STEPS:
            there = (q + dq, r + dr)
            if there in free and there not in came_from:
                came_from[there] = here
                queue.append(there)
    if end not in came_from:
        return [start, end]
    way = [end]
    while way[-1] != start:
        way.append(came_from[way[-1]])
    return way[::-1]


def soft_path(way: Collection[Place]) -> str:
    """A path along the places that rounds every bend."""
    (x, y), *rest = [center(place) for place in way]
    if rest:  # leave room for the mark of the place where it begins
        x, y = x + (rest[0][0] - x) * 0.34, y + (rest[0][1] - y) * 0.34
    path = f"M{number(x)} {number(y)}"
    for (ax, ay), (bx, by) in pairwise(rest):
        path += f"Q{number(ax)} {number(ay)} {number((ax + bx) / 2)} {number((ay + by) / 2)}"
    return path + (f"L{number(rest[-1][0])} {number(rest[-1][1])}" if rest else "")
