"""Fields, water, forest and rock: how the ground of each territory is drawn."""

from __future__ import annotations

import math
from collections.abc import Iterator, Set

from limina.limes.outline import SIDE, chance, neighbours
from limina.limes.palette import Palette
from limina.limes.scene import Ground, Zone
from limina.svg import ID, number, tag

_FURROW_GAP = 13
_FURROW_SLOPE = -0.3
_FURROW_WANDER = 34


def cover(name: str, landscape: str, zones: Set[Zone], colours: Palette) -> str:
    """Draw the ground of one territory, whose outline stands in the drawing under the id `name`."""
    drawn = {"F": _field, "W": _water, "T": _forest, "R": _rock}[landscape](name, zones, colours)
    return tag("g", drawn, clip_path=f"url(#{ID}{name}-clip)")


def _whole(name: str, **attributes: str | float) -> str:
    return tag("use", href=f"#{ID}{name}", **attributes)


def _field(name: str, zones: Set[Zone], colours: Palette) -> str:
    furrows = "".join(piece for zone in sorted(zones) for piece in _furrows(zone))
    ridges = tag("path", d=furrows, id=f"{ID}{name}-furrows")
    return (
        _whole(name, fill=colours["field"])
        + tag(
            "g",
            tag("g", ridges, stroke=colours["field-light"], stroke_width=3.4),
            tag("use", href=f"#{ID}{name}-furrows", y=-4, stroke=colours["furrow"], stroke_width=1.8),
            fill="none",
            stroke_linecap="round",
            stroke_linejoin="round",
        )
        # A darker rim keeps the furrows from running into the border.
        + _whole(name, fill="none", stroke=colours["furrow"], stroke_width=9, stroke_opacity=0.35)
    )


def _furrows(zone: Zone) -> Iterator[str]:
    """Write the pieces of the furrows inside a zone; they go on in the next zone as if there were no seam."""
    x, y = zone
    step = SIDE / 4
    # The slope falls to the right, so the left side knows the first furrow that can reach the zone, the right the last.
    first = math.floor((y * SIDE - _FURROW_SLOPE * x * SIDE - _FURROW_WANDER / 2) / _FURROW_GAP)
    last = math.ceil(((y + 1) * SIDE - _FURROW_SLOPE * (x + 1) * SIDE + _FURROW_WANDER / 2) / _FURROW_GAP)
    for row in range(first, last + 1):
        heights = [_furrow_height(row, x * SIDE + i * step) for i in range(5)]
        pen_down = False
        for i in range(4):
            a, b = heights[i], heights[i + 1]
            if not y * SIDE <= (a + b) / 2 < (y + 1) * SIDE:
                pen_down = False
                continue
            if not pen_down:
                yield f"M{number(x * SIDE + i * step)} {round(a)}"
            yield f"l{number(step)} {round(b) - round(a)}"
            pen_down = True


def _furrow_height(row: int, x: float) -> float:
    base = row * _FURROW_GAP + _FURROW_SLOPE * x
    return base + (_smooth(x / SIDE, base / SIDE) - 0.5) * _FURROW_WANDER


def _smooth(x: float, y: float) -> float:
    """Return chance numbers at the corners of the zones, blended softly in between."""
    left, top = math.floor(x), math.floor(y)
    across, down = (_ease(x - left), _ease(y - top))
    upper = chance("furrow", left, top) * (1 - across) + chance("furrow", left + 1, top) * across
    lower = chance("furrow", left, top + 1) * (1 - across) + chance("furrow", left + 1, top + 1) * across
    return upper * (1 - down) + lower * down


def _ease(share: float) -> float:
    return share * share * (3 - 2 * share)


def _water(name: str, zones: Set[Zone], colours: Palette) -> str:
    # Bands as wide as they are long from the border inwards, each hiding the inner half of the one before: the
    # engraver's way to draw a shore.
    bands = (
        ("wave", 56, 0.35),
        ("water", 53, 1.0),
        ("wave", 42, 0.5),
        ("shallow", 39, 1.0),
        ("wave", 28, 0.7),
        ("shallow", 25, 1.0),
        ("shore", 15, 1.0),
    )
    shore = "".join(
        tag("use", href=f"#{ID}{name}", stroke=colours[colour], stroke_width=width, stroke_opacity=opacity)
        for colour, width, opacity in bands
    )
    waves = "".join(_waves(zone, zones) for zone in sorted(zones))
    line = {"fill": "none", "stroke_linecap": "round"}
    return (
        _whole(name, fill=colours["water"])
        + tag("g", shore, fill="none", stroke_linejoin="round")
        + tag("path", d=waves, stroke=colours["wave"], stroke_width=2.6, stroke_opacity=0.8, **line)
    )


def _waves(zone: Zone, zones: Set[Zone]) -> str:
    x, y = zone
    written = []
    for row in range(3):
        for column in range(2):
            if (row + column + int(chance("calm", x, y) * 2)) % 2:
                continue
            cx = x * SIDE + 41 + 20 * column + (chance("wave", x, y, row, column) - 0.5) * 8
            cy = y * SIDE + 35 + 16 * row + (chance("ebb", x, y, row, column) - 0.5) * 6
            written.append(f"M{round(cx - 12)} {round(cy)}q6-7 12 0t12 0")
    # Waves across the seam, where the water goes on.
    if (x + 1, y) in zones:
        written.append(f"M{x * SIDE + 88} {round(y * SIDE + 40 + 24 * chance('current', x, y))}q6-7 12 0t12 0")
    if (x, y + 1) in zones:
        written.append(f"M{round(x * SIDE + 34 + 16 * chance('tide', x, y))} {y * SIDE + 102}q6-7 12 0t12 0")
    return "".join(written)


def _forest(name: str, zones: Set[Zone], colours: Palette) -> str:
    tufts = []
    for x, y in sorted(zones):
        for i in range(7):
            tx = (x + chance("tuft", x, y, i)) * SIDE
            ty = (y + chance("tuft-row", x, y, i)) * SIDE
            tufts.append(f"M{round(tx)} {round(ty)}l3-5l3 5l3-5l3 5")
    return (
        _whole(name, fill=colours["forest"])
        + tag("path", d="".join(tufts), fill="none", stroke=colours["forest-deep"], stroke_width=1.8)
        + _whole(name, fill="none", stroke=colours["forest-deep"], stroke_width=14, stroke_opacity=0.8)
    )


def _rock(name: str, zones: Set[Zone], colours: Palette) -> str:
    drawn = [_whole(name, fill=colours["rock"])]
    for x, y in sorted(zones):
        cx, cy = x * SIDE + 50, y * SIDE + 50
        corners, hatches = [], []
        count = 11
        for i in range(count):
            angle = (i + 0.6 * (chance("crag", x, y, i) - 0.5)) * math.tau / count
            reach = 30 + 8 * chance("crag-reach", x, y, i)
            corners.append((cx + reach * math.cos(angle), cy + reach * 0.92 * math.sin(angle)))
        for i, (ax, ay) in enumerate(corners):
            bx, by = corners[(i + 1) % count]
            for j in range(3):
                sx, sy = ax + (bx - ax) * j / 3, ay + (by - ay) * j / 3
                away = math.hypot(sx - cx, sy - cy)
                # Longer strokes on the south-east: light comes from the north-west.
                light = ((sx - cx) + (sy - cy)) / away
                length = 7 + 4 * light + 5 * chance("hachure", x, y, i, j)
                ux, uy = (sx - cx) / away, (sy - cy) / away
                hatches.append(f"M{round(sx + ux)} {round(sy + uy)}l{round(ux * length)} {round(uy * length)}")
        plateau = "M" + "L".join(f"{round(px)} {round(py)}" for px, py in corners) + "Z"
        drawn.append(tag("path", d="".join(hatches), stroke=colours["hatch"], stroke_width=2, stroke_linecap="round"))
        drawn.append(
            tag(
                "path",
                d=plateau,
                fill=colours["rock-light"],
                stroke=colours["hatch"],
                stroke_width=1.6,
                stroke_linejoin="round",
            )
        )
    return "".join(drawn)


def growth(zone: Zone, ground: dict[Zone, Ground], hut_at: float | None) -> Iterator[tuple[float, str]]:
    """Draw what grows on a zone, each plant with the height of its foot, so that nearer ones can stand in front."""
    x, y = zone
    landscape = ground[zone].landscape
    if landscape == "T":
        spots = [(i * 32 + 18, row) for row in (0, 2) for i in range(3)] + [(34, 1), (66, 1)]
        if (x + 1, y) in ground and ground[(x + 1, y)].landscape == "T":
            spots.append((100, 1))
        symbols = ("tree", "tree", "fir")
    elif landscape == "F":
        spots = [(28, 0), (70, 1), (36, 2)]
        symbols = ("ear", "ear", "ear")
    else:
        return
    for i, (across, row) in enumerate(spots):
        px = across + (chance("tree", x, y, i) - 0.5) * 12
        py = 35 + (29.5 if landscape == "T" else 24) * row + (chance("tree-row", x, y, i) - 0.5) * 8
        if hut_at is not None and abs(px - hut_at) < 27 and py > 60:
            continue
        kind = symbols[int(chance("kind", x, y, i) * 3)]
        scale = 0.76 + 0.38 * chance("height", x, y, i)
        yield (
            y * SIDE + py,
            tag(
                "use",
                href=f"#{ID}{kind}",
                transform=f"translate({round(x * SIDE + px)} {round(y * SIDE + py)})scale({number(scale)})",
            ),
        )


def hut_place(zone: Zone, ground: dict[Zone, Ground]) -> float:
    """Return how far to the right in its zone the hut stands: on the side where there is water, if there is."""
    _, east, _, west = neighbours(zone)
    shores = [side in ground and ground[side].landscape == "W" for side in (west, east)]
    on_left = shores[0] if shores[0] != shores[1] else chance("hut", *zone) < 0.5
    return 22 if on_left else 78
