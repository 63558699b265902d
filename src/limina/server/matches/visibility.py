"""Who may see what of a match. Everything that is told about a match is made here, from what is saved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from limina.core.position import Position, Step
from limina.core.presenter import outcome_state, step_state
from limina.core.record import Record
from limina.server.errors import RefusedError
from limina.server.matches.match import Match, Situation
from limina.server.model import Seat

Plain = dict[str, Any]
Seats = tuple[int, ...]
_FAILURES = {
    "crashed": "has crashed",
    "timeout": "took too long",
    "illegal_turn": "played an illegal turn",
    "unavailable": "is no longer offered here",
}


class Audience(NamedTuple):
    """Viewers with the same audience are sent the same."""

    seats: Seats = ()
    """The seats that they hold."""
    legal: bool = True
    """Whether legal turns are sent with each state and update."""


class Update(NamedTuple):
    """A turn, for all audiences that may see the same of the match."""

    parts: Plain
    """Everything but the legal turns."""
    legal: dict[int, Plain]
    """The legal turns of each seat that at least one of the audiences gets."""
    audiences: dict[Seats, list[Audience]]
    """The audiences by the seats whose legal turns they get."""


def view_seats(match: Match, mine: Seats) -> Seats:
    """Return those of the seats that make a difference to what their holder may see."""
    return mine if match.hidden_turns else ()


def visible_position(match: Match, mine: Seats, first: int = 0) -> tuple[Position, list[Step]]:
    """The position and the steps, from one of the complete rounds on, as whoever holds these seats may see them."""
    situation = match.situation
    if not match.hidden_turns or situation.outcome is not None:
        return situation.position, match.steps[first : situation.steps]
    position, visible = situation.round_start, match.steps[first : situation.steps_before_round]
    for step in match.steps[situation.steps_before_round : situation.steps]:
        if step.player in mine:
            position = position.apply(step)
            visible.append(step)
    return position, visible


def state(match: Match, mine: Seats, *, legal: bool = True) -> Plain:
    """All that a viewer may know."""
    position, visible = visible_position(match, mine)
    return {
        "match_id": match.id,
        "game": match.game.name,
        "version": match.version,
        "phase": match.phase,
        "options": match.game.options_of(match.start),
        "hidden_turns": match.hidden_turns,
        "allow_spectators": match.allow_spectators,
        "seats": seats(match),
        "my_seats": list(mine),
        "to_move": list(match.to_move),
        "commitment": match.commitment,
        "reveal": reveal(match),
        "rematch_id": match.rematch,
        "created_at": match.created_at,
        "steps": [step_state(step) for step in visible],
        "view": match.presenter.view(position),
        "outcome": outcome_state(match.situation.outcome),
        "legal": {seat: legal_turns(match, seat) for seat in mine if legal and seat in match.to_move},
    }


def updates(match: Match, before: Situation, audiences: Iterable[Audience]) -> list[Update]:
    """Return what the audiences have to know after turns, built once for those who may see the same."""
    # Within a round that stays open nobody gets other turns than before.
    opened = match.to_move if before.steps_before_round != match.situation.steps_before_round else ()
    groups: dict[Seats, dict[Seats, list[Audience]]] = {}
    for audience in audiences:
        moving = tuple([seat for seat in audience.seats if seat in opened]) if audience.legal else ()
        groups.setdefault(view_seats(match, audience.seats), {}).setdefault(moving, []).append(audience)
    result = []
    for seats, by_moving in groups.items():
        parts = update(match, before, seats, {seat for moving in by_moving for seat in moving})
        result.append(Update(parts, parts.pop("legal"), by_moving))
    return result


def update(match: Match, before: Situation, mine: Seats, to_move: Collection[int] = ()) -> Plain:
    """What a viewer has to know after a turn, with the legal turns of these seats."""
    situation = match.situation
    # Where turns are hidden, those of the round become visible only now, between others that were visible before.
    first = before.steps_before_round if match.hidden_turns else before.steps
    position, visible = visible_position(match, mine, first)
    return {
        "type": "update",
        "version": match.version,
        "phase": match.phase,
        "to_move": list(match.to_move),
        "turn_counts": list(situation.turns),
        "unchanged_steps": first,
        "steps": [step_state(step) for step in visible],
        "view": match.presenter.view(position),
        "outcome": outcome_state(situation.outcome),
        "reveal": reveal(match),
        "legal": {seat: legal_turns(match, seat) for seat in to_move},
    }


def legal_turns(match: Match, seat: int) -> Plain:
    """The legal turns of a seat."""
    if seat not in match.to_move:
        raise RefusedError("stale", "it is not this seat's turn")
    return dict(match.presenter.legal(visible_position(match, (seat,), match.situation.steps)[0], seat))


def preview(match: Match, mine: Seats, seat: int, turn: str) -> Plain:
    """What a turn would lead to, for whoever holds these seats."""
    check_seat_held(mine, seat)
    if not match.is_full:
        raise RefusedError("stale", "the game begins when every seat is taken")
    return dict(match.presenter.preview(visible_position(match, mine)[0], seat, turn))


def check_admitted(match: Match, mine: Seats) -> None:
    """Refuse whoever may not even watch."""
    if not match.admits(mine):
        raise RefusedError("private", "this game is for its players alone")


def check_seat_held(mine: Seats, seat: int) -> None:
    """Refuse whoever asks for another's seat."""
    if seat not in mine:
        raise RefusedError("forbidden", "this seat is not yours")


def seats(match: Match) -> list[Plain]:
    """Who sits where."""
    return [
        {"kind": seat.kind, "name": seat.name, "bot": seat.bot, "turn_count": turns, "failed_bot": _failed(seat)}
        for seat, turns in zip(match.seats, match.situation.turns, strict=True)
    ]


def _failed(seat: Seat) -> Plain | None:
    if seat.failed is None:
        return None
    bot, kind = seat.failed.bot, seat.failed.kind
    return {"bot": bot, "kind": kind, "message": f"the bot {bot} {_FAILURES[kind]}: {seat.bot} plays on in its place"}


def reveal(match: Match) -> Plain | None:
    """Salt and order, once nothing is left to be given away."""
    return {"salt": match.salt, "order": list(match.chance_outcomes)} if match.commitment and match.is_over else None


def summary(match: Match, mine: Seats, updated: int) -> Plain:
    """A line of "my games"."""
    outcome = match.situation.outcome
    return {
        "match_id": match.id,
        "game": match.game.name,
        "phase": match.phase,
        "seats": seats(match),
        "my_seats": list(mine),
        "to_move": list(match.to_move),
        "progress": match.situation.position.progress,
        "winners": list(outcome.winners) if outcome else [],
        "created_at": match.created_at,
        "updated_at": updated,
        "rematch_id": match.rematch,
    }


def record(match: Match, mine: Seats) -> Record:
    """The record; of a running game without anything that is hidden from the viewer."""
    position, visible = visible_position(match, mine)
    names = tuple(f"bot:{seat.bot}" if seat.kind == "bot" else seat.name or "?" for seat in match.seats)
    extra: Plain = {} if match.commitment is None else {"commitment": match.commitment}
    if match.is_over and match.commitment is not None:
        # Numbers as numbers, where they read back as they were written.
        order = [int(text) if text.isdecimal() and str(int(text)) == text else text for text in match.chance_outcomes]
        extra |= {"salt": match.salt, "order": order}
    steps = _by_seats(visible) if match.by_rounds else visible
    return Record(match.game, names, match.start, tuple(steps), position, extra)


def _by_seats(steps: Iterable[Step]) -> list[Step]:
    """The steps with the turns of each round in the order of the seats, as they are read from a record's file."""
    made: Counter[int | None] = Counter()
    placed = []
    for step in steps:
        number = made[step.player]
        made[step.player] += 1
        # After so much of chance; there, by the player's own turns.
        place = (made[None], -1, -1) if step.player is None else (made[None], number, step.player)
        placed.append((place, step))
    return [step for _, step in sorted(placed)]
