"""Values that describe a match and its jobs: a log of events, and the settings that never change.

All packages of the server use them. `storage/rows.py` knows how they are stored, `schemas` how they are sent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from limina.bots.base import BotErrorKind

Phase = Literal["waiting", "playing", "over"]
SeatKind = Literal["person", "bot", "open"]
EventKind = Literal[
    "created",  # always the first event; it holds all seats
    "seat_taken",  # a person or a bot takes an open seat
    "bot_replaced",  # a bot takes the seat of a bot that failed
    "chance",  # a step of chance
    "turn",
    "take_back",  # removes the last turn of a seat, and all steps after it
    "rematch",  # a match with the same settings and players has been created
]
STEPS: frozenset[EventKind] = frozenset(("chance", "turn"))
"""Kinds of events that are steps of the record."""


@dataclass(frozen=True, slots=True)
class FailedBot:
    """A bot that failed and was replaced."""

    bot: str
    kind: BotErrorKind
    step_count: int
    """Number of steps before the replacement."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat and the person or bot in it."""

    kind: SeatKind
    name: str
    bot: str | None = None
    token_hash: str | None = None
    failed: FailedBot | None = None


class Event(NamedTuple):
    """An entry of a match's log. The log is append-only."""

    event_index: int
    """Position in the log, from 0. The index of the last event is the version of the match."""
    kind: EventKind
    created_at: int
    """Milliseconds since 1970."""
    seat_index: int | None = None
    """The seat that played, was taken or gets a new bot."""
    payload: str = ""
    """The step in the game's notation, the id of the rematch, or the number of steps that a take-back leaves."""
    idempotency_key: str | None = None
    """The key that the client sent with the turn. A retry is recognized by it, also after a restart."""
    seats: tuple[Seat, ...] = ()
    """All seats of a new match, or the new holder of `seat_index`."""


@dataclass(frozen=True, slots=True)
class SavedMatch:
    """A match as it is stored."""

    id: str
    game: str
    start: dict[str, Any]
    """The part of the record before the first step."""
    options: dict[str, Any]
    """The options that were chosen, for a rematch."""
    hidden_turns: bool
    """True if the turns of a round stay hidden until the round is complete."""
    allow_spectators: bool
    chance_outcomes: tuple[str, ...]
    """All outcomes of chance, decided in advance."""
    salt: str
    created_at: int
    events: tuple[Event, ...]
    is_over: bool = False

    @property
    def version(self) -> int:
        """The index of the last event."""
        return self.events[-1].event_index


class Job(NamedTuple):
    """Work for a job worker, as a row of the table of jobs."""

    job_id: str
    """The kind and the subject of the job. There is one job of an id at a time."""
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
    """Events that are added to a match at an expected version, all of them or none."""

    match_id: str
    expected_version: int
    """The version that the events follow. They are not added if the match has another version."""
    events: tuple[Event, ...]
    is_over: bool = False
    """True if the game is over after the events."""
    rematch: NewMatch | None = None
    """The match that is created if the events are added."""
    jobs: tuple[Job, ...] = ()
    """Jobs that are due after the events. They replace earlier jobs with the same ids."""
    done_jobs: tuple[str, ...] = ()
    """Ids of jobs that are no longer due."""

    @property
    def version(self) -> int:
        """The version of the match after the events."""
        return self.events[-1].event_index if self.events else self.expected_version


class NewMatch(NamedTuple):
    """A match to be stored, and its first jobs."""

    match: SavedMatch
    jobs: tuple[Job, ...] = ()


WriteItem = NewMatch | Append
"""A new match, or events that are added to one. It is written completely or not at all."""
