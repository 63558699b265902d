"""Drawings of the printed pieces: card faces whose landscape extends beyond the edge, backs, and folded workers."""

from __future__ import annotations

from collections.abc import Sequence

from limina.gamekit.svg import ID, format_number, svg_element, unique_ids
from limina.limes.draw.ground import draw_territory, draw_uprights, upright_rows
from limina.limes.draw.layers import ART, CARD, SIDE, attributes
from limina.limes.draw.outline import hand_drawn_bend, outline, territories
from limina.limes.draw.palette import SERIF, palette, player_style, resolve_colors
from limina.limes.draw.scene import Ground
from limina.limes.draw.symbols import symbol_definitions

_UPRIGHT_SYMBOLS = ("tree", "fir", "ear", "tower", "hut")
_CAP_PATH = "M-17-62C-16-78 6-78 7-62Q-5-67-17-62Z"
_PAPER, _INK = "#f4e9d2", "#3b2f22"


def draw_face(face: Sequence[Ground], card: int, bleed: float = 0.0) -> str:
    """Draw a card with its number in the middle; `bleed` is the width of the art beyond its edge, in cards.

    The zones extend beyond the card, so that no line runs along its edge and territories continue on the next card.
    """
    # Noise depends on the coordinates: cards with coordinates of their own get furrows and trees of their own.
    left, top = 8 * card, 0
    core = {(left + i % 2, top + i // 2): here for i, here in enumerate(face)}
    extended = {
        (left + x, top + y): core[left + _nearest(x), top + _nearest(y)] for x in range(-1, 3) for y in range(-1, 3)
    }
    bend = hand_drawn_bend(extended)
    covers, inked = "", ""
    for zones in territories(core):
        extended_zones = frozenset(
            (left + x, top + y)
            for x in range(-1, 3)
            for y in range(-1, 3)
            if (left + _nearest(x), top + _nearest(y)) in zones
        )
        # The plateau of a rock is drawn once, on the card.
        covers += draw_territory(
            extended_zones, core, bend, drawn=zones if core[min(zones)].landscape == "R" else extended_zones
        )
        inked += svg_element("path", d=outline(extended_zones, bend))
    upright = (drawn for things in upright_rows(core, frozenset()).values() for drawn in draw_uprights(things))
    edge = bleed * CARD
    x, y, side = left * SIDE - edge, top * SIDE - edge, CARD + 2 * edge
    return _document(
        (x, y, side, side),
        svg_element("defs", symbol_definitions(_UPRIGHT_SYMBOLS)),
        svg_element("rect", x=x, y=y, width=side, height=side, fill="var(--soil)"),
        covers,
        svg_element("g", inked, **attributes(ART["ground"]["ink"])),
        *upright,
        _number(str(card), (left + 1) * SIDE, (top + 1) * SIDE),
    )


def draw_back(color: str, bleed: float = 0.0) -> str:
    """Draw the back of a card: a tower in a frame, in the color of a player."""
    edge = bleed * CARD
    line = {"fill": "none", "stroke": _PAPER}
    frame = "".join(
        svg_element("rect", x=at, y=at, width=CARD - 2 * at, height=CARD - 2 * at, rx=4, **line, **more)
        for at, more in (
            (13.0, {"stroke_width": "1.2"}),
            (17.5, {"stroke_width": "5", "stroke_dasharray": "10.3 10.3", "stroke_opacity": ".85"}),
            (22.0, {"stroke_width": "1.2"}),
        )
    )
    compass_rose = "".join(
        svg_element("path", d="M0 -60V-53" if i % 2 else "M0 -68V-53", transform=f"rotate({format_number(i * 11.25)})")
        for i in range(32)
    )
    middle = svg_element(
        "g",
        svg_element("g", compass_rose, stroke=_PAPER, stroke_width="1.6", stroke_opacity=".7"),
        svg_element("circle", r=50, fill=_PAPER),
        svg_element("circle", r=46, fill="none", stroke=color, stroke_width="1.6"),
        svg_element(
            "path", d="M-40 29Q-20 22 0 27T40 27", fill="none", stroke=color, stroke_width="2", stroke_opacity=".6"
        ),
        svg_element(
            "path", d="M-33 35Q-14 29 4 33T33 34", fill="none", stroke=color, stroke_width="1.5", stroke_opacity=".4"
        ),
        svg_element("use", href=f"#{ID}fir", transform="translate(-27 28)scale(.8)"),
        svg_element("use", href=f"#{ID}tree", transform="translate(26 29)scale(.85)"),
        svg_element("use", href=f"#{ID}tower", transform="translate(0 32)scale(.86)"),
        transform=f"translate({SIDE} {SIDE})",
    )
    side = CARD + 2 * edge
    return _document(
        (-edge, -edge, side, side),
        svg_element("defs", symbol_definitions(["tower", "tree", "fir"])),
        svg_element("rect", x=-edge, y=-edge, width=side, height=side, fill=color),
        frame,
        middle,
    )


WORKER = (22.0, 27.0, 8.0)
"""The width and height of a worker and the depth of each foot, in millimeters, for cards of 63 mm."""


def draw_worker(seat_index: int) -> str:
    """Draw a worker to fold: twice, head to head, with a foot at each end."""
    width, height, foot = WORKER
    style = player_style(seat_index)
    figure = svg_element(
        "g",
        svg_element("use", href=f"#{ID}cloak"),
        svg_element("use", href=f"#{ID}face"),
        svg_element("path", d=_CAP_PATH, fill=style.color, stroke="var(--line)", stroke_width=2.2),
        svg_element("circle", cx=-5, cy=-20, r=11, fill="var(--halo)", stroke="var(--line)", stroke_width="1.8"),
        svg_element("use", href=f"#{ID}mark-{style.mark}", transform="translate(-5 -20)", color=style.color),
        # The cloak stands around -5; the foot is the lower edge.
        transform=f"translate({format_number(width / 2 + 1.6)} {format_number(foot + 2 * height - 1)})scale(.31)",
        color=style.color,
        stroke_linejoin="round",
    )
    foot_front, foot_back = (
        svg_element("rect", x=0, y=y, width=width, height=foot, fill=style.color, fill_opacity=".9")
        for y in (foot + 2 * height, 0.0)
    )
    ground = svg_element("rect", x=0, y=foot, width=width, height=2 * height, fill=_PAPER)
    back_figure = svg_element(
        "g", figure, transform=f"rotate(180 {format_number(width / 2)} {format_number(foot + height)})"
    )
    return _document(
        (0, 0, width, 2 * (height + foot)),
        svg_element("defs", symbol_definitions(["cloak", "face", f"mark-{style.mark}"])),
        ground + foot_front + foot_back + figure + back_figure,
    )


def _nearest(offset: int) -> int:
    return min(max(offset, 0), 1)


def _number(label: str, x: float, y: float) -> str:
    return svg_element(
        "g",
        svg_element("circle", cx=x, cy=y, r=10.5, fill=_PAPER, stroke=_INK, stroke_width="1.4"),
        svg_element(
            "text",
            label,
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
    view_box = " ".join(f"{value:.4f}" for value in box)
    width, height = box[2:]
    markup = svg_element("svg", *body, xmlns="http://www.w3.org/2000/svg", viewBox=view_box, width=width, height=height)
    return unique_ids(resolve_colors(markup, palette("light")))
