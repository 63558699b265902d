"""Databases of earlier versions are read as those versions read them: the same versions, seats and answers.

`released/0.1.0.sql` is what a server of 0.1.0 left behind after games with people, bots, bots that were taken away, a
rematch and open seats; `released/0.1.0.json` is what it said of them itself after a restart. `released/0005.*` are the
same of the last code that wrote the tables of revision 0005, with a review.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import URL, MetaData, insert
from sqlalchemy.ext.asyncio import create_async_engine

from kit.authorities import play
from kit.stores import drop_tables, open_store
from kit.workers import until_jobs
from limina.errors import LiminaError
from limina.record import Record
from limina.server.backend import Backend
from limina.server.live import messages
from limina.server.matches import BotRunner, MatchService, visibility
from limina.server.matches.match import hash_of
from limina.server.settings import Settings
from limina.server.storage import Store, migrations, url_of

RELEASED = Path(__file__).parent / "released"
TABLES = ("matches", "seats", "steps", "reviews")
DATABASES = ["sqlite", pytest.param("copied", marks=pytest.mark.postgres)]
Said = list[dict[str, Any]]


@pytest.fixture(params=["0.1.0", "0005"])
def release(request: pytest.FixtureRequest) -> str:
    """Which of them."""
    return str(request.param)


@pytest.fixture
def said(release: str) -> Said:
    """What it said itself."""
    found: Said = json.loads((RELEASED / f"{release}.json").read_text())
    return found


@pytest.fixture
def sqlite(tmp_path: Path, release: str) -> URL:
    """The file as it was."""
    with closing(sqlite3.connect(tmp_path / "limina.sqlite")) as connection:
        connection.executescript((RELEASED / f"{release}.sql").read_text())
    return url_of(Settings(data=tmp_path))


@pytest.fixture
def copied(sqlite: URL, postgres: str) -> Iterator[URL]:
    """The same rows in the tables that it made in a PostgreSQL."""
    url = url_of(Settings(database=postgres))
    asyncio.run(drop_tables(url))
    asyncio.run(_copy(sqlite, url))
    yield url
    asyncio.run(drop_tables(url))


async def _copy(source: URL, target: URL) -> None:
    assert source.database is not None
    engine = create_async_engine(target)
    async with engine.begin() as connection:
        with closing(sqlite3.connect(source.database)) as old:
            (revision,) = old.execute("SELECT version_num FROM alembic_version").fetchone()
            await connection.run_sync(lambda sync: migrations.upgrade(sync, revision))
            tables = MetaData()
            await connection.run_sync(tables.reflect)
            old.row_factory = sqlite3.Row
            for name in TABLES:
                # A match names its rematch, which is younger: the youngest first.
                for row in old.execute(f"SELECT * FROM {name} ORDER BY rowid DESC"):
                    table, values = tables.tables[name], dict(row)
                    for key, value in values.items():
                        if value is not None:  # SQLite has numbers where others have true and false
                            values[key] = table.columns[key].type.python_type(value)
                    await connection.execute(insert(table).values(**values))
    await engine.dispose()


async def _ask(url: URL, said: Said) -> Said:
    """What is said now of the matches, and to turns that are sent again."""
    found = []
    async with open_store(url) as store:
        authority = MatchService(store)
        for each in said:
            loaded = await authority.get(each["state"]["match"])
            match = loaded.match
            mine = match.seats_of(each["keys"])
            state = json.loads(json.dumps(visibility.state(match, mine)))
            turns = []
            for turn in (one["turn"] for one in each["turns"]):
                played = await play(authority, loaded, mine, turn["seat"], turn["number"], turn["turn"], turn["key"])
                turns.append({"turn": turn, "said": messages.played(turn["key"], played)})
            # What is laid before the first turn was not told as a step by 0.1.0.
            state["steps"] = state["steps"][match.steps_in_start :]
            kept = {key: state[key] for key in each["state"]}
            found.append({"keys": each["keys"], "state": kept, "turns": turns})
        await authority.close()
    return found


@pytest.mark.parametrize("database", DATABASES)
def test_a_database_of_an_earlier_version_is_read_as_it_read_it(
    database: str, said: Said, request: pytest.FixtureRequest
) -> None:
    url: URL = request.getfixturevalue(database)
    assert asyncio.run(_ask(url, said)) == said
    assert asyncio.run(_ask(url, said)) == said, "a second start finds the same"


@pytest.mark.parametrize("database", DATABASES)
def test_matches_of_an_earlier_version_are_played_on(database: str, said: Said, request: pytest.FixtureRequest) -> None:
    url: URL = request.getfixturevalue(database)

    async def play_on() -> None:
        backend = Backend(Store(url), BotRunner())
        await backend.start()
        try:
            store, authority = backend.store, backend.matches
            for each in said:
                loaded = await authority.get(each["state"]["match"])
                match = loaded.match
                if not match.full:
                    await authority.join(loaded, "Ben")
                for seat in match.to_move:
                    if match.seats[seat].kind == "person":
                        turn = str(match.shown.position.legal_turns(seat)[0])
                        await play(authority, loaded, (seat,), seat, match.shown.turns[seat], turn, "one more")
                        break
            await until_jobs(store, 0)
            again = MatchService(store)
            for each in said:
                match, found = [(await one.get(each["state"]["match"])).match for one in (authority, again)]
                everybody = tuple(range(len(match.seats)))
                assert visibility.state(found, everybody) == visibility.state(match, everybody)
                assert found.played == match.played
                assert match.over or match.version > each["state"]["version"]
                record = visibility.record(found, everybody)
                assert Record.from_json(record.to_json()).end == found.shown.position
            await again.close()
        finally:
            await backend.stop()

    asyncio.run(play_on())


@pytest.mark.parametrize("database", DATABASES)
def test_a_match_of_an_earlier_version_becomes_a_log_without_gaps(
    database: str, release: str, said: Said, request: pytest.FixtureRequest
) -> None:
    url: URL = request.getfixturevalue(database)

    async def logs() -> dict[str, list[str]]:
        async with open_store(url) as store:
            found: dict[str, list[str]] = {}
            for each in said:
                saved = await store.load(each["state"]["match"])
                assert saved is not None
                assert [event.number for event in saved.events] == list(range(each["state"]["version"] + 1))
                found[saved.id] = [event.kind for event in saved.events]
                held = await store.matches_of([hash_of(key) for key in each["keys"]], 10)
                assert saved.id in [match for match, *_ in held]
            return found

    found = asyncio.run(logs())
    if release == "0005":
        assert found["fhZriXxsQs9f"] == ["created", "drawn"]
        assert found["9thI7XEtmL0o"][:3] == ["created", "seated", "drawn"]
        assert found["w601kzR8cZXy"][-1] == "rematch"
        assert found["-M0X3LGcFz5l"].count("replaced") == 1
        return
    assert found["9fy8QiRWozMv"] == ["created"]
    assert found["kg4ChlYAWtwF"][:4] == ["created", "seated", "seated", "drawn"]
    assert [found["8krGneZVXNak"][number] for number in (0, 6, -1)] == ["created", "replaced", "rematch"]
    assert found["5LrvGyILfxoQ"].count("replaced") == 2


def test_a_migration_that_fails_leaves_everything_as_it_was(sqlite: URL, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sqlite.database is not None

    def dump() -> list[str]:
        with closing(sqlite3.connect(str(sqlite.database))) as connection:
            return list(connection.iterdump())

    async def start() -> None:
        async with open_store(sqlite):
            pass

    before = dump()
    with monkeypatch.context() as broken:
        broken.setattr("alembic.op.bulk_insert", lambda *_: 1 // 0)
        with pytest.raises(LiminaError, match="the database cannot be used"):
            asyncio.run(start())
    assert dump() == before
    asyncio.run(start())
    assert dump() != before
