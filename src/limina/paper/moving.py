"""Several drawings as one moving picture."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from typing import Any

from limina.paper.typeset import library, png

_ATTRIBUTE = {name: re.compile(rf'\s{name}="([^"]+)"') for name in ("viewBox", "width", "height")}
_ALIKE = 0.02
"""Drawings whose proportions differ by less have the same."""


def animation(
    drawings: Sequence[str],
    *,
    kind: str,
    size: int,
    milliseconds: int,
    paper: str,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> bytes:
    """The drawings one after the other as `gif` or `webp`, the longer side of so many pixels; the last stays longer."""
    image = library("PIL.Image")
    pictures = []
    for number, drawn in enumerate(steadied(drawings), 1):
        pictures.append(_raster(image, drawn, size))
        progress(number, len(drawings))
    width, height = max(each.width for each in pictures), max(each.height for each in pictures)
    frames = []
    for picture in pictures:
        frame = image.new("RGBA", (width, height), paper)
        frame.alpha_composite(picture, ((width - picture.width) // 2, (height - picture.height) // 2))
        frames.append(frame.convert("RGB"))
    if kind == "gif":  # all in the colours of the last, which has most of them: nothing flickers
        colours = frames[-1].quantize(255, method=image.Quantize.MEDIANCUT)
        frames = [frame.quantize(palette=colours, dither=image.Dither.NONE) for frame in frames]
    durations = [milliseconds] * (len(frames) - 1) + [4 * milliseconds]
    made = io.BytesIO()
    more: dict[str, Any] = {"quality": 85} if kind == "webp" else {"optimize": False}
    frames[0].save(made, kind.upper(), save_all=True, append_images=frames[1:], duration=durations, loop=0, **more)
    return made.getvalue()


def steadied(drawings: Sequence[str]) -> list[str]:
    """Drawings of one shape as they are; others seen through one window, so that what they share stays in place."""
    boxes = [_box(drawn) for drawn in drawings]
    if any(box is None for box in boxes):
        return list(drawings)
    known = [box for box in boxes if box is not None]
    shapes = [width / height for _, _, width, height in known]
    if max(shapes) - min(shapes) < _ALIKE:
        return list(drawings)
    left, top = min(box[0] for box in known), min(box[1] for box in known)
    right, bottom = max(box[0] + box[2] for box in known), max(box[1] + box[3] for box in known)
    window = f"{left:g} {top:g} {right - left:g} {bottom - top:g}"
    found = []
    for drawn in drawings:
        opening, rest = drawn[: drawn.index(">")], drawn[drawn.index(">") :]
        for name, value in (("viewBox", window), ("width", f"{right - left:g}"), ("height", f"{bottom - top:g}")):
            opening = _ATTRIBUTE[name].sub(f' {name}="{value}"', opening, count=1)
        found.append(opening + rest)
    return found


def sides(drawn: str) -> tuple[float, float]:
    """Width and height of a drawing, as it says itself."""
    opening = drawn[: drawn.index(">")]
    width, height = (_ATTRIBUTE[name].search(opening) for name in ("width", "height"))
    return (float(width[1]), float(height[1])) if width and height else (1.0, 1.0)


def across(drawn: str, size: int) -> int:
    """The width of a drawing whose longer side is to have so many pixels."""
    width, height = sides(drawn)
    return max(1, round(size * min(1.0, width / height)))


def resized(drawn: str, size: int) -> str:
    """The drawing with a longer side of so many pixels, where it says how large it is."""
    width, height = sides(drawn)
    opening, rest = drawn[: drawn.index(">")], drawn[drawn.index(">") :]
    if _ATTRIBUTE["viewBox"].search(opening) is None:  # several beside each other: the window is what they fill
        opening += f' viewBox="0 0 {width:g} {height:g}"'
    scale = size / max(width, height)
    for name, value in (("width", round(width * scale)), ("height", round(height * scale))):
        opening = _ATTRIBUTE[name].sub(f' {name}="{value}"', opening, count=1)
    return opening + rest


def _box(drawn: str) -> tuple[float, float, float, float] | None:
    found = _ATTRIBUTE["viewBox"].search(drawn[: drawn.index(">")])
    if found is None:
        return None
    x, y, width, height = map(float, found[1].split())
    return x, y, width, height


def _raster(image: Any, drawn: str, size: int) -> Any:
    return image.open(io.BytesIO(png(drawn, across(drawn, size)))).convert("RGBA")
