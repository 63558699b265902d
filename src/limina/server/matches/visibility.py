"""Visibility: the parts of a match that a viewer may see. All data about a match that leave the server are built here.

They are built from saved events only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from limina.core.position import Position, Step
from limina.core.presenter import outcome_to_json, step_to_json
from limina.core.record import Record
from limina.server.errors import RefusedError
from limina.server.matches.match import Match, Situation
from limina.server.model import Seat

JsonObject = dict[str, Any]
Seats = tuple[int, ...]
_FAILURES = {
    "crashed": "has crashed",
    "timeout": "took too long",
    "illegal_turn": "played an illegal turn",
    "unavailable": "is no longer offered here",
}


class Audience(NamedTuple):
    """Viewers with the same audience receive the same data."""

    seats: Seats = ()
    """The seats that the viewers hold."""
    legal: bool = True
    """True to send legal turns with each state and update."""


class Update(NamedTuple):
    """An update after turns, for all audiences that may see the same."""

    parts: JsonObject
    """All fields but the legal turns."""
    legal: dict[int, JsonObject]
    """The legal turns by seat, for the seats in `audiences`."""
    audiences: dict[Seats, list[Audience]]
    """The audiences by the seats whose legal turns they receive."""


def view_seats(match: Match, own_seats: Seats) -> Seats:
    """Return the own seats that affect visibility: all if turns are hidden, otherwise none."""
    return own_seats if match.hidden_turns else ()


def visible_position(match: Match, own_seats: Seats, first: int = 0) -> tuple[Position, list[Step]]:
    """Return the position and the steps from index `first` on that the holder of these seats may see.

    If turns are hidden, `first` must be in a complete round.
    """
    situation = match.situation
    if not match.hidden_turns or situation.outcome is not None:
        return situation.position, match.steps[first : situation.step_count]
    position, visible = situation.round_start, match.steps[first : situation.round_start_step_count]
    for step in match.steps[situation.round_start_step_count : situation.step_count]:
        if step.player in own_seats:
            position = position.apply(step)
            visible.append(step)
    return position, visible


def state(match: Match, own_seats: Seats, *, legal: bool = True) -> JsonObject:
    """Return the complete state that a viewer may see."""
    position, visible = visible_position(match, own_seats)
    return {
        "match_id": match.id,
        "game": match.game.name,
        "version": match.version,
        "phase": match.phase,
        "options": match.game.options_of(match.start),
        "hidden_turns": match.hidden_turns,
        "allow_spectators": match.allow_spectators,
        "seats": seats(match),
        "my_seats": list(own_seats),
        "to_move": list(match.to_move),
        "commitment": match.commitment,
        "reveal": reveal(match),
        "rematch_id": match.rematch_id,
        "created_at": match.created_at,
        "steps": [step_to_json(step) for step in visible],
        "view": match.presenter.view(position),
        "outcome": outcome_to_json(match.situation.outcome),
        "legal": {seat: legal_turns(match, seat) for seat in own_seats if legal and seat in match.to_move},
    }


def updates(match: Match, before: Situation, audiences: Iterable[Audience]) -> list[Update]:
    """Return the updates after turns since a situation, one for all audiences that may see the same."""
    # While the same round is open, the legal turns do not change.
    opened = match.to_move if before.round_start_step_count != match.situation.round_start_step_count else ()
    groups: dict[Seats, dict[Seats, list[Audience]]] = {}
    for audience in audiences:
        moving = tuple([seat for seat in audience.seats if seat in opened]) if audience.legal else ()
        groups.setdefault(view_seats(match, audience.seats), {}).setdefault(moving, []).append(audience)
    result = []
    for seats, by_moving in groups.items():
        parts = update(match, before, seats, {seat for moving in by_moving for seat in moving})
        result.append(Update(parts, parts.pop("legal"), by_moving))
    return result


def update(match: Match, before: Situation, own_seats: Seats, to_move: Collection[int] = ()) -> JsonObject:
    """Return the update for a viewer after turns since a situation, with the legal turns of the seats `to_move`."""
    situation = match.situation
    # Hidden turns of a round become visible when it is complete, between own turns that were visible before.
    first = before.round_start_step_count if match.hidden_turns else before.step_count
    position, visible = visible_position(match, own_seats, first)
    return {
        "type": "update",
        "version": match.version,
        "phase": match.phase,
        "to_move": list(match.to_move),
        "turn_counts": list(situation.turn_counts),
        "unchanged_steps": first,
        "steps": [step_to_json(step) for step in visible],
        "view": match.presenter.view(position),
        "outcome": outcome_to_json(situation.outcome),
        "reveal": reveal(match),
        "legal": {seat: legal_turns(match, seat) for seat in to_move},
    }


def legal_turns(match: Match, seat_index: int) -> JsonObject:
    """Return the legal turns of a seat; raise RefusedError if it is not to move."""
    if seat_index not in match.to_move:
        raise RefusedError("stale", "it is not this seat's turn")
    return dict(
        match.presenter.legal(visible_position(match, (seat_index,), match.situation.step_count)[0], seat_index)
    )


def preview(match: Match, own_seats: Seats, seat_index: int, turn: str) -> JsonObject:
    """Return the view after a turn of an own seat, without playing it."""
    check_seat_held(own_seats, seat_index)
    if not match.is_full:
        raise RefusedError("stale", "the game begins when every seat is taken")
    return dict(match.presenter.preview(visible_position(match, own_seats)[0], seat_index, turn))


def check_can_watch(match: Match, own_seats: Seats) -> None:
    """Raise RefusedError unless the holder of these seats may see the match."""
    if not match.can_watch(own_seats):
        raise RefusedError("private", "this game is for its players alone")


def check_seat_held(own_seats: Seats, seat_index: int) -> None:
    """Raise RefusedError unless the seat is an own seat."""
    if seat_index not in own_seats:
        raise RefusedError("forbidden", "this seat is not yours")


def seats(match: Match) -> list[JsonObject]:
    """Return the public data of all seats."""
    return [
        {"kind": seat.kind, "name": seat.name, "bot": seat.bot, "turn_count": turns, "failed_bot": _failed(seat)}
        for seat, turns in zip(match.seats, match.situation.turn_counts, strict=True)
    ]


def _failed(seat: Seat) -> JsonObject | None:
    if seat.failed is None:
        return None
    bot, kind = seat.failed.bot, seat.failed.kind
    return {"bot": bot, "kind": kind, "message": f"the bot {bot} {_FAILURES[kind]}: {seat.bot} plays on in its place"}


def reveal(match: Match) -> JsonObject | None:
    """Return what opens the commitment when the game is over; None before."""
    return {"salt": match.salt, "order": list(match.chance_outcomes)} if match.commitment and match.is_over else None


def summary(match: Match, own_seats: Seats, updated_at: int) -> JsonObject:
    """Return an entry of the list of own matches. `updated_at` is the time of the last event."""
    outcome = match.situation.outcome
    return {
        "match_id": match.id,
        "game": match.game.name,
        "phase": match.phase,
        "seats": seats(match),
        "my_seats": list(own_seats),
        "to_move": list(match.to_move),
        "progress": match.situation.position.progress,
        "winners": list(outcome.winners) if outcome else [],
        "created_at": match.created_at,
        "updated_at": updated_at,
        "rematch_id": match.rematch_id,
    }


def record(match: Match, own_seats: Seats) -> Record:
    """Return the record with the steps that the viewer may see. Of a running game, it lacks salt and order."""
    position, visible = visible_position(match, own_seats)
    names = tuple(f"bot:{seat.bot}" if seat.kind == "bot" else seat.name or "?" for seat in match.seats)
    extra: JsonObject = {} if match.commitment is None else {"commitment": match.commitment}
    if match.is_over and match.commitment is not None:
        # Numbers instead of texts, if that can be reversed.
        order = [int(text) if text.isdecimal() and str(int(text)) == text else text for text in match.chance_outcomes]
        extra |= {"salt": match.salt, "order": order}
    steps = _in_record_order(visible) if match.by_rounds else visible
    return Record(match.game, names, match.start, tuple(steps), position, extra)


def _in_record_order(steps: Iterable[Step]) -> list[Step]:
    """Return the steps with the turns of each round in the order of the seats, as they are read from a JSON record."""
    counts: Counter[int | None] = Counter()
    keyed = []
    for step in steps:
        turn_index = counts[step.player]
        counts[step.player] += 1
        # The steps of chance before it, the player's own turns before it, the player.
        sort_key = (counts[None], -1, -1) if step.player is None else (counts[None], turn_index, step.player)
        keyed.append((sort_key, step))
    return [step for _, step in sorted(keyed)]
