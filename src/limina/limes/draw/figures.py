"""Workers on the ground: one large, or a few smaller ones side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from limina.gamekit.svg import ID, number, tag, text
from limina.limes.draw.landscape import hut_place
from limina.limes.draw.layers import ART, SIDE, attributes
from limina.limes.draw.palette import PALE, SANS, mix, player
from limina.limes.draw.scene import Figure, Ground, Zone

_ART = ART["figures"]


@dataclass(frozen=True, slots=True)
class Placed:
    """A worker, where his foot stands, and how large he is."""

    figure: Figure
    x: float
    y: float
    scale: float


@dataclass(frozen=True, slots=True)
class Crowd:
    """The workers of one zone: those that are drawn, and all of them."""

    zone: Zone
    figures: tuple[Placed, ...]
    workers: tuple[Figure, ...]


def crowds(figures: Sequence[Figure], ground: Mapping[Zone, Ground]) -> list[Crowd]:
    """Place the workers zone by zone, from back to front, the scoring one first; they step aside for a hut."""
    zones: dict[Zone, list[Figure]] = {}
    for figure in figures:
        zones.setdefault((figure.x, figure.y), []).append(figure)
    return [_crowd(zone, zones[zone], ground) for zone in sorted(zones, key=lambda zone: (zone[1], zone[0]))]


def _crowd(zone: Zone, figures: Sequence[Figure], ground: Mapping[Zone, Ground]) -> Crowd:
    hut_at = hut_place(zone, ground)
    ordered = tuple(sorted(figures, key=lambda figure: not figure.scored))
    shown = ordered[: _ART["shown"]]
    many = len(shown)
    scale, aside = _ART["scale"][many - 1], 0
    if many == 1 and hut_at is not None:
        scale = _ART["hut"]["scale"]
        aside = _ART["hut"]["aside"] if hut_at < SIDE / 2 else -_ART["hut"]["aside"]
    # Small figures stand higher, so that a hut in the corner stays in sight.
    down = _ART["foot"]["one" if many == 1 else "many" if hut_at is None else "beside hut"]
    placed = (
        Placed(
            figure,
            zone[0] * SIDE + _ART["across"] + aside + (i - (many - 1) / 2) * _ART["apart"][many - 1],
            zone[1] * SIDE + down,
            scale,
        )
        for i, figure in enumerate(shown)
    )
    return Crowd(zone, tuple(placed), ordered)


def draw_worker(placed: Placed, *, faded: bool = False) -> str:
    """Draw a worker with his points on his cloak."""
    figure, owner = placed.figure, player(placed.figure.player)
    color, written, fill = owner.color, str(figure.points), "#fff"
    body = {"href": f"#{ID}{figure.profession}"}
    if not figure.scored:
        color, written, fill = mix(owner.color, PALE, _ART["idle"]["pale"]), f"({written})", "var(--line)"
        body["stroke_dasharray"] = _ART["idle"]["dashes"]
    points, mark = _ART["points"], _ART["mark"]
    size = points["sizes"][min(len(written), len(points["sizes"])) - 1]
    place = f"translate({number(mark['x'])} {number(mark['y'])})"
    scale = "" if placed.scale == 1 else f" scale({placed.scale})"
    return tag(
        "g",
        tag("title", text(words(figure))),
        tag("use", **body),
        tag("text", text(written), x=points["x"], y=points["y"] + size * points["drop"], font_size=size, fill=fill),
        tag("circle", cx=mark["x"], cy=mark["y"], **attributes(mark["circle"])),
        tag("use", href=f"#{ID}mark-{owner.mark}", transform=place, color=owner.color),
        data_part="figure",
        data_player=figure.player,
        data_scored="yes" if figure.scored else "no",
        transform=f"translate({number(placed.x)} {number(placed.y)}){scale}",
        color=color,
        **({"opacity": str(_ART["faded"])} if faded else {}),
        font_family=SANS,
        **attributes(_ART["text"]),
        stroke_linejoin="round",
    )


def draw_count(crowd: Crowd) -> str:
    """Draw how many workers stand on a zone, where it is more than one."""
    art = _ART["count"]
    if len(crowd.workers) < art["from"]:
        return ""
    hidden = "; ".join(words(figure) for figure in crowd.workers[len(crowd.figures) :])
    said = f"{len(crowd.workers)} workers" + (f", also: {hidden}" if hidden else "")
    x, y = crowd.zone[0] * SIDE + art["x"], crowd.zone[1] * SIDE + art["y"]
    return tag(
        "g",
        tag("title", text(said)),
        tag("circle", **attributes(art["circle"])),
        tag("text", f"×{len(crowd.workers)}", **attributes(art["text"])),
        data_part="count",
        transform=f"translate({number(x)} {number(y)})",
        font_family=SANS,
        **attributes(_ART["text"]),
    )


def symbols_of(figures: Sequence[Figure]) -> set[str]:
    """Return the names of the symbols that drawings of these workers need."""
    marks = {f"mark-{player(figure.player).mark}" for figure in figures}
    return marks | {figure.profession for figure in figures}


def zone_name(x: int, y: int) -> str:
    """Return the name of a zone as players write it, such as `d4.nw`."""
    return f"{'abcdefghijklmnopqrstuvwxyz'[x // 2]}{y // 2 + 1}.{'ns'[y % 2]}{'we'[x % 2]}"


def words(figure: Figure) -> str:
    """Say in words who stands where and what he is worth."""
    points = "1 point" if figure.points == 1 else f"{figure.points} points"
    scoring = points if figure.scored else f"does not score ({points})"
    return f"{figure.profession} on {zone_name(figure.x, figure.y)}: {scoring}, {player(figure.player).name}"
