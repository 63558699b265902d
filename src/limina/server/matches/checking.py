"""Whether stored matches are sound: each is replayed, and what is kept of it is compared with what comes of that."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple, get_args

from limina.core.commitment import verify
from limina.core.record import Record
from limina.core.validation import quote_truncated
from limina.errors import LiminaError
from limina.server.matches import visibility
from limina.server.matches.match import Match
from limina.server.model import Event, EventKind, SavedMatch, Seat
from limina.server.settings import ServerSettings
from limina.server.storage import maintenance, rows, url_of
from limina.server.storage.maintenance import StoredMatch
from limina.server.storage.store import REPOSITORIES

_KINDS: tuple[str, ...] = get_args(EventKind)
_SALT = re.compile(r"[0-9a-f]{64}")


class Checked(NamedTuple):
    """What was looked at, and how much of it is damaged."""

    matches: int
    events: int
    rows: Mapping[str, int]
    """Rows of every other table, by its name."""
    damaged: int


async def check(settings: ServerSettings, found: Callable[[str], None], told: Callable[[int, int], None]) -> Checked:
    """Check every match and every row of the repositories; `found` hears what is damaged, `told` the progress.

    Nothing is changed, and a server may go on meanwhile.
    """
    matches = events = damaged = 0
    checked = Counter({repository.table.name: 0 for repository in REPOSITORIES})
    async with maintenance.opened(url_of(settings)) as engine:
        await maintenance.check_current(engine)
        of = await maintenance.count_matches(engine)
        async for stored in maintenance.all_matches(engine):
            matches += 1
            events += 0 if stored.saved is None else len(stored.saved.events)
            fault = fault_of(stored)
            if fault is not None:
                damaged += 1
                found(f"{stored.id}: {fault}")
            told(matches, max(of, matches))
        for table, count in (await maintenance.orphans(engine)).items():
            if count:
                damaged += 1
                found(f"{table}: {count} belong to no match")
        for repository in REPOSITORIES:
            async for row in maintenance.all_rows(engine, repository.table):
                checked[repository.table.name] += 1
                if fault := repository.fault_of(row):
                    damaged += 1
                    found(fault)
    return Checked(matches, events, checked, damaged)


def fault_of(stored: StoredMatch) -> str | None:
    """The first thing that is wrong with a match, or None."""
    if stored.saved is None:
        return "its rows cannot be read"
    try:
        return next(_faults(stored, stored.saved), None)
    except LiminaError as error:
        return str(error)
    except Exception as error:  # whatever a damaged match makes of the code that reads it
        return f"it cannot be replayed: {type(error).__name__}"


def _faults(stored: StoredMatch, saved: SavedMatch) -> Iterator[str]:
    yield from _log_faults(stored.version, saved.events)
    match = Match.restore(replace(saved, events=saved.events[:1]))
    for event in saved.events[1:]:
        fault = _step_on(match, event)
        if fault is not None:
            yield f"event {event.event_index} ({event.kind}): {fault}"
            return
    position = match.situation.position
    if match.is_full and position.awaits_chance:
        yield "chance has not done its part after the last turn"
    if saved.is_over != match.is_over:
        yield f"it is said to be {'over' if saved.is_over else 'running'} and is not"
    held = {(token_hash, seat) for token_hash, _, seat in rows.seat_token_rows(saved.id, saved.events)}
    if stored.keys != held:
        lost, more = len(held - stored.keys), len(stored.keys - held)
        yield f"the keys of its seats are not those of its log: {lost} are missing, {more} are too many"
    yield from _chance_faults(match, saved)
    yield from _rematch_faults(stored, match)
    yield from _record_faults(match, saved)


def _log_faults(version: int, events: tuple[Event, ...]) -> Iterator[str]:
    if not events or events[0].kind != "created" or not events[0].seats:
        yield "its log does not say how it began"
    for place, event in enumerate(events):
        if event.event_index != place:
            yield f"event {place} is missing in its log"
        if event.kind not in _KINDS or (event.kind == "created") != (place == 0):
            yield f"event {place} cannot be: {quote_truncated(event.kind)}"
    if version != len(events) - 1:
        yield f"its version is {version}, and its log ends at {len(events) - 1}"


def _step_on(match: Match, event: Event) -> str | None:
    """Go on by an event: what is wrong with it, or None."""
    if event.kind in ("seat_taken", "bot_replaced"):
        if event.seat_index is None or not 0 <= event.seat_index < len(match.seats) or len(event.seats) != 1:
            return "there is no such seat"
        before, after = match.seats[event.seat_index], event.seats[0]
        if event.kind == "bot_replaced" and before.kind != "bot":
            return "no bot sat there that could be replaced"
        if before.kind == "person" and _who(before) != _who(after):
            return "somebody else sat there already"
    elif event.kind == "turn" and not match.is_full:
        return "not every seat was taken then"
    elif event.kind == "take_back":
        seat = -1 if event.seat_index is None else event.seat_index
        others = {other.kind for place, other in enumerate(match.seats) if place != seat}
        if not match.game.spec.can_take_back or match.rematch is not None or others - {"bot"}:
            return "nothing could be taken back then"
        steps = match.steps_before_last_turn(seat)
        if steps < 0 or event.payload != str(steps):
            return "that is not where the last turn of this seat began"
    elif event.kind == "rematch" and (match.rematch is not None or not match.is_over):
        return "there was one already" if match.rematch is not None else "the game was not over"
    try:
        match.apply_events([event])
    except LiminaError as error:
        return str(error)
    return None


def _who(seat: Seat) -> tuple[str, str | None]:
    return seat.kind, seat.token_hash


def _chance_faults(match: Match, saved: SavedMatch) -> Iterator[str]:
    drawn = [step.text for step in match.steps if step.player is None]
    for place, (came, promised) in enumerate(zip(drawn, saved.chance_outcomes, strict=False), 1):
        if came != promised:
            yield f"draw {place} came otherwise than the order that was promised"
    if saved.chance_outcomes and _SALT.fullmatch(saved.salt) is None:
        yield "the salt of its promise about chance is none"


def _rematch_faults(stored: StoredMatch, match: Match) -> Iterator[str]:
    if match.rematch is None:
        return
    if stored.rematch is None:
        yield f"its rematch {quote_truncated(match.rematch)} is not there"
        return
    here = {seat.token_hash for seat in match.seats}
    there = {seat.token_hash for event in stored.rematch.events for seat in event.seats}
    if stored.rematch.game != match.game.name or here != there:
        yield f"its rematch {match.rematch} is not the same once more"


def _record_faults(match: Match, saved: SavedMatch) -> Iterator[str]:
    """The record of the whole match is read back as the same game, and keeps what was promised."""
    options = match.game.options_of(match.start)
    if any(name in options and options[name] != value for name, value in saved.options.items()):
        yield "it was not begun with the options that were chosen"
    record = visibility.record(match, tuple(range(len(match.seats))))
    if Record.from_json(record.to_json()).end != match.situation.position:
        yield "its record does not lead to where it stands"
    if match.commitment is not None:
        promise = {"commitment": match.commitment, "salt": saved.salt, "order": list(saved.chance_outcomes)}
        verify(replace(record, extra=promise))
