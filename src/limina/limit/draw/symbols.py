"""The symbols of Limit, from the SVG files in `art/`.

Their colors are CSS custom properties with fallbacks. A web page takes them all with `sheet` and sets the properties. A
picture that must look the same in all viewers gets fixed colors with `colored_symbol`.
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from xml.dom import minidom

FILES = ("signs", "tile", "pawn", "marks")
"""Names of the files in `art/`, without suffix."""

_PROPERTY = re.compile(r"var\((--[\w-]+),\s*([^)]*)\)")


@cache
def _symbols() -> Mapping[str, str]:
    """Return the markup of all symbols and gradients by id."""
    symbols: dict[str, str] = {}
    for file in FILES:
        text = files("limina.limit").joinpath("art").joinpath(f"{file}.svg").read_text(encoding="utf-8")
        # The files belong to the package, so the dangers of untrusted XML do not apply.
        for definitions in minidom.parseString(text).getElementsByTagName("defs"):
            for node in definitions.childNodes:
                if isinstance(node, minidom.Element):
                    symbols[node.getAttribute("id")] = re.sub(r">\s+<", "><", node.toxml())
    return symbols


def symbol(symbol_id: str) -> str:
    """Return the markup of a symbol, such as `limit-pawn`, or of a gradient."""
    return _symbols()[symbol_id]


def gradients() -> str:
    """Return the gradients to which the symbols refer."""
    return "".join(text for text in _symbols().values() if "Gradient" in text.split(maxsplit=1)[0])


def sheet() -> str:
    """Return all symbols as an invisible SVG element. A page shows them with `<use href="#limit-pawn"/>`."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" style="position:absolute" aria-hidden="true">'
        f"<defs>{''.join(_symbols().values())}</defs></svg>"
    )


def colored_symbol(symbol_id: str, values: Mapping[str, str], *, new_id: str | None = None) -> str:
    """Return a symbol with these values of its custom properties, under a new id if one is given."""
    text = _PROPERTY.sub(lambda match: values.get(match[1], match[2]), symbol(symbol_id))
    return text if new_id is None else text.replace(f'id="{symbol_id}"', f'id="{new_id}"', 1)


def prefix_ids(svg: str, prefix: str) -> str:
    """Return the SVG with a prefix before each id and each reference to an id."""
    return re.sub(r'(\bid="|\bhref="#|url\(#|\baria-labelledby=")', rf"\g<1>{prefix}", svg)
