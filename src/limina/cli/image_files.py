"""Write drawings as picture files (SVG, PNG) or animations (GIF, WebP). The file's suffix chooses the format."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from limina.cli.progress import ProgressBar
from limina.core.files import check_writable, write_atomic
from limina.errors import LiminaError
from limina.printing.raster import (
    ANIMATED_FORMATS,
    FRAME_MILLISECONDS_RANGE,
    MAX_ANIMATION_PIXELS,
    PIXEL_RANGE,
    STILL_FORMATS,
    picture,
)


def add_picture_options(parser: Any, *, animated: bool = False) -> None:
    """Add the options for the picture to write, with animations if they are allowed."""
    suffixes = ", ".join(f".{name}" for name in (*STILL_FORMATS, *(ANIMATED_FORMATS if animated else ())))
    parser.add_argument("--out", type=Path, metavar="FILE", help=f"write a picture in one of the formats {suffixes}")
    parser.add_argument("--pixels", type=int, metavar="N", help="longer side of the picture (default 640)")
    parser.add_argument("--theme", choices=("light", "dark"), default="light", help="colors of the picture")
    if animated:
        parser.add_argument("--speed", type=int, default=800, metavar="MS", help="time of a frame (default 800 ms)")


def is_animation(out: Path) -> bool:
    """Return True if the file's suffix is that of an animation."""
    return out.suffix.lower()[1:] in ANIMATED_FORMATS


def write_picture(arguments: argparse.Namespace, drawings: Sequence[str]) -> None:
    """Write the only drawing as a picture, or all of them as an animation. Raise LiminaError for invalid options."""
    out: Path = arguments.out
    suffix, pixels = out.suffix.lower()[1:], arguments.pixels
    allowed = (*STILL_FORMATS, *(ANIMATED_FORMATS if hasattr(arguments, "speed") else ()))
    if suffix not in allowed:
        raise LiminaError(f"--out must end in {', '.join(f'.{name}' for name in allowed[:-1])} or .{allowed[-1]}")
    if pixels is not None and pixels not in PIXEL_RANGE:
        raise LiminaError(f"--pixels must be from {PIXEL_RANGE[0]} to {PIXEL_RANGE[-1]}")
    if suffix in ANIMATED_FORMATS and pixels is not None and pixels > MAX_ANIMATION_PIXELS:
        raise LiminaError(f"--pixels of an animation must be from {PIXEL_RANGE[0]} to {MAX_ANIMATION_PIXELS}")
    if suffix in ANIMATED_FORMATS and arguments.speed not in FRAME_MILLISECONDS_RANGE:
        raise LiminaError(
            f"--speed must be from {FRAME_MILLISECONDS_RANGE[0]} to {FRAME_MILLISECONDS_RANGE[-1]} milliseconds"
        )
    check_writable(out)
    if suffix in STILL_FORMATS:
        write_atomic(out, picture(drawings, suffix, pixels=pixels))
        return
    with ProgressBar("frames") as bar:
        animation = picture(
            drawings, suffix, pixels=pixels, theme=arguments.theme, speed=arguments.speed, progress=bar.show
        )
    write_atomic(out, animation)
