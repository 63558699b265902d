"""Schemas of reviews and hints."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, JsonValue, TypeAdapter

from limina.server.schemas.matches import ApiModel, Count, Error, SeatIndex, TurnText

Unit = Literal["points", "probability"]
"""Unit of values: points at the end of the game, or the probability to win, from 0 to 1."""


class ReasonState(ApiModel):
    """A reason why a turn is good or bad."""

    text: str
    """The reason in English."""
    key: str
    """Key of the message text. Empty if there is none."""
    values: dict[str, str | int]
    """Values in the message. A value that begins with a colon is the key of a word of the game."""
    parts: list[ReasonState]
    """Reasons that this one is composed of."""


class CandidateState(ApiModel):
    """A turn that the bot considered."""

    turn: str
    value: float


class ReviewBegins(ApiModel):
    """The first line of a review or of a deck trial."""

    type: Literal["begin"]
    turn_count: int
    """Number of turns to review, or of deals to play. A trial may stop earlier."""
    unit: Unit
    waiting: bool
    """True if another review has to end first."""


class ReviewedTurn(ApiModel):
    """The review of one turn. Values are from the view of the player who played it."""

    type: Literal["turn"]
    step: int
    """Index of the step in the record."""
    number: int
    """Round or turn of the game, counted from 1."""
    player: int
    """Index of the player."""
    played: str
    best: str
    before: float
    """Value of the position with the best turn."""
    after: float
    """Value of the position with the turn that was played."""
    lost: float
    """Difference of `before` and `after`."""
    forced: bool
    """True if there was no other turn."""
    mark: Literal["", "!", "?", "??"]
    """`!` for a brilliant turn, `?` for a mistake, `??` for a blunder."""
    candidates: list[CandidateState]
    """The best turns that the bot found."""
    reasons: list[ReasonState]
    accuracy: float | None
    """Accuracy of the player up to this turn, from 0 to 100."""


class ReviewEnds(ApiModel):
    """The last line of a review or of a deck trial."""

    type: Literal["end"]
    par: int | None
    """Best result that a search found with all chance known in advance. Null if the game has no par."""
    bound: int | None
    """Upper bound of the par."""


class ReviewFailed(Error):  # noqa: N818  # a message, no exception
    """The last line of a review that failed."""

    type: Literal["failed"]


ReviewLine = Annotated[ReviewBegins | ReviewedTurn | ReviewEnds | ReviewFailed, Field(discriminator="type")]
REVIEW_LINE: TypeAdapter[Any] = TypeAdapter(ReviewLine)


class EvaluateRequest(ApiModel):
    """A turn to evaluate in a position of a record."""

    record: dict[str, JsonValue]
    step_count: Count
    """Number of steps to play before the turn."""
    player: SeatIndex
    """Index of the player whose turn it is."""
    turn: TurnText


class EvaluateResponse(ApiModel):
    """The evaluation of a turn."""

    value: float
    """Value for the player, in the unit of a review of the record."""


class TrialDeal(ApiModel):
    """A deal that bots have played with a deck."""

    type: Literal["deal"]
    points: dict[str, list[int]]
    """Points of each bot with this deck, and with the standard deck if that is another one."""


TrialLine = Annotated[ReviewBegins | TrialDeal | ReviewEnds | ReviewFailed, Field(discriminator="type")]
TRIAL_LINE: TypeAdapter[Any] = TypeAdapter(TrialLine)


class HintRequest(ApiModel):
    """The seat that requests a hint."""

    seat_index: SeatIndex


class CompanionHintResponse(ApiModel):
    """The turn that a strong bot would play in a physical game."""

    player: int
    """Index of the player to move."""
    turn: str
    value: float
    """Expected value of the turn."""
    unit: Unit
    candidates: list[CandidateState]
    """The best turns that the bot found."""
    reasons: list[ReasonState]


class HintResponse(ApiModel):
    """The turn that a strong bot would play."""

    version: int
    """Version of the match that the hint is for."""
    seat_index: int
    turn: str
    value: float
    """Expected value of the turn."""
    unit: Unit
    reasons: list[ReasonState]
