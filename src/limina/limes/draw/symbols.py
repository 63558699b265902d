"""The symbols of art/limes.svg, made ready to stand in a drawing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from xml.etree import ElementTree

from limina.gamekit.svg import ID

_REFERENCE = re.compile(r'href="#([^"]+)"')


def sheet() -> str:
    """Return the file of symbols as it is, for a page that gives the colors as custom properties."""
    return (files("limina.limes") / "art" / "limes.svg").read_text(encoding="utf-8")


@cache
def _symbols() -> dict[str, str]:
    # Without the namespace the parts can be written out again as they are, to stand inside a drawing that names it.
    root = ElementTree.fromstring(sheet().replace(' xmlns="http://www.w3.org/2000/svg"', "", 1))
    found = {}
    for element in root.iter():
        if name := element.get("id"):
            body = "".join(ElementTree.tostring(child, encoding="unicode") for child in element)
            found[name] = re.sub(r">\s+<", "><", body).strip().replace(" />", "/>")
    return found


def definitions(names: Iterable[str]) -> str:
    """Write the named symbols, and those they are made of, for use by their names."""
    wanted = sorted(set(names))
    written: dict[str, str] = {}
    while wanted:
        name = wanted.pop(0)
        if name in written:
            continue
        body = _symbols()[name]
        wanted.extend(_REFERENCE.findall(body))
        written[name] = _REFERENCE.sub(lambda match: f'href="#{ID}{match[1]}"', body)
    # A plain group keeps the symbol's own origin (the foot of a thing), so that it can be put down without a box.
    return "".join(f'<g id="{ID}{name}">{body}</g>' for name, body in written.items())
