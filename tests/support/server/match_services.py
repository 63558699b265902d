"""An service over an empty database, without HTTP, and what its tests ask of it."""

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

Scenario = Callable[[MatchService, Store], Coroutine[Any, Any, None]]
RNG = Random(11)


@asynccontextmanager
async def running_match_service(
    folder: Path, bots: BotRunner | None = None
) -> AsyncIterator[tuple[MatchService, Store]]:
    backend = Backend(Store(url_of(Settings(data=folder))), bots or BotRunner())
    await backend.start()
    try:
        yield backend.matches, backend.store
    finally:
        await backend.stop()


def run_with_service(folder: Path, scenario: Scenario, bots: Callable[[], BotRunner] | None = None) -> None:
    """Let a scenario happen at an service with an empty database."""

    async def run() -> None:
        async with running_match_service(folder, bots() if bots else None) as (service, store):
            await scenario(service, store)

    asyncio.run(run())


def match_request(game: str, *kinds: str, **wanted: Any) -> MatchRequest:
    """A match of people, open seats or bots."""
    known: dict[str, SeatKind] = {"person": "person", "open": "open"}
    seats = [SeatRequest(known[kind]) if kind in known else SeatRequest("bot", bot=kind) for kind in kinds]
    return MatchRequest(game, seats, **wanted)


def small_match_request(*kinds: str) -> MatchRequest:
    return match_request("limit", *kinds, options={"size": 4})


def choose_turn(match: Match, seat: int) -> str:
    return str(RNG.choice(match.shown.position.legal_turns(seat)))


async def play(
    service: MatchService, loaded: LoadedMatch, mine: tuple[int, ...], seat: int, number: int, text: str, key: str
) -> Played:
    """Submit a turn and wait until it is played."""
    return await service.submit_turn(loaded, mine, seat, number, text, key)


async def play_out(service: MatchService, loaded: LoadedMatch) -> None:
    """Let people play any turns until the game is over."""
    match = loaded.match
    everybody = tuple(range(len(match.seats)))
    while not match.over:
        seat = match.to_move[0]
        number = match.shown.turns[seat]
        await play(service, loaded, everybody, seat, number, choose_turn(match, seat), f"{seat}-{number}")


class UpdateListener:
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


async def refusal_code(asked: Coroutine[Any, Any, Any]) -> str:
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
