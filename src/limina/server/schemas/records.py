"""Schemas of records, physical games, rendered files and lessons, which belong to no match."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, JsonValue

from limina.server.schemas.matches import (
    ApiModel,
    Companion,
    Count,
    GameName,
    Legal,
    OutcomeState,
    Preview,
    Reveal,
    SeatIndex,
    StepState,
    TurnText,
    View,
)


class Frame(ApiModel):
    """A position of a replay."""

    step: StepState | None
    """The step that led to the position. Null for the first one."""
    progress: int
    """Number of complete rounds, or of turns, by the game's `unit`."""
    scores: list[int]
    """A score for each player, for a graph."""
    view: View
    """The position. Parts that equal those of the frame before may be null: see the game's type."""


class Replay(ApiModel):
    """All positions of a record."""

    game: str
    names: list[str]
    options: dict[str, Any]
    frames: list[Frame]
    outcome: OutcomeState | None
    """The end of the game. Null if the record stops before it."""
    commitment: str | None
    reveal: Reveal | None
    commitment_honored: bool | None
    """True if the outcomes of chance are those of the commitment. Null if the record has no commitment or reveal."""


class PositionRequest(ApiModel):
    """A record whose last position, or an earlier one, is requested."""

    record: dict[str, JsonValue]
    step_count: Count | None = None
    """Number of steps to play. The default is all steps of the record."""
    player: SeatIndex | None = None
    """Index of the player whose legal turns are requested."""
    turn: TurnText | None = None
    """A turn of that player to preview."""
    compare_turns: Annotated[list[TurnText], Field(max_length=10)] = []  # noqa: RUF012  # pydantic copies defaults
    """Turns of that player to compare with `turn`."""


class PositionResponse(ApiModel):
    """A position of a record."""

    game: str
    names: list[str]
    view: View
    outcome: OutcomeState | None
    """The end of the game. Null while it is running."""
    legal: Legal | None
    """Legal turns of the requested player."""
    preview: Preview | None
    """The result of the requested turn."""
    equivalent_turns: list[str]
    """Those of `compare_turns` that lead to the same position as `turn`."""


# --- physical games


class CompanionRequest(ApiModel):
    """A physical game, entered by hand."""

    game: GameName
    entry: dict[str, JsonValue]
    """Position of the physical game, in the game's own format."""


class CompanionResponse(ApiModel):
    """The evaluation of a physical game."""

    game: str
    result: Companion


# --- rendered files


class PrintRequest(ApiModel):
    """Sheets to cut a game out of. Lengths are in millimeters."""

    game: GameName
    paper: Literal["a4", "letter"] = "a4"
    size: float | None = None
    """Width of the piece. The default is `default_mm` of the game's `printed_piece`."""
    bleed: float = 0.0
    language: Literal["en", "de", "fr"] = "en"
    options: Annotated[dict[str, JsonValue], Field(max_length=10)] = {}  # noqa: RUF012  # pydantic copies defaults


class PictureRequest(ApiModel):
    """A picture or an animation of a record."""

    record: dict[str, JsonValue]
    format: Literal["svg", "png", "gif", "webp"]
    """`gif` and `webp` are animations of the whole game."""
    pixels: Annotated[int, Field(ge=64, le=2048)] = 640
    """Length of the longer side. An animation may have up to 800."""
    theme: Literal["light", "dark"] = "light"
    step_count: Count | None = None
    """Number of steps to play. The default is all steps of the record."""
    player: SeatIndex | None = None
    """Index of the only player whose display is drawn. The default is all players."""
    frame_milliseconds: Annotated[int, Field(ge=100, le=3000)] = 800
    """Duration of a frame of an animation."""


# --- lessons


class Feedback(ApiModel):
    """A message about a turn of a lesson: the key of its text and the values in it."""

    key: str
    values: dict[str, str | int]


class LessonState(ApiModel):
    """A lesson: a position, the turns that are offered, and feedback on each."""

    id: str
    players: int
    """Number of players."""
    player: int
    """Index of the player to move."""
    view: View
    legal: Legal
    previews: dict[str, Preview]
    """Results of the turns, and of the first parts of turns that can be previewed."""
    good: list[str]
    """Turns that reach the goal. With `accepts_partial`, they may be first parts of turns."""
    wrong: dict[str, Feedback]
    """Feedback on the other turns."""
    wrong_prefixes: dict[str, Feedback]
    """Feedback on first parts with which no good turn begins."""
    refused: dict[str, Feedback]
    """Feedback on illegal turns that a learner may try."""
    accepts_partial: bool
    """True if the goal can be reached before the turn ends."""
