"""The match service without HTTP: it saves a change, and publishes and answers it afterwards."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from limina.server.errors import RefusedError
from limina.server.matches import MatchRequest, MatchService, SeatRequest, visibility
from limina.server.storage import Store
from support.server.job_workers import until_job_count
from support.server.match_services import (
    UpdateListener,
    choose_turn,
    match_request,
    play,
    play_out,
    refusal_code,
    run_with_service,
    small_match_request,
)

# --- creating


def test_a_match_exists_when_it_is_saved(tmp_path: Path) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        loaded, keys = await service.create(match_request("limes", "person", "person", "open"))
        match = loaded.match
        assert list(keys) == [0, 1]
        assert match.seats_of(keys.values()) == (0, 1)
        assert (match.phase, match.version, match.to_move) == ("waiting", 0, ())
        saved = await store.load(match.id)
        assert saved is not None
        assert [seat.kind for seat in saved.events[0].seats] == ["person", "person", "open"]
        assert await service.get(match.id) is loaded
        full, _ = await service.create(match_request("limes", "person"))
        assert (full.match.phase, full.match.version, full.match.to_move) == (
            "playing",
            1,
            (0,),
        )  # the first card is drawn

    run_with_service(tmp_path, scenario)


@pytest.mark.parametrize(
    ("invalid", "words"),
    [
        (match_request("limit", "person"), "2 to 3 players"),
        (match_request("limes", "random"), "at least one seat must be for a person"),
        (match_request("limit", "person", "person", hidden_turns=True), "nothing can stay hidden"),
        (match_request("limes", "person", "genius"), "no such bot"),
        (MatchRequest("limes", [SeatRequest("person", bot="random")]), "only a bot's seat"),
    ],
)
def test_an_invalid_match_is_refused_in_a_sentence(invalid: MatchRequest, words: str, tmp_path: Path) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        with pytest.raises(RefusedError, match=words) as caught:
            await service.create(invalid)
        assert caught.value.code == "invalid"

    run_with_service(tmp_path, scenario)


def test_an_unknown_match_is_not_found(tmp_path: Path) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        assert await refusal_code(service.get("nothing-here")) == "not_found"

    run_with_service(tmp_path, scenario)


# --- seats


def test_people_who_join_at_once_get_different_seats(tmp_path: Path) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        loaded, _ = await service.create(match_request("limes", "person", "open", "open"))
        match = loaded.match
        joining = [service.join(loaded, name) for name in ("Ben", "Cleo", "Dan")]
        ben, cleo, dan = await asyncio.gather(*joining, return_exceptions=True)
        assert [isinstance(result, tuple) and result[0] for result in (ben, cleo)] == [1, 2]
        assert isinstance(dan, RefusedError)
        assert dan.code == "conflict"
        assert (match.phase, match.version) == ("playing", 3)  # two seats and a card
        assert [seat.name for seat in match.seats[1:]] == ["Ben", "Cleo"]

    run_with_service(tmp_path, scenario)


def test_a_retry_of_a_join_with_the_same_token_gets_the_same_seat(tmp_path: Path) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        loaded, _ = await service.create(match_request("limes", "person", "open", "open"))
        match = loaded.match
        key = "k" * 30
        both = await asyncio.gather(service.join(loaded, "Ben", 2, key), service.join(loaded, "Ben", None, key))
        assert list(both) == [(2, key), (2, key)]
        assert match.seats[1].kind == "open"
        assert await refusal_code(service.join(loaded, "Cleo", 2)) == "conflict"
        assert await refusal_code(service.join(loaded, "Cleo", 7)) == "not_found"

    run_with_service(tmp_path, scenario)


def test_only_players_add_a_bot_which_then_plays(tmp_path: Path) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        loaded, _ = await service.create(small_match_request("open", "person"))
        match = loaded.match
        updates = UpdateListener(loaded)
        assert await refusal_code(service.add_bot(loaded, (), 0, "random")) == "forbidden"
        assert await refusal_code(service.add_bot(loaded, (1,), 0, "genius")) == "invalid"
        await service.add_bot(loaded, (1,), 0, "random")
        await updates.until(lambda: match.to_move == (1,))
        assert match.situation.turn_counts == (1, 0)

    run_with_service(tmp_path, scenario)


# --- turns


def test_a_turn_is_published_when_it_is_saved_and_then_answered(tmp_path: Path) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        loaded, _ = await service.create(match_request("limes", "person"))
        match = loaded.match
        updates = UpdateListener(loaded)
        playing = asyncio.create_task(play(service, loaded, (0,), 0, 0, "d4r0  +nw", "first"))
        await asyncio.sleep(0)
        assert loaded.pending_write is not None
        assert match.situation.step_count == 1  # not published yet
        assert updates.versions == []
        played = await playing
        assert (played.text, played.version, updates.versions) == ("d4r0 +nw", 3, [3])
        saved = await store.load(match.id)
        assert saved is not None
        assert [(event.kind, event.seat_index, event.idempotency_key, event.event_index) for event in saved.events] == [
            ("created", None, None, 0),
            ("chance", None, None, 1),
            ("turn", 0, "first", 2),
            ("chance", None, None, 3),
        ]

    run_with_service(tmp_path, scenario)


def test_a_turn_needs_a_task_only_if_it_waits_for_another_write(tmp_path: Path) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        loaded, _ = await service.create(small_match_request("person", "person"))
        turn, before = choose_turn(loaded.match, 0), asyncio.all_tasks()
        first = service.submit_turn(loaded, (0,), 0, 0, turn, "k")
        assert asyncio.all_tasks() == before
        again = service.submit_turn(loaded, (0,), 0, 0, turn, "k")
        assert len(asyncio.all_tasks()) == len(before) + 1
        assert await again is await first
        before = asyncio.all_tasks()
        late = service.submit_turn(loaded, (0,), 0, 0, turn, "k")
        assert late.result() is await first
        assert asyncio.all_tasks() == before

    run_with_service(tmp_path, scenario)


def test_a_failing_subscriber_does_not_affect_others(tmp_path: Path) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        loaded, _ = await service.create(small_match_request("person", "random"))
        match = loaded.match
        loaded.subscribers.add(lambda *_: setattr(match, "no such thing", 1 // 0))
        assert (await play(service, loaded, (0,), 0, 0, choose_turn(match, 0), "k")).version == 2
        await until_job_count(store, 0)
        assert match.situation.turn_counts == (1, 1)

    run_with_service(tmp_path, scenario)


def test_a_retry_is_not_played_again_also_after_a_restart(tmp_path: Path) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        loaded, _ = await service.create(match_request("limes", "person", "open"))
        match = loaded.match
        await service.join(loaded, "Ben")
        once, again = await asyncio.gather(*(play(service, loaded, (0,), 0, 0, "d4r0", "k") for _ in range(2)))
        assert once is again
        await play(service, loaded, (1,), 1, 0, "d4r1", "l")
        assert await refusal_code(play(service, loaded, (0,), 0, 0, "d4r1", "k")) == "conflict"
        assert await refusal_code(play(service, loaded, (0,), 0, 1, "d4r0", "k")) == "conflict"
        assert await refusal_code(play(service, loaded, (0, 1), 1, 0, "d4r0", "k")) == "conflict"
        other = MatchService(store)
        reloaded = await other.get(match.id)
        assert reloaded is not loaded
        late = await play(other, reloaded, (0,), 0, 0, " d4r0 ", "k")
        assert late == once
        assert visibility.state(reloaded.match, (0,)) == visibility.state(match, (0,))
        await other.close()

    run_with_service(tmp_path, scenario)


def test_a_turn_of_another_seat_or_index_changes_nothing(tmp_path: Path) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        loaded, _ = await service.create(small_match_request("person", "open"))
        match = loaded.match
        turn = choose_turn(match, 0)
        assert await refusal_code(play(service, loaded, (0,), 0, 0, turn, "k")) == "stale"  # a seat is open
        await service.join(loaded, "Ben")
        updates = UpdateListener(loaded)
        assert await refusal_code(play(service, loaded, (0,), 1, 0, turn, "k")) == "forbidden"
        assert await refusal_code(play(service, loaded, (), 0, 0, turn, "k")) == "forbidden"
        assert await refusal_code(play(service, loaded, (0,), 7, 0, turn, "k")) == "not_found"
        assert await refusal_code(play(service, loaded, (0,), 0, 1, turn, "k")) == "stale"
        assert (loaded.pending_write, match.version, updates.versions, match.played_turns) == (None, 2, [], {})
        await play(service, loaded, (0,), 0, 0, turn, "k")
        assert await refusal_code(play(service, loaded, (0,), 0, 0, turn, "other")) == "stale"

    run_with_service(tmp_path, scenario)


def test_of_two_turns_at_once_one_is_played(tmp_path: Path) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        loaded, _ = await service.create(small_match_request("person", "person"))
        match = loaded.match
        turns = [play(service, loaded, (0,), 0, 0, choose_turn(match, 0), f"k{n}") for n in range(2)]
        first, second = await asyncio.gather(*turns, return_exceptions=True)
        assert not isinstance(first, BaseException)
        assert isinstance(second, RefusedError)
        assert second.code == "stale"

    run_with_service(tmp_path, scenario)


# --- rematches


def test_a_rematch_is_created_once(tmp_path: Path) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        loaded, keys = await service.create(small_match_request("person", "person"))
        match = loaded.match
        assert await refusal_code(service.rematch(loaded, (0,))) == "conflict"
        await play_out(service, loaded)
        updates = UpdateListener(loaded)
        assert await refusal_code(service.rematch(loaded, ())) == "forbidden"
        version = match.version
        first, second = await asyncio.gather(service.rematch(loaded, (0,)), service.rematch(loaded, (1,)))
        assert first is second
        assert (match.rematch_id, updates.versions) == (first.match.id, [version + 1])
        # The other player begins, and all seat tokens are valid.
        assert first.match.seats_of([keys[0]]) == (1,)
        assert await service.rematch(loaded, (0,)) is first
        saved = await store.load(match.id)
        assert saved is not None
        assert (saved.events[-1].payload, saved.is_over, saved.version) == (first.match.id, True, version + 1)

    run_with_service(tmp_path, scenario)
