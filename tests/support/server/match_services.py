"""An authority over an empty database, without HTTP, and what its tests ask of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import text

from limina.server.backend import Backend
from limina.server.errors import RefusedError
from limina.server.matches import BotRunner, LoadedMatch, Match, MatchRequest, MatchService, SeatRequest
from limina.server.matches.match import Played
from limina.server.model import SeatKind
from limina.server.settings import Settings
from limina.server.storage import Store, url_of

Story = Callable[[MatchService, Store], Coroutine[Any, Any, None]]
CHANCE = Random(11)


@asynccontextmanager
async def authority_of(folder: Path, bots: BotRunner | None = None) -> AsyncIterator[tuple[MatchService, Store]]:
    backend = Backend(Store(url_of(Settings(data=folder))), bots or BotRunner())
    await backend.start()
    try:
        yield backend.matches, backend.store
    finally:
        await backend.stop()


def tell(folder: Path, story: Story, bots: Callable[[], BotRunner] | None = None) -> None:
    """Let a story happen at an authority with an empty database."""

    async def run() -> None:
        async with authority_of(folder, bots() if bots else None) as (authority, store):
            await story(authority, store)

    asyncio.run(run())


def request(game: str, *kinds: str, **wanted: Any) -> MatchRequest:
    """A match of people, open seats or bots."""
    known: dict[str, SeatKind] = {"person": "person", "open": "open"}
    seats = [SeatRequest(known[kind]) if kind in known else SeatRequest("bot", bot=kind) for kind in kinds]
    return MatchRequest(game, seats, **wanted)


def small(*kinds: str) -> MatchRequest:
    return request("limit", *kinds, options={"size": 4})


def a_turn(match: Match, seat: int) -> str:
    return str(CHANCE.choice(match.shown.position.legal_turns(seat)))


async def play(
    authority: MatchService, loaded: LoadedMatch, mine: tuple[int, ...], seat: int, number: int, text: str, key: str
) -> Played:
    """Submit a turn and wait until it is played."""
    return await authority.submit_turn(loaded, mine, seat, number, text, key)


async def play_out(authority: MatchService, loaded: LoadedMatch) -> None:
    """Let people play any turns until the game is over."""
    match = loaded.match
    everybody = tuple(range(len(match.seats)))
    while not match.over:
        seat = match.to_move[0]
        number = match.shown.turns[seat]
        await play(authority, loaded, everybody, seat, number, a_turn(match, seat), f"{seat}-{number}")


class Listener:
    """Hears of everything that is saved, and can wait for it."""

    def __init__(self, loaded: LoadedMatch) -> None:
        self.versions: list[int] = []
        self._news = asyncio.Event()
        loaded.subscribers.add(self)

    def __call__(self, loaded: LoadedMatch, before: object) -> None:
        self.versions.append(loaded.match.version)
        self._news.set()

    async def until(self, happened: Callable[[], object]) -> None:
        while not happened():
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), 60)


async def refused(asked: Coroutine[Any, Any, Any]) -> str:
    with pytest.raises(RefusedError) as caught:
        await asked
    return caught.value.code


async def forbid_events(store: Store, forbidden: bool) -> None:
    """Let the database refuse every event, as one does whose disk is full; or take them again."""
    async with store._engine.begin() as connection:
        if forbidden:
            await connection.execute(
                text("CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'full'); END")
            )
        else:
            await connection.execute(text("DROP TRIGGER full"))
