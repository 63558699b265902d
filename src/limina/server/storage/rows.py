"""Rows of the tables as values, and values as rows: what a column holds is known here and nowhere else."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from limina.server.model import Change, FailedBot, SavedMatch, SavedReview, SavedStep, Seat

Values = dict[str, Any]

# --- to be written


def match_row(match: SavedMatch) -> Values:
    """A new match."""
    return {
        "id": match.id,
        "game": match.game,
        "start": json.dumps({**match.start, "chosen": match.options}),
        "hidden": match.hidden,
        "secret_order": _written_order(match.order),
        "secret_salt": match.salt,
        "created": match.created,
        "changes": match.changes,
        "over": match.over,
        "rematch": match.rematch,
        "spectators": match.spectators,
    }


def match_values(change: Change) -> Values:
    """What a change alters in the row of its match."""
    values = {"changes": change.changes, "over": change.over, "rematch": change.rematch}
    return {column: value for column, value in values.items() if value is not None}


def seat_rows(match: SavedMatch) -> list[Values]:
    """The seats of a new match."""
    return [{"match": match.id, "seat": number, **seat_values(seat)} for number, seat in enumerate(match.seats)]


def seat_values(seat: Seat) -> Values:
    """Who sits on a seat."""
    failed = seat.failed
    return {
        "kind": seat.kind,
        "name": seat.name,
        "bot": seat.bot,
        "key_hash": seat.key_hash,
        "failed_bot": failed and failed.bot,
        "failed_how": failed and failed.how,
        "failed_at": failed and failed.at,
    }


def step_rows(change: Change) -> Iterator[Values]:
    """The steps that a change adds."""
    for step in change.steps:
        yield {
            "match": change.match,
            "number": step.number,
            "version": step.version,
            "player": step.player,
            "text": step.text,
            "turn_key": step.key,
            "at": step.at,
        }


def review_row(review: SavedReview) -> Values:
    """A review."""
    return review._asdict()


# --- that were read


def read_match(row: Any, seats: Sequence[Any], steps: Iterable[Any]) -> SavedMatch:
    """A match of its own row and those of its seats and steps, in their order."""
    start = json.loads(row.start)
    return SavedMatch(
        id=row.id,
        game=row.game,
        options=start.pop("chosen", {}),
        start=start,
        hidden=row.hidden,
        spectators=row.spectators,
        order=_read_order(row.secret_order),
        salt=row.secret_salt,
        created=row.created,
        seats=tuple(_seat(seat) for seat in seats),
        steps=tuple(SavedStep(row.number, row.version, row.player, row.text, row.turn_key, row.at) for row in steps),
        changes=row.changes,
        over=row.over,
        rematch=row.rematch,
    )


def _written_order(order: tuple[str, ...]) -> str:
    """All that chance will do: joined by commas where that can be taken apart again, else as JSON."""
    plain = all(text and not {",", "["} & set(text) for text in order)
    return ",".join(order) if plain else json.dumps(order)


def _read_order(written: str) -> tuple[str, ...]:
    if written.startswith("["):
        return tuple(json.loads(written))
    return tuple(written.split(",")) if written else ()


def _seat(row: Any) -> Seat:
    failed = None if row.failed_bot is None else FailedBot(row.failed_bot, row.failed_how, row.failed_at)
    return Seat(row.kind, row.name, row.bot, row.key_hash, failed)
