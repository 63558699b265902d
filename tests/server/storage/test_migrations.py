"""Databases and backups of earlier versions become databases of this version, with the same content.

A server of ad8e262, the last code with the tables of revision 0008, made the files `earlier_versions/0008.*`. It was
killed while bots were to move in seven matches. There are matches with two and three seats, hidden turns, a shared
deck, open seats, take-backs, a bot that failed and a hosted bot, and a finished match with a review and a rematch.

- `0008.sql`: its SQLite file.
- `0008.json`: the state and the turns that it returned to each person in a seat, in today's names.
- `0008.backup.gz`: the backup that its `limina db backup` made of the same content in PostgreSQL.
- `0008.queue.sql`: the tables of its job queue in PostgreSQL, with the jobs of the bots to move.
- `0009.backup.gz`: a backup of the same content after the migration to revision 0009, from PostgreSQL.
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

from limina.bots.base import BotErrorKind
from limina.cli import main
from limina.core.record import Record
from limina.errors import LiminaError
from limina.server.backend import Backend
from limina.server.live import messages
from limina.server.matches import BotRunner, MatchService, visibility
from limina.server.matches.match import hash_seat_token
from limina.server.model import Event, EventKind, FailedBot, SavedMatch, Seat
from limina.server.settings import ServerSettings
from limina.server.storage import Store, migrations, url_of
from support.database.databases import Database, DbCommand
from support.database.stores import drop_tables, open_store
from support.server.job_workers import until_job_count
from support.server.match_services import RNG, choose_turn, play

EARLIER_VERSIONS = Path(__file__).parent / "earlier_versions"
TABLES = ("matches", "events", "keys", "reviews", "decks")
DATABASES = ["sqlite", pytest.param("copied", marks=pytest.mark.postgres)]
RESTORED = ["restored_file", pytest.param("restored_postgres", marks=pytest.mark.postgres)]
REVISIONS = ["0008", "0009"]
Answers = list[dict[str, Any]]


@pytest.fixture
def answers() -> Answers:
    """The answers of the server of ad8e262."""
    content: Answers = json.loads((EARLIER_VERSIONS / "0008.json").read_text())
    return content


@pytest.fixture
def sqlite(tmp_path: Path) -> URL:
    """The SQLite file of ad8e262."""
    with closing(sqlite3.connect(tmp_path / "limina.sqlite")) as connection:
        connection.executescript((EARLIER_VERSIONS / "0008.sql").read_text())
    return url_of(ServerSettings(data=tmp_path))


@pytest.fixture
def copied(sqlite: URL, postgres: str) -> Iterator[URL]:
    """A PostgreSQL with the same rows."""
    url = url_of(ServerSettings(database=postgres))
    asyncio.run(drop_tables(url))
    asyncio.run(_copy(sqlite, url))
    asyncio.run(_execute_script(url, (EARLIER_VERSIONS / "0008.queue.sql").read_text()))
    yield url
    asyncio.run(drop_tables(url))


@pytest.fixture
def revision() -> str:
    """The revision of the backup to restore, unless a test has this parameter."""
    return "0008"


@pytest.fixture
def restored_file(revision: str, tmp_path: Path) -> URL:
    """An SQLite file into which a backup was restored."""
    data = tmp_path / "restored"
    _restore(revision, "--data", str(data))
    return url_of(ServerSettings(data=data))


@pytest.fixture
def restored_postgres(revision: str, postgres: str) -> Iterator[URL]:
    """A PostgreSQL into which a backup was restored."""
    url = url_of(ServerSettings(database=postgres))
    asyncio.run(drop_tables(url))
    _restore(revision, "--database", postgres)
    yield url
    asyncio.run(drop_tables(url))


def _restore(revision: str, *database: str) -> None:
    assert main(["db", "restore", *database, str(EARLIER_VERSIONS / f"{revision}.backup.gz")]) == 0


async def _execute_script(url: URL, script: str) -> None:
    """Execute several statements in a PostgreSQL."""
    engine = create_async_engine(url)
    async with engine.connect() as connection:
        driver = (await connection.get_raw_connection()).driver_connection
        assert driver is not None
        await driver.execute(script)
    await engine.dispose()


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
                for row in old.execute(f"SELECT * FROM {name}"):
                    table, values = tables.tables[name], dict(row)
                    for key, value in values.items():
                        if value is not None:  # SQLite stores booleans as numbers
                            values[key] = table.columns[key].type.python_type(value)
                    await connection.execute(insert(table).values(**values))
    await engine.dispose()


async def _answer(url: URL, answers: Answers) -> Answers:
    """Return what this version answers: the states of the matches, and the results of turns that are sent again."""
    result = []
    async with open_store(url) as store:
        service = MatchService(store)
        for answer in answers:
            loaded = await service.get(answer["state"]["match_id"])
            match = loaded.match
            own_seats = match.seats_of(answer["keys"])
            state = json.loads(json.dumps(visibility.state(match, own_seats)))
            turns = []
            for turn in (sent["turn"] for sent in answer["turns"]):
                key = turn["idempotency_key"]
                played = await play(
                    service, loaded, own_seats, turn["seat_index"], turn["turn_index"], turn["turn"], key
                )
                turns.append({"turn": turn, "said": messages.saved_turn(key, played)})
            subset = {name: state[name] for name in answer["state"]}
            result.append({"keys": answer["keys"], "state": subset, "turns": turns})
        await service.close()
    return result


@pytest.mark.parametrize("database", DATABASES)
def test_a_database_of_an_earlier_version_has_the_same_states(
    database: str, answers: Answers, request: pytest.FixtureRequest
) -> None:
    url: URL = request.getfixturevalue(database)
    assert asyncio.run(_answer(url, answers)) == answers
    assert asyncio.run(_answer(url, answers)) == answers, "a second start changes nothing"


@pytest.mark.parametrize("database", DATABASES)
def test_matches_of_an_earlier_version_go_on(database: str, answers: Answers, request: pytest.FixtureRequest) -> None:
    asyncio.run(_play_on(request.getfixturevalue(database), answers))


async def _play_on(url: URL, answers: Answers) -> None:
    """Let people take the open seats and play one more turn, and the bots answer."""
    backend = Backend(Store(url), BotRunner())
    await backend.start()
    try:
        store, service = backend.store, backend.matches
        for answer in answers:
            loaded = await service.get(answer["state"]["match_id"])
            match = loaded.match
            if not match.is_full:
                await service.join(loaded, "Ben")
            for seat in match.to_move:
                if match.seats[seat].kind == "person":
                    turn, key = str(match.situation.position.legal_turns(seat)[0]), f"one more {match.version}"
                    await play(service, loaded, (seat,), seat, match.situation.turn_counts[seat], turn, key)
                    break
        await until_job_count(store, 0)
        restarted = MatchService(store)
        for answer in answers:
            match, reloaded = [(await one.get(answer["state"]["match_id"])).match for one in (service, restarted)]
            all_seats = tuple(range(len(match.seats)))
            assert visibility.state(reloaded, all_seats) == visibility.state(match, all_seats)
            assert reloaded.played_turns == match.played_turns
            assert match.is_over or match.version > answer["state"]["version"]
            record = visibility.record(reloaded, all_seats)
            assert Record.from_json(record.to_json()).position == reloaded.situation.position
        await restarted.close()
    finally:
        await backend.stop()


@pytest.mark.parametrize("database", DATABASES)
def test_the_log_of_an_earlier_version_has_no_gaps(
    database: str, answers: Answers, request: pytest.FixtureRequest
) -> None:
    url: URL = request.getfixturevalue(database)

    async def logs() -> dict[str, list[str]]:
        async with open_store(url) as store:
            kinds: dict[str, list[str]] = {}
            for answer in answers:
                saved = await store.load(answer["state"]["match_id"])
                assert saved is not None
                assert [event.event_index for event in saved.events] == list(range(answer["state"]["version"] + 1))
                kinds[saved.id] = [event.kind for event in saved.events]
                held = await store.matches_by_token([hash_seat_token(key) for key in answer["keys"]], 10)
                assert saved.id in [match for match, *_ in held]
            return kinds

    kinds = asyncio.run(logs())
    assert kinds["Gonq_XFsXZp_"] == ["created"]
    assert kinds["8je_hhle664r"] == ["created", "chance", "seat_taken"]
    assert kinds["OuLehKjUC4rj"][:4] == ["created", "chance", "turn", "turn"]
    assert kinds["wdPN2hTOlgQm"][-1] == "rematch"
    assert kinds["0dXDrp2VhfOJ"].count("bot_replaced") == 1
    assert kinds["6QrMtjJpbITp"].count("take_back") == kinds["kv9g4AySDb50"].count("take_back") == 1


@pytest.mark.parametrize("database", [*DATABASES, *RESTORED])
def test_bots_to_move_play_after_the_migration(database: str, answers: Answers, request: pytest.FixtureRequest) -> None:
    url: URL = request.getfixturevalue(database)
    before = {answer["state"]["match_id"]: answer["state"] for answer in answers}
    waiting = {name for name, state in before.items() if _bots_to_move(state)}
    assert len(waiting) == 7

    async def start() -> None:
        backend = Backend(Store(url), BotRunner())
        await backend.start()
        try:
            await until_job_count(backend.store, 0)
            for name, was in before.items():
                match = (await backend.matches.get(name)).match
                state = visibility.state(match, tuple(range(len(match.seats))))
                assert not match.bots_to_move()
                assert (match.version > was["version"]) == (name in waiting)
                for seat, level in _bots_to_move(was).items():
                    assert state["seats"][seat]["turn_count"] > was["seats"][seat]["turn_count"]
                    # The hosted bot is no longer offered.
                    failed = state["seats"][seat]["failed_bot"] or {"kind": None}
                    assert failed["kind"] == ("unavailable" if level == "slow" else None)
        finally:
            await backend.stop()

    asyncio.run(start())


def _bots_to_move(state: dict[str, Any]) -> dict[int, str]:
    return {seat: bot for seat in state["to_move"] if (bot := state["seats"][seat]["bot"]) is not None}


@pytest.mark.parametrize("database", DATABASES)
def test_matches_of_0008_can_be_finished(database: str, answers: Answers, request: pytest.FixtureRequest) -> None:
    url: URL = request.getfixturevalue(database)

    async def play_to_end(matches: MatchService, name: str) -> None:
        loaded = await matches.get(name)
        match, all_seats = loaded.match, tuple(range(len(loaded.match.seats)))
        changed = asyncio.Event()
        loaded.subscribers.add(lambda *_: changed.set())
        while not match.is_full:
            await matches.join(loaded, "Cleo")
        while not match.is_over:
            changed.clear()
            people = [seat for seat in match.to_move if match.seats[seat].kind == "person"]
            if people:
                seat = RNG.choice(people)
                number = match.situation.turn_counts[seat]
                await play(matches, loaded, all_seats, seat, number, choose_turn(match, seat), f"end-{match.version}")
            else:
                await changed.wait()
        assert Record.from_json(visibility.record(match, all_seats).to_json()).position.outcome is not None

    async def start() -> None:
        backend = Backend(Store(url), BotRunner())
        await backend.start()
        try:
            async with asyncio.timeout(300):
                names = {answer["state"]["match_id"] for answer in answers}
                await asyncio.gather(*(play_to_end(backend.matches, name) for name in names))
            await until_job_count(backend.store, 0)
        finally:
            await backend.stop()

    asyncio.run(start())


@pytest.mark.parametrize("database", [*DATABASES, *RESTORED])
def test_the_review_and_decks_of_0008_are_migrated(database: str, sqlite: URL, request: pytest.FixtureRequest) -> None:
    with closing(sqlite3.connect(str(sqlite.database))) as connection:
        reviews = connection.execute("SELECT key, version, lines FROM reviews").fetchall()
        decks = connection.execute("SELECT id, game, faces, used FROM decks").fetchall()
    assert (len(reviews), len(decks)) == (1, 2)
    url: URL = request.getfixturevalue(database)

    async def read() -> None:
        async with open_store(url) as store:
            for key, version, lines in reviews:
                assert await store.reviews.review(key, version) == lines
            for deck_id, game, faces, used in decks:
                assert await store.decks.deck(deck_id) == (deck_id, game, tuple(json.loads(faces)), used)

    asyncio.run(read())


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize("database", RESTORED)
def test_a_restored_backup_equals_the_migrated_file(
    database: str, revision: str, answers: Answers, sqlite: URL, db_command: DbCommand, request: pytest.FixtureRequest
) -> None:
    url: URL = request.getfixturevalue(database)
    restored = Database(url, _arguments(url))
    migrated = Database(sqlite, _arguments(sqlite))
    assert db_command.run("migrate", migrated)[0] == 0
    assert restored.contents() == migrated.contents()
    assert db_command.run("check", restored)[:2] == (0, "16 matches with 97 events, 1 review, 2 decks: no damage\n")
    assert asyncio.run(_answer(url, answers)) == answers
    asyncio.run(_play_on(url, answers))


def _arguments(url: URL) -> tuple[str, str]:
    if url.get_backend_name() == "sqlite":
        return "--data", str(Path(str(url.database)).parent)
    return "--database", url.set(drivername="postgresql").render_as_string(hide_password=False)


def test_the_former_job_queue_is_removed_from_postgresql(copied: URL) -> None:
    names = """
        SELECT relname FROM pg_class WHERE relname LIKE 'limina%'
        UNION SELECT proname FROM pg_proc WHERE proname LIKE 'limina%'
        UNION SELECT typname FROM pg_type WHERE typname LIKE '%limina%'
        UNION SELECT tgname FROM pg_trigger WHERE tgname LIKE 'limina%'
    """
    database = Database(copied, _arguments(copied))
    before = {name for (name,) in database.execute(names)}
    assert {"limina_jobs", "limina_jobs_changed", "limina_jobs_status", "limina_job_lines"} <= before

    async def start() -> None:
        async with open_store(copied):
            pass

    asyncio.run(start())
    assert database.execute(names) == []


@pytest.mark.parametrize("operation", ["drop_column", "drop_table"])
def test_a_failed_migration_changes_nothing(operation: str, sqlite: URL, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sqlite.database is not None

    def dump() -> list[str]:
        with closing(sqlite3.connect(str(sqlite.database))) as connection:
            return list(connection.iterdump())

    async def start() -> None:
        async with open_store(sqlite):
            pass

    before = dump()
    with monkeypatch.context() as broken:
        broken.setattr(f"alembic.op.{operation}", lambda *_: 1 // 0)
        with pytest.raises(LiminaError, match="the database cannot be used"):
            asyncio.run(start())
    assert dump() == before
    asyncio.run(start())
    assert dump() != before


NAMES = ['"key_hash": ', '", "how": "late"', '\\"at": 7}', "it's :late", "played"]
"""Names that a person may have entered, with words that a migration replaces elsewhere."""
BOT_ERRORS = {"crashed": "crashed", "late": "timeout", "nonsense": "illegal_turn", "gone": "unavailable"}


@pytest.mark.parametrize("database", DATABASES)
def test_0010_replaces_words_of_the_server_and_no_others(
    database: str, sqlite: URL, request: pytest.FixtureRequest
) -> None:
    seats = [{"kind": "person", "name": name, "key_hash": str(index)} for index, name in enumerate(NAMES)]
    with closing(sqlite3.connect(str(sqlite.database))) as connection, connection:
        old: list[Any] = ["0dXDrp2VhfOJ"]
        connection.execute('DELETE FROM events WHERE "match" = ? AND number > 0', old)
        connection.execute('UPDATE events SET text = ? WHERE "match" = ?', [json.dumps(seats), *old])
        for number, word in enumerate(BOT_ERRORS, 1):
            seat = {"kind": "bot", "name": NAMES[1], "bot": "x", "failed": {"bot": "played", "how": word, "at": number}}
            event = (*old, number, "replaced", 1, json.dumps([seat]), None, number)
            connection.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", event)
        for number, kind in enumerate(("drawn", "played", "taken_back", "rematch"), 5):
            event = (*old, number, kind, None, '"key_hash": ', f"k{number}", number)
            connection.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", event)
    url: URL = request.getfixturevalue(database)

    async def load() -> SavedMatch | None:
        async with open_store(url) as store:
            return await store.load("0dXDrp2VhfOJ")

    saved = asyncio.run(load())
    assert saved is not None
    created, *events = saved.events
    assert created.seats == tuple(Seat("person", name, token_hash=str(index)) for index, name in enumerate(NAMES))
    failures: list[BotErrorKind] = ["crashed", "timeout", "illegal_turn", "unavailable"]
    assert list(BOT_ERRORS.values()) == failures
    assert events[:4] == [
        Event(
            index,
            "bot_replaced",
            index,
            1,
            seats=(Seat("bot", NAMES[1], "x", failed=FailedBot("played", kind, index)),),
        )
        for index, kind in enumerate(failures, 1)
    ]
    kinds: list[EventKind] = ["chance", "turn", "take_back", "rematch"]
    assert events[4:] == [
        Event(index, kind, index, None, '"key_hash": ', f"k{index}") for index, kind in enumerate(kinds, 5)
    ]


def test_tables_before_0008_are_refused(sqlite: URL, db_command: DbCommand) -> None:
    database = Database(sqlite, _arguments(sqlite))
    database.execute("UPDATE alembic_version SET version_num = '0007'")
    for command in ("check", "migrate", "prune"):
        assert db_command.refusal(command, database, *(("--finished", "1") if command == "prune" else ())) == (
            "the database is of revision 0007, older than this version of limina can read: "
            "bring it to revision 0008 with an earlier version first"
        )
