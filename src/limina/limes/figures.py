"""Workers on the ground: one large, or a few smaller ones side by side."""

from __future__ import annotations

from collections.abc import Sequence

from limina.limes.outline import SIDE
from limina.limes.palette import SANS, Palette, mix, player
from limina.limes.scene import Figure
from limina.svg import ID, number, tag, text

#: More workers than this on one zone are counted instead of drawn.
SHOWN = 3

# By the number of workers: how large they are, and how far apart.
_SCALE = {1: 1.0, 2: 0.68, 3: 0.52}
_APART = {1: 0.0, 2: 46.0, 3: 31.0}


def zone_name(x: int, y: int) -> str:
    """Return the name of a zone as players write it, such as `d4.nw`."""
    return f"{'abcdefghijklmnopqrstuvwxyz'[x // 2]}{y // 2 + 1}.{'ns'[y % 2]}{'we'[x % 2]}"


def words(figure: Figure) -> str:
    """Say in words who stands where and what he is worth."""
    points = "1 point" if figure.points == 1 else f"{figure.points} points"
    scoring = points if figure.scored else f"does not score ({points})"
    return f"{figure.profession} on {zone_name(figure.x, figure.y)}: {scoring}, {player(figure.player).name}"


def symbols_of(figures: Sequence[Figure]) -> set[str]:
    """Return the names of the symbols that drawings of these workers need."""
    marks = {f"mark-{player(figure.player).mark}" for figure in figures}
    return marks | {figure.profession for figure in figures}


def crowd(figures: Sequence[Figure], hut_at: float | None, colours: Palette) -> str:
    """Draw the workers of one zone, the scoring one first; they step aside for a hut."""
    ordered = sorted(figures, key=lambda figure: not figure.scored)
    shown = ordered[:SHOWN]
    x, y = shown[0].x * SIDE, shown[0].y * SIDE
    scale, apart = _SCALE[len(shown)], _APART[len(shown)]
    aside = 0.0
    if len(shown) == 1 and hut_at is not None:
        scale, aside = 0.88, 12 if hut_at < 50 else -12
    drawn = []
    for i, figure in enumerate(shown):
        px = x + 51 + aside + (i - (len(shown) - 1) / 2) * apart
        # Small figures stand higher, so that a hut in the corner stays in sight.
        py = y + (94 if len(shown) == 1 else 84 if hut_at is None else 62)
        drawn.append(_worker(figure, px, py, scale, colours))
    if len(ordered) > SHOWN:
        drawn.append(_count(ordered, x + 82, y + 18, colours))
    return "".join(drawn)


def _worker(figure: Figure, x: float, y: float, scale: float, colours: Palette) -> str:
    owner = player(figure.player)
    if figure.scored:
        colour, written, fill = owner.colour, str(figure.points), "#fff"
    else:
        colour, written, fill = mix(owner.colour, "#fff8e6", 0.68), f"({figure.points})", colours["line"]
    body = tag("use", href=f"#{ID}{figure.profession}", **({} if figure.scored else {"stroke_dasharray": "5 4"}))
    size = {1: 40, 2: 33, 3: 28}.get(len(written), 23)
    points = tag(
        "text",
        text(written),
        x=-5,
        y=-20 + size * 0.33,
        font_size=size,
        fill=fill,
    )
    mark = tag("circle", cx=-27, cy=-1, r=9.5, fill=colours["halo"], stroke=colours["line"], stroke_width=1.8)
    mark += tag("use", href=f"#{ID}mark-{owner.mark}", transform="translate(-27 -1)", color=owner.colour)
    placing = f"translate({number(x)} {number(y)})" + ("" if scale == 1 else f" scale({scale})")
    return tag(
        "g",
        tag("title", text(words(figure))),
        body,
        points,
        mark,
        data_part="figure",
        data_player=figure.player,
        data_scored="yes" if figure.scored else "no",
        transform=placing,
        color=colour,
        font_family=SANS,
        font_weight=800,
        text_anchor="middle",
        stroke_linejoin="round",
    )


def _count(figures: Sequence[Figure], x: float, y: float, colours: Palette) -> str:
    hidden = "; ".join(words(figure) for figure in figures[SHOWN:])
    return tag(
        "g",
        tag("title", text(f"{len(figures)} workers, also: {hidden}")),
        tag("circle", r=15, fill=colours["halo"], stroke=colours["line"], stroke_width=2),
        tag("text", f"×{len(figures)}", y=6.5, font_size=18, fill=colours["line"]),
        data_part="count",
        transform=f"translate({number(x)} {number(y)})",
        font_family=SANS,
        font_weight=800,
        text_anchor="middle",
    )
