"""Helpers to write SVG: numbers, escaping, tags, and ids that are unique on a page."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Sequence
from html import escape

ID = "@@"
"""The prefix of each id and of each reference to one; `unique_ids` replaces it."""


def format_number(value: float) -> str:
    """Return a number with at most one decimal, as short as possible; halves are rounded up, as on the page."""
    rounded = math.floor(value * 10 + 0.5) / 10
    return f"{rounded:.1f}".removesuffix(".0")


def svg_element(name: str, *children: str, **attributes: str | float) -> str:
    """Return an element; `children` are markup, `attributes` are escaped, and `_` in their names becomes `-`."""
    parts = [name]
    for key, value in attributes.items():
        text_value = escape(value) if isinstance(value, str) else format_number(value)
        parts.append(f'{key.rstrip("_").replace("_", "-")}="{text_value}"')
    content = "".join(children)
    opening = " ".join(parts)
    return f"<{opening}>{content}</{name}>" if content else f"<{opening}/>"


def escape_text(value: str) -> str:
    """Escape the text content of an element."""
    return escape(value, quote=False)


def unique_ids(markup: str) -> str:
    """Replace `ID` by a hash of the drawing, so that the ids of drawings on one page differ."""
    digest = hashlib.sha256(markup.encode()).hexdigest()[:8]
    return markup.replace(ID, f"l{digest}-")


def side_by_side(pictures: Sequence[str]) -> str:
    """Combine complete drawings into one, from left to right."""
    if len(pictures) == 1:
        return pictures[0]
    children, left, height = [], 0.0, 0.0
    for picture in pictures:
        opening = picture[: picture.index(">")]
        size = {key: float(value) for key, value in re.findall(r'\s(width|height)="([\d.]+)"', opening)}
        children.append(picture.replace("<svg", f'<svg x="{format_number(left)}"', 1))
        left += size["width"]
        height = max(height, size["height"])
    return svg_element("svg", *children, xmlns="http://www.w3.org/2000/svg", width=left, height=height) + "\n"
