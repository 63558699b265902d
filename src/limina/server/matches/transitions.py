"""Transitions of a match: validate a request and return the pending events. Nothing is saved here."""

from __future__ import annotations

from limina.bots.base import BotErrorKind
from limina.errors import LiminaError
from limina.server.errors import RefusedError
from limina.server.matches.match import Match, PendingEvents
from limina.server.matches.new_match import replacement_bot
from limina.server.model import FailedBot, SavedMatch, Seat

MAX_STEPS_FOR_TAKE_BACK = 400
"""In longer games no turn is taken back, because all steps are applied again for it on the event loop."""
MAX_TAKE_BACKS = 500
"""Maximum number of take-backs in a match. It bounds the log."""
_RETRY_SECONDS = 2


def create(match: Match) -> tuple[SavedMatch, PendingEvents]:
    """Return a new match to be saved, and its first events."""
    pending = PendingEvents(match)
    # A layout is public, and shown while seats are open. Cards are drawn when all seats are taken.
    if match.is_full or match.game.spec.chance == "setup":
        pending.draw_chance()
    return match.to_saved(pending), pending


def play_turn(match: Match, seat_index: int, turn_index: int, text: str, idempotency_key: str | None) -> PendingEvents:
    """Play a turn; raise LiminaError if it is illegal or not the next turn of the seat."""
    if not match.is_full:
        raise RefusedError("stale", "the game begins when every seat is taken")
    played = match.situation.turn_counts[seat_index]
    if turn_index != played:
        raise RefusedError("stale", f"this seat has played {played} turns, not {turn_index}: look at the game again")
    pending = PendingEvents(match)
    pending.play(seat_index, match.game.read_turn(text), idempotency_key)
    return pending


def play_turn_once(
    match: Match, seat_index: int, turn_index: int, text: str, idempotency_key: str
) -> PendingEvents | None:
    """Play a turn as `play_turn` does; return None if the same turn with this key is saved already."""
    played = match.played_turns.get(idempotency_key)
    if played is None:
        return play_turn(match, seat_index, turn_index, text, idempotency_key)
    is_same = (played.seat_index, played.turn_index) == (seat_index, turn_index)
    if not is_same or played.text != _canonical_text(match, text):
        raise RefusedError("conflict", "the key of this turn was used for another one")
    return None


def take_back(match: Match, seat_index: int, turn_index: int, seen_version: int | None) -> PendingEvents | None:
    """Take back the last turn of a seat, which has this index, and all steps after it.

    Return None if it is taken back already, or if the turn at this index is newer than `seen_version`. Raise
    RefusedError unless all other seats are bots.
    """
    if not match.game.spec.can_take_back:
        raise RefusedError("illegal", f"in {match.game.title} turns cannot be taken back")
    if any(other.kind != "bot" for index, other in enumerate(match.seats) if index != seat_index):
        raise RefusedError("illegal", "turns can be taken back only in games against bots")
    if match.rematch_id is not None:
        raise RefusedError("conflict", "the rematch has begun: this game stays as it is")
    played = match.situation.turn_counts[seat_index]
    is_newer = seen_version is not None and match.version_of_turn(seat_index, turn_index) > seen_version
    if played <= turn_index or is_newer:
        return None
    if len(match.steps) > MAX_STEPS_FOR_TAKE_BACK:
        raise RefusedError("illegal", f"turns can be taken back only in games of up to {MAX_STEPS_FOR_TAKE_BACK} turns")
    if match.take_back_count >= MAX_TAKE_BACKS:
        raise RefusedError("illegal", f"{MAX_TAKE_BACKS} turns of this game were taken back already: no more can be")
    if played > turn_index + 1:
        raise RefusedError("stale", f"this seat has played {played} turns: only the last one can be taken back")
    pending = PendingEvents(match)
    pending.take_back(seat_index)
    return pending


def take_seat(match: Match, seat_index: int, seat: Seat) -> PendingEvents:
    """Let a person or a bot take an open seat. The game begins with the last one."""
    pending = PendingEvents(match)
    pending.add("seat_taken", seat_index=seat_index, seats=(seat,))
    if sum(other.kind == "open" for other in match.seats) == 1:
        pending.draw_chance()
    return pending


def replace_bot(match: Match, seat_index: int, kind: BotErrorKind) -> PendingEvents | None:
    """Replace a bot that has failed; return None if there is no other bot."""
    level = match.seats[seat_index].bot or ""
    replacement = replacement_bot(match.game, level)
    if replacement is None:
        return None
    pending = PendingEvents(match)
    failed = FailedBot(level, kind, match.situation.step_count)
    seat = Seat("bot", replacement, replacement, failed=failed)
    pending.add("bot_replaced", seat_index=seat_index, seats=(seat,))
    return pending


def not_saved_error() -> RefusedError:
    """Return the error for a request that the database did not save."""
    return RefusedError("unavailable", "this could not be saved: please try again", retry_after=_RETRY_SECONDS)


def check_seat_held(match: Match, own_seats: tuple[int, ...], seat_index: int) -> None:
    """Raise RefusedError unless the seat exists and is one of the own seats."""
    if seat_index >= len(match.seats):
        raise RefusedError("not_found", "there is no such seat")
    if seat_index not in own_seats:
        raise RefusedError("forbidden", "this seat is not yours")


def choose_open_seat(match: Match, seat_index: int | None) -> int:
    """Return the index of the first open seat, or this one; raise RefusedError if it is not open."""
    open_seats = [index for index, seat in enumerate(match.seats) if seat.kind == "open"]
    if seat_index is not None and seat_index >= len(match.seats):
        raise RefusedError("not_found", "there is no such seat")
    if seat_index is not None and seat_index not in open_seats:
        raise RefusedError("conflict", "this seat is taken: choose another one")
    if not open_seats:
        raise RefusedError("conflict", f"all seats are taken{': you can watch' if match.allow_spectators else ''}")
    return open_seats[0] if seat_index is None else seat_index


def _canonical_text(match: Match, text: str) -> str | None:
    """Return a turn as it is written in records, None if it is not a turn."""
    try:
        return str(match.game.read_turn(text))
    except LiminaError:
        return None
