"""The wire of what concerns no match: records that are shown, real tables, files that are made, lessons."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, JsonValue, StringConstraints

from limina.server.schemas.matches import (
    Count,
    Legal,
    OutcomeState,
    Preview,
    Reveal,
    Seat,
    StepState,
    Table,
    TurnText,
    View,
    Wire,
)


class Frame(Wire):
    """A moment of a game."""

    step: StepState | None
    """What led here; null at the start."""
    progress: int
    """How many rounds, or turns, are complete."""
    scores: list[int]
    """One number for each player, for a graph."""
    view: View
    """Parts that are the same as in the frame before may be null (see the game's types)."""


class Replay(Wire):
    """A game from its start to where it stands."""

    game: str
    names: list[str]
    options: dict[str, Any]
    frames: list[Frame]
    outcome: OutcomeState | None
    commitment: str | None
    reveal: Reveal | None
    kept: bool | None
    """Whether chance kept to the order that was committed to; null where nothing was."""


class ViewRequest(Wire):
    """A record whose last position is to be shown, with the legal turns of a player if one is named."""

    record: dict[str, JsonValue]
    steps: Count | None = None
    """After how many of its steps; all of them if it is not said."""
    player: Seat | None = None
    turn: TurnText | None = None
    """A turn of that player to preview."""
    alike: Annotated[list[TurnText], Field(max_length=10)] = []  # noqa: RUF012  # every request gets its own
    """Turns of that player to be compared with it."""


class ViewAnswer(Wire):
    """Where a record stands."""

    game: str
    names: list[str]
    view: View
    outcome: OutcomeState | None
    legal: Legal | None
    preview: Preview | None
    alike: list[str]
    """Those of the turns to be compared that lead to the same as the turn."""


# --- real tables


class TableRequest(Wire):
    """What somebody has entered of a real table."""

    game: Annotated[str, StringConstraints(max_length=40)]
    table: dict[str, JsonValue]
    """In the game's own words."""


class TableAnswer(Wire):
    """What there is to say of it."""

    game: str
    table: Table


# --- files that are made


class PrintRequest(Wire):
    """Sheets to cut a game out of; lengths in millimetres."""

    game: Annotated[str, StringConstraints(max_length=40)]
    paper: Literal["a4", "letter"] = "a4"
    size: float | None = None
    """The width of a piece; the usual one if it is not said."""
    bleed: float = 0.0
    language: Literal["en", "de", "fr"] = "en"
    options: Annotated[dict[str, JsonValue], Field(max_length=10)] = {}  # noqa: RUF012  # every request gets its own


class PictureRequest(Wire):
    """A picture of a record."""

    record: dict[str, JsonValue]
    kind: Literal["svg", "png", "gif", "webp"]
    """The last two show the whole game."""
    pixels: Annotated[int, Field(ge=64, le=2048)] = 640
    """Of the longer side; of a moving picture up to 800."""
    theme: Literal["light", "dark"] = "light"
    steps: Count | None = None
    """After how many of its steps; all of them if it is not said."""
    player: Seat | None = None
    """Whose display alone; everybody's if it is not said."""
    speed: Annotated[int, Field(ge=100, le=3000)] = 800
    """Milliseconds that each moment stays."""


# --- lessons


class LessonWhy(Wire):
    """Why something was not what is asked for: the name of a sentence, and what is put into it."""

    key: str
    values: dict[str, str | int]


class LessonState(Wire):
    """One thing to learn: a position, the turns that are offered, and what is said of each."""

    id: str
    players: int
    """How many play."""
    player: int
    """Whose turn it is."""
    view: View
    legal: Legal
    previews: dict[str, Preview]
    """What each turn, and each first part of one that may be looked at, would lead to."""
    good: list[str]
    """The turns that reach the goal; if `accepts_partial`, perhaps first parts of turns."""
    wrong: dict[str, LessonWhy]
    """Why the other turns do not."""
    wrong_prefixes: dict[str, LessonWhy]
    """First parts that no good turn begins with, and why."""
    refused: dict[str, LessonWhy]
    """Why the rules do not allow what else may be tried."""
    accepts_partial: bool
    """Whether the goal is reached without ending the turn."""
