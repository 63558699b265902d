"""The printed game piece by piece: hexagonal tiles seen from above, their backs, and pawns to fold."""

from __future__ import annotations

import math

from limina.gamekit.noise import noise
from limina.gamekit.svg import ID, number, unique_ids
from limina.limit.draw import symbols
from limina.limit.draw.geometry import RADIUS, TILT
from limina.limit.draw.palette import PALETTES
from limina.limit.draw.scene import PLAYERS

_PALETTE = PALETTES["light"]
_PAPER = _PALETTE.paper
_HALF = RADIUS * math.sqrt(3) / 2


def draw_tile(color: str, which: int, bleed: float = 0.0) -> str:
    """Draw a tile; `which` turns its grain, `bleed` is how far it goes on beyond its edge, in widths of a tile."""
    values = _PALETTE.tiles[color]
    stone, side, inlay = values["--limit-stone"], values["--limit-side"], values["--limit-inlay"]
    sign = f'<use href="#limit-sign-{color}"'
    body = (
        f"<defs>{symbols.gradients()}{symbols.symbol('limit-grain')}{symbols.symbol(f'limit-sign-{color}')}</defs>"
        f'<path d="{_hexagon(_radius(bleed))}" fill="{side}"/>'
        f'<path d="{_hexagon(RADIUS - 2.2)}" fill="{stone}" stroke="{stone}" stroke-width="2" stroke-linejoin="round"/>'
        f'<path d="{_hexagon(RADIUS - 2.2)}" fill="url(#limit-sheen)"/>'
        f'<use href="#limit-grain" transform="rotate({which * 60 % 360})"/>'
        f'<path d="{_hexagon(39)}" fill="none" stroke="{inlay}" stroke-opacity=".6" stroke-width="1.2" '
        'stroke-linejoin="round"/>'
        f'<g color="{inlay}" stroke-linejoin="round">{sign} stroke="{inlay}" stroke-width="9.4"/>'
        f'<g color="{stone}">{sign} stroke="{stone}" stroke-width="7"/></g>{sign}/></g>'
    )
    return _document(bleed, body)


def draw_back(bleed: float = 0.0) -> str:
    """Draw the back of every tile: the water that it leaves."""
    inner, outer = _PALETTE.water
    lines = ""
    for row in range(-3, 4):
        for column in range(-2, 3):
            x = 19 * column + (9.5 if row % 2 else 0) + 5 * (noise("back", row, column) - 0.5)
            y = 10.5 * row
            if math.hypot(x, y) < 33:
                lines += f"M{number(x - 6)} {number(y)}q2 -2.6 4 0t4 0t4 0"
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
    return _document(bleed, body)


PAWN = (20.0, 25.0, 7.5)
"""Width and height of a pawn, and how deep each of its two feet is, in millimetres, for a tile of 40."""


def draw_pawn(player: int) -> str:
    """Draw a pawn twice, head to head, with a foot at either end."""
    width, height, foot = PAWN
    values = {**_PALETTE.marks, **_PALETTE.pawns[player]}
    paint = values["--limit-paint"]
    pawn = (
        f'<g id="pawn" transform="translate({number(width / 2)} {number(foot + 2 * height - 7)})scale(.34)">'
        + symbols.fix("limit-pawn", values)
        + f'<use href="#limit-sign-{PLAYERS[player]}" color="{values["--limit-sign"]}" '
        f'transform="translate(0 -33)scale(.72 {round(0.72 * TILT, 3)})"/></g>'
    )
    body = (
        f"<defs>{symbols.gradients()}{symbols.symbol(f'limit-sign-{PLAYERS[player]}')}</defs>"
        f'<path d="M0 0H{number(width)}V{number(2 * (height + foot))}H0Z" fill="{paint}"/>'
        f'<path d="M0 {number(foot)}H{number(width)}V{number(foot + 2 * height)}H0Z" fill="{_PAPER}"/>'
        f'{pawn}<use href="#pawn" transform="rotate(180 {number(width / 2)} {number(foot + height)})"/>'
    )
    return _svg(f"0 0 {number(width)} {number(2 * (height + foot))}", body)


def _radius(bleed: float) -> float:
    """From the middle to the corner, bleed included."""
    return RADIUS * (1 + 2 * bleed)


def _hexagon(radius: float) -> str:
    corners = (math.radians(60 * i - 90) for i in range(6))
    return "M" + "L".join(f"{radius * math.cos(a):.3f} {radius * math.sin(a):.3f}" for a in corners) + "Z"


def _document(bleed: float, body: str) -> str:
    half, high = _HALF * (1 + 2 * bleed), _radius(bleed)
    return _svg(f"{-half:.4f} {-high:.4f} {2 * half:.4f} {2 * high:.4f}", body)


def _svg(box: str, body: str) -> str:
    width, height = (number(float(side)) for side in box.split()[2:])
    size = f'width="{width}" height="{height}"'
    markup = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" {size}>{body}</svg>'
    return unique_ids(symbols.prefix_ids(markup, ID))
