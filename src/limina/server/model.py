"""What a match is made of, as plain values: a log of numbered events, and what stays as it was begun.

All rooms know these; none of them knows how they lie in the database (`storage/rows.py`) or look on the wire.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

Phase = Literal["waiting", "playing", "over"]
SeatKind = Literal["person", "bot", "open"]
EventKind = Literal[
    "created",  # always the first, with number 0: who sits where then
    "seated",  # a person or a bot takes a seat that was open
    "replaced",  # a bot takes the seat of one that failed
    "drawn",  # a step of chance
    "played",  # a turn
    "taken_back",  # the last turn of a seat, and all that others have played since
    "rematch",  # the same begins once more
]
STEPS: frozenset[EventKind] = frozenset(("drawn", "played"))
"""What happens in the game itself, and is part of its record."""


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


class Event(NamedTuple):
    """Something that happened in a match. What comes next is one more; none is ever changed."""

    number: int
    """Its place in the log, from 0; that of the last one is the version of the match."""
    kind: EventKind
    at: int
    """Milliseconds since 1970."""
    seat: int | None = None
    """Whose turn it was, or which seat was taken."""
    text: str = ""
    """The step as it is written in the game's notation, the id of the rematch, or how many steps are left."""
    key: str | None = None
    """The key that came with the turn, so that a retry is known even after a restart."""
    seats: tuple[Seat, ...] = ()
    """Who sits down: everybody where the match begins, else whoever takes `seat`."""


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
    events: tuple[Event, ...]
    over: bool = False
    bot_since: int | None = None
    """Since when a bot is to move, if one is: whoever looks for bots that wait finds them by this."""

    @property
    def version(self) -> int:
        """The number of the last thing that happened."""
        return self.events[-1].number


class Append(NamedTuple):
    """Events that follow each other, to be added to a match that stands at a version, all of them or none."""

    match: str
    expected: int
    """The version on which they build: if the match has gone on meanwhile, they are not added."""
    events: tuple[Event, ...]
    over: bool = False
    """Whether the game is over with them."""
    bot_since: int | None = None
    """Since when a bot is to move after them, if one is."""
    begins: SavedMatch | None = None
    """A match that begins if they are added: the rematch."""

    @property
    def version(self) -> int:
        """The version to which they lead."""
        return self.events[-1].number


class SavedReview(NamedTuple):
    """A review that came to its end."""

    key: str
    """The match, or the hash of a record that was sent."""
    version: str
    """Which limina made it: another one may think better."""
    made: int
    lines: bytes
    """Its lines as they were told, compressed."""


class SavedDeck(NamedTuple):
    """A deck that somebody shares."""

    id: str
    """It follows from the faces."""
    game: str
    faces: tuple[str, ...]
    used: int
    """When somebody last shared it or, to the day, had it."""
