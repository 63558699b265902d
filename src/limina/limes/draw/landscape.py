"""The shapes on the ground of fields, water, forest and rock, and the upright things on them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass

from limina.gamekit.noise import noise
from limina.gamekit.svg import format_number
from limina.limes.draw.layers import ART, SIDE, round_half_up
from limina.limes.draw.outline import neighbors, path_point
from limina.limes.draw.scene import Ground, Landscape, Zone


def shapes(landscape: Landscape, zones: Set[Zone]) -> dict[str, str]:
    """Return the path data of the shapes on the ground of a territory, by their names."""
    return {name: "".join(shape(zone, zones) for zone in sorted(zones)) for name, shape in _SHAPES[landscape].items()}


def _furrows(zone: Zone, _zones: Set[Zone]) -> str:
    """Return the pieces of the furrows inside a zone; they continue in the next zone without a seam."""
    x, y = zone
    gap, slope, wander, pieces = (ART["furrows"][key] for key in ("gap", "slope", "wander", "pieces"))
    step = SIDE / pieces
    # Furrows slope down to the right: the zone's left side gives the first that can reach it, its right side the last.
    first = math.floor((y * SIDE - slope * x * SIDE - wander / 2) / gap)
    last = math.ceil(((y + 1) * SIDE - slope * (x + 1) * SIDE + wander / 2) / gap)
    written = ""
    for row in range(first, last + 1):
        heights = [_furrow_height(row, x * SIDE + i * step) for i in range(pieces + 1)]
        pen_down = False
        for i in range(pieces):
            a, b = heights[i], heights[i + 1]
            if not y * SIDE <= (a + b) / 2 < (y + 1) * SIDE:
                pen_down = False
                continue
            if not pen_down:
                written += f"M{path_point(x * SIDE + i * step, round_half_up(a))}"
            written += f"l{path_point(step, round_half_up(b) - round_half_up(a))}"
            pen_down = True
    return written


def _furrow_height(row: int, x: float) -> float:
    base = row * ART["furrows"]["gap"] + ART["furrows"]["slope"] * x
    return float(base + (_smooth(x / SIDE, base / SIDE) - 0.5) * ART["furrows"]["wander"])


def _smooth(x: float, y: float) -> float:
    """Return noise that has a value at each corner of the zones, with smooth interpolation between them."""
    left, top = math.floor(x), math.floor(y)
    across, down = _ease(x - left), _ease(y - top)
    upper = noise("furrow", left, top) * (1 - across) + noise("furrow", left + 1, top) * across
    lower = noise("furrow", left, top + 1) * (1 - across) + noise("furrow", left + 1, top + 1) * across
    return upper * (1 - down) + lower * down


def _ease(share: float) -> float:
    return share * share * (3 - 2 * share)


def _waves(zone: Zone, zones: Set[Zone]) -> str:
    x, y = zone
    art = ART["waves"]
    (left, top), (apart, down), (sway, rise) = art["first"], art["apart"], art["jitter"]
    written = ""
    for row in range(art["rows"]):
        for column in range(art["columns"]):
            if (row + column + math.floor(noise("calm", x, y) * 2)) % 2:
                continue
            wx = x * SIDE + left + apart * column + (noise("wave", x, y, row, column) - 0.5) * sway
            wy = y * SIDE + top + down * row + (noise("ebb", x, y, row, column) - 0.5) * rise
            written += _wave(wx, wy)
    # Waves across the seam to the next zone of water.
    if (x + 1, y) in zones:
        left, top = art["east"]["first"]
        written += _wave(x * SIDE + left, y * SIDE + top + art["east"]["jitter"] * noise("current", x, y))
    if (x, y + 1) in zones:
        left, top = art["south"]["first"]
        written += _wave(x * SIDE + left + art["south"]["jitter"] * noise("tide", x, y), y * SIDE + top)
    return written


def _wave(x: float, y: float) -> str:
    return f"M{round_half_up(x)} {round_half_up(y)}{ART['waves']['line']}"


def _tufts(zone: Zone, _zones: Set[Zone]) -> str:
    x, y = zone
    written = ""
    for i in range(ART["tufts"]["count"]):
        tx, ty = (x + noise("tuft", x, y, i)) * SIDE, (y + noise("tuft-row", x, y, i)) * SIDE
        written += f"M{round_half_up(tx)} {round_half_up(ty)}{ART['tufts']['line']}"
    return written


def _crag(zone: Zone) -> list[tuple[float, float]]:
    """Return the corners of the plateau, relative to the middle of its zone."""
    x, y = zone
    art = ART["crag"]
    corners = []
    for i in range(art["corners"]):
        angle = (i + art["turn"] * (noise("crag", x, y, i) - 0.5)) * 2 * math.pi / art["corners"]
        reach = art["reach"] + art["jitter"] * noise("crag-reach", x, y, i)
        corners.append((reach * math.cos(angle), reach * art["tilt"] * math.sin(angle)))
    return corners


def _hachures(zone: Zone, _zones: Set[Zone]) -> str:
    """Return the strokes that show the slope around the plateau."""
    x, y = zone
    cx, cy = (x + 0.5) * SIDE, (y + 0.5) * SIDE
    art, corners = ART["hachures"], _crag(zone)
    written = ""
    for i, (ax, ay) in enumerate(corners):
        bx, by = corners[(i + 1) % len(corners)]
        for j in range(art["count"]):
            sx, sy = ax + (bx - ax) * j / art["count"], ay + (by - ay) * j / art["count"]
            away = math.sqrt(sx * sx + sy * sy)
            ux, uy = sx / away, sy / away
            # The light comes from the northwest, so strokes are longer in the southeast.
            length = art["length"] + art["light"] * (ux + uy) + art["jitter"] * noise("hachure", x, y, i, j)
            written += f"M{round_half_up(cx + sx + ux * art['off'])} {round_half_up(cy + sy + uy * art['off'])}"
            written += f"l{round_half_up(ux * length)} {round_half_up(uy * length)}"
    return written


def _plateau(zone: Zone, _zones: Set[Zone]) -> str:
    cx, cy = (zone[0] + 0.5) * SIDE, (zone[1] + 0.5) * SIDE
    return "M" + "L".join(f"{round_half_up(cx + px)} {round_half_up(cy + py)}" for px, py in _crag(zone)) + "Z"


_SHAPES: dict[Landscape, dict[str, Callable[[Zone, Set[Zone]], str]]] = {
    "F": {"furrows": _furrows},
    "W": {"waves": _waves},
    "T": {"tufts": _tufts},
    "R": {"hachures": _hachures, "plateau": _plateau},
}


@dataclass(frozen=True, slots=True)
class Upright:
    """A thing that stands on the ground: the position of its foot, its scale, and its depth for the drawing order."""

    symbol: str
    x: float
    y: float
    scale: str
    depth: float


def uprights(zone: Zone, ground: Mapping[Zone, Ground], occupied: bool) -> Iterator[Upright]:
    """Return the things that stand on a zone; `occupied` is True if a worker stands there too."""
    x, y = zone
    hut_at = hut_offset(zone, ground)
    yield from _plants(zone, ground, hut_at)
    if ground[zone].landscape == "R":
        # The tower stands behind the worker and behind the hut.
        art = ART["tower"]["occupied" if occupied else "free"]
        across = art["alone" if hut_at is None else "left" if hut_at < SIDE / 2 else "right"]
        foot = y * SIDE + art["foot"]
        yield Upright("tower", x * SIDE + across, foot, "1", foot)
    if hut_at is not None:
        yield Upright("hut", x * SIDE + hut_at, y * SIDE + ART["hut"]["foot"], "1", y * SIDE + ART["hut"]["depth"])


def _plants(zone: Zone, ground: Mapping[Zone, Ground], hut_at: float | None) -> Iterator[Upright]:
    x, y = zone
    landscape = ground[zone].landscape
    if landscape not in ("F", "T"):
        return
    art, kind = ART["plants"], ART["plants"][landscape]
    east = ground.get((x + 1, y))
    # A tree stands on the seam to another forest zone in the east.
    seam = [kind["seam"]] if "seam" in kind and east is not None and east.landscape == landscape else []
    for i, (across, down) in enumerate(kind["places"] + seam):
        px = across + (noise("tree", x, y, i) - 0.5) * art["jitter"][0]
        py = down + (noise("tree-row", x, y, i) - 0.5) * art["jitter"][1]
        if hut_at is not None and abs(px - hut_at) < art["clearing"]["across"] and py > art["clearing"]["below"]:
            continue
        symbol = kind["symbols"][math.floor(noise("kind", x, y, i) * len(kind["symbols"]))]
        scale = format_number(art["scale"] + art["taller"] * noise("height", x, y, i))
        yield Upright(symbol, round_half_up(x * SIDE + px), round_half_up(y * SIDE + py), scale, y * SIDE + py)


def hut_offset(zone: Zone, ground: Mapping[Zone, Ground]) -> float | None:
    """Return the x offset of the hut in its zone, None without a hut; it stands on the side of the water, if any."""
    here = ground.get(zone)
    if here is None or not here.hut:
        return None
    _, east, _, west = neighbors(zone)
    left, right = (side in ground and ground[side].landscape == "W" for side in (west, east))
    on_left = left if left != right else noise("hut", *zone) < 0.5
    return float(ART["hut"]["left" if on_left else "right"])
