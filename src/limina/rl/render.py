"""How an environment is shown: as text, as a picture, or at the terminal."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from limina.core.position import Position
from limina.errors import LiminaError

MODES = ("ansi", "rgb_array", "human")
WIDTH = 512


def check_mode(mode: str | None) -> str | None:
    """The mode, if there is such a one."""
    if mode is not None and mode not in MODES:
        raise LiminaError(f"there is no render mode {mode!r}: choose one of {', '.join(MODES)}")
    return mode


def shown(position: Position, mode: str | None) -> Any:
    """The position in a mode: a text, an array of pixels, or nothing after it was printed."""
    if mode == "ansi":
        return position.text()
    if mode == "rgb_array":
        return pixels(position.svg())
    if mode == "human":
        print(position.text(color=True), flush=True)
    return None


def pixels(svg: str) -> NDArray[np.uint8]:
    """A drawing as rows of pixels of red, green and blue."""
    import resvg_py
    from PIL import Image

    with Image.open(BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg, width=WIDTH)))) as image:
        return np.array(image.convert("RGB"))
