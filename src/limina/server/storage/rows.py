"""Rows of the tables as values, and values as rows: what a column holds is known here and nowhere else."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from limina.server.model import Append, Event, FailedBot, NewMatch, Part, SavedMatch, Seat

Row = tuple[Any, ...]
"""Values in the order of the columns that are named beside the function that makes it."""

MATCH_COLUMNS = "id, game, start, options, hidden, spectators, secret_order, secret_salt, created, version, over"
EVENT_COLUMNS = "match, number, kind, seat, text, turn_key, at"
KEY_COLUMNS = "key_hash, match, seat"
JOB_COLUMNS = "job_id, kind, pool, client, cost, due_at, watched_until, payload, claimed_by, claimed_until"
NOW = {
    "sqlite": "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)",
    "postgresql": "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)",
}
"""Milliseconds since 1970 by the database's clock, so that the clocks of processes need not agree on jobs."""

# --- to be written


def rows_of(parts: Iterable[Part]) -> tuple[Sequence[Row], ...]:
    """The rows that parts add: matches, events, keys and jobs; and the ids of the jobs that they remove."""
    appends = [part for part in parts if isinstance(part, Append)]
    new = [part for part in parts if isinstance(part, NewMatch)]
    new += [append.begins for append in appends if append.begins is not None]
    logs = [(each.match, each.events) for each in appends] + [(each.match.id, each.match.events) for each in new]
    return (
        [match_row(each.match) for each in new],
        [event_row(match, event) for match, events in logs for event in events],
        [row for match, events in logs for row in key_rows(match, events)],
        [job for jobs in (*(each.jobs for each in appends), *(each.jobs for each in new)) for job in jobs],
        [(job_id,) for append in appends for job_id in append.done_jobs],
    )


def match_row(match: SavedMatch) -> Row:
    """A new match."""
    return (
        match.id,
        match.game,
        json.dumps(match.start),
        json.dumps(match.options),
        match.hidden,
        match.spectators,
        _written_order(match.order),
        match.salt,
        match.created,
        match.version,
        match.over,
    )


def event_row(match: str, event: Event) -> Row:
    """An event of a match."""
    number, kind, at, seat, text, key, seats = event
    if seats:
        text = json.dumps([_written_seat(each) for each in seats])
    return match, number, kind, seat, text, key, at


def key_rows(match: str, events: Iterable[Event]) -> Iterator[Row]:
    """The keys of whoever sits down with these events."""
    for event in events:
        for number, seat in enumerate(event.seats, event.seat or 0):
            if seat.key_hash is not None:
                yield seat.key_hash, match, number


# --- that were read


def read_match(row: Any, events: Iterable[Any]) -> SavedMatch:
    """A match of its own row and those of its events, in their order."""
    return SavedMatch(
        id=row.id,
        game=row.game,
        start=json.loads(row.start),
        options=json.loads(row.options),
        hidden=row.hidden,
        spectators=row.spectators,
        order=_read_order(row.secret_order),
        salt=row.secret_salt,
        created=row.created,
        events=tuple(read_event(event) for event in events),
        over=row.over,
    )


def read_event(row: Any) -> Event:
    """An event."""
    if row.kind in ("created", "seated", "replaced"):
        seats = tuple(_read_seat(each) for each in json.loads(row.text))
        return Event(row.number, row.kind, row.at, row.seat, seats=seats)
    return Event(row.number, row.kind, row.at, row.seat, row.text, row.turn_key)


def _written_order(order: tuple[str, ...]) -> str:
    """All that chance will do: joined by commas where that can be taken apart again, else as JSON."""
    plain = all(text and not {",", "["} & set(text) for text in order)
    return ",".join(order) if plain else json.dumps(order)


def _read_order(written: str) -> tuple[str, ...]:
    if written.startswith("["):
        return tuple(json.loads(written))
    return tuple(written.split(",")) if written else ()


def _written_seat(seat: Seat) -> dict[str, Any]:
    """A seat, without what is usual."""
    return {name: value for name, value in asdict(seat).items() if value is not None}


def _read_seat(written: dict[str, Any]) -> Seat:
    failed = written.get("failed")
    return Seat(**{**written, "failed": None if failed is None else FailedBot(**failed)})
