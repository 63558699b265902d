"""SQLite and PostgreSQL databases with matches, and `limina db` commands on them."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

import pytest
from sqlalchemy import URL, text
from sqlalchemy.ext.asyncio import create_async_engine

from limina.cli import main
from limina.limes.decks.deck import Deck
from limina.server.backend import Backend
from limina.server.matches import BotRunner, Match, MatchService
from limina.server.settings import ServerSettings
from limina.server.storage import Store, url_of
from limina.server.storage.decks import SavedDeck
from limina.server.storage.reviews import SavedReview
from limina.server.storage.tables import STORED
from support.server.match_services import choose_turn, match_request, play, play_out, small_match_request

T = TypeVar("T")
DECK = Deck.default()
COMPRESSED_REVIEW = zlib.compress(b'{"type":"start"}\n{"type":"end"}\n')
"""The stored form of a review."""


@dataclass(frozen=True)
class Database:
    """A database of one test."""

    url: URL
    arguments: tuple[str, str]
    """The option of `limina` that names it."""

    @property
    def is_file(self) -> bool:
        """True for SQLite."""
        return self.url.get_backend_name() == "sqlite"

    def run_with_service(self, scenario: Callable[[MatchService, Store], Coroutine[Any, Any, T]]) -> T:
        """Run a scenario with a match service on this database; return its result."""

        async def run() -> T:
            backend = Backend(Store(self.url), BotRunner())
            await backend.start()
            try:
                return await scenario(backend.matches, backend.store)
            finally:
                await backend.stop()

        return asyncio.run(run())

    def execute(self, *statements: str, **values: Any) -> list[Any]:
        """Run statements; return the rows of the last one. SQLite does not enforce foreign keys here."""

        async def run() -> list[Any]:
            engine = create_async_engine(self.url)
            async with engine.begin() as connection:
                for statement in statements:
                    result = await connection.execute(text(statement), values)
                rows = list(result.all()) if result.returns_rows else []
            await engine.dispose()
            return rows

        return asyncio.run(run())

    def contents(self) -> dict[str, list[Any]]:
        """Return all rows of all tables, by table name."""
        return {
            name: sorted(self.execute(f"SELECT * FROM {name}"), key=str) for name in (table.name for table in STORED)
        }


def disconnect_clients(postgres: str) -> None:
    """End all connections of other processes to a PostgreSQL."""

    async def run() -> None:
        engine = create_async_engine(url_of(ServerSettings(database=postgres)))
        async with engine.connect() as connection:
            others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
            await connection.execute(text(others + " AND datname = current_database()"))
        await engine.dispose()

    asyncio.run(run())


class DbCommand:
    """Runs `limina db` in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def run(self, command: str, database: Database, *options: str) -> tuple[int, str, str]:
        """Run `limina db COMMAND` on a database; return its exit status, output and errors."""
        self._capsys.readouterr()
        status = main(["db", command, *database.arguments, *options])
        captured = self._capsys.readouterr()
        return status, captured.out, captured.err

    def refusal(self, command: str, database: Database, *options: str) -> str:
        """Run a command that must fail; return its error message, which must be one line."""
        status, out, err = self.run(command, database, *options)
        assert (status, out, err.count("\n")) == (1, "", 1), (out, err)
        return err.removeprefix("limina: ").rstrip()


async def populate(service: MatchService, store: Store, finished: int = 1) -> list[Match]:
    """Create finished matches with a rematch each, a running match, one with an open seat, a review, and a deck."""

    async def finish() -> tuple[Match, Match]:
        loaded, _ = await service.create(match_request("limes", "person", "person", hidden_turns=True))
        match = loaded.match
        await play_out(service, loaded)
        return match, (await service.rematch(loaded, (0,))).match

    matches = [match for both in await asyncio.gather(*(finish() for _ in range(finished))) for match in both]
    loaded, _ = await service.create(small_match_request("person", "open"))
    match = loaded.match
    await service.join(loaded, "Ben")
    await play(service, loaded, (0, 1), 0, 0, choose_turn(match, 0), "k")
    matches += [match, (await service.create(small_match_request("person", "open")))[0].match]
    await store.reviews.save_review(SavedReview(matches[0].id, "0", 1, COMPRESSED_REVIEW))
    await store.decks.save_deck(SavedDeck(DECK.id, "limes", DECK.faces, 1))
    return matches


def match_ids(matches: Iterable[Match]) -> list[str]:
    """Return the ids of matches."""
    return [match.id for match in matches]
