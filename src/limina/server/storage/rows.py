"""Conversion between the values of `model.py` and rows of the tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from limina.server.model import Append, Event, FailedBot, NewMatch, SavedMatch, Seat, WriteItem

Row = tuple[Any, ...]
"""Values in the order of MATCH_COLUMNS, EVENT_COLUMNS, SEAT_TOKEN_COLUMNS or the fields of Job."""

MATCH_COLUMNS = (
    "id, game, start, options, hidden_turns, allow_spectators, secret_chance_outcomes, secret_salt, created_at, "
    "version, is_over"
)
EVENT_COLUMNS = "match_id, event_index, kind, seat_index, payload, idempotency_key, created_at"
SEAT_TOKEN_COLUMNS = "token_hash, match_id, seat_index"
JOB_COLUMNS = "job_id, kind, pool, client, cost, due_at, watched_until, payload, claimed_by, claimed_until"
NOW = {
    "sqlite": "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)",
    "postgresql": "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)",
}
"""Milliseconds since 1970 by the database's clock, so that the clocks of processes need not agree on jobs."""

# --- to rows


def rows_of(items: Iterable[WriteItem]) -> tuple[Sequence[Row], ...]:
    """Return the rows that items add: matches, events, seat tokens and jobs; and the ids of the jobs they remove."""
    appends = [item for item in items if isinstance(item, Append)]
    new = [item for item in items if isinstance(item, NewMatch)]
    new += [append.rematch for append in appends if append.rematch is not None]
    logs = [(append.match_id, append.events) for append in appends]
    logs += [(item.match.id, item.match.events) for item in new]
    return (
        [match_row(item.match) for item in new],
        [event_row(match_id, event) for match_id, events in logs for event in events],
        [row for match_id, events in logs for row in seat_token_rows(match_id, events)],
        [job for jobs in (*(append.jobs for append in appends), *(item.jobs for item in new)) for job in jobs],
        [(job_id,) for append in appends for job_id in append.done_jobs],
    )


def match_row(match: SavedMatch) -> Row:
    """Return the row of a match."""
    return (
        match.id,
        match.game,
        json.dumps(match.start),
        json.dumps(match.options),
        match.hidden_turns,
        match.allow_spectators,
        _write_chance_outcomes(match.chance_outcomes),
        match.salt,
        match.created_at,
        match.version,
        match.is_over,
    )


def event_row(match_id: str, event: Event) -> Row:
    """Return the row of an event."""
    event_index, kind, created_at, seat_index, payload, idempotency_key, seats = event
    if seats:
        payload = json.dumps([_write_seat(seat) for seat in seats])
    return match_id, event_index, kind, seat_index, payload, idempotency_key, created_at


def seat_token_rows(match_id: str, events: Iterable[Event]) -> Iterator[Row]:
    """Yield the rows of the seat tokens in events."""
    for event in events:
        for seat_index, seat in enumerate(event.seats, event.seat_index or 0):
            if seat.token_hash is not None:
                yield seat.token_hash, match_id, seat_index


# --- from rows


def read_match(row: Any, events: Iterable[Any]) -> SavedMatch:
    """Return the match of its row and the rows of its events, in their order."""
    return SavedMatch(
        id=row.id,
        game=row.game,
        start=json.loads(row.start),
        options=json.loads(row.options),
        hidden_turns=row.hidden_turns,
        allow_spectators=row.allow_spectators,
        chance_outcomes=_read_chance_outcomes(row.secret_chance_outcomes),
        salt=row.secret_salt,
        created_at=row.created_at,
        events=tuple(read_event(event) for event in events),
        is_over=row.is_over,
    )


def read_event(row: Any) -> Event:
    """Return the event of a row."""
    if row.kind in ("created", "seat_taken", "bot_replaced"):
        seats = tuple(_read_seat(seat) for seat in json.loads(row.payload))
        return Event(row.event_index, row.kind, row.created_at, row.seat_index, seats=seats)
    return Event(row.event_index, row.kind, row.created_at, row.seat_index, row.payload, row.idempotency_key)


def _write_chance_outcomes(outcomes: tuple[str, ...]) -> str:
    """Join outcomes with commas if that can be reversed, else encode them as JSON, which is longer."""
    reversible = all(outcome and not {",", "["} & set(outcome) for outcome in outcomes)
    return ",".join(outcomes) if reversible else json.dumps(outcomes)


def _read_chance_outcomes(stored: str) -> tuple[str, ...]:
    if stored.startswith("["):
        return tuple(json.loads(stored))
    return tuple(stored.split(",")) if stored else ()


def _write_seat(seat: Seat) -> dict[str, Any]:
    """Return a seat as JSON, without the fields that are None."""
    return {name: value for name, value in asdict(seat).items() if value is not None}


def _read_seat(stored: dict[str, Any]) -> Seat:
    failed = stored.get("failed")
    return Seat(**{**stored, "failed": None if failed is None else FailedBot(**failed)})
