"""A failed write has no effect: nothing is published, and the game goes on from the saved events."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from limina.server.errors import RefusedError
from limina.server.matches import MatchService, match_service
from limina.server.model import WriteItem
from limina.server.storage import Store, WriteResult, sqlite
from support.server.match_services import (
    UpdateListener,
    choose_turn,
    forbid_events,
    match_request,
    play,
    refusal_code,
    run_with_service,
    small_match_request,
)


def test_a_match_goes_on_from_its_saved_events_after_a_failure(tmp_path: Path) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        loaded, _ = await service.create(match_request("limes", "person", "person"))
        match = loaded.match
        await play(service, loaded, (0,), 0, 0, "d4r0", "saved")
        updates = UpdateListener(loaded)
        await forbid_events(store, True)
        # The second follows the first, so both fail.
        turns = [play(service, loaded, (0, 1), 1, 0, "d4r1", "a"), play(service, loaded, (0,), 0, 1, "d5r0", "b")]
        assert [type(error) for error in await asyncio.gather(*turns, return_exceptions=True)] == [RefusedError] * 2
        assert loaded.invalidated
        assert set(updates.versions) == {2}  # subscribers have to reload, and have seen no other version
        assert await refusal_code(play(service, loaded, (1,), 1, 0, "d4r1", "c")) == "unavailable"
        await forbid_events(store, False)
        reloaded = await service.get(match.id)
        assert reloaded is not loaded
        assert (reloaded.match.version, reloaded.match.situation.turn_counts) == (2, (1, 0))
        assert (await play(service, reloaded, (0,), 0, 0, "d4r0", "saved")).version == 2
        assert (await play(service, reloaded, (1,), 1, 0, "d4r1", "a")).version == 4

    run_with_service(tmp_path, scenario)


def test_outcomes_of_chance_have_no_effect_before_they_are_saved(tmp_path: Path) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        loaded, _ = await service.create(match_request("limes", "person"))
        await forbid_events(store, True)
        first = play(service, loaded, (0,), 0, 0, "d4r0", "first")
        # The legal turns depend on the card that is drawn after the first turn.
        guesses = [f"d5r{turned} +{worker}" for turned in range(4) for worker in ("nw", "ne", "sw", "se")]
        seconds = [play(service, loaded, (0,), 0, 1, guess, guess) for guess in guesses]
        answers = await asyncio.gather(first, *seconds, return_exceptions=True)
        assert {(type(answer), str(answer)) for answer in answers} == {
            (RefusedError, "this could not be saved: please try again")
        }

    run_with_service(tmp_path, scenario)


def test_a_retry_while_a_write_is_settled_is_answered(tmp_path: Path) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        loaded, _ = await service.create(small_match_request("person", "person"))
        match = loaded.match
        turn = choose_turn(match, 0)
        first = asyncio.create_task(play(service, loaded, (0,), 0, 0, turn, "k"))
        await asyncio.sleep(0)
        assert loaded.pending_write is not None
        loaded.pending_write.settle(WriteResult.FAILED)
        assert await refusal_code(play(service, loaded, (0,), 0, 0, turn, "k")) == "unavailable"
        assert await refusal_code(asyncio.wait_for(first, 60)) == "unavailable"

    run_with_service(tmp_path, scenario)


def test_turns_are_answered_after_the_write_loop_has_ended(tmp_path: Path) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        loaded, _ = await service.create(small_match_request("person", "person"))
        match = loaded.match
        turn = choose_turn(match, 0)
        await store.close()
        plays = [play(service, loaded, (0,), 0, 0, turn, key) for key in ("one", "two")]
        for result in plays:
            assert await asyncio.wait_for(refusal_code(result), 60) == "unavailable"
        assert (loaded.pending_write, loaded.invalidated, match.version) == (None, True, 1)

    run_with_service(tmp_path, scenario)


def test_an_error_in_one_update_does_not_affect_other_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        matches = [(await service.create(small_match_request("person", "person")))[0] for _ in range(2)]

        def fail(*_: object) -> None:
            raise RuntimeError("it cannot be shown")

        monkeypatch.setattr(matches[0].match, "apply_events", fail)
        plays = [play(service, loaded, (0,), 0, 0, choose_turn(loaded.match, 0), "k") for loaded in matches]
        answers = await asyncio.wait_for(asyncio.gather(*plays, return_exceptions=True), 60)
        assert [isinstance(answer, Exception) for answer in answers] == [True, False]
        assert (await play(service, matches[1], (1,), 1, 0, choose_turn(matches[1].match, 1), "next")).version == 3

    run_with_service(tmp_path, scenario)


def test_a_seat_that_is_not_saved_stays_open(tmp_path: Path) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        loaded, _ = await service.create(match_request("limes", "person", "open"))
        match = loaded.match
        await forbid_events(store, True)  # the first card is drawn with the last seat
        assert await refusal_code(service.join(loaded, "Ben")) == "unavailable"
        await forbid_events(store, False)
        reloaded = await service.get(match.id)
        assert (reloaded.match.phase, reloaded.match.version) == ("waiting", 0)
        assert (await service.join(reloaded, "Ben"))[0] == 1

    run_with_service(tmp_path, scenario)


def test_a_locked_file_fails_all_pending_writes_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "_BUSY_SECONDS", 0.1)

    async def scenario(service: MatchService, store: Store) -> None:
        matches = [(await service.create(small_match_request("person", "person")))[0] for _ in range(20)]
        group_sizes: list[int] = []
        commit = store._writer.commit

        async def counted(items: Sequence[WriteItem]) -> list[bool]:
            group_sizes.append(len(items))
            return await commit(items)

        monkeypatch.setattr(store._writer, "commit", counted)
        with closing(sqlite3.connect(tmp_path / "limina.sqlite", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            turns = [play(service, loaded, (0,), 0, 0, choose_turn(loaded.match, 0), "k") for loaded in matches]
            answers = await asyncio.gather(*turns, return_exceptions=True)
            assert sum(group_sizes) == 20
            assert len(group_sizes) <= 2  # the first write, and then all that waited
            for answer in answers:
                assert isinstance(answer, RefusedError)
                assert (answer.code, answer.retry_after) == ("unavailable", 2)
            # Saved matches can be read meanwhile.
            reloaded = await service.get(matches[0].match.id)
            assert reloaded.match.version == 1
        assert (await play(service, reloaded, (0,), 0, 0, choose_turn(reloaded.match, 0), "k")).version == 2

    run_with_service(tmp_path, scenario)


def test_matches_in_use_do_not_prevent_the_eviction_of_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_service, "_MAX_LOADED_MATCHES", 10)
    monkeypatch.setattr(match_service, "_MAX_EVICTION_SCAN", 3)

    async def scenario(service: MatchService, store: Store) -> None:
        watched = [(await service.create(small_match_request("person", "person")))[0] for _ in range(8)]
        for loaded in watched:
            UpdateListener(loaded)
        for _ in range(40):
            await service.create(small_match_request("person", "person"))
        assert len(service._matches) <= 14
        assert all(service._matches[loaded.match.id] is loaded for loaded in watched)

    run_with_service(tmp_path, scenario)
