"""Animations of several drawings, as GIF or WebP, and the sizes of drawings."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import IO, Any

from limina.printing.typeset import import_library, png

_ATTRIBUTE = {name: re.compile(rf'\s{name}="([^"]+)"') for name in ("viewBox", "width", "height")}
_MAX_RATIO_DIFFERENCE = 0.02
"""The difference in width / height up to which drawings count as having the same proportions."""


def encode_animation(
    drawings: Sequence[str],
    *,
    kind: str,
    size: int,
    milliseconds: int,
    paper: str,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> bytes:
    """Return the drawings as an animation of the kind `gif` or `webp`.

    `size` is the longer side in pixels, `milliseconds` the duration of a frame (the last lasts four times as long) and
    `paper` the color of the background. `progress` is called after each frame with the number of finished frames and
    of all. Frames are rasterized and encoded one by one, so only the size of the file grows with their number.
    """
    image = import_library("PIL.Image")
    drawings = align_view_boxes(drawings)
    sizes = (_pixel_size(drawing, size) for drawing in drawings)
    canvas = tuple(max(lengths) for lengths in zip(*sizes, strict=True))
    durations = [milliseconds] * (len(drawings) - 1) + [4 * milliseconds]
    last = _frame(image, drawings[-1], size, canvas, paper)

    def frames() -> Iterator[Any]:
        for number, drawing in enumerate(drawings, 1):
            frame = last if number == len(drawings) else _frame(image, drawing, size, canvas, paper)
            progress(number, len(drawings))
            yield frame

    file = io.BytesIO()
    if kind == "gif":
        # All frames share the palette of the last, which has most colors, so that colors do not flicker.
        colors = last.quantize(255, method=image.Quantize.MEDIANCUT)
        quantized = (frame.quantize(palette=colors, dither=image.Dither.NONE) for frame in frames())
        _write_gif(file, quantized, durations)
    else:
        _write_webp(file, frames(), durations)
    return file.getvalue()


def _frame(image: Any, drawing: str, size: int, canvas: tuple[int, ...], paper: str) -> Any:
    """Return a drawing as an image, centered on a canvas in the color of the paper."""
    picture = image.open(io.BytesIO(png(drawing, pixel_width(drawing, size)))).convert("RGBA")
    frame = image.new("RGBA", canvas, paper)
    corner = max(0, (canvas[0] - picture.width) // 2), max(0, (canvas[1] - picture.height) // 2)
    frame.alpha_composite(picture, corner)
    return frame.convert("RGB")


def _write_gif(file: IO[bytes], frames: Iterable[Any], durations: Sequence[int]) -> None:
    """Write frames that share a palette: of each only the rectangle that differs from the frame before.

    Pillow's own writer of animated GIFs keeps all frames in memory.
    """
    gif, chops = import_library("PIL.GifImagePlugin"), import_library("PIL.ImageChops")
    before = changed = None
    corner, shown_milliseconds = (0, 0), 0
    for frame, duration in zip(frames, durations, strict=True):
        if before is None:
            file.writelines(gif.getheader(frame, info={"loop": 0})[0])
            box = (0, 0, *frame.size)
        else:
            box = chops.subtract_modulo(frame, before).getbbox()
        if box is not None:
            if changed is not None:
                file.writelines(gif.getdata(changed, corner, duration=shown_milliseconds))
            changed, corner, shown_milliseconds = frame.crop(box), box[:2], 0
        before = frame
        shown_milliseconds += duration
    file.writelines(gif.getdata(changed, corner, duration=shown_milliseconds))
    file.write(b";")


def _write_webp(file: IO[bytes], frames: Iterator[Any], durations: Sequence[int]) -> None:
    first = next(frames)
    later = [_LaterFrames(frames, len(durations) - 1)] if len(durations) > 1 else []
    first.save(file, "WEBP", save_all=True, append_images=later, duration=list(durations), loop=0, quality=85)


class _LaterFrames:
    """The interface of a Pillow image with several frames, as far as saving uses it: it seeks each frame in order."""

    mode = "RGB"

    def __init__(self, frames: Iterator[Any], count: int) -> None:
        self._frames = frames
        self.n_frames = count

    def seek(self, _: int) -> None:
        self._frame = next(self._frames)

    def getim(self) -> Any:
        return self._frame.getim()


def align_view_boxes(drawings: Sequence[str]) -> list[str]:
    """Give drawings of different proportions one common view box, so that what they share stays in place."""
    boxes = [box for box in map(_view_box, drawings) if box is not None]
    if len(boxes) < len(drawings):
        return list(drawings)
    ratios = [width / height for _, _, width, height in boxes]
    if max(ratios) - min(ratios) < _MAX_RATIO_DIFFERENCE:
        return list(drawings)
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    width, height = max(box[0] + box[2] for box in boxes) - left, max(box[1] + box[3] for box in boxes) - top
    common = {"viewBox": f"{left:g} {top:g} {width:g} {height:g}", "width": f"{width:g}", "height": f"{height:g}"}
    return [_with_attributes(drawing, common) for drawing in drawings]


def drawing_size(drawing: str) -> tuple[float, float]:
    """Return the width and height that a drawing declares, or (1, 1) without them."""
    opening = drawing[: drawing.index(">")]
    width, height = (_ATTRIBUTE[name].search(opening) for name in ("width", "height"))
    return (float(width[1]), float(height[1])) if width and height else (1.0, 1.0)


def pixel_width(drawing: str, size: int) -> int:
    """Return the width in pixels of a drawing whose longer side has `size` pixels."""
    return _pixel_size(drawing, size)[0]


def _pixel_size(drawing: str, size: int) -> tuple[int, int]:
    """Return the width and height in pixels of a drawing whose longer side has `size` pixels."""
    width, height = drawing_size(drawing)
    pixels = max(1, round(size * min(1.0, width / height)))
    return pixels, max(1, int(pixels * height / width + 0.5))  # Typst rounds halves up


def resize(drawing: str, size: int) -> str:
    """Return the drawing with a longer side of `size` pixels."""
    width, height = drawing_size(drawing)
    if _view_box(drawing) is None:
        # Drawings side by side have no view box, and without one a new size would not scale them.
        end = drawing.index(">")
        drawing = f'{drawing[:end]} viewBox="0 0 {width:g} {height:g}"{drawing[end:]}'
    scale = size / max(width, height)
    return _with_attributes(drawing, {"width": str(round(width * scale)), "height": str(round(height * scale))})


def _with_attributes(drawing: str, values: Mapping[str, str]) -> str:
    """Replace attributes of the root element, if it has them."""
    opening, rest = drawing[: drawing.index(">")], drawing[drawing.index(">") :]
    for name, value in values.items():
        opening = _ATTRIBUTE[name].sub(f' {name}="{value}"', opening, count=1)
    return opening + rest


def _view_box(drawing: str) -> tuple[float, float, float, float] | None:
    match = _ATTRIBUTE["viewBox"].search(drawing[: drawing.index(">")])
    if match is None:
        return None
    x, y, width, height = map(float, match[1].split())
    return x, y, width, height
