"""Drawings as files: one as SVG or PNG, several as a moving GIF or WebP."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from limina.errors import LiminaError
from limina.printing import animation, typeset

STILL_FORMATS = ("svg", "png")
ANIMATED_FORMATS = ("gif", "webp")
THEMES = ("light", "dark")
BACKGROUNDS = {"light": "#fbf6ea", "dark": "#10141c"}
"""What is behind a moving picture, by its theme."""
PIXEL_RANGE = range(64, 4097)
"""Pixels of a picture's longer side."""
MAX_ANIMATION_PIXELS = 1600
"""Of a moving one: it has many pictures."""
MAX_FRAMES = 400
FRAME_MILLISECONDS_RANGE = range(20, 10_001)
"""Milliseconds that each stays."""
DEFAULT_PIXELS = 640


def picture(
    drawings: Sequence[str],
    kind: str,
    *,
    pixels: int | None = None,
    theme: str = "light",
    speed: int = 800,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> bytes:
    """The last drawing as `svg` or `png`, or all of them as `gif` or `webp`; the longer side has so many pixels."""
    if kind == "svg":
        return (drawings[-1] if pixels is None else animation.resized(drawings[-1], pixels)).encode()
    if kind == "png":
        return typeset.png(drawings[-1], animation.across(drawings[-1], pixels or DEFAULT_PIXELS))
    if len(drawings) > MAX_FRAMES:
        raise LiminaError(f"a moving picture has {MAX_FRAMES} pictures at most, this would have {len(drawings)}")
    return animation.animation(
        drawings,
        kind=kind,
        size=pixels or DEFAULT_PIXELS,
        milliseconds=speed,
        paper=BACKGROUNDS[theme],
        progress=progress,
    )
