"""What art/landscape.json says about every drawing of Limes, which the page draws from too: measures and layers.

A layer is a shape by its name with the attributes it is drawn with; a layer with `layers` of its own is a group.
Colors are names, written as custom properties until `svg` paints the whole drawing.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any, Final

from limina.gamekit.svg import ID, tag

ART: Final[dict[str, Any]] = json.loads((files("limina.limes") / "art" / "landscape.json").read_text("utf-8"))
SIDE: Final[int] = ART["side"]
"""Length of a zone's side in the units of every drawing."""
CARD: Final = 2 * SIDE

_COLORED = ("fill", "stroke")


def whole(value: float) -> int:
    """Return the nearest whole number; halves go up, as they do on the page."""
    return math.floor(value + 0.5)


def attributes(style: Mapping[str, Any]) -> dict[str, str]:
    """Return a style as the attributes of an element."""
    return {key: _color(value) if key in _COLORED else str(value) for key, value in style.items()}


def layers(drawn: Sequence[Mapping[str, Any]], shapes: Mapping[str, str], name: str, known: Sequence[str] = ()) -> str:
    """Draw shapes one above the other; one that is drawn twice is written once, under an id that begins with `name`.

    Shapes that are `known` stand in the drawing already.
    """
    names = list(_names(drawn))
    shared = {shape: shape_id(name, shape) for shape in shapes if shape in known or names.count(shape) > 1}
    written = [
        tag("path", d=shapes[shape], id=name, data_part=shape) for shape, name in shared.items() if shape not in known
    ]
    return (tag("defs", *written) if written else "") + "".join(_layer(layer, shapes, shared) for layer in drawn)


def shape_id(name: str, shape: str) -> str:
    """Return the id under which `layers` writes a shape."""
    return f"{ID}{name}-{shape}"


def _layer(layer: Mapping[str, Any], shapes: Mapping[str, str], shared: Mapping[str, str]) -> str:
    style = attributes({key: value for key, value in layer.items() if key not in ("shape", "layers")})
    if "layers" in layer:
        return tag("g", *(_layer(each, shapes, shared) for each in layer["layers"]), **style)
    shape = layer["shape"]
    if shape in shared:
        return tag("use", href=f"#{shared[shape]}", **style)
    return tag("path", d=shapes[shape], data_part=shape, **style)


def _names(drawn: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for layer in drawn:
        if "layers" in layer:
            yield from _names(layer["layers"])
        else:
            yield layer["shape"]


def _color(name: str) -> str:
    return name if name == "none" else f"var(--{name})"
