"""States and updates are built once for a version and an audience, and sent to many spectators in batches."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from limina.server.live import subscribers
from limina.server.live.handler import MessageParser, SocketHandler
from limina.server.live.messages import MessageBuilder
from limina.server.live.subscribers import Subscriber, Subscribers
from limina.server.matches import LoadedMatch, MatchRequest, MatchService, SeatRequest, visibility
from limina.server.matches.visibility import Audience
from limina.server.monitoring.metrics import Metrics
from limina.server.network.rate_limits import RateLimits
from limina.server.network.socket_protocol import PreparedMessage
from support.database.stores import open_store
from support.network.fake_connection import FakeConnection
from support.server.match_services import play


def with_match(
    folder: Path, look: Callable[[MatchService, LoadedMatch], Awaitable[None]], *, hidden: bool = False
) -> None:
    """Run `look` with a match of two people."""

    async def run() -> None:
        async with open_store(folder) as store:
            service = MatchService(store)
            seats = [SeatRequest("person", name, None) for name in ("Ada", "Ben")]
            loaded, _ = await service.create(MatchRequest("limes", seats, {}, hidden, True, False))
            await look(service, loaded)
            await service.close()

    asyncio.run(run())


@pytest.fixture
def build_calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the calls of functions that build states, updates and legal turns."""
    calls: list[str] = []

    def record_calls(name: str) -> None:
        real = getattr(visibility, name)

        def call(*args: Any, **kwargs: Any) -> Any:
            calls.append(name)
            return real(*args, **kwargs)

        monkeypatch.setattr(visibility, name, call)

    record_calls("state")
    record_calls("update")
    record_calls("legal_turns")
    return calls


def content(message: PreparedMessage) -> Any:
    """Read the message in a frame."""
    header = {126: 4, 127: 10}.get(message.frame[1], 2)
    return json.loads(message.frame[header:])


@pytest.mark.parametrize("hidden", [False, True])
def test_a_state_contains_what_its_viewer_may_see(tmp_path: Path, hidden: bool) -> None:
    async def look(service: MatchService, loaded: LoadedMatch) -> None:
        match = loaded.match
        messages = MessageBuilder()
        for turn in ("d4r0", None):
            for mine in ((), (0,), (1,), (0, 1)):
                for legal in (True, False):
                    expected = json.loads(json.dumps(visibility.state(match, mine, legal=legal)))
                    assert json.loads(messages.state(match, mine, legal=legal)) == expected
                    message = content(messages.state_message(match, Audience(mine, legal)))
                    assert message == {"type": "state", "state": expected}
            if turn:
                await play(service, loaded, (0,), 0, 0, turn, "k")

    with_match(tmp_path, look, hidden=hidden)


def test_a_state_is_built_once_for_many_viewers(tmp_path: Path, build_calls: list[str]) -> None:
    async def look(service: MatchService, loaded: LoadedMatch) -> None:
        match = loaded.match
        messages = MessageBuilder()
        for _ in range(100):
            for mine in ((), (0,), (1,), (0, 1)):
                messages.state_message(match, Audience(mine))
        assert build_calls.count("state") == 1, "all viewers see the same"
        assert build_calls.count("legal_turns") == 2, "once for each seat"
        await play(service, loaded, (0,), 0, 0, "d4r0", "k")
        messages.state_message(match, Audience(()))
        assert build_calls.count("state") == 2, "the position has changed"

    with_match(tmp_path, look)


def test_with_hidden_turns_each_audience_has_its_own_state(tmp_path: Path, build_calls: list[str]) -> None:
    async def look(service: MatchService, loaded: LoadedMatch) -> None:
        match = loaded.match
        messages = MessageBuilder()
        for _ in range(10):
            for mine in ((), (0,), (1,)):
                messages.state_message(match, Audience(mine))
        assert build_calls.count("state") == 3

    with_match(tmp_path, look, hidden=True)


@pytest.mark.parametrize("hidden", [False, True])
def test_an_update_is_built_once_for_audiences_that_see_the_same(
    tmp_path: Path, build_calls: list[str], hidden: bool
) -> None:
    async def look(service: MatchService, loaded: LoadedMatch) -> None:
        match, before = loaded.match, loaded.match.situation
        messages = MessageBuilder()
        for seat in (0, 1):
            await play(service, loaded, (seat,), seat, 0, "d4r0", f"k{seat}")
        audiences = [Audience(seats, legal) for seats in ((), (0,), (1,), (0, 1)) for legal in (True, False)]
        built = messages.update_messages(match, visibility.updates(match, before, audiences))
        assert build_calls.count("update") == (4 if hidden else 1)
        assert build_calls.count("legal_turns") == (4 if hidden else 2)
        assert build_calls.count("state") == 0
        for seats, legal in audiences:
            expected = visibility.update(match, before, seats, seats if legal else ())
            assert content(built[Audience(seats, legal)]) == json.loads(json.dumps(expected))
        same = {built[audience] for audience in audiences if not audience.legal or not audience.seats}
        assert len(same) == (4 if hidden else 1), "equal messages share a frame"

    with_match(tmp_path, look, hidden=hidden)


def test_a_turn_is_answered_in_one_packet_with_its_update(tmp_path: Path) -> None:
    packets: list[list[str]] = []
    waiting: list[str] = []

    def send(message: PreparedMessage) -> None:
        if not waiting:
            asyncio.get_running_loop().call_soon(flush)
        waiting.append(content(message)["type"])

    def flush() -> None:
        packets.append(waiting.copy())
        waiting.clear()

    async def look(service: MatchService, loaded: LoadedMatch) -> None:
        messages, limits, metrics = MessageBuilder(), RateLimits(), Metrics(enabled=False)
        subscriber = Subscriber(FakeConnection(send), "a", limits)
        subscriber.set_seats(loaded.match, (0,))
        Subscribers(loaded, messages).members.add(subscriber)
        parser = MessageParser(limits, metrics, subscriber)
        handler = SocketHandler(service, messages, metrics, loaded, subscriber, parser)
        handler.receive(b'{"type":"turn","idempotency_key": "k","seat_index": 0,"turn_index": 0,"turn":"d4r0"}')
        await handler.finish()
        await asyncio.sleep(0)
        assert packets == [["update", "played"]]

    with_match(tmp_path, look)


def test_the_cache_of_states_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("limina.server.live.messages._MAX_CACHE_BYTES", 50_000)

    async def look(service: MatchService, loaded: LoadedMatch) -> None:
        messages = MessageBuilder()
        seats = [SeatRequest("person", "Ada", None)]
        for _ in range(50):
            other, _ = await service.create(MatchRequest("limes", seats, {}, False, True, False))
            messages.state(other.match, (0,))
        assert 0 < messages._size <= 60_000
        assert messages._size == sum(cached.size for cached in messages._cache.values())

    with_match(tmp_path, look)


def test_spectators_get_messages_in_batches_and_players_at_once(tmp_path: Path, build_calls: list[str]) -> None:
    sent: list[int] = []

    async def look(service: MatchService, loaded: LoadedMatch) -> None:
        match = loaded.match
        subscribers_of_match, limits = Subscribers(loaded, MessageBuilder()), RateLimits()

        def viewer(number: int, mine: tuple[int, ...]) -> Subscriber:
            subscriber = Subscriber(FakeConnection(lambda _: sent.append(number)), str(number), limits)
            subscriber.set_seats(match, mine)
            return subscriber

        subscribers_of_match.members = {viewer(number, ()) for number in range(450)}
        player = viewer(1000, (0,))
        subscribers_of_match.members.add(player)
        subscribers_of_match.publish(loaded, None)
        assert sent == [1000], "the player gets the state at once"
        steps = []
        while len(sent) < 451:
            before = len(sent)
            await asyncio.sleep(0)
            steps.append(len(sent) - before)
        assert max(steps) <= subscribers._SPECTATOR_BATCH_SIZE + 1
        assert build_calls.count("state") == 1

    with_match(tmp_path, look)


def test_messages_arrive_in_order_and_the_close_frame_last() -> None:
    received: list[PreparedMessage] = []
    first, second, third = (PreparedMessage(text) for text in (b"first", b"second", b"third"))
    connection = FakeConnection(received.append)
    viewer = Subscriber(connection, "a", RateLimits())
    viewer.send(first, flush=False)
    viewer.send(second)
    assert received == [first, second]
    connection.stuck = True
    viewer.send(third)
    viewer.close(1000, "")
    assert connection.closed is None, "a message still waits"
    connection.stuck = False
    viewer.flush()
    assert received == [first, second, third]
    assert connection.closed == (1000, "")
