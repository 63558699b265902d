"""The authority by itself, without HTTP: it takes plain values, saves, and only then lets anyone know."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from limina.server.errors import RefusedError
from limina.server.matches import MatchRequest, MatchService, SeatRequest, visibility
from limina.server.storage import Store
from support.server.job_workers import until_jobs
from support.server.match_services import Listener, a_turn, play, play_out, refused, request, small, tell

# --- beginning


def test_a_match_begins_once_it_is_saved(tmp_path: Path) -> None:
    async def story(authority: MatchService, store: Store) -> None:
        loaded, keys = await authority.create(request("limes", "person", "person", "open"))
        match = loaded.match
        assert list(keys) == [0, 1]
        assert match.seats_of(keys.values()) == (0, 1)
        assert (match.phase, match.version, match.to_move) == ("waiting", 0, ())
        saved = await store.load(match.id)
        assert saved is not None
        assert [seat.kind for seat in saved.events[0].seats] == ["person", "person", "open"]
        assert await authority.get(match.id) is loaded
        full, _ = await authority.create(request("limes", "person"))
        assert (full.match.phase, full.match.version, full.match.to_move) == (
            "playing",
            1,
            (0,),
        )  # the first card lies there

    tell(tmp_path, story)


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        (request("limit", "person"), "2 to 3 players"),
        (request("limes", "random"), "at least one seat must be for a person"),
        (request("limit", "person", "person", hidden=True), "nothing can stay hidden"),
        (request("limes", "person", "genius"), "no such bot"),
        (MatchRequest("limes", [SeatRequest("person", bot="random")]), "only a bot's seat"),
    ],
)
def test_a_match_that_cannot_be_is_refused_in_a_sentence(wanted: MatchRequest, words: str, tmp_path: Path) -> None:
    async def story(authority: MatchService, store: Store) -> None:
        with pytest.raises(RefusedError, match=words) as caught:
            await authority.create(wanted)
        assert caught.value.code == "unreadable"

    tell(tmp_path, story)


def test_there_is_no_match_that_nobody_began(tmp_path: Path) -> None:
    async def story(authority: MatchService, store: Store) -> None:
        assert await refused(authority.get("nothing-here")) == "not_found"

    tell(tmp_path, story)


# --- seats


def test_those_who_join_at_once_get_a_seat_each_and_the_last_one_none(tmp_path: Path) -> None:
    async def story(authority: MatchService, store: Store) -> None:
        loaded, _ = await authority.create(request("limes", "person", "open", "open"))
        match = loaded.match
        joining = [authority.join(loaded, name) for name in ("Ben", "Cleo", "Dan")]
        ben, cleo, dan = await asyncio.gather(*joining, return_exceptions=True)
        assert [isinstance(each, tuple) and each[0] for each in (ben, cleo)] == [1, 2]
        assert isinstance(dan, RefusedError)
        assert dan.code == "conflict"
        assert (match.phase, match.version) == ("playing", 3)  # two seats and a card
        assert [seat.name for seat in match.seats[1:]] == ["Ben", "Cleo"]

    tell(tmp_path, story)


def test_whoever_joins_again_with_the_same_key_sits_where_they_sat(tmp_path: Path) -> None:
    async def story(authority: MatchService, store: Store) -> None:
        loaded, _ = await authority.create(request("limes", "person", "open", "open"))
        match = loaded.match
        key = "k" * 30
        both = await asyncio.gather(authority.join(loaded, "Ben", 2, key), authority.join(loaded, "Ben", None, key))
        assert list(both) == [(2, key), (2, key)]
        assert match.seats[1].kind == "open"
        assert await refused(authority.join(loaded, "Cleo", 2)) == "conflict"
        assert await refused(authority.join(loaded, "Cleo", 7)) == "not_found"

    tell(tmp_path, story)


def test_only_players_invite_a_bot_which_then_plays(tmp_path: Path) -> None:
    async def story(authority: MatchService, store: Store) -> None:
        loaded, _ = await authority.create(small("open", "person"))
        match = loaded.match
        heard = Listener(loaded)
        assert await refused(authority.fill(loaded, (), 0, "random")) == "forbidden"
        assert await refused(authority.fill(loaded, (1,), 0, "genius")) == "unreadable"
        await authority.fill(loaded, (1,), 0, "random")
        await heard.until(lambda: match.to_move == (1,))
        assert match.shown.turns == (1, 0)

    tell(tmp_path, story)


# --- turns


def test_a_turn_is_told_once_it_is_saved_and_then_answered(tmp_path: Path) -> None:
    async def story(authority: MatchService, store: Store) -> None:
        loaded, _ = await authority.create(request("limes", "person"))
        match = loaded.match
        heard = Listener(loaded)
        playing = asyncio.create_task(play(authority, loaded, (0,), 0, 0, "d4r0  +nw", "first"))
        await asyncio.sleep(0)
        assert (loaded.pending_write is not None, match.shown.steps) == (True, 1)  # accepted, and nobody knows
        assert heard.versions == []
        played = await playing
        assert (played.text, played.version, heard.versions) == ("d4r0 +nw", 3, [3])
        saved = await store.load(match.id)
        assert saved is not None
        assert [(event.kind, event.seat, event.key, event.number) for event in saved.events] == [
            ("created", None, None, 0),
            ("drawn", None, None, 1),
            ("played", 0, "first", 2),
            ("drawn", None, None, 3),
        ]

    tell(tmp_path, story)


def test_a_turn_needs_a_task_only_where_it_waits_for_more_than_its_commit(tmp_path: Path) -> None:
    async def story(authority: MatchService, store: Store) -> None:
        loaded, _ = await authority.create(small("person", "person"))
        turn, before = a_turn(loaded.match, 0), asyncio.all_tasks()
        first = authority.submit_turn(loaded, (0,), 0, 0, turn, "k")
        assert asyncio.all_tasks() == before
        again = authority.submit_turn(loaded, (0,), 0, 0, turn, "k")
        assert len(asyncio.all_tasks()) == len(before) + 1
        assert await again is await first
        before = asyncio.all_tasks()
        late = authority.submit_turn(loaded, (0,), 0, 0, turn, "k")
        assert late.result() is await first
        assert asyncio.all_tasks() == before

    tell(tmp_path, story)


def test_whoever_cannot_be_told_keeps_nobody_else_from_playing(tmp_path: Path) -> None:
    async def story(authority: MatchService, store: Store) -> None:
        loaded, _ = await authority.create(small("person", "random"))
        match = loaded.match
        loaded.subscribers.add(lambda *_: setattr(match, "no such thing", 1 // 0))
        assert (await play(authority, loaded, (0,), 0, 0, a_turn(match, 0), "k")).version == 2
        await until_jobs(store, 0)
        assert match.shown.turns == (1, 1)

    tell(tmp_path, story)


def test_the_same_turn_sent_again_is_answered_and_not_played_again_also_after_a_restart(tmp_path: Path) -> None:
    async def story(authority: MatchService, store: Store) -> None:
        loaded, _ = await authority.create(request("limes", "person", "open"))
        match = loaded.match
        await authority.join(loaded, "Ben")
        once, again = await asyncio.gather(*(play(authority, loaded, (0,), 0, 0, "d4r0", "k") for _ in range(2)))
        assert once is again
        await play(authority, loaded, (1,), 1, 0, "d4r1", "l")
        assert await refused(play(authority, loaded, (0,), 0, 0, "d4r1", "k")) == "conflict"
        assert await refused(play(authority, loaded, (0,), 0, 1, "d4r0", "k")) == "conflict"
        assert await refused(play(authority, loaded, (0, 1), 1, 0, "d4r0", "k")) == "conflict"
        other = MatchService(store)
        found = await other.get(match.id)
        assert found is not loaded
        late = await play(other, found, (0,), 0, 0, " d4r0 ", "k")
        assert (late.seat, late.number, late.text, late.version) == (once.seat, once.number, once.text, once.version)
        assert visibility.state(found.match, (0,)) == visibility.state(match, (0,))
        await other.close()

    tell(tmp_path, story)


def test_a_turn_for_another_seat_or_another_moment_changes_nothing(tmp_path: Path) -> None:
    async def story(authority: MatchService, store: Store) -> None:
        loaded, _ = await authority.create(small("person", "open"))
        match = loaded.match
        turn = a_turn(match, 0)
        assert await refused(play(authority, loaded, (0,), 0, 0, turn, "k")) == "stale"  # somebody is missing
        await authority.join(loaded, "Ben")
        heard = Listener(loaded)
        assert await refused(play(authority, loaded, (0,), 1, 0, turn, "k")) == "forbidden"
        assert await refused(play(authority, loaded, (), 0, 0, turn, "k")) == "forbidden"
        assert await refused(play(authority, loaded, (0,), 7, 0, turn, "k")) == "not_found"
        assert await refused(play(authority, loaded, (0,), 0, 1, turn, "k")) == "stale"
        assert (loaded.pending_write, match.version, heard.versions, match.played) == (None, 2, [], {})
        await play(authority, loaded, (0,), 0, 0, turn, "k")
        assert await refused(play(authority, loaded, (0,), 0, 0, turn, "other")) == "stale"

    tell(tmp_path, story)


def test_of_two_turns_at_once_one_is_played(tmp_path: Path) -> None:
    async def story(authority: MatchService, store: Store) -> None:
        loaded, _ = await authority.create(small("person", "person"))
        match = loaded.match
        turns = [play(authority, loaded, (0,), 0, 0, a_turn(match, 0), f"k{n}") for n in range(2)]
        first, second = await asyncio.gather(*turns, return_exceptions=True)
        assert not isinstance(first, BaseException)
        assert isinstance(second, RefusedError)
        assert second.code == "stale"

    tell(tmp_path, story)


# --- rematches


def test_a_rematch_is_begun_once_whoever_asks(tmp_path: Path) -> None:
    async def story(authority: MatchService, store: Store) -> None:
        loaded, keys = await authority.create(small("person", "person"))
        match = loaded.match
        assert await refused(authority.rematch(loaded, (0,))) == "conflict"
        await play_out(authority, loaded)
        heard = Listener(loaded)
        assert await refused(authority.rematch(loaded, ())) == "forbidden"
        version = match.version
        first, second = await asyncio.gather(authority.rematch(loaded, (0,)), authority.rematch(loaded, (1,)))
        assert first is second
        assert (match.rematch, heard.versions) == (first.match.id, [version + 1])
        # The other one begins, and everybody's key fits.
        assert first.match.seats_of([keys[0]]) == (1,)
        assert await authority.rematch(loaded, (0,)) is first
        saved = await store.load(match.id)
        assert saved is not None
        assert (saved.events[-1].text, saved.over, saved.version) == (first.match.id, True, version + 1)

    tell(tmp_path, story)
