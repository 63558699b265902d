"""A program that renders files: sheets to print as PDF, and pictures of records.

`python -m limina.isolated.render` answers the questions in `HANDLERS` (see `limina.isolated.protocol`).
"""

from __future__ import annotations

import os
from collections.abc import Callable

from limina.core import registry
from limina.core.capabilities import PrintJob
from limina.core.validation import (
    expect_int,
    expect_object,
    expect_str,
    json_type_name,
    quote_truncated,
    reject_unknown_keys,
)
from limina.errors import InvalidInputError
from limina.isolated.protocol import serve
from limina.isolated.record import MAX_PLAYERS, read_record
from limina.printing.raster import ANIMATED_FORMATS, STILL_FORMATS, THEMES, picture
from limina.printing.rulebook import LANGUAGES
from limina.printing.sheets import MAX_BLEED_MM, PAPER_SIZES_MM

STILL_PIXELS = range(64, 2049)
"""Allowed lengths of the longer side of a picture."""
ANIMATION_PIXELS = range(64, 801)
"""Allowed lengths of the longer side of an animation."""
MAX_FRAMES = 100
"""Upper bound of the frames of an animation, each of which takes time to render."""
_FRAME_MILLISECONDS = range(100, 3001)
_PICTURE_FIELDS = ("record", "format", "pixels", "theme", "step_count", "player", "frame_milliseconds")


def render_sheets(data: object) -> bytes:
    """Return the sheets of a game as a PDF: `{"game", "paper"?, "size"?, "bleed"?, "language"?, "options"?}`."""
    request = expect_object(data, "this")
    reject_unknown_keys(request, ("game", "paper", "size", "bleed", "language", "options"), "this")
    game = registry.game(expect_str(request.get("game"), "game"))
    if game.printer is None:
        raise InvalidInputError(f"{game.title} cannot be printed")
    size = game.printer.width_range
    job = PrintJob(
        _one_of(request.get("paper", "a4"), "paper", tuple(PAPER_SIZES_MM)),
        _length(size.default_mm if request.get("size") is None else request["size"], "size", size.min_mm, size.max_mm),
        _length(request.get("bleed", 0), "bleed", 0, MAX_BLEED_MM),
        _one_of(request.get("language", "en"), "language", tuple(LANGUAGES)),
    )
    options = dict(expect_object(request.get("options", {}), "options"))
    reject_unknown_keys(options, tuple(option.name for option in game.spec.options), "options")
    game.start(game.spec.players[0], **options)  # raises LiminaError for invalid options
    return game.printer.pdf(job, game.spec.check_options(options))


def render_picture(data: object) -> bytes:
    """Return a picture or an animation of a record.

    The body is `{"record", "format", "pixels"?, "theme"?, "step_count"?, "player"?, "frame_milliseconds"?}`.
    """
    request = expect_object(data, "this")
    reject_unknown_keys(request, _PICTURE_FIELDS, "this")
    file_format = _one_of(request.get("format"), "format", (*STILL_FORMATS, *ANIMATED_FORMATS))
    theme = _one_of(request.get("theme", "light"), "theme", THEMES)
    pixel_range = ANIMATION_PIXELS if file_format in ANIMATED_FORMATS else STILL_PIXELS
    pixels = expect_int(request.get("pixels", 640), "pixels", pixel_range)
    speed = expect_int(request.get("frame_milliseconds", 800), "frame_milliseconds", _FRAME_MILLISECONDS)
    player = request.get("player")
    if player is not None:
        player = expect_int(player, "player", range(MAX_PLAYERS))
    record = read_record(request.get("record"))
    if player is not None and player >= record.position.players:
        raise InvalidInputError(f"there is no player {player}: this game has {record.position.players}")
    if request.get("step_count") is not None:
        step_count = expect_int(request["step_count"], "step_count", range(len(record.steps) + 1))
        record = record.without_last(len(record.steps) - step_count)
    positions = record.positions_by_progress() if file_format in ANIMATED_FORMATS else [record.position]
    if len(positions) > MAX_FRAMES:
        raise InvalidInputError(f"an animation has {MAX_FRAMES} pictures at most, this would have {len(positions)}")
    drawings = [position.svg(theme=theme, player=player) for position in positions]
    return picture(drawings, file_format, pixels=pixels, theme=theme, speed=speed)


def _one_of(value: object, name: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise InvalidInputError(
            f"{name} must be {', '.join(allowed[:-1])} or {allowed[-1]}, not {quote_truncated(value)}"
        )
    return str(value)


def _length(value: object, name: str, min_mm: float, max_mm: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInputError(f"{name} must be a number, not {json_type_name(value)}")
    if not min_mm <= value <= max_mm:
        raise InvalidInputError(f"{name} must be from {min_mm:g} to {max_mm:g} mm, not {quote_truncated(value)}")
    return float(value)


HANDLERS: dict[str, Callable[[object], bytes]] = {"print": render_sheets, "picture": render_picture}


def main() -> None:
    """Answer questions until standard input ends."""
    os.environ.setdefault("RAYON_NUM_THREADS", "2")  # used by Typst, which would start one thread for each core
    serve(lambda question, data: HANDLERS[question](data))


if __name__ == "__main__":
    main()
