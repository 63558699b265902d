"""What a match is made of, as plain values: what is stored of it, and what is sent to be stored.

All rooms know these; none of them knows how they lie in the database (`storage/rows.py`) or look on the wire.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

Phase = Literal["waiting", "playing", "over"]
SeatKind = Literal["person", "bot", "open"]


@dataclass(frozen=True, slots=True)
class FailedBot:
    """A bot that sat here until it failed."""

    bot: str
    how: str
    at: int
    """After how many steps another took its place."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits here."""

    kind: SeatKind
    name: str
    bot: str | None = None
    key_hash: str | None = None
    failed: FailedBot | None = None


class SavedStep(NamedTuple):
    """A step of a match with what is kept about it."""

    number: int
    """Its place among the steps, from 0."""
    version: int
    """The version of the match that it led to."""
    player: int | None
    text: str
    key: str | None
    """The key that came with the turn, so that a retry is known even after a restart."""
    at: int
    """Milliseconds since 1970."""


@dataclass(frozen=True, slots=True)
class SavedMatch:
    """A match as it is stored."""

    id: str
    game: str
    start: dict[str, Any]
    """The record's own part before the first step."""
    options: dict[str, Any]
    """The options as they were chosen, for a rematch."""
    hidden: bool
    spectators: bool
    order: tuple[str, ...]
    """All that chance will do."""
    salt: str
    created: int
    seats: tuple[Seat, ...]
    steps: tuple[SavedStep, ...] = ()
    changes: int = 0
    """How many things happened beside the steps: seats taken, bots replaced, a rematch begun."""
    over: bool = False
    rematch: str | None = None

    @property
    def version(self) -> int:
        """How many things have happened in all."""
        return len(self.steps) + self.changes


@dataclass(frozen=True, slots=True)
class Change:
    """What happened in a match at once. What is left out stays as it is."""

    match: str
    begins: SavedMatch | None = None
    """The match itself, where it is new; its steps come below."""
    steps: tuple[SavedStep, ...] = ()
    seated: tuple[int, Seat] | None = None
    """Who sits on which seat from now on."""
    changes: int | None = None
    over: bool | None = None
    rematch: str | None = None


class SavedReview(NamedTuple):
    """A review that came to its end."""

    key: str
    """The match, or the hash of a record that was sent."""
    version: str
    """Which limina made it: another one may think better."""
    made: int
    lines: bytes
    """Its lines as they were told, compressed."""
