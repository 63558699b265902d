"""Drawings of the workers: one large figure on a zone, or up to three smaller ones side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from limina.gamekit.svg import ID, escape_text, format_number, svg_element
from limina.limes.draw.landscape import hut_offset
from limina.limes.draw.layers import ART, SIDE, attributes
from limina.limes.draw.palette import PALE, SANS, mix_colors, player_style
from limina.limes.draw.scene import Figure, Ground, Zone

_ART = ART["figures"]


@dataclass(frozen=True, slots=True)
class PlacedFigure:
    """A worker with the position of the foot and the scale of the drawn figure."""

    figure: Figure
    x: float
    y: float
    scale: float


@dataclass(frozen=True, slots=True)
class ZoneWorkers:
    """The workers of one zone: the figures that are drawn, and all workers."""

    zone: Zone
    figures: tuple[PlacedFigure, ...]
    workers: tuple[Figure, ...]


def zone_workers(figures: Sequence[Figure], ground: Mapping[Zone, Ground]) -> list[ZoneWorkers]:
    """Place the workers of each zone, zones from back to front and scoring workers first, so that huts stay visible."""
    zones: dict[Zone, list[Figure]] = {}
    for figure in figures:
        zones.setdefault((figure.x, figure.y), []).append(figure)
    return [_place_workers(zone, zones[zone], ground) for zone in sorted(zones, key=lambda zone: (zone[1], zone[0]))]


def _place_workers(zone: Zone, figures: Sequence[Figure], ground: Mapping[Zone, Ground]) -> ZoneWorkers:
    hut_at = hut_offset(zone, ground)
    ordered = tuple(sorted(figures, key=lambda figure: not figure.scored))
    shown = ordered[: _ART["shown"]]
    many = len(shown)
    scale, aside = _ART["scale"][many - 1], 0
    if many == 1 and hut_at is not None:
        scale = _ART["hut"]["scale"]
        aside = _ART["hut"]["aside"] if hut_at < SIDE / 2 else -_ART["hut"]["aside"]
    # Small figures stand higher, so that they do not hide a hut in the corner.
    down = _ART["foot"]["one" if many == 1 else "many" if hut_at is None else "beside hut"]
    placed = (
        PlacedFigure(
            figure,
            zone[0] * SIDE + _ART["across"] + aside + (i - (many - 1) / 2) * _ART["apart"][many - 1],
            zone[1] * SIDE + down,
            scale,
        )
        for i, figure in enumerate(shown)
    )
    return ZoneWorkers(zone, tuple(placed), ordered)


def draw_worker(placed: PlacedFigure, *, faded: bool = False) -> str:
    """Draw a worker with the points on the cloak, in brackets if another worker scores in the territory."""
    figure, owner = placed.figure, player_style(placed.figure.player)
    color, written, fill = owner.color, str(figure.points), "#fff"
    body = {"href": f"#{ID}{figure.profession}"}
    if not figure.scored:
        color, written, fill = mix_colors(owner.color, PALE, _ART["idle"]["pale"]), f"({written})", "var(--line)"
        body["stroke_dasharray"] = _ART["idle"]["dashes"]
    points, mark = _ART["points"], _ART["mark"]
    size = points["sizes"][min(len(written), len(points["sizes"])) - 1]
    place = f"translate({format_number(mark['x'])} {format_number(mark['y'])})"
    scale = "" if placed.scale == 1 else f" scale({placed.scale})"
    return svg_element(
        "g",
        svg_element("title", escape_text(describe_figure(figure))),
        svg_element("use", **body),
        svg_element(
            "text",
            escape_text(written),
            x=points["x"],
            y=points["y"] + size * points["drop"],
            font_size=size,
            fill=fill,
        ),
        svg_element("circle", cx=mark["x"], cy=mark["y"], **attributes(mark["circle"])),
        svg_element("use", href=f"#{ID}mark-{owner.mark}", transform=place, color=owner.color),
        data_part="figure",
        data_player=figure.player,
        data_scored="yes" if figure.scored else "no",
        transform=f"translate({format_number(placed.x)} {format_number(placed.y)}){scale}",
        color=color,
        **({"opacity": str(_ART["faded"])} if faded else {}),
        font_family=SANS,
        **attributes(_ART["text"]),
        stroke_linejoin="round",
    )


def draw_count(group: ZoneWorkers) -> str:
    """Draw the number of workers on a zone if there are several."""
    art = _ART["count"]
    if len(group.workers) < art["from"]:
        return ""
    hidden = "; ".join(describe_figure(figure) for figure in group.workers[len(group.figures) :])
    title = f"{len(group.workers)} workers" + (f", also: {hidden}" if hidden else "")
    x, y = group.zone[0] * SIDE + art["x"], group.zone[1] * SIDE + art["y"]
    return svg_element(
        "g",
        svg_element("title", escape_text(title)),
        svg_element("circle", **attributes(art["circle"])),
        svg_element("text", f"×{len(group.workers)}", **attributes(art["text"])),
        data_part="count",
        transform=f"translate({format_number(x)} {format_number(y)})",
        font_family=SANS,
        **attributes(_ART["text"]),
    )


def symbol_names(figures: Sequence[Figure]) -> set[str]:
    """Return the names of the symbols that the drawings of these workers use."""
    marks = {f"mark-{player_style(figure.player).mark}" for figure in figures}
    return marks | {figure.profession for figure in figures}


def zone_name(x: int, y: int) -> str:
    """Return the name of a zone in the notation, such as `d4.nw`."""
    return f"{'abcdefghijklmnopqrstuvwxyz'[x // 2]}{y // 2 + 1}.{'ns'[y % 2]}{'we'[x % 2]}"


def describe_figure(figure: Figure) -> str:
    """Return a text with the profession, zone, points and player of a worker."""
    points = "1 point" if figure.points == 1 else f"{figure.points} points"
    scoring = points if figure.scored else f"does not score ({points})"
    return f"{figure.profession} on {zone_name(figure.x, figure.y)}: {scoring}, {player_style(figure.player).name}"
