"""Several servers on one PostgreSQL: one winner in every race, and the same events in the same order at each."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from typing import Any

import pytest
from sqlalchemy import URL, text
from sqlalchemy.ext.asyncio import create_async_engine

from limina.errors import LiminaError
from limina.server.backend import Backend
from limina.server.errors import RefusedError
from limina.server.matches import BotRunner, LoadedMatch, Match, MatchRequest, MatchService, SeatRequest, visibility
from limina.server.model import STEPS, Append, SavedMatch, WriteItem
from limina.server.storage import PendingWrite, Store, WriteResult, postgres_bus
from support.server.match_services import play

Server = tuple[MatchService, Store]
Scenario = Callable[[Server, Server], Coroutine[Any, Any, None]]


@asynccontextmanager
async def server(url: URL) -> AsyncIterator[Server]:
    """Run a match service like that of one of several servers."""
    backend = Backend(Store(url, shared=True), BotRunner())
    await backend.start()
    try:
        yield backend.matches, backend.store
    finally:
        await backend.stop()


def run_scenario(url: URL, scenario: Scenario) -> None:
    async def run() -> None:
        async with AsyncExitStack() as opened:
            one, other = [await opened.enter_async_context(server(url)) for _ in range(2)]
            await asyncio.wait_for(scenario(one, other), 120)

    asyncio.run(run())


def small(*kinds: Any) -> MatchRequest:
    seats = [SeatRequest(kind) if kind in ("person", "open") else SeatRequest("bot", bot=kind) for kind in kinds]
    return MatchRequest("limit", seats, options={"size": 4})


class Watcher:
    """Subscribes to a match at one of the servers."""

    def __init__(self, loaded: LoadedMatch) -> None:
        self.loaded = loaded
        self.match = match = loaded.match
        self.versions = [match.version]
        self._news = asyncio.Event()
        loaded.subscribers.add(self)

    def __call__(self, loaded: LoadedMatch, before: object) -> None:
        match = loaded.match
        assert not loaded.invalidated
        assert match.version > self.versions[-1], "versions only grow"
        self.versions.append(match.version)
        self._news.set()

    async def reach(self, version: int) -> None:
        await self.until(lambda: self.match.version >= version)

    async def until(self, happened: Callable[[], object]) -> None:
        while not happened():
            self._news.clear()
            await self._news.wait()


async def check_log(store: Store, *loaded: LoadedMatch) -> None:
    """Check that the log has no gap and that each server has the same state in memory."""
    matches = [replica.match for replica in loaded]
    saved = await store.load(matches[0].id)
    assert saved is not None
    assert [event.event_index for event in saved.events] == list(range(saved.version + 1))
    restored = Match.restore(saved)
    all_seats = tuple(range(len(restored.seats)))
    assert not restored.situation.position.awaits_chance
    for match in matches:
        assert visibility.state(match, all_seats) == visibility.state(restored, all_seats)
        assert match.played_turns == restored.played_turns
    taken = [event.seat_index for event in saved.events if event.kind == "seat_taken"]
    assert len(taken) == len(set(taken))


# --- races


def test_people_who_join_at_two_servers_get_different_seats(url: URL) -> None:
    async def scenario(one: Server, other: Server) -> None:
        for index in range(10):
            first, _ = await one[0].create(MatchRequest("limes", [SeatRequest("person"), *[SeatRequest("open")] * 3]))
            second = await other[0].get(first.match.id)
            joining = [at.join(loaded, f"guest {index}")
                       for at, loaded in ((one[0], first), (other[0], second)) for _ in range(3)]  # fmt: skip
            answers = await asyncio.gather(*joining, return_exceptions=True)
            seats = sorted(answer[0] for answer in answers if isinstance(answer, tuple))
            refused = [answer.code for answer in answers if isinstance(answer, RefusedError)]
            assert (seats, refused) == ([1, 2, 3], ["conflict"] * 3)
            await asyncio.gather(one[0].refresh(first), other[0].refresh(second))
            assert first.match.version == 4  # three seats and a card
            await check_log(one[1], first, second)

    run_scenario(url, scenario)


def test_a_turn_sent_to_two_servers_is_played_once(url: URL) -> None:
    async def scenario(one: Server, other: Server) -> None:
        first, _ = await one[0].create(MatchRequest("limes", [SeatRequest("person")] * 2))
        second = await other[0].get(first.match.id)
        chance = Random(1)
        while not first.match.is_over:
            seat = chance.choice(first.match.to_move)
            turn_index, turn = (
                first.match.situation.turn_counts[seat],
                str(chance.choice(first.match.situation.position.legal_turns(seat))),
            )
            sent = (0, 1), seat, turn_index, turn, f"{seat}-{turn_index}"
            answers = await asyncio.gather(play(one[0], first, *sent), play(other[0], second, *sent))
            assert answers[0] == answers[1]
            await asyncio.gather(one[0].refresh(first), other[0].refresh(second))
        await check_log(one[1], first, second)

    run_scenario(url, scenario)


def test_of_different_turns_at_two_servers_one_is_played(url: URL) -> None:
    async def scenario(one: Server, other: Server) -> None:
        chance = Random(2)
        for _ in range(5):
            first, _ = await one[0].create(small("person", "person"))
            second = await other[0].get(first.match.id)
            watching = [Watcher(match) for match in (first, second)]
            latest = first.match.version
            while not first.match.is_over:
                seat, turn_index = first.match.to_move[0], first.match.situation.turn_counts[first.match.to_move[0]]
                turns = [str(chance.choice(first.match.situation.position.legal_turns(seat))) for _ in range(2)]
                answers = await asyncio.gather(
                    play(one[0], first, (0, 1), seat, turn_index, turns[0], f"a{seat}-{turn_index}"),
                    play(other[0], second, (0, 1), seat, turn_index, turns[1], f"b{seat}-{turn_index}"),
                    return_exceptions=True,
                )
                assert sum(isinstance(answer, RefusedError) and answer.code == "stale" for answer in answers) == 1
                latest = max(first.match.version, second.match.version)
                for watcher in watching:
                    await watcher.reach(latest)
            rematches = await asyncio.gather(one[0].rematch(first, (0,)), other[0].rematch(second, (1,)))
            assert rematches[0].match.id == rematches[1].match.id
            for watcher in watching:
                await watcher.reach(latest + 1)
                assert watcher.match.rematch_id == rematches[0].match.id
            await check_log(one[1], first, second)
            await check_log(one[1], *rematches)

    run_scenario(url, scenario)


def test_each_turn_of_a_bot_is_played_once(url: URL) -> None:
    async def scenario(one: Server, other: Server) -> None:
        first, _ = await one[0].create(
            MatchRequest("limes", [SeatRequest("person"), *[SeatRequest("bot", bot="random")] * 3])
        )
        second = await other[0].get(first.match.id)
        watching = Watcher(second)
        while not second.match.is_over:
            turn_index = second.match.situation.turn_counts[0]
            await watcher_turn(watching, other[0], turn_index)
        await one[0].refresh(first)
        saved = await one[1].load(first.match.id)
        assert saved is not None
        assert {event.kind for event in saved.events[1:]} <= STEPS
        await check_log(one[1], first, second)

    async def watcher_turn(watching: Watcher, at: MatchService, turn_index: int) -> None:
        match = watching.match
        await watching.until(lambda: match.is_over or 0 in match.to_move)
        if not match.is_over:
            turn = str(match.situation.position.legal_turns(0)[0])
            await play(at, watching.loaded, (0,), 0, turn_index, turn, f"k{turn_index}")
            await watching.until(lambda: match.is_over or match.situation.turn_counts[0] > turn_index)

    run_scenario(url, scenario)


# --- notifications


def test_a_viewer_at_another_server_sees_every_turn(url: URL) -> None:
    async def scenario(one: Server, other: Server) -> None:
        first, _ = await one[0].create(small("person", "open"))
        second = await other[0].get(first.match.id)
        watching = Watcher(second)
        _, key = await one[0].join(first, "Ben")
        await watching.until(lambda: second.match.is_full)
        assert second.match.seats_of([key]) == (1,)
        while not first.match.is_over:
            seat = first.match.to_move[0]
            turn = str(first.match.situation.position.legal_turns(seat)[0])
            await play(
                one[0], first, (0, 1), seat, first.match.situation.turn_counts[seat], turn, f"{first.match.version}"
            )
        await watching.until(lambda: second.match.is_over)
        await check_log(one[1], first, second)

    run_scenario(url, scenario)


def test_a_match_without_subscribers_is_refreshed_before_its_use(url: URL) -> None:
    async def scenario(one: Server, other: Server) -> None:
        first, keys = await one[0].create(small("person", "open"))
        second = await other[0].get(first.match.id)
        await one[0].join(first, "Ben")
        assert second.match.version < first.match.version
        ((match, own_seats, _),) = await other[0].matches_by_token(keys.values(), 10)
        assert (match, own_seats, second.match.version) == (second.match, (0,), first.match.version)
        await play(one[0], first, (0,), 0, 0, str(first.match.situation.position.legal_turns(0)[0]), "k")
        assert (await other[0].get(first.match.id)).match.version == first.match.version

    run_scenario(url, scenario)


def test_a_match_that_changes_while_it_is_loaded_is_refreshed(url: URL) -> None:
    async def scenario(one: Server, other: Server) -> None:
        first, _ = await one[0].create(small("person", "person"))
        is_read, go_on, load = asyncio.Event(), asyncio.Event(), other[1].load

        async def slowly(match_id: str) -> SavedMatch | None:
            saved = await load(match_id)
            is_read.set()
            await go_on.wait()
            return saved

        other[1].load = slowly  # type: ignore[method-assign]
        early = asyncio.create_task(other[0].get(first.match.id))
        await is_read.wait()
        await play(one[0], first, (0,), 0, 0, str(first.match.situation.position.legal_turns(0)[0]), "k")
        late = asyncio.create_task(other[0].get(first.match.id))
        await asyncio.sleep(0)
        go_on.set()
        assert (await late).match.version == first.match.version
        await early

    run_scenario(url, scenario)


def test_an_event_just_before_the_first_subscriber_is_not_missed(url: URL) -> None:
    async def scenario(one: Server, other: Server) -> None:
        (match, _), (known, _) = [await one[0].create(small("person", "person")) for _ in range(2)]
        arriving, watched = [await other[0].get(loaded.match.id) for loaded in (match, known)]
        watching = Watcher(watched)
        for loaded in (match, known):
            await play(one[0], loaded, (0,), 0, 0, str(loaded.match.situation.position.legal_turns(0)[0]), "key")
        await watching.reach(known.match.version)  # so the earlier notification has arrived too
        assert arriving.match.version < match.match.version
        watcher = Watcher(arriving)
        other[0].watch(arriving)
        await watcher.reach(match.match.version)

    run_scenario(url, scenario)


def test_a_turn_after_an_unread_event_is_validated_again(url: URL) -> None:
    async def scenario(one: Server, other: Server) -> None:
        loaded, _ = await one[0].create(small("person", "person"))
        match = loaded.match
        behind = await other[0].get(match.id)
        await play(one[0], loaded, (0,), 0, 0, str(match.situation.position.legal_turns(0)[0]), "first")
        assert behind.match.version < match.version
        turn = str(match.situation.position.legal_turns(1)[0])
        played = await play(other[0], behind, (1,), 1, 0, turn, "second")
        assert (played.seat_index, played.text) == (1, turn)
        with pytest.raises(LiminaError):
            await play(other[0], behind, (1,), 1, 1, turn, "third")

    run_scenario(url, scenario)


def test_after_a_conflict_new_events_are_read_before_the_retry(url: URL) -> None:
    async def scenario(one: Server, other: Server) -> None:
        first, _ = await one[0].create(MatchRequest("limes", [SeatRequest("person")] * 2))
        second = await other[0].get(first.match.id)
        await play(one[0], first, (0,), 0, 0, "d4r0", "first")
        assert second.match.version < first.match.version
        expected_versions: list[int] = []
        original = other[1].write

        def counted(item: WriteItem, on_result: Callable[[WriteResult], None] | None = None) -> PendingWrite:
            assert isinstance(item, Append)
            expected_versions.append(item.expected_version)
            return original(item, on_result)

        other[1].write = counted  # type: ignore[method-assign]
        assert (await play(other[0], second, (1,), 1, 0, "d4r0", "second")).version == first.match.version + 2
        assert expected_versions == [1, 2], "it lost once"

    run_scenario(url, scenario)


def test_missed_notifications_are_made_up_for_after_a_reconnect(url: URL) -> None:
    async def scenario(one: Server, other: Server) -> None:
        first, _ = await one[0].create(small("person", "person"))
        second = await other[0].get(first.match.id)
        watching = Watcher(second)
        # The other server gets no notification, and then all connections are lost.
        one[1].bus.publish = lambda versions: None  # type: ignore[method-assign]
        await play(one[0], first, (0,), 0, 0, str(first.match.situation.position.legal_turns(0)[0]), "k")
        async with one[1]._engine.connect() as connection:
            await connection.execute(
                text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
            )
        await watching.until(lambda: second.match.version == first.match.version)
        # The writer connects again too: at once, or after one failure.
        turn = str(second.match.situation.position.legal_turns(1)[0])
        try:
            await play(other[0], second, (1,), 1, 0, turn, "l")
        except RefusedError:
            loaded = await other[0].get(first.match.id)
            await play(other[0], loaded, (1,), 1, 0, turn, "l")
        assert (await one[0].get(first.match.id)).match.situation.turn_counts == (1, 1)

    run_scenario(url, scenario)


def test_a_busy_server_finds_events_without_a_notification(url: URL, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_bus, "COMPARE_SECONDS", 0.5)

    async def scenario(one: Server, other: Server) -> None:
        first, _ = await one[0].create(small("person", "person"))
        second = await other[0].get(first.match.id)
        Watcher(second)
        # As if it had died between the commit and the notification.
        one[1].bus.publish = lambda versions: None  # type: ignore[method-assign]
        await play(one[0], first, (0,), 0, 0, str(first.match.situation.position.legal_turns(0)[0]), "k")
        async with asyncio.timeout(60):
            while second.match.version < first.match.version:
                busy, _ = await other[0].create(small("person", "open"))
                await other[0].join(busy, "Ben")

    run_scenario(url, scenario)


# --- stopping


def test_a_server_that_stops_while_it_notifies_does_stop(url: URL) -> None:
    async def scenario() -> None:
        engine = create_async_engine(url)
        bus = postgres_bus.PostgresBus()
        await bus.listen(engine, lambda _: None, lambda _: None)
        bus.publish({"a match": 1})
        async with asyncio.timeout(30):
            await bus.close()
        await engine.dispose()

    asyncio.run(scenario())
