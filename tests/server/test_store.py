"""The store, with the same tests against SQLite and a real PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, text
from sqlalchemy.ext.asyncio import create_async_engine

from kit.stores import open_store
from limina.server import migrations
from limina.server.settings import Settings
from limina.server.store import Store, UnavailableError, Write, url_of
from limina.server.tables import metadata


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[URL]:
    if request.param == "sqlite":
        yield url_of(Settings(data=tmp_path))
        return
    url = url_of(Settings(database=request.getfixturevalue("postgres")))
    yield url
    asyncio.run(_empty(url))


async def _empty(url: URL) -> None:
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        for table in ("reviews", "steps", "seats", "matches", "alembic_version"):
            await connection.execute(text(f"DROP TABLE IF EXISTS {table}"))
    await engine.dispose()


def match_row(match: str, **values: Any) -> dict[str, Any]:
    row = {"id": match, "game": "any", "start": "{}", "hidden": False, "secret_order": "2,1", "secret_salt": "ab"}
    return row | {"created": 1000, "changes": 0, "over": False, "rematch": None, "spectators": True} | values


def seat_row(match: str, seat: int, key_hash: str | None = None) -> dict[str, Any]:
    return {"match": match, "seat": seat, "kind": "person", "name": "Ada", "bot": None, "key_hash": key_hash}


def step_row(match: str, number: int, key: str | None = None, at: int = 2000) -> dict[str, Any]:
    return {"match": match, "number": number, "player": 0, "text": "d4r0", "turn_key": key, "at": at}


async def save(store: Store, **parts: Any) -> bool:
    return await store.save(lambda done, failed: Write(done, failed, **parts))


async def new(store: Store, match: str, key_hash: str = "h", **values: Any) -> bool:
    return await save(store, new_match=match_row(match, **values), new_seats=[seat_row(match, 0, key_hash)])


def test_what_is_saved_is_there_after_a_restart(url: URL) -> None:
    async def story() -> None:
        async with open_store(url) as store:
            assert await new(store, "first")
            assert await save(store, new_steps=[step_row("first", 0, "k"), step_row("first", 1)])
            change = {"seat_changes": [("first", 0, {"name": "Ben"})], "match_changes": [("first", {"over": True})]}
            assert await save(store, **change)
        async with open_store(url) as store:
            found = await store.load("first")
            assert found is not None
            assert (found.match.over, found.seats[0].name) == (True, "Ben")
            assert [(step.number, step.turn_key) for step in found.steps] == [(0, "k"), (1, None)]
            assert await store.load("other") is None

    asyncio.run(story())


def test_what_cannot_be_saved_fails_alone(url: URL) -> None:
    async def story() -> None:
        async with open_store(url) as store:
            assert await new(store, "first")
            assert await save(store, new_steps=[step_row("first", 0, "k")])
            wanted = [
                save(store, new_steps=[step_row("first", 1)]),
                save(store, new_steps=[step_row("first", 0)]),  # taken
                save(store, new_steps=[step_row("nowhere", 0)]),  # no such match
                save(store, new_steps=[step_row("first", 2, "k")]),  # the key is used
                save(store, new_steps=[step_row("first", 2)], guard=lambda: False),
                save(store, new_steps=[step_row("first", 3, "l")]),
            ]
            assert await asyncio.gather(*wanted) == [True, False, False, False, False, True]
            found = await store.load("first")
            assert found is not None
            assert [step.number for step in found.steps] == [0, 1, 3]

    asyncio.run(story())


def test_writes_that_arrive_together_share_a_commit(url: URL) -> None:
    async def story() -> None:
        async with open_store(url) as store:
            assert await new(store, "first")
            before = store.commits
            results = await asyncio.gather(*(save(store, new_steps=[step_row("first", n)]) for n in range(300)))
            assert all(results)
            assert store.commits - before <= 3
            found = await store.load("first")
            assert found is not None
            assert len(found.steps) == 300

    asyncio.run(story())


def test_the_matches_of_keys_latest_first(url: URL) -> None:
    async def story() -> None:
        async with open_store(url) as store:
            for number, match in enumerate(("one", "two", "three")):
                assert await new(store, match, key_hash=f"h{number % 2}", created=1000 + number)
            assert await save(store, new_steps=[step_row("one", 0, at=5000)])
            assert await store.matches_of(["h0"], 10) == [("one", 5000), ("three", 1002)]
            assert [match for match, _ in await store.matches_of(["h0", "h1"], 2)] == ["one", "three"]
            assert await store.matches_of([], 10) == []

    asyncio.run(story())


def test_the_latest_reviews_are_kept_and_no_more(url: URL, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("limina.server.store.MOST_REVIEWS", 3)

    async def story() -> None:
        async with open_store(url) as store:
            for number in range(5):
                assert await store.keep_review(f"r{number}", "1", 1000 + number, bytes([number]))
            assert await store.keep_review("r3", "1", 2000, b"again")
        async with open_store(url) as store:
            found = [await store.review(f"r{number}", "1") for number in range(5)]
            assert found == [None, None, b"\x02", b"again", b"\x04"]
            assert await store.review("r3", "2") is None  # another version thinks otherwise

    asyncio.run(story())


def test_the_tables_of_the_first_version_are_brought_up_to_date(url: URL) -> None:
    async def story() -> None:
        engine = create_async_engine(url)
        async with engine.connect() as connection:
            await connection.run_sync(lambda sync: migrations.upgrade(sync, "0001"))
            await connection.execute(
                text(
                    "INSERT INTO matches (id, game, start, hidden, secret_order, secret_salt, created, changes, over)"
                    " VALUES ('old', 'any', '{}', false, '', '', 1, 0, false)"
                )
            )
            await connection.commit()
        await engine.dispose()
        async with open_store(url) as store:
            found = await store.load("old")
            assert found is not None
            assert found.match.spectators

    asyncio.run(story())


def test_migrations_make_the_tables_that_the_code_expects(url: URL) -> None:
    async def story() -> list[Any]:
        async with open_store(url):
            pass
        async with open_store(url):  # a second start finds nothing to do
            pass
        engine = create_async_engine(url)
        async with engine.connect() as connection:
            found = await connection.run_sync(
                lambda sync: compare_metadata(MigrationContext.configure(sync, opts={"compare_type": True}), metadata)
            )
        await engine.dispose()
        return list(found)

    assert asyncio.run(story()) == []
    script = ScriptDirectory(str(Path(migrations.__file__).parent))
    assert script.get_current_head() == migrations.HEAD


def test_what_cannot_be_read_is_said_in_a_sentence(url: URL) -> None:
    async def read() -> None:
        async with open_store(url) as store:
            assert await new(store, "first")
            async with store._engine.begin() as connection:
                await connection.execute(text("DROP TABLE steps"))
            for reading in (store.load("first"), store.matches_of(["h"], 10)):
                with pytest.raises(UnavailableError, match="please try again"):
                    await reading

    asyncio.run(read())
