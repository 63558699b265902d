"""Why a worker is worth his points: what he counts is lit, the rest steps back."""

from __future__ import annotations

from collections.abc import Mapping, Set

from limina.limes.outline import SIDE, Bend, Vertex, neighbours, path, straight
from limina.limes.palette import SANS, Palette
from limina.limes.scene import Ground, Lit, Zone
from limina.svg import ID, number, tag


def veil(lit: Lit, ground: Mapping[Zone, Ground], bend: Bend, colours: Palette) -> str:
    """Let everything step back that has no part in the points."""
    shown = lit.territory.union(*lit.counted)
    hidden = frozenset(ground) - shown
    return tag("path", d=path(hidden, bend=bend), fill=colours["veil"], fill_opacity=0.6, data_part="veil")


def glow(colours: Palette) -> str:
    """Define the light around a lit hut."""
    stops = ((0, 0.95), (0.45, 0.6), (1, 0))
    return tag(
        "radialGradient",
        *(tag("stop", offset=str(at), stop_color=colours["glow"], stop_opacity=str(share)) for at, share in stops),
        id=f"{ID}glow",
    )


def light(lit: Lit, huts: Mapping[Zone, float], bend: Bend, colours: Palette) -> str:
    """Draw the light that falls on what the worker counts; it lies on the ground, under the figures."""
    profession = lit.figure.profession
    if profession == "farmer":
        return _border(lit.territory, bend, colours, fill=0.35)
    if profession == "fisherman":
        return _border(lit.territory, bend, colours) + "".join(
            _hut(zone, huts[zone]) for zones in lit.counted for zone in sorted(zones) if zone in huts
        )
    if profession == "woodcutter":
        return _shared_borders(lit, bend, colours)
    return _rays(lit, colours)


def tally(lit: Lit, huts: Mapping[Zone, float], colours: Palette) -> str:
    """Number what the worker counts, so that the last number is his points."""
    here = (lit.figure.x, lit.figure.y)
    drawn = []
    for count, zones in enumerate(sorted(lit.counted, key=lambda zones: min((y, x) for x, y in zones)), start=1):
        # A zone without a hut and without the worker himself has the most room for a number.
        x, y = min(zones, key=lambda zone: (zone == here, zone in huts, zone[1], zone[0]))
        cx = x * SIDE + (16 if huts.get((x, y), SIDE) > 50 else 84)
        drawn.append(tag("circle", cx=cx, cy=y * SIDE + 17, r=13.5, fill=colours["glow-line"]))
        drawn.append(tag("text", str(count), x=cx, y=y * SIDE + 23.5))
    return tag(
        "g",
        *drawn,
        data_part="tally",
        fill=colours["glow-case"],
        stroke="none",
        font_family=SANS,
        font_size=18,
        font_weight=800,
        text_anchor="middle",
    )


def _border(zones: Set[Zone], bend: Bend, colours: Palette, fill: float = 0.0) -> str:
    line = path(zones, bend=bend)
    return (
        tag("path", d=line, fill=colours["glow"], fill_opacity=str(fill), stroke=colours["glow"], stroke_width=16,
            stroke_opacity=0.75, stroke_linejoin="round")
        + tag("path", d=line, fill="none", stroke=colours["glow-line"], stroke_width=4)
    )  # fmt: skip


def _hut(zone: Zone, hut_at: float) -> str:
    x, y = zone[0] * SIDE + hut_at, zone[1] * SIDE + 93
    return tag("circle", cx=x, cy=y - 14, r=48, fill=f"url(#{ID}glow)", data_part="lit-hut") + tag(
        "use", href=f"#{ID}hut-lit", x=x, y=y
    )


def _shared_borders(lit: Lit, bend: Bend, colours: Palette) -> str:
    """Mark where the forest touches its neighbours: the forest's own line, with a notch towards every neighbour."""
    notches = []
    for x, y in sorted(lit.territory):
        for (nx, ny), (dx, dy) in zip(neighbours((x, y)), ((0, -1), (1, 0), (0, 1), (-1, 0)), strict=True):
            if not any((nx, ny) in zones for zones in lit.counted):
                continue
            cx, cy = x * SIDE + 50.0 + dx * 50, y * SIDE + 50.0 + dy * 50
            edge: tuple[Vertex, Vertex] = (
                ((x, y + (dy > 0)), (x + 1, y + (dy > 0))) if dy else ((x + (dx > 0), y), (x + (dx > 0), y + 1))
            )
            bent = bend(*edge)
            cx, cy = cx + (bent if dx else 0), cy + (bent if dy else 0)
            # A small arrowhead across the border.
            notches.append(
                f"M{number(cx - dx * 5 + dy * 13)} {number(cy - dy * 5 + dx * 13)}"
                f"L{number(cx + dx * 17)} {number(cy + dy * 17)}"
                f"L{number(cx - dx * 5 - dy * 13)} {number(cy - dy * 5 - dx * 13)}Z"
            )
    arrows = tag(
        "path",
        d="".join(notches),
        fill=colours["glow"],
        stroke=colours["glow-edge"],
        stroke_width=3.4,
        stroke_linejoin="round",
        data_part="borders",
    )
    return _border(lit.territory, bend, colours) + arrows


def _rays(lit: Lit, colours: Palette) -> str:
    fx, fy = lit.figure.x, lit.figure.y
    seen = sorted({zone for zones in lit.counted for zone in zones})
    rays, ends = [], []
    for x, y in seen:
        dx, dy = (x > fx) - (x < fx), (y > fy) - (y < fy)
        sx, sy = fx * SIDE + 50 + dx * 46, fy * SIDE + 50 + dy * 46
        rays.append(f"M{sx} {sy}L{x * SIDE + 50} {y * SIDE + 50}")
        ends.append(tag("circle", cx=x * SIDE + 50, cy=y * SIDE + 50, r=7))
    line = "".join(rays)
    tiles = "".join(_border({zone}, straight, colours) for zone in seen)
    return (
        tag("g", tiles, data_part="seen")
        + tag("path", d=line, fill="none", stroke=colours["glow"], stroke_width=8, stroke_opacity=0.55,
              stroke_linecap="round")
        + tag("path", d=line, fill="none", stroke=colours["glow-line"], stroke_width=2.4, data_part="rays")
        + tag("g", *ends, fill=colours["glow"], stroke=colours["glow-edge"], stroke_width=2.4)
        + _border({(fx, fy)}, straight, colours)
    )  # fmt: skip
