"""The printed game piece by piece: faces whose landscape runs off the card, backs, and workers to fold."""

from __future__ import annotations

from collections.abc import Sequence

from limina.gamekit.svg import ID, number, tag, unique_ids
from limina.limes.draw.ground import draw_territory, draw_uprights, upright_rows
from limina.limes.draw.layers import ART, CARD, SIDE, attributes
from limina.limes.draw.outline import hand_drawn, outline, territories
from limina.limes.draw.palette import SERIF, palette, player_style, resolve_colors
from limina.limes.draw.scene import Ground
from limina.limes.draw.symbols import symbol_definitions

_STANDING = ("tree", "fir", "ear", "tower", "hut")
_CAP = "M-17-62C-16-78 6-78 7-62Q-5-67-17-62Z"
_PAPER, _INK = "#f4e9d2", "#3b2f22"


def draw_face(face: Sequence[Ground], card: int, bleed: float = 0.0) -> str:
    """Draw a card with its number in the middle; `bleed` is how far the art goes on beyond its edge, in cards.

    The zones go on beyond the card, so that no line runs along its edge: cards laid beside each other make one country.
    """
    # Far apart, so that chance gives every card its own furrows and trees.
    left, top = 8 * card, 0
    core = {(left + i % 2, top + i // 2): here for i, here in enumerate(face)}
    around = {(left + x, top + y): core[left + _near(x), top + _near(y)] for x in range(-1, 3) for y in range(-1, 3)}
    bend = hand_drawn(around)
    covers, inked = "", ""
    for zones in territories(core):
        spread = frozenset(
            (left + x, top + y)
            for x in range(-1, 3)
            for y in range(-1, 3)
            if (left + _near(x), top + _near(y)) in zones
        )
        # A rock has one plateau, which stays on the card.
        covers += draw_territory(spread, core, bend, drawn=zones if core[min(zones)].landscape == "R" else spread)
        inked += tag("path", d=outline(spread, bend))
    standing = (drawn for things in upright_rows(core, frozenset()).values() for drawn in draw_uprights(things))
    edge = bleed * CARD
    x, y, side = left * SIDE - edge, top * SIDE - edge, CARD + 2 * edge
    return _document(
        (x, y, side, side),
        tag("defs", symbol_definitions(_STANDING)),
        tag("rect", x=x, y=y, width=side, height=side, fill="var(--soil)"),
        covers,
        tag("g", inked, **attributes(ART["ground"]["ink"])),
        *standing,
        _number(str(card), (left + 1) * SIDE, (top + 1) * SIDE),
    )


def draw_back(color: str, bleed: float = 0.0) -> str:
    """Draw the back of a card: a watchtower in a surveyor's frame, on the color of a player."""
    edge = bleed * CARD
    line = {"fill": "none", "stroke": _PAPER}
    dashes = "".join(
        tag("rect", x=at, y=at, width=CARD - 2 * at, height=CARD - 2 * at, rx=4, **line, **more)
        for at, more in (
            (13.0, {"stroke_width": "1.2"}),
            (17.5, {"stroke_width": "5", "stroke_dasharray": "10.3 10.3", "stroke_opacity": ".85"}),
            (22.0, {"stroke_width": "1.2"}),
        )
    )
    rose = "".join(
        tag("path", d="M0 -60V-53" if i % 2 else "M0 -68V-53", transform=f"rotate({number(i * 11.25)})")
        for i in range(32)
    )
    middle = tag(
        "g",
        tag("g", rose, stroke=_PAPER, stroke_width="1.6", stroke_opacity=".7"),
        tag("circle", r=50, fill=_PAPER),
        tag("circle", r=46, fill="none", stroke=color, stroke_width="1.6"),
        tag("path", d="M-40 29Q-20 22 0 27T40 27", fill="none", stroke=color, stroke_width="2", stroke_opacity=".6"),
        tag("path", d="M-33 35Q-14 29 4 33T33 34", fill="none", stroke=color, stroke_width="1.5", stroke_opacity=".4"),
        tag("use", href=f"#{ID}fir", transform="translate(-27 28)scale(.8)"),
        tag("use", href=f"#{ID}tree", transform="translate(26 29)scale(.85)"),
        tag("use", href=f"#{ID}tower", transform="translate(0 32)scale(.86)"),
        transform=f"translate({SIDE} {SIDE})",
    )
    side = CARD + 2 * edge
    return _document(
        (-edge, -edge, side, side),
        tag("defs", symbol_definitions(["tower", "tree", "fir"])),
        tag("rect", x=-edge, y=-edge, width=side, height=side, fill=color),
        dashes,
        middle,
    )


WORKER = (22.0, 27.0, 8.0)
"""Width and height of a worker, and how deep each of his two feet is, in millimetres, for a card of 63."""


def draw_worker(seat_index: int) -> str:
    """Draw a worker twice, head to head, with a foot at either end."""
    width, height, foot = WORKER
    owner = player_style(seat_index)
    figure = tag(
        "g",
        tag("use", href=f"#{ID}cloak"),
        tag("use", href=f"#{ID}face"),
        tag(
            "path", d="M-17-62C-16-78 6-78 7-62Q-5-67-17-62Z", fill=owner.color, stroke="var(--line)", stroke_width=2.2
        ),
        tag("circle", cx=-5, cy=-20, r=11, fill="var(--halo)", stroke="var(--line)", stroke_width="1.8"),
        tag("use", href=f"#{ID}mark-{owner.mark}", transform="translate(-5 -20)", color=owner.color),
        # The cloak stands around -5; the foot is the lower edge.
        transform=f"translate({number(width / 2 + 1.6)} {number(foot + 2 * height - 1)})scale(.31)",
        color=owner.color,
        stroke_linejoin="round",
    )
    foot_front, foot_back = (
        tag("rect", x=0, y=y, width=width, height=foot, fill=owner.color, fill_opacity=".9")
        for y in (foot + 2 * height, 0.0)
    )
    ground = tag("rect", x=0, y=foot, width=width, height=2 * height, fill=_PAPER)
    turned = tag("g", figure, transform=f"rotate(180 {number(width / 2)} {number(foot + height)})")
    return _document(
        (0, 0, width, 2 * (height + foot)),
        tag("defs", symbol_definitions(["cloak", "face", f"mark-{owner.mark}"])),
        ground + foot_front + foot_back + figure + turned,
    )


def _near(zone: int) -> int:
    return min(max(zone, 0), 1)


def _number(written: str, x: float, y: float) -> str:
    return tag(
        "g",
        tag("circle", cx=x, cy=y, r=10.5, fill=_PAPER, stroke=_INK, stroke_width="1.4"),
        tag(
            "text",
            written,
            x=x,
            y=y + 4.4,
            font_size="13",
            font_weight="700",
            text_anchor="middle",
            font_family=SERIF,
            fill=_INK,
        ),
    )


def _document(box: tuple[float, float, float, float], *body: str) -> str:
    written = " ".join(f"{value:.4f}" for value in box)
    width, height = box[2:]
    markup = tag("svg", *body, xmlns="http://www.w3.org/2000/svg", viewBox=written, width=width, height=height)
    return unique_ids(resolve_colors(markup, palette("light")))
