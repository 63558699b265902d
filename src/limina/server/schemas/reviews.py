"""The wire of reviews and hints."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, JsonValue, TypeAdapter

from limina.server.schemas.matches import Count, Error, Seat, TurnText, Wire

Unit = Literal["points", "probability"]
"""What values are counted in: points at the end of the game, or the chance to win it, from 0 to 1."""


class ReasonState(Wire):
    """Why a turn is good or bad."""

    text: str
    """In English."""
    key: str
    """The name of the sentence's pattern; empty where it has none."""
    values: dict[str, str | int]
    """What stands in it. A value that begins with a colon names a word of the game."""
    parts: list[ReasonState]
    """The reasons it is put together from."""


class CandidateState(Wire):
    """A turn that was looked at."""

    turn: str
    value: float


class ReviewBegins(Wire):
    """The first line of a review."""

    type: Literal["begin"]
    turns: int
    """How many turns will be looked at, or deals played; of these it may become fewer."""
    unit: Unit
    waiting: bool
    """Whether another review has to end first."""


class ReviewedTurn(Wire):
    """One turn, looked at again. Values are those of the player who played it."""

    type: Literal["turn"]
    step: int
    """Its place among the record's steps."""
    number: int
    """The round or turn it belongs to, from 1."""
    player: int
    played: str
    best: str
    before: float
    """What the position was worth, with the best turn."""
    after: float
    """What the turn played left of it."""
    lost: float
    """How much was given away."""
    forced: bool
    """Whether there was no other turn."""
    mark: Literal["", "!", "?", "??"]
    candidates: list[CandidateState]
    """The best turns found."""
    reasons: list[ReasonState]
    accuracy: float | None
    """The player's accuracy so far, from 0 to 100."""


class ReviewEnds(Wire):
    """The last line of a review."""

    type: Literal["end"]
    par: int | None
    """The best result found with all chance known in advance, where the game has one."""
    bound: int | None
    """A result that cannot be exceeded, with the par."""


class ReviewFailed(Error):  # noqa: N818  # a message, no exception
    """The last line of a review that came to nothing."""

    type: Literal["failed"]


ReviewLine = Annotated[ReviewBegins | ReviewedTurn | ReviewEnds | ReviewFailed, Field(discriminator="type")]
REVIEW_LINE: TypeAdapter[Any] = TypeAdapter(ReviewLine)


class WorthRequest(Wire):
    """A turn that might have been played in a record, after so many of its steps."""

    record: dict[str, JsonValue]
    steps: Count
    player: Seat
    turn: TurnText


class WorthAnswer(Wire):
    """What it would have been worth to the player, as the review of that record counts."""

    value: float


class TrialDeal(Wire):
    """A deal that bots have played with a deck."""

    type: Literal["deal"]
    points: dict[str, list[int]]
    """For each of those who played it: the points with the deck and, if that is another, with the usual one."""


TrialLine = Annotated[ReviewBegins | TrialDeal | ReviewEnds | ReviewFailed, Field(discriminator="type")]
TRIAL_LINE: TypeAdapter[Any] = TypeAdapter(TrialLine)


class HintRequest(Wire):
    """The seat that would like to know what to play."""

    seat: Seat


class AdviceAnswer(Wire):
    """What a strong bot would play on a real table."""

    player: int
    """Who is to move there."""
    turn: str
    value: float
    """What it expects of it."""
    unit: Unit
    candidates: list[CandidateState]
    """The best turns found."""
    reasons: list[ReasonState]


class HintAnswer(Wire):
    """What a strong bot would play."""

    version: int
    """The version of the match it was thought about."""
    seat: int
    turn: str
    value: float
    """What it expects of it."""
    unit: Unit
    reasons: list[ReasonState]
