"""The checker of the database finds every kind of damage: a snapshot of real matches is damaged in one place each."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import pytest
from sqlalchemy import URL

from chaos.database_checker import (
    MAX_BOT_WAIT_SECONDS,
    DatabaseChecker,
    Snapshot,
    StoredJob,
    StoredMatch,
    take_snapshot,
)
from limina.server.model import Event
from limina.server.settings import ServerSettings
from limina.server.storage import url_of
from support.database.stores import drop_tables
from support.server.job_workers import running_backend
from support.server.match_services import match_request, play, play_out, small_match_request

pytestmark = pytest.mark.postgres


async def play_matches(url: URL) -> Snapshot:
    """Play one match to its end, and leave four unfinished.

    In three of them bots are to move, in one of these after a take-back. One has an open seat.
    """
    async with running_backend(url, runs_jobs=False) as process:
        matches, rng = process.matches, Random(1)
        over, _ = await matches.create(small_match_request("person", "person"))
        await play_out(matches, over)
        await matches.create(match_request("limes", "person", "novice", "master"))
        for with_take_back in (False, True):
            loaded, _ = await matches.create(small_match_request("person", "novice"))
            match = loaded.match
            turn = str(rng.choice(match.situation.position.legal_turns(0)))
            await play(matches, loaded, (0,), 0, 0, turn, "first")
            if with_take_back:
                await matches.play_bot(loaded, 1, 0)
                await matches.take_back(loaded, (0,), 0, 0)
                turn = str(rng.choice(match.situation.position.legal_turns(0)))
                await play(matches, loaded, (0,), 0, 0, turn, "again")
        await matches.create(small_match_request("person", "open"))
        return await take_snapshot(url)


@pytest.fixture(scope="module")
def played(postgres: str) -> Iterator[Snapshot]:
    url = url_of(ServerSettings(database=postgres))
    yield asyncio.run(play_matches(url))
    asyncio.run(drop_tables(url))


def check_snapshot(snapshot: Snapshot, faults_ended_at_ms: int | None = None) -> str:
    checker = DatabaseChecker(snapshot)
    contradictions = checker.check()
    if faults_ended_at_ms is not None:
        contradictions += checker.check_waits(faults_ended_at_ms)
    return "\n".join(contradictions)


def test_an_undamaged_snapshot_has_no_contradiction(played: Snapshot) -> None:
    assert check_snapshot(played, played.taken_at) == ""
    assert (len(played.matches), len(played.jobs)) == (5, 4)


def unfinished(snapshot: Snapshot) -> StoredMatch:
    """Return the match with a take-back, in which a bot is to move."""
    return next(match for match in snapshot.matches if any(e.kind == "take_back" for e in match.saved.events))


def change_events(match: StoredMatch, change: Callable[[list[Event]], None]) -> None:
    events = list(match.saved.events)
    change(events)
    match.saved = replace(match.saved, events=tuple(events))


def a_job_is_lost(snapshot: Snapshot) -> None:
    snapshot.jobs.pop()


def a_job_is_doubled(snapshot: Snapshot) -> None:
    snapshot.jobs.append(snapshot.jobs[0])


def a_job_is_left_of_a_match_that_is_over(snapshot: Snapshot) -> None:
    over = next(match for match in snapshot.matches if match.saved.is_over)
    snapshot.jobs.append(StoredJob(f"turn {over.saved.id} 1", b"1 0.0 novice"))


def a_job_is_left_of_a_person(snapshot: Snapshot) -> None:
    snapshot.jobs.append(StoredJob(f"turn {unfinished(snapshot).saved.id} 0", b"1 0.0 novice"))


def a_job_is_of_an_earlier_turn(snapshot: Snapshot) -> None:
    match = unfinished(snapshot)
    job = next(job for job in snapshot.jobs if match.saved.id in job.job_id)
    assert job.payload.endswith(b" 0.1 novice")
    job.payload = job.payload.replace(b" 0.1 ", b" 0.0 ")


def a_job_is_of_a_future_version(snapshot: Snapshot) -> None:
    snapshot.jobs[0].payload = b"999 " + snapshot.jobs[0].payload.partition(b" ")[2]


def a_turn_is_played_twice(snapshot: Snapshot) -> None:
    def change(events: list[Event]) -> None:
        last = events[-1]
        events.append(last._replace(event_index=last.event_index + 1))

    change_events(unfinished(snapshot), change)


def an_event_is_missing(snapshot: Snapshot) -> None:
    change_events(unfinished(snapshot), lambda events: events.__delitem__(1))


def a_version_is_missing(snapshot: Snapshot) -> None:
    unfinished(snapshot).version += 1


def a_match_is_stored_as_over_too_early(snapshot: Snapshot) -> None:
    match = unfinished(snapshot)
    match.saved = replace(match.saved, is_over=True)


DAMAGES: dict[Callable[[Snapshot], None], str] = {
    a_job_is_lost: "the bot is to move and has no job",
    a_job_is_doubled: "there are 2 jobs of this id",
    a_job_is_left_of_a_match_that_is_over: "there is a job, and no bot is to move",
    a_job_is_left_of_a_person: "there is a job, and no bot is to move",
    a_job_is_of_an_earlier_turn: "the job is for the turn '0.0 novice', and '0.1 novice' is due",
    a_job_is_of_a_future_version: "the job needs version 999",
    a_turn_is_played_twice: "does not follow",
    an_event_is_missing: "does not follow",
    a_version_is_missing: "and its last event is",
    a_match_is_stored_as_over_too_early: "it is stored as over, and is not",
}


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_the_checker_finds_the_damage(damage: Callable[[Snapshot], None], played: Snapshot) -> None:
    snapshot = copy.deepcopy(played)
    damage(snapshot)
    assert DAMAGES[damage] in check_snapshot(snapshot)


def test_the_checker_finds_a_bot_that_still_waits(played: Snapshot) -> None:
    snapshot = copy.deepcopy(played)
    snapshot.taken_at += int(1000 * MAX_BOT_WAIT_SECONDS) + 60_000
    assert check_snapshot(snapshot, snapshot.taken_at - 1000) == ""
    assert check_snapshot(snapshot, played.taken_at).count("still waits, after 90 s") == 4


def test_the_checker_finds_a_bot_that_waited_before_it_played(played: Snapshot) -> None:
    snapshot = copy.deepcopy(played)
    match, late = unfinished(snapshot), int(1000 * MAX_BOT_WAIT_SECONDS) + 60_000
    first_bot_turn = next(index for index, event in enumerate(match.saved.events) if event.seat_index == 1)
    before = match.saved.events[first_bot_turn - 1].created_at

    def delay(events: list[Event]) -> None:
        events[first_bot_turn:] = [event._replace(created_at=before + late) for event in events[first_bot_turn:]]

    change_events(match, delay)
    snapshot.taken_at = before + late
    assert "the bot of seat 1 waited for 90 s" in check_snapshot(snapshot, before)
    assert "waited" not in check_snapshot(snapshot, before + late - 1000)
