"""What comes of what somebody wants in a match as it stands: a draft of events, or a refusal. Nothing is saved here."""

from __future__ import annotations

from limina.errors import LiminaError
from limina.server.errors import RefusedError
from limina.server.matches.match import Draft, Match
from limina.server.matches.new_match import substitute
from limina.server.model import FailedBot, SavedMatch, Seat

MOST_STEPS_TAKEN_BACK = 400
"""In longer games no turn is taken back: the game is gone through again for it, while everybody waits."""
MOST_TAKEN_BACK = 500
"""A log has an end too."""
_RETRY_SECONDS = 2


def begun(match: Match) -> tuple[SavedMatch, Draft]:
    """A new match as it is saved, and what chance does in it first."""
    draft = Draft(match)
    # What is laid for all to see can be seen while others are awaited; what is hidden waits for everybody.
    if match.full or match.game.spec.chance == "setup":
        draft.draw()
    return match.to_saved(draft), draft


def turn(match: Match, seat: int, number: int, text: str, key: str | None) -> Draft:
    """A turn, if it is legal now."""
    if not match.full:
        raise RefusedError("stale", "the game begins when every seat is taken")
    played = match.shown.turns[seat]
    if number != played:
        raise RefusedError("stale", f"this seat has played {played} turns, not {number}: look at the game again")
    draft = Draft(match)
    draft.play(seat, match.game.read_turn(text), key)
    return draft


def turn_once(match: Match, seat: int, number: int, text: str, key: str) -> Draft | None:
    """The same, unless it is saved already: nothing is left to do then."""
    played = match.played.get(key)
    if played is None:
        return turn(match, seat, number, text, key)
    if (played.seat, played.number) != (seat, number) or played.text != canonical(match, text):
        raise RefusedError("conflict", "the key of this turn was used for another one")
    return None


def taken_back(match: Match, seat: int, number: int, seen: int | None) -> Draft | None:
    """The seat's turn of this number and whatever was played since, if nobody else could mind.

    Nothing, where it is taken back already, or stands there only since a version after the one that was seen.
    """
    if not match.game.spec.can_take_back:
        raise RefusedError("illegal", f"in {match.game.title} a turn that is ended stays ended")
    if any(other.kind != "bot" for place, other in enumerate(match.seats) if place != seat):
        raise RefusedError("illegal", "turns can be taken back only against bots")
    if match.rematch is not None:
        raise RefusedError("conflict", "the rematch has begun: this game stays as it is")
    played = match.shown.turns[seat]
    if played <= number or (seen is not None and match.played_at(seat, number) > seen):
        return None
    if len(match.steps) > MOST_STEPS_TAKEN_BACK:
        raise RefusedError(
            "illegal", f"turns are taken back in games of up to {MOST_STEPS_TAKEN_BACK} turns, no longer ones"
        )
    if match.taken_back >= MOST_TAKEN_BACK:
        raise RefusedError("illegal", f"in this game {MOST_TAKEN_BACK} turns were taken back: that is enough")
    if played > number + 1:
        raise RefusedError("stale", f"this seat has played {played} turns: only the last one can be taken back")
    draft = Draft(match)
    draft.take_back(seat)
    return draft


def seated(match: Match, number: int, seat: Seat) -> Draft:
    """Somebody sits down; with the last one the game begins."""
    draft = Draft(match)
    draft.add("seated", seat=number, seats=(seat,))
    if sum(other.kind == "open" for other in match.seats) == 1:
        draft.draw()
    return draft


def replaced(match: Match, number: int, how: str) -> Draft | None:
    """Another bot goes on where one has failed, if there is one."""
    level = match.seats[number].bot or ""
    other = substitute(match.game, level)
    if other is None:
        return None
    draft = Draft(match)
    failed = FailedBot(level, how, match.shown.steps)
    draft.add("replaced", seat=number, seats=(Seat("bot", other, other, failed=failed),))
    return draft


def not_saved() -> RefusedError:
    """What is said where the database did not take something."""
    return RefusedError("unavailable", "this could not be saved: please try again", retry=_RETRY_SECONDS)


def check_held(match: Match, mine: tuple[int, ...], seat: int) -> None:
    """Refuse whoever does not hold the seat."""
    if seat >= len(match.seats):
        raise RefusedError("not_found", "there is no such seat")
    if seat not in mine:
        raise RefusedError("forbidden", "this seat is not yours")


def open_seat(match: Match, wanted: int | None) -> int:
    """The seat that is asked for, or the first, if it is free."""
    free = [number for number, seat in enumerate(match.seats) if seat.kind == "open"]
    if wanted is not None and wanted >= len(match.seats):
        raise RefusedError("not_found", "there is no such seat")
    if wanted is not None and wanted not in free:
        raise RefusedError("conflict", "somebody sits there already")
    if not free:
        raise RefusedError("conflict", f"all seats are taken{': you can watch' if match.spectators else ''}")
    return free[0] if wanted is None else wanted


def canonical(match: Match, text: str) -> str | None:
    """A turn as it is written in records, or None where it is none."""
    try:
        return str(match.game.read_turn(text))
    except LiminaError:
        return None
