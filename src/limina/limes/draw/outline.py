"""Territories as sets of zones, and the path data of the inked lines around them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set

from limina._kernel import limes as kernel
from limina.gamekit.noise import noise
from limina.gamekit.svg import format_number
from limina.limes.draw.layers import ART, SIDE
from limina.limes.draw.scene import LANDSCAPES, Ground, Zone

Vertex = tuple[int, int]
Point = tuple[float, float]
Bend = Callable[[Vertex, Vertex], float]

_LINE = ART["outline"]


def neighbors(zone: Zone) -> tuple[Zone, Zone, Zone, Zone]:
    """Return the zones north, east, south and west of a zone."""
    x, y = zone
    return ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y))


def territories(ground: Mapping[Zone, Ground]) -> list[frozenset[Zone]]:
    """Split the ground into territories; each zone with a tower is a territory of its own."""
    if not ground:
        return []
    zones = list(ground)
    left, top = min(x for x, _ in zones), min(y for _, y in zones)
    patch = [(x - left, y - top, LANDSCAPES.index(ground[x, y].landscape)) for x, y in zones]
    return [frozenset(zones[i] for i in members) for members in kernel.territories(patch)]


def border_loops(zones: Set[Zone]) -> list[list[Vertex]]:
    """Return the borders of a set of zones as loops of corners: clockwise around it, counterclockwise around its holes.

    Where two zones meet at a corner only, they are not connected, and the border does not cross over.
    """
    leaving: dict[Vertex, list[Vertex]] = {}
    for x, y in sorted(zones):
        corners = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))
        for side, beyond in enumerate(neighbors((x, y))):
            if beyond not in zones:
                leaving.setdefault(corners[side], []).append(corners[(side + 1) % 4])
    borders = []
    while leaving:
        start = min(leaving)
        loop, here, heading = [start], start, (0, 0)
        while True:
            ends = leaving[here]
            right = (here[0] - heading[1], here[1] + heading[0])
            there = right if right in ends else ends[0]
            ends.remove(there)
            if not ends:
                del leaving[here]
            heading = (there[0] - here[0], there[1] - here[1])
            here = there
            if here == start:
                break
            loop.append(here)
        borders.append(loop)
    return borders


def straight_bend(_a: Vertex, _b: Vertex) -> float:
    """Return no bend, so that borders are straight."""
    return 0.0


def hand_drawn_bend(ground: Iterable[Zone]) -> Bend:
    """Return the bend of borders drawn by hand: inner borders bend at random, outer borders are straight.

    The two territories at a border get the same bend.
    """
    zones = frozenset(ground)

    def bend(a: Vertex, b: Vertex) -> float:
        low, high = min(a, b), max(a, b)
        x, y = low
        beyond = (x, y - 1) if high[0] > x else (x - 1, y)
        if low not in zones or beyond not in zones:
            return 0.0
        return (noise("bend", *low, *high) * 2 - 1) * float(_LINE["bend"])

    return bend


def outline(zones: Set[Zone], bend: Bend = straight_bend, radius: float = _LINE["radius"]) -> str:
    """Return the path data of the outline of a set of zones, with its holes and with rounded corners."""
    return "".join(_rounded(loop, bend, radius) for loop in border_loops(zones))


def _rounded(loop: list[Vertex], bend: Bend, radius: float) -> str:
    count = len(loop)
    directions = [(loop[(i + 1) % count][0] - x, loop[(i + 1) % count][1] - y) for i, (x, y) in enumerate(loop)]
    written = ""
    for i, (dx, dy) in enumerate(directions):
        a, b = loop[i], loop[(i + 1) % count]
        before, after = directions[i - 1], directions[(i + 1) % count]
        cut_a = 0 if before == (dx, dy) else radius
        cut_b = 0 if after == (dx, dy) else radius
        bx, by = b[0] * SIDE, b[1] * SIDE
        start = (a[0] * SIDE + dx * cut_a, a[1] * SIDE + dy * cut_a)
        end = (bx - dx * cut_b, by - dy * cut_b)
        if not written:
            written = f"M{path_point(*start)}"
        written += _side(start, end, (dx, dy), bend(a, b))
        if cut_b:
            written += f"Q{path_point(bx, by)} {path_point(bx + after[0] * radius, by + after[1] * radius)}"
    return f"{written}Z"


def _side(start: Point, end: Point, direction: Vertex, bent: float) -> str:
    if not bent:
        return f"L{path_point(*end)}"
    (sx, sy), (ex, ey), (dx, dy) = start, end, direction
    mx = (sx + ex) / 2 + (bent if dy else 0)
    my = (sy + ey) / 2 + (bent if dx else 0)
    reach = _LINE["reach"]
    to_middle = [(sx + dx * reach, sy + dy * reach), (mx - dx * reach, my - dy * reach), (mx, my)]
    to_end = [(ex - dx * reach, ey - dy * reach), (ex, ey)]
    return "C" + " ".join(path_point(*at) for at in to_middle) + "S" + " ".join(path_point(*at) for at in to_end)


def path_point(x: float, y: float) -> str:
    """Return a point in SVG path data."""
    return f"{format_number(x)} {format_number(y)}"
