"""States as they are sent: made once for a version and an audience, and told to many a few at a time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from kit.authorities import play
from kit.connections import FakeConnection
from kit.stores import open_store
from limina.server.matches import LoadedMatch, MatchRequest, MatchService, SeatRequest, visibility
from limina.server.web import viewers
from limina.server.web.rate_limits import RateLimits
from limina.server.web.socket_protocol import PreparedMessage
from limina.server.web.states import States
from limina.server.web.viewers import Room, Viewer


def with_match(
    folder: Path, look: Callable[[MatchService, LoadedMatch], Awaitable[None]], *, hidden: bool = False
) -> None:
    """Look at a match of two who sit there."""

    async def run() -> None:
        async with open_store(folder) as store:
            authority = MatchService(store)
            seats = [SeatRequest("person", name, None) for name in ("Ada", "Ben")]
            loaded, _ = await authority.create(MatchRequest("limes", seats, {}, hidden, True, False))
            await look(authority, loaded)
            await authority.close()

    asyncio.run(run())


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was made of matches, each time it was."""
    calls: list[str] = []

    def counted(name: str) -> None:
        real = getattr(visibility, name)

        def call(*how: Any, **named: Any) -> Any:
            calls.append(name)
            return real(*how, **named)

        monkeypatch.setattr(visibility, name, call)

    counted("state")
    counted("legal_turns")
    return calls


@pytest.mark.parametrize("hidden", [False, True])
def test_a_state_is_what_its_viewer_may_know(tmp_path: Path, hidden: bool) -> None:
    async def look(authority: MatchService, loaded: LoadedMatch) -> None:
        match = loaded.match
        states = States()
        for turn in ("d4r0", None):
            for mine in ((), (0,), (1,), (0, 1)):
                for legal in (True, False):
                    expected = json.loads(json.dumps(visibility.state(match, mine, legal=legal)))
                    assert json.loads(states.state(match, mine, legal=legal)) == expected
                    message = json.loads(states.message(match, mine, legal=legal))
                    assert message == {"type": "state", "state": expected}
            if turn:
                await play(authority, loaded, (0,), 0, 0, turn, "k")

    with_match(tmp_path, look, hidden=hidden)


def test_many_who_say_hello_have_it_made_once_for_all(tmp_path: Path, made: list[str]) -> None:
    async def look(authority: MatchService, loaded: LoadedMatch) -> None:
        match = loaded.match
        states = States()
        for _ in range(100):
            for mine in ((), (0,), (1,), (0, 1)):
                states.message(match, mine)
        assert made.count("state") == 1, "all see the same of the table"
        assert made.count("legal_turns") == 2, "once for each seat"
        await play(authority, loaded, (0,), 0, 0, "d4r0", "k")
        states.message(match, ())
        assert made.count("state") == 2, "it is another one now"

    with_match(tmp_path, look)


def test_where_turns_are_hidden_each_audience_has_its_own(tmp_path: Path, made: list[str]) -> None:
    async def look(authority: MatchService, loaded: LoadedMatch) -> None:
        match = loaded.match
        states = States()
        for _ in range(10):
            for mine in ((), (0,), (1,)):
                states.message(match, mine)
        assert made.count("state") == 3

    with_match(tmp_path, look, hidden=True)


def test_what_is_kept_of_states_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("limina.server.web.states._MOST_BYTES", 50_000)

    async def look(authority: MatchService, loaded: LoadedMatch) -> None:
        states = States()
        seats = [SeatRequest("person", "Ada", None)]
        for _ in range(50):
            other, _ = await authority.create(MatchRequest("limes", seats, {}, False, True, False))
            states.state(other.match, (0,))
        assert 0 < states._size <= 60_000
        assert states._size == sum(each.size for each in states._made.values())

    with_match(tmp_path, look)


def test_many_who_watch_are_told_a_few_at_a_time_and_players_at_once(tmp_path: Path, made: list[str]) -> None:
    sent: list[int] = []

    async def look(authority: MatchService, loaded: LoadedMatch) -> None:
        match = loaded.match
        room, limits = Room(loaded, States()), RateLimits()

        def viewer(number: int, mine: tuple[int, ...]) -> Viewer:
            found = Viewer(FakeConnection(lambda _: sent.append(number)), str(number), limits)
            found.sit(match, mine)
            return found

        room.viewers = {viewer(number, ()) for number in range(450)}
        player = viewer(1000, (0,))
        room.viewers.add(player)
        room.changed(loaded, None)
        assert sent == [1000], "the player is told at once"
        steps = []
        while len(sent) < 451:
            before = len(sent)
            await asyncio.sleep(0)
            steps.append(len(sent) - before)
        assert max(steps) <= viewers._AT_ONCE + 1
        assert made.count("state") == 1

    with_match(tmp_path, look)


def test_what_was_said_to_a_viewer_comes_in_its_order_and_goodbye_last() -> None:
    heard: list[PreparedMessage] = []
    first, second, third = (PreparedMessage(text) for text in (b"first", b"second", b"third"))
    connection = FakeConnection(heard.append)
    viewer = Viewer(connection, "a", RateLimits())
    viewer.send(first, wake=False)
    viewer.send(second)
    assert heard == [first, second]
    connection.stuck = True
    viewer.send(third)
    viewer.close(1000, "")
    assert connection.closed is None, "something waits to be told before"
    connection.stuck = False
    viewer.wake()
    assert heard == [first, second, third]
    assert connection.closed == (1000, "")
