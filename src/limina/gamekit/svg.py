"""The few things every drawing of limina needs to write SVG: numbers, escaping, tags, ids that do not collide."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Sequence
from html import escape

#: Write this before every id and every reference to one; `unique_ids` turns it into a prefix of the drawing.
ID = "@@"


def number(value: float) -> str:
    """Write a number with at most one decimal, as short as possible; halves go up, as they do on the page."""
    rounded = math.floor(value * 10 + 0.5) / 10
    return f"{rounded:.1f}".removesuffix(".0")


def tag(name: str, *children: str, **attributes: str | float) -> str:
    """Write an element; `children` are markup, `attributes` are escaped, and `_` in their names becomes `-`."""
    parts = [name]
    for key, value in attributes.items():
        written = escape(value) if isinstance(value, str) else number(value)
        parts.append(f'{key.rstrip("_").replace("_", "-")}="{written}"')
    inside = "".join(children)
    opening = " ".join(parts)
    return f"<{opening}>{inside}</{name}>" if inside else f"<{opening}/>"


def text(value: str) -> str:
    """Escape text that stands between tags."""
    return escape(value, quote=False)


def unique_ids(markup: str) -> str:
    """Give the ids marked with `ID` a prefix made from the content, so that two drawings can share a page."""
    digest = hashlib.sha256(markup.encode()).hexdigest()[:8]
    return markup.replace(ID, f"l{digest}-")


def side_by_side(pictures: Sequence[str]) -> str:
    """Put several complete drawings into one, from left to right."""
    if len(pictures) == 1:
        return pictures[0]
    placed, left, height = [], 0.0, 0.0
    for picture in pictures:
        opening = picture[: picture.index(">")]
        sides = {key: float(value) for key, value in re.findall(r'\s(width|height)="([\d.]+)"', opening)}
        placed.append(picture.replace("<svg", f'<svg x="{number(left)}"', 1))
        left += sides["width"]
        height = max(height, sides["height"])
    return tag("svg", *placed, xmlns="http://www.w3.org/2000/svg", width=left, height=height) + "\n"
