"""Checks of stored matches for `limina db check`: replay each match and compare its rows with the result."""

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

_EVENT_KINDS: tuple[str, ...] = get_args(EventKind)
_SALT = re.compile(r"[0-9a-f]{64}")


class CheckResult(NamedTuple):
    """The numbers of checked and of damaged things."""

    matches: int
    events: int
    rows: Mapping[str, int]
    """The rows of every other table, by its name."""
    damaged: int


async def check(
    settings: ServerSettings, on_damage: Callable[[str], None], on_progress: Callable[[int, int], None]
) -> CheckResult:
    """Check all matches and the rows of all repositories, also while a server runs. Nothing is changed.

    `on_damage` is called with a sentence for each damage, `on_progress` with the numbers of checked and of all matches.
    """
    matches = events = damaged = 0
    checked = Counter({repository.table.name: 0 for repository in REPOSITORIES})
    async with maintenance.open_engine(url_of(settings)) as engine:
        await maintenance.check_current(engine)
        total = await maintenance.count_matches(engine)
        async for stored in maintenance.all_matches(engine):
            matches += 1
            events += 0 if stored.saved is None else len(stored.saved.events)
            damage = find_damage(stored)
            if damage is not None:
                damaged += 1
                on_damage(f"{stored.id}: {damage}")
            on_progress(matches, max(total, matches))
        for table, count in (await maintenance.count_orphans(engine)).items():
            if count:
                damaged += 1
                on_damage(f"{table}: {count} rows belong to no match")
        for repository in REPOSITORIES:
            async for row in maintenance.all_rows(engine, repository.table):
                checked[repository.table.name] += 1
                if damage := repository.describe_damage(row):
                    damaged += 1
                    on_damage(damage)
    return CheckResult(matches, events, checked, damaged)


def find_damage(stored: StoredMatch) -> str | None:
    """Return a sentence about the first damage of a match, None for a sound one."""
    if stored.saved is None:
        return "its rows cannot be read"
    try:
        return next(_find_damages(stored, stored.saved), None)
    except LiminaError as error:
        return str(error)
    except Exception as error:  # damaged data can cause any error in the code that reads them
        return f"it cannot be replayed: {type(error).__name__}"


def _find_damages(stored: StoredMatch, saved: SavedMatch) -> Iterator[str]:
    yield from _check_log(stored.version, saved.events)
    match = Match.restore(replace(saved, events=saved.events[:1]))
    for event in saved.events[1:]:
        damage = _apply(match, event)
        if damage is not None:
            yield f"event {event.event_index} ({event.kind}): {damage}"
            return
    position = match.situation.position
    if match.is_full and position.awaits_chance:
        yield "the outcome of chance after the last turn is missing"
    if saved.is_over != match.is_over:
        yield f"it is stored as {'over' if saved.is_over else 'running'}, and is not"
    expected = {(token_hash, seat) for token_hash, _, seat in rows.seat_token_rows(saved.id, saved.events)}
    if stored.seat_tokens != expected:
        missing, surplus = len(expected - stored.seat_tokens), len(stored.seat_tokens - expected)
        yield f"its seat tokens are not those of its log: {missing} are missing, {surplus} are too many"
    yield from _check_chance(match, saved)
    yield from _check_rematch(stored, match)
    yield from _check_record(match, saved)


def _check_log(version: int, events: tuple[Event, ...]) -> Iterator[str]:
    if not events or events[0].kind != "created" or not events[0].seats:
        yield "its log does not begin with its seats"
    for index, event in enumerate(events):
        if event.event_index != index:
            yield f"event {index} is missing in its log"
        if event.kind not in _EVENT_KINDS or (event.kind == "created") != (index == 0):
            yield f"event {index} cannot be of the kind {quote_truncated(event.kind)}"
    if version != len(events) - 1:
        yield f"its version is {version}, and its log ends at {len(events) - 1}"


def _apply(match: Match, event: Event) -> str | None:
    """Apply an event; return a sentence if it does not follow from the events before."""
    if event.kind in ("seat_taken", "bot_replaced"):
        if event.seat_index is None or not 0 <= event.seat_index < len(match.seats) or len(event.seats) != 1:
            return "there is no such seat"
        before, after = match.seats[event.seat_index], event.seats[0]
        if event.kind == "bot_replaced" and before.kind != "bot":
            return "there was no bot in this seat"
        if before.kind == "person" and _holder(before) != _holder(after):
            return "another person had this seat already"
    elif event.kind == "turn" and not match.is_full:
        return "a seat was still open"
    elif event.kind == "take_back":
        seat_index = -1 if event.seat_index is None else event.seat_index
        other_kinds = {other.kind for index, other in enumerate(match.seats) if index != seat_index}
        if not match.game.spec.can_take_back or match.rematch_id is not None or other_kinds - {"bot"}:
            return "no turn could be taken back"
        step_count = match.step_count_before_last_turn(seat_index)
        if step_count < 0 or event.payload != str(step_count):
            return "it does not lead to the last turn of this seat"
    elif event.kind == "rematch" and (match.rematch_id is not None or not match.is_over):
        return "there was a rematch already" if match.rematch_id is not None else "the game was not over"
    try:
        match.apply_events([event])
    except LiminaError as error:
        return str(error)
    return None


def _holder(seat: Seat) -> tuple[str, str | None]:
    return seat.kind, seat.token_hash


def _check_chance(match: Match, saved: SavedMatch) -> Iterator[str]:
    outcomes = [step.text for step in match.steps if step.player is None]
    for count, (outcome, decided) in enumerate(zip(outcomes, saved.chance_outcomes, strict=False), 1):
        if outcome != decided:
            yield f"outcome {count} of chance is not the one that was decided in advance"
    if saved.chance_outcomes and _SALT.fullmatch(saved.salt) is None:
        yield "the salt of its commitment is invalid"


def _check_rematch(stored: StoredMatch, match: Match) -> Iterator[str]:
    if match.rematch_id is None:
        return
    if stored.rematch is None:
        yield f"its rematch {quote_truncated(match.rematch_id)} does not exist"
        return
    token_hashes = {seat.token_hash for seat in match.seats}
    rematch_hashes = {seat.token_hash for event in stored.rematch.events for seat in event.seats}
    if stored.rematch.game != match.game.name or token_hashes != rematch_hashes:
        yield f"its rematch {match.rematch_id} has another game or other players"


def _check_record(match: Match, saved: SavedMatch) -> Iterator[str]:
    """Check the options, the record that is read back from JSON, and the commitment."""
    options = match.game.options_of(match.start)
    if any(name in options and options[name] != value for name, value in saved.options.items()):
        yield "its options are not those of its start"
    record = visibility.record(match, tuple(range(len(match.seats))))
    if Record.from_json(record.to_json()).position != match.situation.position:
        yield "its record does not lead to its position"
    if match.commitment is not None:
        opening = {"commitment": match.commitment, "salt": saved.salt, "order": list(saved.chance_outcomes)}
        verify(replace(record, extra=opening))
