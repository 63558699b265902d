"""The ground of a display or a card: what lies flat, territory by territory, and what stands upright, row by row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from limina.gamekit.svg import ID, number, tag
from limina.limes.draw.landscape import Upright, shapes, upright
from limina.limes.draw.layers import ART, CARD, attributes, layers, shape_id
from limina.limes.draw.outline import Bend, outline, territories
from limina.limes.draw.scene import Ground, Zone

_NAMES = {"F": "field", "W": "water", "T": "forest", "R": "rock"}


def whole_shapes(ground: Mapping[Zone, Ground]) -> dict[str, str]:
    """Return the path data of the soil, which shows between territories' rounded corners, and of the cards' edges."""
    return {"ground": outline(frozenset(ground), radius=ART["ground"]["radius"]), "edges": card_edges(ground)}


def card_edges(ground: Mapping[Zone, Ground]) -> str:
    """Write the hairlines where two cards meet."""
    written = ""
    for column, row in sorted({(x // 2, y // 2) for x, y in ground}):
        if (2 * column + 2, 2 * row) in ground:
            written += f"M{(column + 1) * CARD} {row * CARD}v{CARD}"
        if (2 * column, 2 * row + 2) in ground:
            written += f"M{column * CARD} {(row + 1) * CARD}h{CARD}"
    return written


def territory_shapes(
    zones: Set[Zone], ground: Mapping[Zone, Ground], bend: Bend, *, drawn: Set[Zone] | None = None
) -> dict[str, str]:
    """Return the path data of a territory's outline and of what is drawn on its ground, or on some zones of it."""
    landscape = ground[min(zones & ground.keys())].landscape
    return {"outline": outline(zones, bend), **shapes(landscape, zones if drawn is None else drawn)}


def flat(ground: Mapping[Zone, Ground], bend: Bend) -> str:
    """Draw everything that lies flat."""
    if not ground:
        return ""
    lying, found = whole_shapes(ground), territories(ground)
    first = _name(frozenset(ground))
    covers = "".join(cover(zones, ground, bend) for zones in found)
    inked = (tag("use", href=f"#{shape_id(_name(zones), 'outline')}") for zones in found)
    return (
        layers(ART["ground"]["layers"], lying, first)
        + covers
        + (layers(ART["ground"]["edges"], lying, first) if lying["edges"] else "")
        + tag("g", *inked, **attributes(ART["ground"]["ink"]))
    )


def cover(zones: Set[Zone], ground: Mapping[Zone, Ground], bend: Bend, *, drawn: Set[Zone] | None = None) -> str:
    """Draw the ground of a territory within its outline; what is on it may be drawn on some of its zones only."""
    name, landscape = _name(zones), ground[min(zones & ground.keys())].landscape
    found = territory_shapes(zones, ground, bend, drawn=drawn)
    # The outline is written once, and used to clip, to fill and to ink.
    line = tag("path", d=found["outline"], id=shape_id(name, "outline"), clip_rule="evenodd", data_part="outline")
    clip = tag("clipPath", line, id=shape_id(name, "clip"))
    covered = layers(ART["covers"][landscape], found, name, known=["outline"])
    body = tag("g", covered, clip_path=f"url(#{shape_id(name, 'clip')})")
    return tag("g", clip, body, data_part="territory", data_landscape=_NAMES[landscape])


def _name(zones: Set[Zone]) -> str:
    x, y = min(zones)
    return f"{x}-{y}"


def rows(ground: Mapping[Zone, Ground], occupied: Set[Zone]) -> dict[int, list[Upright]]:
    """Return what stands upright in each row of zones, from back to front."""
    standing: dict[int, list[Upright]] = {}
    for zone in sorted(ground, key=lambda zone: (zone[1], zone[0])):
        standing.setdefault(zone[1], []).extend(upright(zone, ground, zone in occupied))
    return {y: sorted(row, key=lambda thing: (thing.depth, thing.x)) for y, row in standing.items()}


def draw_row(row: list[Upright]) -> Iterator[str]:
    """Draw things that stand upright."""
    for thing in row:
        href = f"#{ID}{thing.symbol}"
        if thing.scale == "1":
            yield tag("use", href=href, x=thing.x, y=thing.y, data_part=thing.symbol)
        else:
            place = f"translate({number(thing.x)} {number(thing.y)})scale({thing.scale})"
            yield tag("use", href=href, transform=place)
