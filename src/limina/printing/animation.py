"""Several drawings as one moving picture."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import IO, Any

from limina.printing.typeset import library, png

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
    """The drawings one after the other as `gif` or `webp`, the longer side of so many pixels; the last stays longer.

    Frames are rasterized and encoded one after the other: memory does not grow with their number, the file aside.
    """
    image = library("PIL.Image")
    drawings = steadied(drawings)
    canvas = tuple(max(lengths) for lengths in zip(*(_pixels(drawn, size) for drawn in drawings), strict=True))
    durations = [milliseconds] * (len(drawings) - 1) + [4 * milliseconds]
    last = _frame(image, drawings[-1], size, canvas, paper)

    def frames() -> Iterator[Any]:
        for number, drawn in enumerate(drawings, 1):
            frame = last if number == len(drawings) else _frame(image, drawn, size, canvas, paper)
            progress(number, len(drawings))
            yield frame

    made = io.BytesIO()
    if kind == "gif":  # all in the colors of the last, which has most of them: nothing flickers
        colors = last.quantize(255, method=image.Quantize.MEDIANCUT)
        quantized = (frame.quantize(palette=colors, dither=image.Dither.NONE) for frame in frames())
        _write_gif(made, quantized, durations)
    else:
        _write_webp(made, frames(), durations)
    return made.getvalue()


def _frame(image: Any, drawn: str, size: int, canvas: tuple[int, ...], paper: str) -> Any:
    """Rasterize a drawing, centered on a canvas of the color of the paper."""
    picture = image.open(io.BytesIO(png(drawn, across(drawn, size)))).convert("RGBA")
    frame = image.new("RGBA", canvas, paper)
    corner = max(0, (canvas[0] - picture.width) // 2), max(0, (canvas[1] - picture.height) // 2)
    frame.alpha_composite(picture, corner)
    return frame.convert("RGB")


def _write_gif(file: IO[bytes], frames: Iterable[Any], durations: Sequence[int]) -> None:
    """Write frames that share a palette: of each only the rectangle that differs from the frame before.

    Pillow's own writer of animated GIF holds all frames until the last has come.
    """
    gif, chops = library("PIL.GifImagePlugin"), library("PIL.ImageChops")
    before = changed = None
    corner, shown_for = (0, 0), 0
    for frame, duration in zip(frames, durations, strict=True):
        if before is None:
            file.writelines(gif.getheader(frame, info={"loop": 0})[0])
            box = (0, 0, *frame.size)
        else:
            box = chops.subtract_modulo(frame, before).getbbox()
        if box is not None:
            if changed is not None:
                file.writelines(gif.getdata(changed, corner, duration=shown_for))
            changed, corner, shown_for = frame.crop(box), box[:2], 0
        before = frame
        shown_for += duration
    file.writelines(gif.getdata(changed, corner, duration=shown_for))
    file.write(b";")


def _write_webp(file: IO[bytes], frames: Iterator[Any], durations: Sequence[int]) -> None:
    first = next(frames)
    later = [_LaterFrames(frames, len(durations) - 1)] if len(durations) > 1 else []
    first.save(file, "WEBP", save_all=True, append_images=later, duration=list(durations), loop=0, quality=85)


class _LaterFrames:
    """The part of an image with several frames that Pillow uses to save one: it seeks each in order and reads it."""

    mode = "RGB"

    def __init__(self, frames: Iterator[Any], count: int) -> None:
        self._frames = frames
        self.n_frames = count

    def seek(self, _: int) -> None:
        self._frame = next(self._frames)

    def getim(self) -> Any:
        return self._frame.getim()


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
    return _pixels(drawn, size)[0]


def _pixels(drawn: str, size: int) -> tuple[int, int]:
    """Width and height in pixels of a drawing whose longer side is to have so many."""
    width, height = sides(drawn)
    wide = max(1, round(size * min(1.0, width / height)))
    return wide, max(1, int(wide * height / width + 0.5))  # Typst rounds halves up


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
