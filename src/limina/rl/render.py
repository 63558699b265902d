"""Render positions for environments: as text, as pixels, or to the terminal."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from limina.core.position import Position
from limina.errors import LiminaError

MODES = ("ansi", "rgb_array", "human")
WIDTH_PIXELS = 512


def check_render_mode(mode: str | None) -> str | None:
    """Return the mode. Raises LiminaError if there is no such mode."""
    if mode is not None and mode not in MODES:
        raise LiminaError(f"there is no render mode {mode!r}: choose one of {', '.join(MODES)}")
    return mode


def render_position(position: Position, mode: str | None) -> Any:
    """Return the position as text ("ansi") or pixels ("rgb_array"), or print it ("human")."""
    if mode == "ansi":
        return position.text()
    if mode == "rgb_array":
        return rasterize_svg(position.svg())
    if mode == "human":
        print(position.text(color=True), flush=True)
    return None


def rasterize_svg(svg: str) -> NDArray[np.uint8]:
    """Return an SVG document as an array of rows, columns and RGB values."""
    import resvg_py
    from PIL import Image

    with Image.open(BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg, width=WIDTH_PIXELS)))) as image:
        return np.array(image.convert("RGB"))
