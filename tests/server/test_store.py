"""The store, with the same tests against SQLite and a real PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, text
from sqlalchemy.ext.asyncio import create_async_engine

from kit.stores import drop_tables, open_store
from limina.server.errors import UnavailableError
from limina.server.model import Change, SavedMatch, SavedReview, SavedStep, Seat
from limina.server.settings import Settings
from limina.server.storage import migrations, url_of
from limina.server.storage.tables import metadata


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[URL]:
    if request.param == "sqlite":
        yield url_of(Settings(data=tmp_path))
        return
    url = url_of(Settings(database=request.getfixturevalue("postgres")))
    yield url
    asyncio.run(drop_tables(url))


def begun(match: str, *, key_hash: str = "h", created: int = 1000) -> Change:
    """A match of one seat that begins."""
    seats = (Seat("person", "Ada", key_hash=key_hash),)
    order = ("2", "1")
    return Change(match, begins=SavedMatch(match, "any", {}, {}, False, True, order, "ab", created, seats))


def a_step(number: int, key: str | None = None, at: int = 2000) -> SavedStep:
    return SavedStep(number, number + 1, 0, "d4r0", key, at)


def stepped(match: str, *steps: SavedStep) -> Change:
    return Change(match, steps=steps)


def test_what_is_saved_is_there_after_a_restart(url: URL) -> None:
    async def story() -> None:
        async with open_store(url) as store:
            assert await store.save(begun("first"))
            assert await store.save(stepped("first", a_step(0, "k"), a_step(1)))
            assert await store.save(Change("first", seated=(0, Seat("person", "Ben")), over=True))
        async with open_store(url) as store:
            found = await store.load("first")
            assert found is not None
            assert (found.over, found.seats[0].name) == (True, "Ben")
            assert [(step.number, step.key) for step in found.steps] == [(0, "k"), (1, None)]
            assert await store.load("other") is None

    asyncio.run(story())


@pytest.mark.parametrize("order", [(), ("2", "1"), ("a1R b2K", "x"), ("1, 2", "3"), ("[", ""), ("",)])
def test_whatever_chance_will_do_is_read_as_it_was_written(url: URL, order: tuple[str, ...]) -> None:
    async def story() -> None:
        async with open_store(url) as store:
            begins = begun("first").begins
            assert begins is not None
            steps = (SavedStep(0, 1, None, "x" * 1000, None, 1),)
            assert await store.save(Change("first", begins=replace(begins, order=order), steps=steps))
            found = await store.load("first")
            assert found == replace(begins, order=order, steps=steps)

    asyncio.run(story())


def test_what_cannot_be_saved_fails_alone(url: URL) -> None:
    async def story() -> None:
        async with open_store(url) as store:
            assert await store.save(begun("first"))
            assert await store.save(stepped("first", a_step(0, "k")))
            wanted = [
                store.save(stepped("first", a_step(1))),
                store.save(stepped("first", a_step(0))),  # taken
                store.save(stepped("nowhere", a_step(0))),  # no such match
                store.save(stepped("first", a_step(2, "k"))),  # the key is used
            ]
            wanted += [
                store.save(stepped("first", a_step(2)), after=wanted[-1]),
                store.save(stepped("first", a_step(3, "l")), after=wanted[0]),
            ]
            assert await asyncio.gather(*wanted) == [True, False, False, False, False, True]
            found = await store.load("first")
            assert found is not None
            assert [step.number for step in found.steps] == [0, 1, 3]

    asyncio.run(story())


def test_what_builds_on_something_that_was_not_saved_fails_with_it(url: URL) -> None:
    async def story() -> None:
        async with open_store(url) as store:
            assert await store.save(begun("first"))
            known = asyncio.Event()
            lost = store.save(stepped("first", a_step(0)), stepped("nowhere", a_step(0)))
            lost.add_done_callback(lambda _: known.set())
            chain = [lost]
            for number in range(3):
                chain.append(store.save(stepped("first", a_step(number)), after=chain[-1]))
            await known.wait()
            chain.append(store.save(stepped("first", a_step(3)), after=lost))  # long after it is known
            assert await asyncio.gather(*chain) == [False] * 5
            # Nothing of it is there, and whoever begins anew is saved.
            assert await store.save(stepped("first", a_step(0)))
            found = await store.load("first")
            assert found is not None
            assert [step.number for step in found.steps] == [0]

    asyncio.run(story())


def test_the_answers_come_in_the_order_of_the_commits(url: URL) -> None:
    async def story() -> list[int]:
        told: list[int] = []
        async with open_store(url) as store:
            assert await store.save(begun("first"))
            saves = [store.save(stepped("first", a_step(number))) for number in range(20)]
            for number, saved in enumerate(saves):
                saved.add_done_callback(partial(lambda number, _: told.append(number), number))
            assert all(await asyncio.gather(*saves))
        return told

    assert asyncio.run(story()) == list(range(20))


def test_writes_that_arrive_together_share_a_commit(url: URL) -> None:
    async def story() -> None:
        async with open_store(url) as store:
            assert await store.save(begun("first"))
            before = store.commits
            results = await asyncio.gather(*(store.save(stepped("first", a_step(n))) for n in range(300)))
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
                assert await store.save(begun(match, key_hash=f"h{number % 2}", created=1000 + number))
            assert await store.save(stepped("one", a_step(0, at=5000)))
            assert await store.matches_of(["h0"], 10) == [("one", 5000), ("three", 1002)]
            assert [match for match, _ in await store.matches_of(["h0", "h1"], 2)] == ["one", "three"]
            assert await store.matches_of([], 10) == []

    asyncio.run(story())


def test_the_latest_reviews_are_kept_and_no_more(url: URL, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("limina.server.storage.store.MOST_REVIEWS", 3)

    async def story() -> None:
        async with open_store(url) as store:
            for number in range(5):
                assert await store.save(SavedReview(f"r{number}", "1", 1000 + number, bytes([number])))
            assert await store.save(SavedReview("r3", "1", 2000, b"again"))
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
            assert found.spectators

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
            assert await store.save(begun("first"))
            async with store._engine.begin() as connection:
                await connection.execute(text("DROP TABLE steps"))
            for reading in (store.load("first"), store.matches_of(["h"], 10)):
                with pytest.raises(UnavailableError, match="please try again"):
                    await reading

    asyncio.run(read())
