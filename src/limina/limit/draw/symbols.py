"""The drawn symbols of Limit, kept as SVG files in ``art``.

Their colors are custom properties with a value to fall back on. A web page may take them as they are, by
``sheet()``, and color them by style; a picture that must look the same in every viewer gets fixed colors by ``fix``.
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from xml.dom import minidom

FILES = ("signs", "tile", "pawn", "marks")
"""The files of ``art``, without their ending."""

_PROPERTY = re.compile(r"var\((--[\w-]+),\s*([^)]*)\)")


@cache
def _symbols() -> Mapping[str, str]:
    found: dict[str, str] = {}
    for file in FILES:
        text = files("limina.limit").joinpath("art").joinpath(f"{file}.svg").read_text(encoding="utf-8")
        # the files are ours, so that the usual caution with XML from elsewhere is not needed
        for definitions in minidom.parseString(text).getElementsByTagName("defs"):
            for node in definitions.childNodes:
                if isinstance(node, minidom.Element):
                    found[node.getAttribute("id")] = re.sub(r">\s+<", "><", node.toxml())
    return found


def symbol(identifier: str) -> str:
    """The source of a symbol (or of a gradient that symbols use), for instance of ``limit-pawn``."""
    return _symbols()[identifier]


def gradients() -> str:
    """The gradients that the symbols refer to."""
    return "".join(text for text in _symbols().values() if "Gradient" in text.split(maxsplit=1)[0])


def sheet() -> str:
    """All symbols as one invisible SVG element for a web page, which shows them by ``<use href="#limit-pawn"/>``."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" style="position:absolute" aria-hidden="true">'
        f"<defs>{''.join(_symbols().values())}</defs></svg>"
    )


def fix(identifier: str, values: Mapping[str, str], *, new_id: str | None = None) -> str:
    """A symbol with fixed colors, under a new id if one symbol is needed in several colors."""
    text = _PROPERTY.sub(lambda match: values.get(match[1], match[2]), symbol(identifier))
    return text if new_id is None else text.replace(f'id="{identifier}"', f'id="{new_id}"', 1)


def prefix_ids(svg: str, prefix: str) -> str:
    """The same SVG with a prefix before every id and every reference to one."""
    return re.sub(r'(\bid="|\bhref="#|url\(#|\baria-labelledby=")', rf"\g<1>{prefix}", svg)
