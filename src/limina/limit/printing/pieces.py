"""Drawings of the printed pieces: hexagonal tiles from above, their backs, and pawns to fold."""

from __future__ import annotations

import math

from limina.gamekit.noise import noise
from limina.gamekit.svg import ID, format_number, unique_ids
from limina.limit.draw import symbols
from limina.limit.draw.geometry import RADIUS, TILT
from limina.limit.draw.palette import PALETTES
from limina.limit.draw.scene import PLAYERS

_PALETTE = PALETTES["light"]
_PAPER = _PALETTE.paper
_HALF_WIDTH = RADIUS * math.sqrt(3) / 2
"""Half of the width of a tile."""


def draw_tile(color: str, grain_turns: int, bleed: float = 0.0) -> str:
    """Return a tile as SVG, with its grain rotated by multiples of 60 degrees.

    `bleed` is the margin beyond the edge, in widths of a tile.
    """
    values = _PALETTE.tiles[color]
    stone, side, inlay = values["--limit-stone"], values["--limit-side"], values["--limit-inlay"]
    sign = f'<use href="#limit-sign-{color}"'
    body = (
        f"<defs>{symbols.gradients()}{symbols.symbol('limit-grain')}{symbols.symbol(f'limit-sign-{color}')}</defs>"
        f'<path d="{_hexagon(_radius(bleed))}" fill="{side}"/>'
        f'<path d="{_hexagon(RADIUS - 2.2)}" fill="{stone}" stroke="{stone}" stroke-width="2" stroke-linejoin="round"/>'
        f'<path d="{_hexagon(RADIUS - 2.2)}" fill="url(#limit-sheen)"/>'
        f'<use href="#limit-grain" transform="rotate({grain_turns * 60 % 360})"/>'
        f'<path d="{_hexagon(39)}" fill="none" stroke="{inlay}" stroke-opacity=".6" stroke-width="1.2" '
        'stroke-linejoin="round"/>'
        f'<g color="{inlay}" stroke-linejoin="round">{sign} stroke="{inlay}" stroke-width="9.4"/>'
        f'<g color="{stone}">{sign} stroke="{stone}" stroke-width="7"/></g>{sign}/></g>'
    )
    return _tile_document(bleed, body)


def draw_back(bleed: float = 0.0) -> str:
    """Return the back of all tiles as SVG: water. `bleed` is the margin beyond the edge, in widths of a tile."""
    inner, outer = _PALETTE.water
    lines = ""
    for row in range(-3, 4):
        for column in range(-2, 3):
            x = 19 * column + (9.5 if row % 2 else 0) + 5 * (noise("back", row, column) - 0.5)
            y = 10.5 * row
            if math.hypot(x, y) < 33:
                lines += f"M{format_number(x - 6)} {format_number(y)}q2 -2.6 4 0t4 0t4 0"
    rings = "".join(
        f'<path d="{_hexagon(radius)}" fill="none" stroke="{_PALETTE.wave}" stroke-opacity="{opacity}" '
        'stroke-width="1.1" stroke-linejoin="round"/>'
        for radius, opacity in ((45, 0.25), (42.5, 0.45), (40, 0.7))
    )
    body = (
        f'<defs><radialGradient id="deep" r=".62"><stop stop-color="{inner}"/><stop offset="1" stop-color="{outer}"/>'
        "</radialGradient></defs>"
        f'<path d="{_hexagon(_radius(bleed))}" fill="{outer}"/><path d="{_hexagon(40)}" fill="url(#deep)"/>{rings}'
        f'<path d="{lines}" fill="none" stroke="{_PALETTE.wave}" stroke-opacity=".6" stroke-width="1.2" '
        'stroke-linecap="round"/>'
    )
    return _tile_document(bleed, body)


PAWN_MM = (20.0, 25.0, 7.5)
"""Width and height of a pawn and the depth of each of its two feet, in millimeters, for tiles of 40 mm."""


def draw_pawn(player: int) -> str:
    """Return a pawn to fold as SVG: drawn twice, head to head, with a foot at either end."""
    width, height, foot = PAWN_MM
    values = {**_PALETTE.marks, **_PALETTE.pawns[player]}
    paint = values["--limit-paint"]
    pawn = (
        f'<g id="pawn" '
        f'transform="translate({format_number(width / 2)} {format_number(foot + 2 * height - 7)})scale(.34)">'
        + symbols.colored_symbol("limit-pawn", values)
        + f'<use href="#limit-sign-{PLAYERS[player]}" color="{values["--limit-sign"]}" '
        f'transform="translate(0 -33)scale(.72 {round(0.72 * TILT, 3)})"/></g>'
    )
    body = (
        f"<defs>{symbols.gradients()}{symbols.symbol(f'limit-sign-{PLAYERS[player]}')}</defs>"
        f'<path d="M0 0H{format_number(width)}V{format_number(2 * (height + foot))}H0Z" fill="{paint}"/>'
        f'<path d="M0 {format_number(foot)}H{format_number(width)}V{format_number(foot + 2 * height)}H0Z" '
        f'fill="{_PAPER}"/>'
        f'{pawn}<use href="#pawn" transform="rotate(180 {format_number(width / 2)} {format_number(foot + height)})"/>'
    )
    return _svg(f"0 0 {format_number(width)} {format_number(2 * (height + foot))}", body)


def _radius(bleed: float) -> float:
    """Return the distance from the center to a corner, including the bleed."""
    return RADIUS * (1 + 2 * bleed)


def _hexagon(radius: float) -> str:
    angles = (math.radians(60 * i - 90) for i in range(6))
    return "M" + "L".join(f"{radius * math.cos(a):.3f} {radius * math.sin(a):.3f}" for a in angles) + "Z"


def _tile_document(bleed: float, body: str) -> str:
    half_width, half_height = _HALF_WIDTH * (1 + 2 * bleed), _radius(bleed)
    return _svg(f"{-half_width:.4f} {-half_height:.4f} {2 * half_width:.4f} {2 * half_height:.4f}", body)


def _svg(box: str, body: str) -> str:
    """Return an SVG document with this view box, whose ids do not clash with those of other documents."""
    width, height = (format_number(float(side)) for side in box.split()[2:])
    size = f'width="{width}" height="{height}"'
    markup = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" {size}>{body}</svg>'
    return unique_ids(symbols.prefix_ids(markup, ID))
