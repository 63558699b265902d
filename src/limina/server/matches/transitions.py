"""Pending events that follow from a request in a match as it stands, or a refusal. Nothing is saved here."""

from __future__ import annotations

from limina.bots.base import BotErrorKind
from limina.errors import LiminaError
from limina.server.errors import RefusedError
from limina.server.matches.match import Match, PendingEvents
from limina.server.matches.new_match import replacement_bot
from limina.server.model import FailedBot, SavedMatch, Seat

MAX_STEPS_FOR_TAKE_BACK = 400
"""In longer games no turn is taken back: the game is gone through again for it, while everybody waits."""
MAX_TAKE_BACKS = 500
"""A log has an end too."""
_RETRY_SECONDS = 2


def create(match: Match) -> tuple[SavedMatch, PendingEvents]:
    """A new match as it is saved, and what chance does in it first."""
    pending = PendingEvents(match)
    # What is laid for all to see can be seen while others are awaited; what is hidden waits for everybody.
    if match.is_full or match.game.spec.chance == "setup":
        pending.draw()
    return match.to_saved(pending), pending


def play_turn(match: Match, seat: int, number: int, text: str, key: str | None) -> PendingEvents:
    """A turn, if it is legal now."""
    if not match.is_full:
        raise RefusedError("stale", "the game begins when every seat is taken")
    played = match.situation.turns[seat]
    if number != played:
        raise RefusedError("stale", f"this seat has played {played} turns, not {number}: look at the game again")
    pending = PendingEvents(match)
    pending.play(seat, match.game.read_turn(text), key)
    return pending


def play_turn_once(match: Match, seat: int, number: int, text: str, key: str) -> PendingEvents | None:
    """The same, unless it is saved already: nothing is left to do then."""
    played = match.played_turns.get(key)
    if played is None:
        return play_turn(match, seat, number, text, key)
    if (played.seat_index, played.turn_index) != (seat, number) or played.text != _canonical_text(match, text):
        raise RefusedError("conflict", "the key of this turn was used for another one")
    return None


def take_back(match: Match, seat: int, number: int, seen: int | None) -> PendingEvents | None:
    """The seat's turn of this number and whatever was played since, if nobody else could mind.

    Nothing, where it is taken back already, or stands there only since a version after the one that was seen.
    """
    if not match.game.spec.can_take_back:
        raise RefusedError("illegal", f"in {match.game.title} a turn that is ended stays ended")
    if any(other.kind != "bot" for place, other in enumerate(match.seats) if place != seat):
        raise RefusedError("illegal", "turns can be taken back only against bots")
    if match.rematch is not None:
        raise RefusedError("conflict", "the rematch has begun: this game stays as it is")
    played = match.situation.turns[seat]
    if played <= number or (seen is not None and match.played_at(seat, number) > seen):
        return None
    if len(match.steps) > MAX_STEPS_FOR_TAKE_BACK:
        raise RefusedError(
            "illegal", f"turns are taken back in games of up to {MAX_STEPS_FOR_TAKE_BACK} turns, no longer ones"
        )
    if match.taken_back >= MAX_TAKE_BACKS:
        raise RefusedError("illegal", f"in this game {MAX_TAKE_BACKS} turns were taken back: that is enough")
    if played > number + 1:
        raise RefusedError("stale", f"this seat has played {played} turns: only the last one can be taken back")
    pending = PendingEvents(match)
    pending.take_back(seat)
    return pending


def take_seat(match: Match, number: int, seat: Seat) -> PendingEvents:
    """Somebody sits down; with the last one the game begins."""
    pending = PendingEvents(match)
    pending.add("seat_taken", seat=number, seats=(seat,))
    if sum(other.kind == "open" for other in match.seats) == 1:
        pending.draw()
    return pending


def replace_bot(match: Match, number: int, kind: BotErrorKind) -> PendingEvents | None:
    """Another bot goes on where one has failed, if there is one."""
    level = match.seats[number].bot or ""
    other = replacement_bot(match.game, level)
    if other is None:
        return None
    pending = PendingEvents(match)
    failed = FailedBot(level, kind, match.situation.steps)
    pending.add("bot_replaced", seat=number, seats=(Seat("bot", other, other, failed=failed),))
    return pending


def not_saved_error() -> RefusedError:
    """What is said where the database did not take something."""
    return RefusedError("unavailable", "this could not be saved: please try again", retry_after=_RETRY_SECONDS)


def check_seat_held(match: Match, mine: tuple[int, ...], seat: int) -> None:
    """Refuse whoever does not hold the seat."""
    if seat >= len(match.seats):
        raise RefusedError("not_found", "there is no such seat")
    if seat not in mine:
        raise RefusedError("forbidden", "this seat is not yours")


def choose_open_seat(match: Match, wanted: int | None) -> int:
    """The seat that is asked for, or the first, if it is free."""
    free = [number for number, seat in enumerate(match.seats) if seat.kind == "open"]
    if wanted is not None and wanted >= len(match.seats):
        raise RefusedError("not_found", "there is no such seat")
    if wanted is not None and wanted not in free:
        raise RefusedError("conflict", "somebody sits there already")
    if not free:
        raise RefusedError("conflict", f"all seats are taken{': you can watch' if match.allow_spectators else ''}")
    return free[0] if wanted is None else wanted


def _canonical_text(match: Match, text: str) -> str | None:
    """A turn as it is written in records, or None where it is none."""
    try:
        return str(match.game.read_turn(text))
    except LiminaError:
        return None
