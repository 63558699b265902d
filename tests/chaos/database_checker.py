"""Find contradictions in the database: impossible events, jobs that contradict the matches, and bots that wait.

The server writes the events of a match and the jobs of its bots' turns in one transaction, so they have to agree at
every moment. This module derives the expected jobs from the events and the rules, without the server's code for it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import URL, select
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from limina.core import registry
from limina.core.position import Step
from limina.errors import LiminaError
from limina.server.model import Event, SavedMatch, Seat
from limina.server.storage import rows, tables

MAX_BOT_WAIT_SECONDS = 30.0
"""Bounds the time until a bot to move plays, after the last fault: a lease of 6 s, the start of the processes that were
killed last, and a statement that was stalled for its full 10 s."""
TURN_JOB = "turn"
"""The kind of the jobs of bots' turns."""


@dataclass
class StoredMatch:
    """A match with all its events, and the version in its row."""

    saved: SavedMatch
    version: int


@dataclass
class StoredJob:
    """A job of a bot's turn."""

    job_id: str
    payload: bytes


@dataclass
class Snapshot:
    """The matches and jobs that one transaction read."""

    taken_at: int
    """Milliseconds since 1970."""
    matches: list[StoredMatch]
    jobs: list[StoredJob]


async def take_snapshot(url: URL, *, unfinished_only: bool = False) -> Snapshot:
    """Read the matches with their events, and the jobs of bots' turns, in one transaction."""
    engine = create_async_engine(url, isolation_level="REPEATABLE READ", poolclass=NullPool)
    matches, events, jobs = tables.matches, tables.events, tables.jobs
    ids = select(matches.c.id).where(matches.c.is_over.is_(False)) if unfinished_only else select(matches.c.id)
    try:
        async with engine.connect() as connection:
            events_by_match: dict[str, list[Any]] = {}
            log = select(events).where(events.c.match_id.in_(ids)).order_by(events.c.match_id, events.c.event_index)
            for row in await connection.execute(log):
                events_by_match.setdefault(row.match_id, []).append(row)
            stored = [
                StoredMatch(rows.read_match(row, events_by_match[row.id]), row.version)
                for row in await connection.execute(select(matches).where(matches.c.id.in_(ids)))
            ]
            due = select(jobs.c.job_id, jobs.c.payload).where(jobs.c.kind == TURN_JOB)
            queued = [StoredJob(row.job_id, row.payload) for row in await connection.execute(due)]
            return Snapshot(time.time_ns() // 1_000_000, stored, queued)
    finally:
        await engine.dispose()


@dataclass
class _Replay:
    """Replays the events of a match."""

    stored: StoredMatch
    seats: list[Seat] = field(init=False)
    turns: list[int] = field(init=False)
    take_back_count: int = 0
    contradictions: list[str] = field(default_factory=list)
    waits: list[tuple[int, int, int | None]] = field(default_factory=list)
    """The seat of a bot, the time from which it was to move, and the time until which; None if it still is."""

    def __post_init__(self) -> None:
        saved = self.stored.saved
        created, *events = saved.events
        game = registry.game(saved.game)
        start, located = game.unpack(saved.start, len(created.seats))
        self.seats, self._steps = list(created.seats), [step for step, _ in located]
        self._positions = [start]
        for step in self._steps:
            self._positions.append(self._positions[-1].apply(step))
        self.turns = [0] * len(self.seats)
        self._since: dict[int, tuple[str, int]] = {}
        self._update_waits(created.created_at)
        for index, event in enumerate(events, 1):
            try:
                self._apply(index, event)
            except (LiminaError, ValueError, IndexError) as error:
                self.contradictions.append(f"event {index}, {event.kind} {event.payload!r}, does not follow: {error}")
                break
            self._update_waits(event.created_at)
        self._check_row()
        self.waits += [(seat, since, None) for seat, (_, since) in self._since.items()]

    def _apply(self, index: int, event: Event) -> None:
        if event.event_index != index:
            raise ValueError(f"its index is {event.event_index}")
        if event.kind in ("turn", "chance"):
            if event.seat_index is not None and event.seat_index not in self.to_move:
                raise ValueError(f"seat {event.seat_index} was not to move")
            self._steps.append(Step(event.seat_index, event.payload))
            self._positions.append(self._positions[-1].apply(self._steps[-1]))
        elif event.kind == "take_back":
            del self._steps[int(event.payload) :], self._positions[int(event.payload) + 1 :]
            self.take_back_count += 1
        elif event.kind in ("seat_taken", "bot_replaced") and event.seat_index is not None:
            (self.seats[event.seat_index],) = event.seats
        self.turns = [sum(step.player == seat for step in self._steps) for seat in range(len(self.seats))]

    def _check_row(self) -> None:
        saved, last = self.stored.saved, self.stored.saved.events[-1].event_index
        if self.stored.version != last:
            self.contradictions.append(f"it has version {self.stored.version}, and its last event is {last}")
        if not self.contradictions and saved.is_over != (self._positions[-1].outcome is not None):
            self.contradictions.append(f"it is stored as {'over' if saved.is_over else 'unfinished'}, and is not")

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seats that are to move; none while a seat is open."""
        return () if any(seat.kind == "open" for seat in self.seats) else self._positions[-1].to_move

    def due(self) -> dict[int, str]:
        """Return the turn identity and the bot by seat, for the bots that are to move."""
        return {
            seat: f"{self.turns[seat]}.{self.take_back_count} {self.seats[seat].bot}"
            for seat in self.to_move
            if self.seats[seat].kind == "bot"
        }

    def _update_waits(self, at: int) -> None:
        due = self.due()
        for seat, (turn, since) in list(self._since.items()):
            if due.get(seat) != turn:
                self.waits.append((seat, since, at))
                del self._since[seat]
        for seat, turn in due.items():
            self._since.setdefault(seat, (turn, at))


class DatabaseChecker:
    """Checks one snapshot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.figures: Counter[str] = Counter()
        self._snapshot = snapshot
        self._replays = {stored.saved.id: _Replay(stored) for stored in snapshot.matches}

    def check(self) -> list[str]:
        """Return a sentence for each contradiction between the events, and between them and the jobs."""
        return [*self._check_events(), *self._check_jobs()]

    def _check_events(self) -> Iterator[str]:
        for match_id, replay in self._replays.items():
            yield from (f"{match_id}: {sentence}" for sentence in replay.contradictions)

    def _check_jobs(self) -> Iterator[str]:
        """Compare the jobs with the expected ones: one for each bot to move in each unfinished match, and no other."""
        expected = {
            f"{TURN_JOB} {match_id} {seat}": (replay, turn)
            for match_id, replay in self._replays.items()
            for seat, turn in replay.due().items()
        }
        self.figures["jobs compared"] += len(expected)
        counts = Counter(job.job_id for job in self._snapshot.jobs)
        for job_id in expected:
            if not counts[job_id]:
                yield f"{job_id}: the bot is to move and has no job"
        for job_id, count in counts.items():
            if count > 1:
                yield f"{job_id}: there are {count} jobs of this id"
        for job in self._snapshot.jobs:
            if job.job_id not in expected:
                yield f"{job.job_id}: there is a job, and no bot is to move"
                continue
            replay, turn = expected[job.job_id]
            version, _, queued = job.payload.decode().partition(" ")
            if queued != turn:
                yield f"{job.job_id}: the job is for the turn {queued!r}, and {turn!r} is due"
            if not 0 <= int(version) <= replay.stored.version:
                yield f"{job.job_id}: the job needs version {version}, and there is {replay.stored.version}"

    def check_waits(self, faults_ended_at_ms: int) -> list[str]:
        """Return a sentence for each bot that waited for too long after a time, in milliseconds since 1970."""
        contradictions = []
        for match_id, replay in self._replays.items():
            for seat, since, until in replay.waits:
                end = self._snapshot.taken_at if until is None else until
                self._update_maximum("longest wait of a bot, ms", end - since)
                waited = end - max(since, faults_ended_at_ms)
                self._update_maximum("longest wait of a bot after the faults, ms", waited)
                if waited > 1000 * MAX_BOT_WAIT_SECONDS:
                    waits = "still waits, after" if until is None else "waited for"
                    contradictions.append(f"{match_id}: the bot of seat {seat} {waits} {waited / 1000:.0f} s")
        return contradictions

    def _update_maximum(self, name: str, milliseconds: int) -> None:
        self.figures[name] = max(self.figures[name], milliseconds)
