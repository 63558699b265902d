"""A match service on an empty database, without HTTP, and helpers to play with it."""

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
from limina.server.matches.match import PlayedTurn
from limina.server.model import SeatKind
from limina.server.settings import ServerSettings
from limina.server.storage import Store, url_of

Scenario = Callable[[MatchService, Store], Coroutine[Any, Any, None]]
RNG = Random(11)


@asynccontextmanager
async def running_match_service(
    folder: Path, bots: BotRunner | None = None
) -> AsyncIterator[tuple[MatchService, Store]]:
    """Run a match service on an SQLite file in this folder."""
    backend = Backend(Store(url_of(ServerSettings(data=folder))), bots or BotRunner())
    await backend.start()
    try:
        yield backend.matches, backend.store
    finally:
        await backend.stop()


def run_with_service(folder: Path, scenario: Scenario, bots: Callable[[], BotRunner] | None = None) -> None:
    """Run a scenario with a match service on an empty database."""

    async def run() -> None:
        async with running_match_service(folder, bots() if bots else None) as (service, store):
            await scenario(service, store)

    asyncio.run(run())


def match_request(game: str, *kinds: str, **options: Any) -> MatchRequest:
    """Return the request for a match; a kind is `person`, `open` or the name of a bot."""
    kind_names: dict[str, SeatKind] = {"person": "person", "open": "open"}
    seats = [SeatRequest(kind_names[kind]) if kind in kind_names else SeatRequest("bot", bot=kind) for kind in kinds]
    return MatchRequest(game, seats, **options)


def small_match_request(*kinds: str) -> MatchRequest:
    """Return the request for a match of Limit of size 4."""
    return match_request("limit", *kinds, options={"size": 4})


def choose_turn(match: Match, seat_index: int) -> str:
    """Return a random legal turn of a seat."""
    return str(RNG.choice(match.situation.position.legal_turns(seat_index)))


async def play(
    service: MatchService,
    loaded: LoadedMatch,
    own_seats: tuple[int, ...],
    seat_index: int,
    turn_index: int,
    turn: str,
    idempotency_key: str,
) -> PlayedTurn:
    """Submit a turn and wait until it is played."""
    return await service.submit_turn(loaded, own_seats, seat_index, turn_index, turn, idempotency_key)


async def play_out(service: MatchService, loaded: LoadedMatch) -> None:
    """Play random turns for all seats until the game is over."""
    match = loaded.match
    all_seats = tuple(range(len(match.seats)))
    while not match.is_over:
        seat_index = match.to_move[0]
        turn_index = match.situation.turn_counts[seat_index]
        turn = choose_turn(match, seat_index)
        await play(service, loaded, all_seats, seat_index, turn_index, turn, f"{seat_index}-{turn_index}")


class UpdateListener:
    """Subscribes to a match: records the versions that are saved, and waits for them."""

    def __init__(self, loaded: LoadedMatch) -> None:
        self.versions: list[int] = []
        self._updated = asyncio.Event()
        loaded.subscribers.add(self)

    def __call__(self, loaded: LoadedMatch, before: object) -> None:
        self.versions.append(loaded.match.version)
        self._updated.set()

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until the condition is true; check it after every update."""
        while not condition():
            self._updated.clear()
            await asyncio.wait_for(self._updated.wait(), 60)


async def refusal_code(request: Coroutine[Any, Any, Any]) -> str:
    """Await a request that must be refused; return the code of the error."""
    with pytest.raises(RefusedError) as caught:
        await request
    return caught.value.code


async def forbid_events(store: Store, forbidden: bool) -> None:
    """Let the database refuse all events, like one whose disk is full, or accept them again."""
    async with store._engine.begin() as connection:
        if forbidden:
            await connection.execute(
                text("CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'full'); END")
            )
        else:
            await connection.execute(text("DROP TRIGGER full"))
