"""PDF and PNG files from drawings and texts. This is the only module that uses Typst."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from typing import Any

from limina.errors import LiminaError

FONT = "Libertinus Serif"
"""A free font that Typst contains, so that files do not depend on the fonts of the machine."""
_FONT_FAMILY = re.compile(r'font-family="[^"]*"')
_PNG_SOURCE = b"""\
#set page(width: auto, height: auto, margin: 0pt, fill: none)
#image(bytes(sys.inputs.picture), format: "svg", width: int(sys.inputs.width) * 1pt)
"""


def pdf(document: Mapping[str, Any], pictures: Mapping[str, str]) -> bytes:
    """Return a document of the form that `sheets.typ` reads, with its drawings by name, as a PDF of vector graphics."""
    inputs = {f"picture-{name}": _set_font(drawing) for name, drawing in pictures.items()}
    inputs["document"] = json.dumps(document)
    # A fixed timestamp, so that the same document gives the same file.
    return _compile((files("limina.printing") / "sheets.typ").read_bytes(), inputs, format="pdf", timestamp=0)


def png(drawing: str, width: int) -> bytes:
    """Return a drawing as a PNG file with a width in pixels."""
    return _compile(_PNG_SOURCE, {"picture": _set_font(drawing), "width": str(width)}, format="png", ppi=72.0)


def _compile(source: bytes, inputs: Mapping[str, str], **options: Any) -> bytes:
    typst = import_library("typst")
    content: bytes = typst.compile(source, sys_inputs=dict(inputs), ignore_system_fonts=True, **options)
    return content


def _set_font(drawing: str) -> str:
    return _FONT_FAMILY.sub(f'font-family="{FONT}"', drawing)


@cache
def is_installed() -> bool:
    """Return True if the libraries of the extra `print` are installed."""
    return all(find_spec(name) is not None for name in ("typst", "PIL"))


@cache
def import_library(name: str) -> Any:
    """Import a library of the extra `print`. Raises LiminaError if it is missing."""
    try:
        return import_module(name)
    except ImportError:
        raise LiminaError("this needs more packages: run `pip install 'limina[print]'`") from None
