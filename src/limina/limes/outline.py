"""Which zones belong together, and the inked line around them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Set

from limina._kernel import limes as kernel
from limina.limes.scene import LANDSCAPES, Ground, Zone
from limina.svg import number

#: Length of a zone's side in the units of every Limes drawing.
SIDE = 100

Vertex = tuple[int, int]
Bend = Callable[[Vertex, Vertex], float]


def chance(*key: int | str) -> float:
    """Return a number in [0, 1) that depends on the key alone, so that a drawing never changes by itself."""
    digest = hashlib.blake2b(repr(key).encode(), digest_size=4).digest()
    return int.from_bytes(digest, "big") / 2**32


def neighbours(zone: Zone) -> tuple[Zone, Zone, Zone, Zone]:
    """Return the zones north, east, south and west of a zone."""
    x, y = zone
    return ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y))


def territories(ground: Mapping[Zone, Ground]) -> list[frozenset[Zone]]:
    """Split the ground into territories, in reading order of their first zone; every tower zone is its own."""
    if not ground:
        return []
    zones = list(ground)
    left, top = min(x for x, _ in zones), min(y for _, y in zones)
    patch = [(x - left, y - top, LANDSCAPES.index(ground[x, y].landscape)) for x, y in zones]
    return [frozenset(zones[i] for i in members) for members in kernel.territories(patch)]


def loops(zones: Set[Zone]) -> list[list[Vertex]]:
    """Trace the borders of a set of zones: clockwise around it, anticlockwise around its holes.

    Where two zones meet only at a corner the line turns back, because such zones are not connected.
    """
    leaving: dict[Vertex, list[Vertex]] = {}
    for x, y in sorted(zones):
        corners = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))
        for side, beyond in enumerate(neighbours((x, y))):
            if beyond not in zones:
                leaving.setdefault(corners[side], []).append(corners[(side + 1) % 4])
    found = []
    while leaving:
        start = min(leaving)
        loop, here, heading = [start], start, (0, 0)
        while True:
            ways = leaving[here]
            right = (here[0] - heading[1], here[1] + heading[0])
            there = right if right in ways else ways[0]
            ways.remove(there)
            if not ways:
                del leaving[here]
            heading = (there[0] - here[0], there[1] - here[1])
            here = there
            if here == start:
                break
            loop.append(here)
        found.append(loop)
    return found


def straight(_a: Vertex, _b: Vertex) -> float:
    """Bend no border."""
    return 0.0


def hand_drawn(ground: Iterable[Zone], strength: float = 5.0) -> Bend:
    """Let inner borders waver as a pen does; both territories at a border share its bend. Outer ones stay straight."""
    laid = frozenset(ground)

    def bend(a: Vertex, b: Vertex) -> float:
        (x, y), (right, _) = min(a, b), max(a, b)
        sides = ((x, y), (x, y - 1)) if right > x else ((x, y), (x - 1, y))
        if not laid.issuperset(sides):
            return 0.0
        return (chance("bend", *min(a, b), *max(a, b)) * 2 - 1) * strength

    return bend


def path(zones: Set[Zone], *, bend: Bend = straight, radius: float = 17.0, inset: float = 0.0) -> str:
    """Write the outline of a set of zones, holes included, as path data with rounded corners.

    `inset` draws the line that much inside of the border.
    """
    return "".join(_rounded(loop, bend, radius, inset) for loop in loops(zones))


def _rounded(loop: list[Vertex], bend: Bend, radius: float, inset: float) -> str:
    count = len(loop)
    ways = [_way(loop[i], loop[(i + 1) % count]) for i in range(count)]
    written: list[str] = []
    for i, (dx, dy) in enumerate(ways):
        a, b = loop[i], loop[(i + 1) % count]
        before, after = ways[i - 1], ways[(i + 1) % count]
        # Corner points move inwards along both of their borders; the inside lies to the right of the way.
        ax, ay = _moved(a, before, (dx, dy), inset)
        bx, by = _moved(b, (dx, dy), after, inset)
        cut_a = 0.0 if before == (dx, dy) else radius
        cut_b = 0.0 if after == (dx, dy) else radius
        sx, sy = ax + dx * cut_a, ay + dy * cut_a
        ex, ey = bx - dx * cut_b, by - dy * cut_b
        if not written:
            written.append(f"M{_pair(sx, sy)}")
        written.append(_side((sx, sy), (ex, ey), (dx, dy), bend(a, b)))
        if cut_b:
            written.append(f"Q{_pair(bx, by)} {_pair(bx + after[0] * radius, by + after[1] * radius)}")
    return "".join(written) + "Z"


def _side(start: tuple[float, float], end: tuple[float, float], way: Vertex, bent: float) -> str:
    if not bent:
        return f"L{_pair(*end)}"
    (sx, sy), (ex, ey), (dx, dy) = start, end, way
    mx = (sx + ex) / 2 + (bent if dy else 0)
    my = (sy + ey) / 2 + (bent if dx else 0)
    reach = 19
    return (
        f"C{_pair(sx + dx * reach, sy + dy * reach)} {_pair(mx - dx * reach, my - dy * reach)} {_pair(mx, my)}"
        f"S{_pair(ex - dx * reach, ey - dy * reach)} {_pair(ex, ey)}"
    )


def _way(a: Vertex, b: Vertex) -> Vertex:
    return (b[0] - a[0], b[1] - a[1])


def _moved(vertex: Vertex, coming: Vertex, going: Vertex, inset: float) -> tuple[float, float]:
    normals = {(-coming[1], coming[0]), (-going[1], going[0])}
    x = vertex[0] * SIDE + inset * sum(normal[0] for normal in normals)
    y = vertex[1] * SIDE + inset * sum(normal[1] for normal in normals)
    return x, y


def _pair(x: float, y: float) -> str:
    return f"{number(x)} {number(y)}"
