"""Databases with matches in them, of either kind, and what a host asks of them at the command line."""

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
from limina.server.settings import Settings
from limina.server.storage import Store, url_of
from limina.server.storage.decks import SavedDeck
from limina.server.storage.reviews import SavedReview
from limina.server.storage.tables import STORED
from support.server.match_services import choose_turn, match_request, play, play_out, small_match_request

T = TypeVar("T")
DECK = Deck.default()
COMPRESSED_REVIEW = zlib.compress(b'{"type":"start"}\n{"type":"end"}\n')
"""What is kept of a review."""


@dataclass(frozen=True)
class Database:
    """One that a test has for itself."""

    url: URL
    arguments: tuple[str, str]
    """How it is named at the command line."""

    @property
    def is_file(self) -> bool:
        return self.url.get_backend_name() == "sqlite"

    def run_with_service(self, scenario: Callable[[MatchService, Store], Coroutine[Any, Any, T]]) -> T:
        """Let a scenario happen at a server on it."""

        async def run() -> T:
            backend = Backend(Store(self.url), BotRunner())
            await backend.start()
            try:
                return await scenario(backend.matches, backend.store)
            finally:
                await backend.stop()

        return asyncio.run(run())

    def execute(self, *statements: str, **values: Any) -> list[Any]:
        """What the last of these finds; a file's keys are not looked after, as with any other program."""

        async def run() -> list[Any]:
            engine = create_async_engine(self.url)
            async with engine.begin() as connection:
                for statement in statements:
                    found = await connection.execute(text(statement), values)
                rows = list(found.all()) if found.returns_rows else []
            await engine.dispose()
            return rows

        return asyncio.run(run())

    def contents(self) -> dict[str, list[Any]]:
        """All rows of all tables."""
        return {
            name: sorted(self.execute(f"SELECT * FROM {name}"), key=str) for name in (table.name for table in STORED)
        }


def disconnect_clients(postgres: str) -> None:
    """End all other connections to a PostgreSQL."""

    async def run() -> None:
        engine = create_async_engine(url_of(Settings(database=postgres)))
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
    """Finished games with a rematch, one that runs, one that waits for people, a review, and a deck."""

    async def finish() -> tuple[Match, Match]:
        loaded, _ = await service.create(match_request("limes", "person", "person", hidden=True))
        match = loaded.match
        await play_out(service, loaded)
        return match, (await service.rematch(loaded, (0,))).match

    made = [match for both in await asyncio.gather(*(finish() for _ in range(finished))) for match in both]
    loaded, _ = await service.create(small_match_request("person", "open"))
    match = loaded.match
    await service.join(loaded, "Ben")
    await play(service, loaded, (0, 1), 0, 0, choose_turn(match, 0), "k")
    made += [match, (await service.create(small_match_request("person", "open")))[0].match]
    await store.reviews.save_review(SavedReview(made[0].id, "0", 1, COMPRESSED_REVIEW))
    await store.decks.save_deck(SavedDeck(DECK.id, "limes", DECK.faces, 1))
    return made


def match_ids(matches: Iterable[Match]) -> list[str]:
    return [match.id for match in matches]
