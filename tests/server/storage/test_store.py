"""The store, with the same tests on SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, text
from sqlalchemy.ext.asyncio import create_async_engine

from limina.server.errors import UnavailableError
from limina.server.model import Append, Event, FailedBot, NewMatch, SavedMatch, Seat
from limina.server.settings import ServerSettings
from limina.server.storage import Store, WriteResult, migrations, url_of
from limina.server.storage.database import make_engine
from limina.server.storage.decks import DeckRepository, SavedDeck
from limina.server.storage.maintenance import prune_decks
from limina.server.storage.reviews import ReviewRepository, SavedReview
from limina.server.storage.tables import metadata
from limina.server.storage.transactions import Transactions
from support.database.stores import drop_tables, open_store

COMMITTED, CONFLICT, FAILED = WriteResult.COMMITTED, WriteResult.CONFLICT, WriteResult.FAILED


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[URL]:
    if request.param == "sqlite":
        yield url_of(ServerSettings(data=tmp_path))
        return
    url = url_of(ServerSettings(database=request.getfixturevalue("postgres")))
    yield url
    asyncio.run(drop_tables(url))


def created(
    match: str, *, token_hash: str = "h", created_at: int = 1000, chance_outcomes: tuple[str, ...] = ("2", "1")
) -> SavedMatch:
    """Return a match of one seat with its first event."""
    events = (Event(0, "created", created_at, seats=(Seat("person", "Ada", token_hash=token_hash),)),)
    return SavedMatch(match, "any", {}, {}, False, True, chance_outcomes, "ab", created_at, events)


def new(match: str, **more: Any) -> NewMatch:
    return NewMatch(created(match, **more))


def turn(index: int, key: str | None = None, at: int = 2000) -> Event:
    return Event(index, "turn", at, 0, "d4r0", key)


def append(match: str, *events: Event, expected: int | None = None, **more: Any) -> Append:
    return Append(match, events[0].event_index - 1 if expected is None else expected, events, **more)


async def event_indices(store: Store, match: str) -> list[int]:
    saved = await store.load(match)
    assert saved is not None
    assert (await store.versions([match])) == {match: saved.version}
    return [event.event_index for event in saved.events]


def test_a_match_is_loaded_as_it_was_saved(url: URL) -> None:
    ben = Seat("person", "Ben", token_hash="b")
    solid = Seat("bot", "solid", "solid", failed=FailedBot("careful", "unavailable", 3))
    log = (
        turn(1, "k"),
        Event(2, "chance", 2001, None, "x" * 1000),
        Event(3, "seat_taken", 2002, 0, seats=(ben,)),
        Event(4, "bot_replaced", 2003, 0, seats=(solid,)),
    )

    async def scenario() -> None:
        async with open_store(url) as store:
            assert await store.write(new("first")) is COMMITTED
            assert await store.write(append("first", *log, is_over=True)) is COMMITTED
            rematch = append("first", Event(5, "rematch", 3, payload="next"), is_over=True, rematch=new("next"))
            assert await store.write(rematch) is COMMITTED
        async with open_store(url) as store:
            saved = await store.load("first")
            assert saved is not None
            assert (saved.is_over, saved.version) == (True, 5)
            assert saved.events[1:5] == log
            assert saved.events[5].payload == "next"
            assert await store.load("next") == created("next")
            assert await store.load("other") is None

    asyncio.run(scenario())


@pytest.mark.parametrize("order", [(), ("2", "1"), ("a1R b2K", "x"), ("1, 2", "3"), ("[", ""), ("",)])
def test_outcomes_of_chance_are_loaded_as_they_were_saved(url: URL, order: tuple[str, ...]) -> None:
    async def scenario() -> None:
        async with open_store(url) as store:
            assert await store.write(new("first", chance_outcomes=order)) is COMMITTED
            assert await store.load("first") == created("first", chance_outcomes=order)

    asyncio.run(scenario())


def test_an_invalid_write_fails_alone(url: URL) -> None:
    async def scenario() -> None:
        async with open_store(url) as store:
            for match in ("first", "second", "third"):
                assert await store.write(new(match)) is COMMITTED
            assert await store.write(append("first", turn(1, "k"))) is COMMITTED
            writes = [
                store.write(append("first", turn(2, "k"))),  # the idempotency key is used
                store.write(new("second")),  # it exists
                store.write(append("second", turn(1))),
                store.write(append("third", turn(1, "l"), turn(2, "l"))),  # both or none
                store.write(append("nowhere", turn(1))),  # no such match
            ]
            assert await asyncio.gather(*writes) == [FAILED, FAILED, COMMITTED, FAILED, CONFLICT]
            assert [await event_indices(store, match) for match in ("first", "second", "third")] == [
                [0, 1],
                [0, 1],
                [0],
            ]

    asyncio.run(scenario())


def test_of_appends_at_the_same_version_only_one_is_committed(url: URL) -> None:
    async def scenario() -> None:
        async with open_store(url) as store:
            for match in ("first", "other"):
                assert await store.write(new(match)) is COMMITTED
            writes = [
                store.write(append("first", turn(1, "a"), Event(2, "chance", 1, None, "2"))),
                store.write(append("first", turn(1, "b"), Event(2, "chance", 1, None, "3"))),
                store.write(append("other", turn(1))),
                store.write(append("first", Event(1, "rematch", 1, payload="next"), rematch=new("next"))),
                store.write(append("first", turn(3))),  # follows the first one and is written after it
            ]
            assert await asyncio.gather(*writes) == [COMMITTED, CONFLICT, COMMITTED, CONFLICT, COMMITTED]
            assert await store.write(append("first", turn(5))) is CONFLICT  # an event is missing
            saved = await store.load("first")
            assert saved is not None
            assert [(event.event_index, event.idempotency_key, event.payload) for event in saved.events[1:]] == [
                (1, "a", "d4r0"),
                (2, None, "2"),
                (3, None, "d4r0"),
            ]
            assert await store.load("next") is None

    asyncio.run(scenario())


def test_events_since_versions(url: URL) -> None:
    async def scenario() -> None:
        async with open_store(url) as store:
            for match in ("one", "two", "three"):
                assert await store.write(new(match)) is COMMITTED
            for index in range(1, 4):
                assert await store.write(append("one", turn(index))) is COMMITTED
            assert await store.write(append("two", turn(1), turn(2))) is COMMITTED
            assert await store.versions(["one", "two", "three", "four"]) == {"one": 3, "two": 2, "three": 0}
            news = await store.events_since({"one": 1, "two": 2, "three": 0, "four": 0})
            assert news == {"one": [turn(2), turn(3)], "two": [], "three": [], "four": []}

    asyncio.run(scenario())


def test_results_arrive_in_the_order_of_the_commits(url: URL) -> None:
    async def scenario() -> list[int]:
        settled: list[int] = []
        async with open_store(url) as store:
            assert await store.write(new("first")) is COMMITTED
            writing = [store.write(append("first", turn(index))) for index in range(1, 21)]
            for index, write in enumerate(writing):
                write.add_done_callback(partial(lambda index, _: settled.append(index), index))
            assert set(await asyncio.gather(*writing)) == {COMMITTED}
        return settled

    assert asyncio.run(scenario()) == list(range(20))


def test_concurrent_writes_share_a_commit(url: URL) -> None:
    async def scenario() -> None:
        async with open_store(url) as store:
            names = [f"match{index}" for index in range(300)]
            before = store.commits
            assert set(await asyncio.gather(*(store.write(new(name)) for name in names))) == {COMMITTED}
            assert set(await asyncio.gather(*(store.write(append(name, turn(1))) for name in names))) == {COMMITTED}
            assert store.commits - before <= 6
            assert await store.versions(names) == dict.fromkeys(names, 1)

    asyncio.run(scenario())


def test_a_write_after_close_fails_at_once(url: URL) -> None:
    async def scenario() -> None:
        async with open_store(url) as store:
            pass
        writing = store.write(new("late"))
        assert writing.done()
        assert writing.result() is WriteResult.FAILED

    asyncio.run(scenario())


def test_pending_writes_fail_when_the_write_loop_is_canceled(url: URL) -> None:
    async def scenario() -> None:
        async with open_store(url) as store:
            assert store._task is not None
            writing, held = asyncio.Event(), asyncio.Event()

            async def never(items: object) -> list[bool]:
                writing.set()
                await held.wait()
                return []

            store._writer.commit = never  # type: ignore[method-assign]
            first = store.write(new("one"))
            await writing.wait()
            second = store.write(new("two"))
            store._task.cancel()
            assert set(await asyncio.gather(first, second)) == {WriteResult.FAILED}
            await asyncio.wait([store._task])
            assert await store.write(new("three")) is WriteResult.FAILED

    asyncio.run(scenario())


def test_matches_by_token_are_sorted_by_time(url: URL) -> None:
    async def scenario() -> None:
        async with open_store(url) as store:
            for index, match in enumerate(("one", "two", "three")):
                assert await store.write(new(match, token_hash=f"h{index % 2}", created_at=1000 + index)) is COMMITTED
            assert await store.write(append("one", turn(1, at=5000))) is COMMITTED
            assert await store.matches_by_token(["h0"], 10) == [("one", 1, 5000), ("three", 0, 1002)]
            assert [match for match, *_ in await store.matches_by_token(["h0", "h1"], 2)] == ["one", "three"]
            assert await store.matches_by_token([], 10) == []
            ben = Event(1, "seat_taken", 6000, 0, seats=(Seat("person", "Ben", token_hash="h2"),))
            assert await store.write(append("two", ben)) is COMMITTED
            assert await store.matches_by_token(["h2", "h1"], 10) == [("two", 1, 6000)]

    asyncio.run(scenario())


def test_only_the_latest_reviews_stay_in_the_database(url: URL, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("limina.server.storage.reviews.MAX_REVIEWS", 3)

    async def scenario() -> None:
        async with open_store(url) as store:
            for index in range(5):
                await store.reviews.save_review(SavedReview(f"r{index}", "1", 1000 + index, bytes([index])))
            await store.reviews.save_review(SavedReview("r3", "1", 2000, b"again"))
        async with open_store(url) as store:
            reviews = [await store.reviews.review(f"r{index}", "1") for index in range(5)]
            assert reviews == [None, None, b"\x02", b"again", b"\x04"]
            assert await store.reviews.review("r3", "2") is None  # no review of this version

    asyncio.run(scenario())


def test_saving_decks_and_reviews_in_opposite_orders_never_deadlocks(url: URL, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host removes decks meanwhile."""
    monkeypatch.setattr("limina.server.storage.decks.MAX_DECKS", 25)
    monkeypatch.setattr("limina.server.storage.reviews.MAX_REVIEWS", 25)
    decks = [SavedDeck(f"{index:03}", "limes", ("F",), index) for index in range(40)]
    saved = [SavedReview(deck.id, "1", deck.used_at, b"") for deck in decks]

    async def scenario() -> None:
        async with open_store(url):
            pass
        engines = [make_engine(url) for _ in range(2)]
        processes = [Transactions(engine) for engine in engines]
        for _ in range(3):
            saving = []
            for transactions, step in zip(processes, (1, -1), strict=True):
                saving += [DeckRepository(transactions).save_deck(deck) for deck in decks[::step]]
                saving += [ReviewRepository(transactions).save_review(review) for review in saved[::step]]
            await asyncio.gather(*saving, prune_decks(url, 20))
        for engine in engines:
            await engine.dispose()
        async with open_store(url) as store:
            assert await store.decks.deck("039") == decks[-1]
            assert await store.reviews.review("039", "1") == b""
            assert await store.reviews.review("000", "1") is None

    asyncio.run(scenario())


def test_reviews_and_decks_are_saved_beside_turns(url: URL) -> None:
    decks = [SavedDeck(f"{index:03}", "limes", ("F", "W"), 1000 + index) for index in range(40)]
    saved = [SavedReview(deck.id, "1", deck.used_at, deck.id.encode()) for deck in decks]
    names = [f"match{index}" for index in range(20)]

    async def play(store: Store, match: str) -> None:
        assert await store.write(new(match)) is COMMITTED
        for index in range(1, 21):
            assert await store.write(append(match, turn(index))) is COMMITTED

    async def scenario() -> None:
        async with open_store(url) as store:
            saving = [
                *(store.decks.save_deck(deck) for deck in decks),
                *(store.reviews.save_review(review) for review in saved),
            ]
            await asyncio.gather(*(play(store, match) for match in names), *saving)
        async with open_store(url) as store:
            assert await store.versions(names) == dict.fromkeys(names, 20)
            assert [await store.decks.deck(deck.id) for deck in decks] == decks
            assert [await store.reviews.review(review.review_id, "1") for review in saved] == [
                review.lines for review in saved
            ]

    asyncio.run(scenario())


def test_decks_that_wait_for_a_locked_file_fail_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("limina.server.storage.transactions._TIMEOUT_SECONDS", 3.0)
    decks = [SavedDeck(str(index), "limes", ("F",), index) for index in range(40)]

    async def scenario() -> None:
        async with open_store(tmp_path) as store:
            await store.decks.save_deck(decks[0])
            with closing(sqlite3.connect(tmp_path / "limina.sqlite", isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                saving = asyncio.gather(*map(store.decks.save_deck, decks), return_exceptions=True)
                reading = [store.decks.deck("0") for _ in range(20)]
                read = await asyncio.gather(*reading, return_exceptions=True)
                early = saving.done()
                failed = {type(error) for error in await saving}
            assert read == [decks[0]] * 20
            assert (early, failed) == (False, {UnavailableError})
            assert "database write failed: TimeoutError" in caplog.text
            await store.decks.save_deck(decks[1])  # the failed writes hold no lock
            assert await store.decks.deck("1") == decks[1]

    asyncio.run(scenario())


def test_a_deck_waits_for_another_program_that_writes(tmp_path: Path) -> None:
    deck = SavedDeck("1", "limes", ("F",), 1)

    async def scenario() -> None:
        async with open_store(tmp_path) as store:
            with closing(sqlite3.connect(tmp_path / "limina.sqlite", isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                saving = asyncio.create_task(store.decks.save_deck(deck))
                done, _ = await asyncio.wait([saving], timeout=0.5)
                assert not done
            await saving
            assert await store.decks.deck("1") == deck

    asyncio.run(scenario())


def test_columns_may_be_in_any_order(url: URL) -> None:
    moved = {
        "matches": "hidden_turns BOOLEAN NOT NULL DEFAULT FALSE",
        "events": "kind VARCHAR(10) NOT NULL DEFAULT ''",
        "decks": "game VARCHAR(40) NOT NULL DEFAULT ''",
    }
    deck = SavedDeck("1", "limes", ("F",), 1)

    async def scenario() -> None:
        async with open_store(url):
            pass
        engine = create_async_engine(url)
        async with engine.begin() as connection:
            for table, column in moved.items():
                await connection.execute(text(f"ALTER TABLE {table} DROP COLUMN {column.split()[0]}"))
                await connection.execute(text(f"ALTER TABLE {table} ADD COLUMN {column}"))
        await engine.dispose()
        async with open_store(url) as store:
            assert await store.write(new("first")) is COMMITTED
            assert await store.write(append("first", turn(1))) is COMMITTED
            await store.decks.save_deck(deck)
            saved = await store.load("first")
            assert saved is not None
            assert saved.events == (*created("first").events, turn(1))
            assert await store.decks.deck("1") == deck

    asyncio.run(scenario())


def test_migrations_create_the_tables_of_the_code(url: URL) -> None:
    async def scenario() -> list[Any]:
        async with open_store(url):
            pass
        async with open_store(url):  # a second start finds nothing to do
            pass
        engine = create_async_engine(url)
        async with engine.connect() as connection:
            differences = await connection.run_sync(
                lambda sync: compare_metadata(MigrationContext.configure(sync, opts={"compare_type": True}), metadata)
            )
        await engine.dispose()
        return list(differences)

    assert asyncio.run(scenario()) == []
    script = ScriptDirectory(str(Path(migrations.__file__).parent))
    assert script.get_current_head() == migrations.HEAD


def test_a_failed_read_is_one_sentence(url: URL) -> None:
    async def read() -> None:
        async with open_store(url) as store:
            assert await store.write(new("first")) is COMMITTED
            async with store._engine.begin() as connection:
                await connection.execute(text("DROP TABLE events"))
            for reading in (store.load("first"), store.matches_by_token(["h"], 10)):
                with pytest.raises(UnavailableError, match="please try again"):
                    await reading

    asyncio.run(read())


def test_failed_reads_and_writes_of_repositories_are_one_sentence(url: URL, caplog: pytest.LogCaptureFixture) -> None:
    deck, review = SavedDeck("1", "limes", ("F",), 1), SavedReview("1", "1", 1, b"")

    async def scenario() -> None:
        async with open_store(url) as store:
            async with store._engine.begin() as connection:
                for table in ("decks", "reviews"):
                    await connection.execute(text(f"DROP TABLE {table}"))
            for what, failing in (
                ("write", store.decks.save_deck(deck)),
                ("write", store.reviews.save_review(review)),
                ("read", store.decks.deck("1")),
                ("read", store.reviews.review("1", "1")),
            ):
                caplog.clear()
                with pytest.raises(UnavailableError, match="please try again"):
                    await failing
                assert re.search(f"database {what} failed: .*(decks|reviews)", caplog.text)

    asyncio.run(scenario())
