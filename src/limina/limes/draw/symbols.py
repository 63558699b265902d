"""The symbols of art/limes.svg, for use in a drawing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from xml.etree import ElementTree

from limina.gamekit.svg import ID

_REFERENCE = re.compile(r'href="#([^"]+)"')


def symbol_file() -> str:
    """Return the content of art/limes.svg, whose colors are custom properties."""
    return (files("limina.limes") / "art" / "limes.svg").read_text(encoding="utf-8")


@cache
def _symbols() -> dict[str, str]:
    # Without the namespace, ElementTree writes the elements without prefixes; the drawing around them declares it.
    root = ElementTree.fromstring(symbol_file().replace(' xmlns="http://www.w3.org/2000/svg"', "", 1))
    symbols = {}
    for element in root.iter():
        if name := element.get("id"):
            body = "".join(ElementTree.tostring(child, encoding="unicode") for child in element)
            symbols[name] = re.sub(r">\s+<", "><", body).strip().replace(" />", "/>")
    return symbols


def symbol_definitions(names: Iterable[str]) -> str:
    """Return the definitions of the named symbols and of all symbols that these refer to."""
    pending = sorted(set(names))
    written: dict[str, str] = {}
    while pending:
        name = pending.pop(0)
        if name in written:
            continue
        body = _symbols()[name]
        pending.extend(_REFERENCE.findall(body))
        written[name] = _REFERENCE.sub(lambda match: f'href="#{ID}{match[1]}"', body)
    # A group keeps the origin of the symbol, which is the foot of the thing; a symbol element would need a view box.
    return "".join(f'<g id="{ID}{name}">{body}</g>' for name, body in written.items())
