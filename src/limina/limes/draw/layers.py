"""The measures and layers of art/landscape.json, which the drawings of this package and of the page share.

A layer is the name of a shape with the attributes it is drawn with, or a group with `layers` of its own. Colors are
names; they are written as CSS custom properties until `palette.resolve_colors` replaces them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any, Final

from limina.gamekit.svg import ID, svg_element

ART: Final[dict[str, Any]] = json.loads((files("limina.limes") / "art" / "landscape.json").read_text("utf-8"))
SIDE: Final[int] = ART["side"]
"""The side of a zone in user units of the drawings."""
CARD: Final = 2 * SIDE
"""The side of a card in user units."""

_COLORED = ("fill", "stroke")


def round_half_up(value: float) -> int:
    """Return the nearest integer; halves are rounded up, as JavaScript does on the page."""
    return math.floor(value + 0.5)


def attributes(style: Mapping[str, Any]) -> dict[str, str]:
    """Return a style as attributes of an SVG element."""
    return {key: _color(value) if key in _COLORED else str(value) for key, value in style.items()}


def draw_layers(
    drawn: Sequence[Mapping[str, Any]], shapes: Mapping[str, str], name: str, known: Sequence[str] = ()
) -> str:
    """Draw layers one above the other.

    A shape that several layers use is written once, under an id that begins with `name`. Shapes in `known` are
    already in the drawing under such an id.
    """
    names = list(_names(drawn))
    shared = {shape: shape_id(name, shape) for shape in shapes if shape in known or names.count(shape) > 1}
    written = [
        svg_element("path", d=shapes[shape], id=name, data_part=shape)
        for shape, name in shared.items()
        if shape not in known
    ]
    return (svg_element("defs", *written) if written else "") + "".join(
        _layer(layer, shapes, shared) for layer in drawn
    )


def shape_id(name: str, shape: str) -> str:
    """Return the id under which `draw_layers` writes a shape."""
    return f"{ID}{name}-{shape}"


def _layer(layer: Mapping[str, Any], shapes: Mapping[str, str], shared: Mapping[str, str]) -> str:
    style = attributes({key: value for key, value in layer.items() if key not in ("shape", "layers")})
    if "layers" in layer:
        return svg_element("g", *(_layer(inner, shapes, shared) for inner in layer["layers"]), **style)
    shape = layer["shape"]
    if shape in shared:
        return svg_element("use", href=f"#{shared[shape]}", **style)
    return svg_element("path", d=shapes[shape], data_part=shape, **style)


def _names(drawn: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for layer in drawn:
        if "layers" in layer:
            yield from _names(layer["layers"])
        else:
            yield layer["shape"]


def _color(name: str) -> str:
    return name if name == "none" else f"var(--{name})"
