"""The one place that knows Typst, which sets our drawings and texts as PDF and PNG with its own embedded fonts."""

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
"""Free, and part of Typst: nothing depends on what the machine has installed."""
_FAMILY = re.compile(r'font-family="[^"]*"')
_PICTURE = b"""\
#set page(width: auto, height: auto, margin: 0pt, fill: none)
#image(bytes(sys.inputs.picture), format: "svg", width: int(sys.inputs.width) * 1pt)
"""


def pdf(document: Mapping[str, Any], pictures: Mapping[str, str]) -> bytes:
    """A document as `sheets.typ` describes it, with its drawings by name, as a PDF without a pixel in it."""
    inputs = {f"picture-{name}": _set_font(drawn) for name, drawn in pictures.items()}
    inputs["document"] = json.dumps(document)
    # Of no time and no place: the same game gives the same file.
    return _compile((files("limina.printing") / "sheets.typ").read_bytes(), inputs, format="pdf", timestamp=0)


def png(drawn: str, width: int) -> bytes:
    """A drawing as a picture of so many pixels in width."""
    return _compile(_PICTURE, {"picture": _set_font(drawn), "width": str(width)}, format="png", ppi=72.0)


def _compile(source: bytes, inputs: Mapping[str, str], **how: Any) -> bytes:
    typst = library("typst")
    made: bytes = typst.compile(source, sys_inputs=dict(inputs), ignore_system_fonts=True, **how)
    return made


def _set_font(drawn: str) -> str:
    return _FAMILY.sub(f'font-family="{FONT}"', drawn)


@cache
def is_installed() -> bool:
    """Whether the libraries of the extra `print` are there."""
    return all(find_spec(name) is not None for name in ("typst", "PIL"))


@cache
def library(name: str) -> Any:
    """A library of the extra `print`, or a sentence where it is missing."""
    try:
        return import_module(name)
    except ImportError:
        raise LiminaError("this needs what `pip install 'limina[print]'` installs") from None
