"""Drawings as image files: one as SVG or PNG, several as an animated GIF or WebP."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from limina.errors import LiminaError
from limina.printing import animation, typeset

STILL_FORMATS = ("svg", "png")
ANIMATED_FORMATS = ("gif", "webp")
THEMES = ("light", "dark")
BACKGROUNDS = {"light": "#fbf6ea", "dark": "#10141c"}
"""The background color of animations by theme."""
PIXEL_RANGE = range(64, 4097)
"""The allowed lengths of the longer side of an image, in pixels."""
MAX_ANIMATION_PIXELS = 1600
"""The maximum length of the longer side of an animation. It is lower because the work grows with each frame."""
MAX_FRAMES = 400
"""The maximum number of frames of an animation."""
FRAME_MILLISECONDS_RANGE = range(20, 10_001)
"""The allowed durations of a frame."""
DEFAULT_PIXELS = 640
"""The length of the longer side if none is given."""


def picture(
    drawings: Sequence[str],
    kind: str,
    *,
    pixels: int | None = None,
    theme: str = "light",
    speed: int = 800,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> bytes:
    """Return the last drawing as `svg` or `png`, or all of them as an animation of the kind `gif` or `webp`.

    `pixels` is the length of the longer side, `theme` chooses the background of an animation, and `speed` is the
    duration of a frame in milliseconds. Raises LiminaError if there are more than `MAX_FRAMES` drawings.
    """
    if kind == "svg":
        return (drawings[-1] if pixels is None else animation.resize(drawings[-1], pixels)).encode()
    if kind == "png":
        return typeset.png(drawings[-1], animation.pixel_width(drawings[-1], pixels or DEFAULT_PIXELS))
    if len(drawings) > MAX_FRAMES:
        raise LiminaError(f"an animation has at most {MAX_FRAMES} frames, this one would have {len(drawings)}")
    return animation.encode_animation(
        drawings,
        kind=kind,
        size=pixels or DEFAULT_PIXELS,
        milliseconds=speed,
        paper=BACKGROUNDS[theme],
        progress=progress,
    )
