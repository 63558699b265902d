"""Pictures for chats and forums: any drawing as SVG or PNG, several as a moving GIF or WebP, by the file's ending."""

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


def add_picture(parser: Any, *, moving: bool = False) -> None:
    """Add the arguments that say which picture to write."""
    kinds = ", ".join(f".{kind}" for kind in (*STILL_FORMATS, *(ANIMATED_FORMATS if moving else ())))
    parser.add_argument("--out", type=Path, metavar="FILE", help=f"write a picture; its ending says which: {kinds}")
    parser.add_argument("--pixels", type=int, metavar="N", help="its longer side (default 640)")
    parser.add_argument("--theme", choices=("light", "dark"), default="light", help="colors of the picture")
    if moving:
        parser.add_argument("--speed", type=int, default=800, metavar="MS", help="how long each picture stays (800)")


def is_moving(out: Path) -> bool:
    """Whether the file's ending is that of a moving picture."""
    return out.suffix.lower()[1:] in ANIMATED_FORMATS


def write_picture(arguments: argparse.Namespace, drawings: Sequence[str]) -> None:
    """Write the drawing, or all of them as a moving picture."""
    out: Path = arguments.out
    kind, pixels = out.suffix.lower()[1:], arguments.pixels
    allowed = (*STILL_FORMATS, *(ANIMATED_FORMATS if hasattr(arguments, "speed") else ()))
    if kind not in allowed:
        raise LiminaError(f"--out must end in {', '.join(f'.{each}' for each in allowed[:-1])} or .{allowed[-1]}")
    if pixels is not None and pixels not in PIXEL_RANGE:
        raise LiminaError(f"--pixels must be from {PIXEL_RANGE[0]} to {PIXEL_RANGE[-1]}")
    if kind in ANIMATED_FORMATS and pixels is not None and pixels > MAX_ANIMATION_PIXELS:
        raise LiminaError(f"--pixels of a moving picture must be from {PIXEL_RANGE[0]} to {MAX_ANIMATION_PIXELS}")
    if kind in ANIMATED_FORMATS and arguments.speed not in FRAME_MILLISECONDS_RANGE:
        raise LiminaError(
            f"--speed must be from {FRAME_MILLISECONDS_RANGE[0]} to {FRAME_MILLISECONDS_RANGE[-1]} milliseconds"
        )
    check_writable(out)
    if kind in STILL_FORMATS:
        write_atomic(out, picture(drawings, kind, pixels=pixels))
        return
    with ProgressBar("pictures") as bar:
        made = picture(drawings, kind, pixels=pixels, theme=arguments.theme, speed=arguments.speed, progress=bar.show)
    write_atomic(out, made)
