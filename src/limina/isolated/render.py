"""A program that renders files: sheets to print as PDF, pictures of records.

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
from limina.isolated.record import MOST_PLAYERS, read_sent
from limina.printing.raster import ANIMATED_FORMATS, STILL_FORMATS, THEMES, picture
from limina.printing.rulebook import LANGUAGES
from limina.printing.sheets import MAX_BLEED_MM, PAPER_SIZES_MM

STILL_SIZES = range(64, 2049)
"""Pixels of a picture's longer side."""
MOVING_SIZES = range(64, 801)
MAX_FRAMES = 100
"""Of a moving picture: each of them takes its time."""
_SPEEDS = range(100, 3001)


def sheets(data: object) -> bytes:
    """The sheets to cut a game out of: `{"game", "paper"?, "size"?, "bleed"?, "language"?, "options"?}`."""
    wanted = expect_object(data, "this")
    reject_unknown_keys(wanted, ("game", "paper", "size", "bleed", "language", "options"), "this")
    game = registry.game(expect_str(wanted.get("game"), "game"))
    if game.printer is None:
        raise InvalidInputError(f"{game.title} cannot be printed")
    size = game.printer.size
    job = PrintJob(
        _one_of(wanted.get("paper", "a4"), "paper", tuple(PAPER_SIZES_MM)),
        _length(size.default_mm if wanted.get("size") is None else wanted["size"], "size", size.min_mm, size.max_mm),
        _length(wanted.get("bleed", 0), "bleed", 0, MAX_BLEED_MM),
        _one_of(wanted.get("language", "en"), "language", tuple(LANGUAGES)),
    )
    options = dict(expect_object(wanted.get("options", {}), "options"))
    reject_unknown_keys(options, tuple(option.name for option in game.spec.options), "options")
    game.start(game.spec.players[0], **options)  # says what is wrong with them
    return game.printer.pdf(job, game.spec.check_options(options))


def drawn(data: object) -> bytes:
    """A picture of a record: `{"record", "kind", "pixels"?, "theme"?, "steps"?, "player"?, "speed"?}`."""
    wanted = expect_object(data, "this")
    reject_unknown_keys(wanted, ("record", "kind", "pixels", "theme", "steps", "player", "speed"), "this")
    form = _one_of(wanted.get("kind"), "kind", (*STILL_FORMATS, *ANIMATED_FORMATS))
    theme = _one_of(wanted.get("theme", "light"), "theme", THEMES)
    sizes = MOVING_SIZES if form in ANIMATED_FORMATS else STILL_SIZES
    pixels = expect_int(wanted.get("pixels", 640), "pixels", sizes)
    speed = expect_int(wanted.get("speed", 800), "speed", _SPEEDS)
    player = wanted.get("player")
    if player is not None:
        player = expect_int(player, "player", range(MOST_PLAYERS))
    record = read_sent(wanted.get("record"))
    if player is not None and player >= record.end.players:
        raise InvalidInputError(f"there is no player {player}: this game has {record.end.players}")
    if wanted.get("steps") is not None:
        steps = expect_int(wanted["steps"], "steps", range(len(record.steps) + 1))
        record = record.without_last(len(record.steps) - steps)
    shown = record.positions_by_progress() if form in ANIMATED_FORMATS else [record.end]
    if len(shown) > MAX_FRAMES:
        raise InvalidInputError(f"a moving picture has {MAX_FRAMES} pictures at most, this would have {len(shown)}")
    drawings = [position.svg(theme=theme, player=player) for position in shown]
    return picture(drawings, form, pixels=pixels, theme=theme, speed=speed)


def _one_of(value: object, what: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise InvalidInputError(
            f"{what} must be {', '.join(allowed[:-1])} or {allowed[-1]}, not {quote_truncated(value)}"
        )
    return str(value)


def _length(value: object, what: str, least: float, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInputError(f"{what} must be a number, not {json_type_name(value)}")
    if not least <= value <= most:
        raise InvalidInputError(f"{what} must be from {least:g} to {most:g} mm, not {quote_truncated(value)}")
    return float(value)


HANDLERS: dict[str, Callable[[object], bytes]] = {"print": sheets, "picture": drawn}


def main() -> None:
    """Answer until there are no more questions."""
    os.environ.setdefault("RAYON_NUM_THREADS", "2")  # of Typst, which would start one for each core
    serve(lambda question, data: HANDLERS[question](data))


if __name__ == "__main__":
    main()
