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
STORED_BOT_ERRORS = {"crashed": "crashed", "timeout": "late", "illegal_turn": "nonsense", "unavailable": "gone"}
"""The words of the database and the wire for each `BotError.kind`."""


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

    @property
    def version(self) -> int:
        """The number of the last thing that happened."""
        return self.events[-1].number


class Job(NamedTuple):
    """Work for a job worker, as a row of the table of jobs."""

    job_id: str
    """The kind and what the job is about. There is one job of an id at a time."""
    kind: str
    """The name of its handler."""
    pool: str
    """Jobs of a pool share the limits on how many run and wait."""
    client: str
    """The keyed hash of the client whose request led to the job."""
    cost: int
    """Expected processor time in milliseconds."""
    delay: int = 0
    """Milliseconds after which the job is due, by the database's clock. Of one client's jobs earlier ones run first."""
    watched_until: int = 0
    """Milliseconds since 1970 until which a person waits for the result. Of one client's jobs these run first."""
    payload: bytes = b""


class Append(NamedTuple):
    """Events that follow each other, to be added to a match that stands at a version, all of them or none."""

    match: str
    expected: int
    """The version on which they build: if the match has gone on meanwhile, they are not added."""
    events: tuple[Event, ...]
    over: bool = False
    """Whether the game is over with them."""
    begins: NewMatch | None = None
    """A match that begins if they are added: the rematch."""
    jobs: tuple[Job, ...] = ()
    """Jobs that are due after them, in place of earlier ones of the same ids."""
    done_jobs: tuple[str, ...] = ()
    """Ids of jobs that are not due any longer."""

    @property
    def version(self) -> int:
        """The version to which they lead."""
        return self.events[-1].number if self.events else self.expected


class NewMatch(NamedTuple):
    """A match to be stored, and the jobs that are due at its beginning."""

    match: SavedMatch
    jobs: tuple[Job, ...] = ()


Part = NewMatch | Append
"""A new match, or events that are added to one: written as a whole or not at all."""
