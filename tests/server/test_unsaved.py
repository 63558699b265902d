"""What cannot be saved did not happen: nobody is told, nothing can be felt, and the game goes on from what is."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from kit.authorities import Listener, a_turn, forbid_events, refused, request, small, tell
from limina.server.errors import RefusedError
from limina.server.matches import Authority
from limina.server.matches import authority as authority_module
from limina.server.storage import Store, Written, sqlite
from limina.server.storage.writer import Part


def test_what_cannot_be_saved_is_forgotten_and_the_match_goes_on_from_what_is(tmp_path: Path) -> None:
    async def story(authority: Authority, store: Store) -> None:
        match, _ = await authority.create(request("limes", "person", "person"))
        await authority.play(match, (0,), 0, 0, "d4r0", "kept")
        heard = Listener(match)
        await forbid_events(store, True)
        # The second would build on the first; both come to nothing.
        turns = [authority.play(match, (0, 1), 1, 0, "d4r1", "a"), authority.play(match, (0,), 0, 1, "d5r0", "b")]
        assert [type(each) for each in await asyncio.gather(*turns, return_exceptions=True)] == [RefusedError] * 2
        assert match.broken
        assert set(heard.versions) == {2}  # all have to come back, and have seen nothing of it
        assert await refused(authority.play(match, (1,), 1, 0, "d4r1", "c")) == "unavailable"
        await forbid_events(store, False)
        found = await authority.find(match.id)
        assert found is not match
        assert (found.version, found.shown.turns) == (2, (1, 0))
        assert (await authority.play(found, (0,), 0, 0, "d4r0", "kept")).version == 2
        assert (await authority.play(found, (1,), 1, 0, "d4r1", "a")).version == 4

    tell(tmp_path, story)


def test_nothing_that_chance_did_can_be_felt_before_it_is_saved(tmp_path: Path) -> None:
    async def story(authority: Authority, store: Store) -> None:
        match, _ = await authority.create(request("limes", "person"))
        await forbid_events(store, True)
        first = authority.play(match, (0,), 0, 0, "d4r0", "first")
        # What may be played next depends on the card that is drawn after the first turn.
        guesses = [f"d5r{turned} +{worker}" for turned in range(4) for worker in ("nw", "ne", "sw", "se")]
        seconds = [authority.play(match, (0,), 0, 1, guess, guess) for guess in guesses]
        answers = await asyncio.gather(first, *seconds, return_exceptions=True)
        assert {(type(answer), str(answer)) for answer in answers} == {
            (RefusedError, "this could not be saved: please try again")
        }

    tell(tmp_path, story)


def test_whoever_comes_just_when_an_answer_is_known_is_answered_too(tmp_path: Path) -> None:
    async def story(authority: Authority, store: Store) -> None:
        match, _ = await authority.create(small("person", "person"))
        turn = a_turn(match, 0)
        first = asyncio.create_task(authority.play(match, (0,), 0, 0, turn, "k"))
        await asyncio.sleep(0)
        assert match.saving is not None
        match.saving.tell(Written.FAILED)
        assert await refused(authority.play(match, (0,), 0, 0, turn, "k")) == "unavailable"
        assert await refused(asyncio.wait_for(first, 60)) == "unavailable"

    tell(tmp_path, story)


def test_where_nothing_is_written_any_more_nobody_waits_for_ever(tmp_path: Path) -> None:
    async def story(authority: Authority, store: Store) -> None:
        match, _ = await authority.create(small("person", "person"))
        turn = a_turn(match, 0)
        await store.close()
        plays = [authority.play(match, (0,), 0, 0, turn, key) for key in ("one", "two")]
        for play in plays:
            assert await asyncio.wait_for(refused(play), 60) == "unavailable"
        assert (match.saving, match.broken, match.version) == (None, True, 1)

    tell(tmp_path, story)


def test_what_goes_wrong_when_one_turn_is_shown_keeps_no_other_from_being_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(authority: Authority, store: Store) -> None:
        matches = [(await authority.create(small("person", "person")))[0] for _ in range(2)]

        def fail(*_: object) -> None:
            raise RuntimeError("it cannot be shown")

        monkeypatch.setattr(matches[0], "take", fail)
        plays = [authority.play(match, (0,), 0, 0, a_turn(match, 0), "k") for match in matches]
        answers = await asyncio.wait_for(asyncio.gather(*plays, return_exceptions=True), 60)
        assert [isinstance(answer, Exception) for answer in answers] == [True, False]
        assert (await authority.play(matches[1], (1,), 1, 0, a_turn(matches[1], 1), "next")).version == 3

    tell(tmp_path, story)


def test_a_seat_that_cannot_be_saved_stays_open(tmp_path: Path) -> None:
    async def story(authority: Authority, store: Store) -> None:
        match, _ = await authority.create(request("limes", "person", "open"))
        await forbid_events(store, True)  # with the last seat comes the first card
        assert await refused(authority.join(match, "Ben")) == "unavailable"
        await forbid_events(store, False)
        found = await authority.find(match.id)
        assert (found.phase, found.version) == ("waiting", 0)
        assert (await authority.join(found, "Ben"))[0] == 1

    tell(tmp_path, story)


def test_a_locked_file_fails_all_who_wait_together_and_they_are_told_when_to_try_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "_BUSY_SECONDS", 0.1)

    async def story(authority: Authority, store: Store) -> None:
        matches = [(await authority.create(small("person", "person")))[0] for _ in range(20)]
        tried: list[int] = []
        commit = store._writer.commit

        async def counted(parts: Sequence[Part]) -> list[bool]:
            tried.append(len(parts))
            return await commit(parts)

        monkeypatch.setattr(store._writer, "commit", counted)
        with closing(sqlite3.connect(tmp_path / "limina.sqlite", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            turns = [authority.play(match, (0,), 0, 0, a_turn(match, 0), "k") for match in matches]
            answers = await asyncio.gather(*turns, return_exceptions=True)
            assert sum(tried) == 20
            assert len(tried) <= 2  # what came first, and all that waited meanwhile
            for answer in answers:
                assert isinstance(answer, RefusedError)
                assert (answer.code, answer.retry) == ("unavailable", 2)
            # What was saved can be seen all the while.
            found = await authority.find(matches[0].id)
            assert found.version == 1
        assert (await authority.play(found, (0,), 0, 0, a_turn(found, 0), "k")).version == 2

    tell(tmp_path, story)


def test_matches_in_use_do_not_keep_others_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(authority_module, "_MOST_IN_MEMORY", 10)
    monkeypatch.setattr(authority_module, "_LOOKED_AT", 3)

    async def story(authority: Authority, store: Store) -> None:
        watched = [(await authority.create(small("person", "person")))[0] for _ in range(8)]
        for match in watched:
            Listener(match)
        for _ in range(40):
            await authority.create(small("person", "person"))
        assert len(authority._matches) <= 14
        assert all(authority._matches[match.id] is match for match in watched)

    tell(tmp_path, story)
