"""The check of the database finds every kind of damage: a snapshot of real matches is damaged in one place each."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import pytest
from sqlalchemy import URL

from chaos.database_checker import MAX_BOT_WAIT_SECONDS, Snapshot, StoredChecker, StoredJob, StoredMatch, take_snapshot
from limina.server.model import Event
from limina.server.settings import Settings
from limina.server.storage import url_of
from support.database.stores import drop_tables
from support.server.job_workers import running_backend
from support.server.match_services import match_request, play, play_out, small_match_request

pytestmark = pytest.mark.postgres


async def play_matches(url: URL) -> Snapshot:
    """Play a match to its end; leave three whose bots are to move, one of them after a turn was taken back, and one
    with an open seat."""
    async with running_backend(url, works=False) as process:
        matches, chance = process.matches, Random(1)
        over, _ = await matches.create(small_match_request("person", "person"))
        await play_out(matches, over)
        await matches.create(match_request("limes", "person", "novice", "master"))
        for regrets in (False, True):
            loaded, _ = await matches.create(small_match_request("person", "novice"))
            match = loaded.match
            turn = str(chance.choice(match.shown.position.legal_turns(0)))
            await play(matches, loaded, (0,), 0, 0, turn, "first")
            if regrets:
                await matches.play_bot(loaded, 1, 0)
                await matches.take_back(loaded, (0,), 0, 0)
                turn = str(chance.choice(match.shown.position.legal_turns(0)))
                await play(matches, loaded, (0,), 0, 0, turn, "again")
        await matches.create(small_match_request("person", "open"))
        return await take_snapshot(url)


@pytest.fixture(scope="module")
def played(postgres: str) -> Iterator[Snapshot]:
    url = url_of(Settings(database=postgres))
    yield asyncio.run(play_matches(url))
    asyncio.run(drop_tables(url))


def complaints(snapshot: Snapshot, calm_at: int | None = None) -> str:
    checker = StoredChecker(snapshot)
    found = checker.check()
    if calm_at is not None:
        found += checker.check_waits(calm_at)
    return "\n".join(found)


def test_it_finds_nothing_where_nothing_happened(played: Snapshot) -> None:
    assert complaints(played, played.taken_at) == ""
    assert (len(played.matches), len(played.jobs)) == (5, 4)


def unfinished(snapshot: Snapshot) -> StoredMatch:
    """Return the match with a turn that was taken back, in which a bot is to move."""
    return next(each for each in snapshot.matches if any(e.kind == "taken_back" for e in each.saved.events))


def change_events(match: StoredMatch, change: Callable[[list[Event]], None]) -> None:
    events = list(match.saved.events)
    change(events)
    match.saved = replace(match.saved, events=tuple(events))


def a_job_is_lost(snapshot: Snapshot) -> None:
    snapshot.jobs.pop()


def a_job_is_there_twice(snapshot: Snapshot) -> None:
    snapshot.jobs.append(snapshot.jobs[0])


def a_job_is_left_of_a_match_that_is_over(snapshot: Snapshot) -> None:
    over = next(each for each in snapshot.matches if each.saved.over)
    snapshot.jobs.append(StoredJob(f"turn {over.saved.id} 1", b"1 0.0 novice"))


def a_job_is_left_of_a_person(snapshot: Snapshot) -> None:
    snapshot.jobs.append(StoredJob(f"turn {unfinished(snapshot).saved.id} 0", b"1 0.0 novice"))


def a_job_is_of_an_earlier_turn(snapshot: Snapshot) -> None:
    match = unfinished(snapshot)
    job = next(each for each in snapshot.jobs if match.saved.id in each.job_id)
    assert job.payload.endswith(b" 0.1 novice")
    job.payload = job.payload.replace(b" 0.1 ", b" 0.0 ")


def a_job_is_of_a_version_to_come(snapshot: Snapshot) -> None:
    snapshot.jobs[0].payload = b"999 " + snapshot.jobs[0].payload.partition(b" ")[2]


def a_turn_is_played_twice(snapshot: Snapshot) -> None:
    def change(events: list[Event]) -> None:
        last = events[-1]
        events.append(last._replace(number=last.number + 1))

    change_events(unfinished(snapshot), change)


def an_event_is_missing(snapshot: Snapshot) -> None:
    change_events(unfinished(snapshot), lambda events: events.__delitem__(1))


def a_version_is_missing(snapshot: Snapshot) -> None:
    unfinished(snapshot).version += 1


def a_match_is_called_over_too_early(snapshot: Snapshot) -> None:
    match = unfinished(snapshot)
    match.saved = replace(match.saved, over=True)


DAMAGES: dict[Callable[[Snapshot], None], str] = {
    a_job_is_lost: "the bot is to move and has no job",
    a_job_is_there_twice: "there are 2 jobs of this id",
    a_job_is_left_of_a_match_that_is_over: "there is a job, and no bot is to move",
    a_job_is_left_of_a_person: "there is a job, and no bot is to move",
    a_job_is_of_an_earlier_turn: "the job is for the turn '0.0 novice', and '0.1 novice' is due",
    a_job_is_of_a_version_to_come: "the job needs version 999",
    a_turn_is_played_twice: "does not follow",
    an_event_is_missing: "does not follow",
    a_version_is_missing: "and its last event is",
    a_match_is_called_over_too_early: "it is stored as over, and is not",
}


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_it_finds_that(damage: Callable[[Snapshot], None], played: Snapshot) -> None:
    snapshot = copy.deepcopy(played)
    damage(snapshot)
    assert DAMAGES[damage] in complaints(snapshot)


def test_it_finds_a_bot_that_waits_still(played: Snapshot) -> None:
    snapshot = copy.deepcopy(played)
    snapshot.taken_at += int(1000 * MAX_BOT_WAIT_SECONDS) + 60_000
    assert complaints(snapshot, snapshot.taken_at - 1000) == ""
    assert complaints(snapshot, played.taken_at).count("waits still, for 90 s") == 4


def test_it_finds_a_bot_that_has_waited_before_it_played(played: Snapshot) -> None:
    snapshot = copy.deepcopy(played)
    match, late = unfinished(snapshot), int(1000 * MAX_BOT_WAIT_SECONDS) + 60_000
    played_at = next(place for place, event in enumerate(match.saved.events) if event.seat == 1)
    before = match.saved.events[played_at - 1].at

    def delay(events: list[Event]) -> None:
        events[played_at:] = [event._replace(at=before + late) for event in events[played_at:]]

    change_events(match, delay)
    snapshot.taken_at = before + late
    assert "the bot of seat 1 waited, for 90 s" in complaints(snapshot, before)
    assert "waited" not in complaints(snapshot, before + late - 1000)
