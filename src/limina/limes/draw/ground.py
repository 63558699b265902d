"""Drawings of the ground of a display or card: flat shapes by territory, and trees, towers and huts by row of zones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from limina.gamekit.svg import ID, format_number, svg_element
from limina.limes.draw.landscape import Upright, shapes, uprights
from limina.limes.draw.layers import ART, CARD, attributes, draw_layers, shape_id
from limina.limes.draw.outline import Bend, outline, territories
from limina.limes.draw.scene import Ground, Zone

_NAMES = {"F": "field", "W": "water", "T": "forest", "R": "rock"}


def base_shapes(ground: Mapping[Zone, Ground]) -> dict[str, str]:
    """Return the path data of the soil, which shows at the rounded corners of territories, and of the card edges."""
    return {"ground": outline(frozenset(ground), radius=ART["ground"]["radius"]), "edges": card_edges(ground)}


def card_edges(ground: Mapping[Zone, Ground]) -> str:
    """Return the path data of the hairlines where two cards meet."""
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
    """Return the path data of a territory's outline and of the shapes on its ground, or on the zones in `drawn`."""
    landscape = ground[min(zones & ground.keys())].landscape
    return {"outline": outline(zones, bend), **shapes(landscape, zones if drawn is None else drawn)}


def draw_ground(ground: Mapping[Zone, Ground], bend: Bend) -> str:
    """Draw the soil, all territories, the card edges and the inked outlines."""
    if not ground:
        return ""
    base, zone_sets = base_shapes(ground), territories(ground)
    first = _name(frozenset(ground))
    covers = "".join(draw_territory(zones, ground, bend) for zones in zone_sets)
    inked = (svg_element("use", href=f"#{shape_id(_name(zones), 'outline')}") for zones in zone_sets)
    return (
        draw_layers(ART["ground"]["layers"], base, first)
        + covers
        + (draw_layers(ART["ground"]["edges"], base, first) if base["edges"] else "")
        + svg_element("g", *inked, **attributes(ART["ground"]["ink"]))
    )


def draw_territory(
    zones: Set[Zone], ground: Mapping[Zone, Ground], bend: Bend, *, drawn: Set[Zone] | None = None
) -> str:
    """Draw the ground of a territory within its outline; the shapes on it lie on the zones in `drawn`, or on all."""
    name, landscape = _name(zones), ground[min(zones & ground.keys())].landscape
    path_data = territory_shapes(zones, ground, bend, drawn=drawn)
    # The outline is written once; the clip path, the fill and the ink refer to it.
    line = svg_element(
        "path", d=path_data["outline"], id=shape_id(name, "outline"), clip_rule="evenodd", data_part="outline"
    )
    clip = svg_element("clipPath", line, id=shape_id(name, "clip"))
    covered = draw_layers(ART["covers"][landscape], path_data, name, known=["outline"])
    body = svg_element("g", covered, clip_path=f"url(#{shape_id(name, 'clip')})")
    return svg_element("g", clip, body, data_part="territory", data_landscape=_NAMES[landscape])


def _name(zones: Set[Zone]) -> str:
    x, y = min(zones)
    return f"{x}-{y}"


def upright_rows(ground: Mapping[Zone, Ground], occupied: Set[Zone]) -> dict[int, list[Upright]]:
    """Return the upright things in each row of zones, from back to front; `occupied` zones have a worker."""
    standing: dict[int, list[Upright]] = {}
    for zone in sorted(ground, key=lambda zone: (zone[1], zone[0])):
        standing.setdefault(zone[1], []).extend(uprights(zone, ground, zone in occupied))
    return {y: sorted(row, key=lambda thing: (thing.depth, thing.x)) for y, row in standing.items()}


def draw_uprights(row: list[Upright]) -> Iterator[str]:
    """Draw the upright things of one row."""
    for thing in row:
        href = f"#{ID}{thing.symbol}"
        if thing.scale == "1":
            yield svg_element("use", href=href, x=thing.x, y=thing.y, data_part=thing.symbol)
        else:
            place = f"translate({format_number(thing.x)} {format_number(thing.y)})scale({thing.scale})"
            yield svg_element("use", href=href, transform=place)
