"""Backups: complete, private, taken while a server runs, and restored into both databases."""

from __future__ import annotations

import asyncio
import gzip
import json
import sqlite3
import stat
from base64 import b64encode
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import text

from limina.server.matches import MatchService
from limina.server.settings import ServerSettings
from limina.server.storage import Store, migrations, url_of
from support.database.databases import Database, DbCommand, populate
from support.server.clients import Client
from support.server.server_process import running_server

EARLIER_VERSIONS = Path(__file__).parent / "earlier_versions"


@pytest.fixture
def other(tmp_path: Path) -> Database:
    """Another SQLite database, to restore into."""
    return Database(url_of(ServerSettings(data=tmp_path / "other")), ("--data", str(tmp_path / "other")))


def make_backup(database: Database, db_command: DbCommand, path: Path) -> Path:
    status, out, err = db_command.run("backup", database, str(path))
    assert (status, err) == (0, "")
    assert "keep it secret" in out
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == [path.name], "no temporary file is left"
    return path


def test_a_backup_moves_sqlite_to_postgresql_and_back(
    file: Database, server_database: Database, other: Database, db_command: DbCommand, tmp_path: Path
) -> None:
    Path(file.arguments[1]).mkdir()
    file.run_with_service(populate)
    for place in ("one", "two"):
        (tmp_path / place).mkdir()
    first = make_backup(file, db_command, tmp_path / "one" / "backup")
    status, out, _ = db_command.run("restore", server_database, str(first))
    events = len(file.contents()["events"])
    assert (status, out) == (0, f"restored 4 matches with {events} events: run `limina db check` to check them\n")
    assert server_database.contents() == file.contents()
    assert db_command.run("check", server_database)[0] == 0
    second = make_backup(server_database, db_command, tmp_path / "two" / "backup")
    assert db_command.run("restore", other, str(second))[0] == 0
    assert other.contents() == file.contents()
    assert db_command.run("check", other)[0] == 0
    assert stat.S_IMODE((tmp_path / "other").stat().st_mode) == 0o700


def test_the_key_of_client_hashes_is_not_in_a_backup(database: Database, db_command: DbCommand, tmp_path: Path) -> None:
    database.run_with_service(populate)
    (tmp_path / "backups").mkdir()
    secret = bytes(database.execute("SELECT value FROM secrets")[0][0])
    backup = make_backup(database, db_command, tmp_path / "backups" / "backup").read_bytes()
    content = backup if database.is_file else gzip.decompress(backup)
    assert secret not in content
    assert b64encode(secret) not in content


def test_a_backup_is_taken_while_a_server_runs(
    database: Database, other: Database, db_command: DbCommand, tmp_path: Path
) -> None:
    (tmp_path / "backups").mkdir()
    with (
        running_server(tmp_path / "data", *(() if database.is_file else database.arguments)) as server,
        closing(Client(server.address)) as ada,
    ):
        match = ada.create("limes", "me", "me")["match_id"]
        live = ada.live(match)
        live.play_until(lambda state: state["seats"][0]["turn_count"] == 3, Random(1))
        path = make_backup(database, db_command, tmp_path / "backups" / "backup")
        live.play_until(lambda state: state["phase"] == "over", Random(1))
        assert "a server uses this database: stop it first" in db_command.refusal("restore", database, str(path))
    assert db_command.run("restore", other, str(path))[0] == 0
    assert db_command.run("check", other)[0] == 0
    with running_server(tmp_path / "other") as server, closing(Client(server.address)) as again:
        again.seat_tokens = ada.seat_tokens
        assert again.state(match)["seats"][0]["turn_count"] == 3
        again.live(match).play_until(lambda state: state["phase"] == "over", Random(2))


def test_a_restore_migrates_a_backup_of_an_earlier_version(
    file: Database, server_database: Database, db_command: DbCommand, tmp_path: Path
) -> None:
    Path(file.arguments[1]).mkdir()
    with closing(sqlite3.connect(str(file.url.database))) as connection:
        connection.executescript((EARLIER_VERSIONS / "0008.sql").read_text())
    (tmp_path / "backups").mkdir()
    path = make_backup(file, db_command, tmp_path / "backups" / "backup")
    content = path.read_bytes()
    assert db_command.run("restore", server_database, str(path))[0] == 0
    assert db_command.run("check", server_database)[:2] == (
        0,
        "16 matches with 97 events, 1 review, 2 decks: no damage\n",
    )
    assert path.read_bytes() == content


def test_backup_and_restore_overwrite_nothing(database: Database, db_command: DbCommand, tmp_path: Path) -> None:
    database.run_with_service(populate)
    (tmp_path / "backups").mkdir()
    path = make_backup(database, db_command, tmp_path / "backups" / "backup")
    content, before = path.read_bytes(), database.contents()
    assert "already exists: choose another name" in db_command.refusal("backup", database, str(path))
    assert "there are games in this database already" in db_command.refusal("restore", database, str(path))
    assert (path.read_bytes(), database.contents()) == (content, before)


def test_a_backup_that_cannot_be_written_is_an_error(database: Database, db_command: DbCommand, tmp_path: Path) -> None:
    database.run_with_service(populate)
    (tmp_path / "plain").write_text("")
    assert "cannot be written: file exists" in db_command.refusal("backup", database, str(tmp_path / "plain" / "x"))
    assert db_command.refusal("backup", database, "/dev/full").startswith("/dev/full already exists")


def test_a_damaged_backup_leaves_the_database_empty(
    server_database: Database, other: Database, db_command: DbCommand, tmp_path: Path
) -> None:
    server_database.run_with_service(populate)
    (tmp_path / "backups").mkdir()
    path = make_backup(server_database, db_command, tmp_path / "backups" / "backup")
    lines = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
    head = json.loads(lines[0])
    broken = {
        "none": (b"something else", "is not a backup of limina"),
        "empty": (b"", "is not a backup of limina"),
        "cut": (path.read_bytes()[:-100], "is incomplete or damaged: nothing was restored"),
        "without its end": (gzip.compress(b"".join(lines[:-1])), "is incomplete or damaged"),
        "without a line": (gzip.compress(b"".join(lines[:6] + lines[7:])), "is incomplete or damaged"),
        "with more": (gzip.compress(b"".join([*lines, lines[-1]])), "is incomplete or damaged"),
        "another's": (
            gzip.compress(b'{"format": "other"}\n'),
            "is not a backup of limina, or one of an unknown version",
        ),
        "not lines": (gzip.compress(b"nonsense"), "is incomplete or damaged"),
        "a strange table": (gzip.compress(lines[0] + b'["users", 1]\n'), "is incomplete or damaged"),
        "a strange row": (gzip.compress(lines[0] + b'["matches", 1]\n'), "is incomplete or damaged"),
        "nested too deep": (
            gzip.compress(lines[0] + b"[" * 100_000 + b"]" * 100_000 + b"\n"),
            "is incomplete or damaged",
        ),
        "a strange value": (
            gzip.compress(lines[0] + b'["seat_tokens", {}, [], 1]\n{"rows": {"seat_tokens": 1}}\n'),
            "the database cannot be used",
        ),
        "newer": (gzip.compress(json.dumps(head | {"revision": "9999"}).encode() + b"\n"), "newer version of limina"),
        "older": (gzip.compress(json.dumps(head | {"revision": "0007"}).encode() + b"\n"), "older than this version"),
    }
    for name, (content, words) in broken.items():
        (tmp_path / name).write_bytes(content)
        assert words in db_command.refusal("restore", other, str(tmp_path / name)), name
        rows = other.contents() if other.url.database and Path(other.url.database).exists() else {}
        assert not any(rows.values()), name
    assert "cannot be read: no such file" in db_command.refusal("restore", other, str(tmp_path / "nowhere"))
    assert db_command.run("restore", other, str(path))[0] == 0
    assert other.contents() == server_database.contents()


def test_migrate_prints_the_revisions(file: Database, db_command: DbCommand) -> None:
    Path(file.arguments[1]).mkdir()
    with closing(sqlite3.connect(str(file.url.database))) as connection:
        connection.executescript((EARLIER_VERSIONS / "0008.sql").read_text())
    message = f"the tables were migrated from revision 0008: revision {migrations.HEAD}\n"
    assert db_command.run("migrate", file) == (0, message, "")
    assert db_command.run("migrate", file) == (0, f"the tables are up to date: revision {migrations.HEAD}\n", "")
    assert db_command.run("check", file)[0] == 0


def test_migrate_creates_the_tables_of_an_empty_postgresql(server_database: Database, db_command: DbCommand) -> None:
    message = f"the tables were created: revision {migrations.HEAD}\n"
    assert db_command.run("migrate", server_database) == (0, message, "")
    assert db_command.run("check", server_database)[1] == "0 matches with 0 events, 0 reviews, 0 decks: no damage\n"


def test_tables_that_a_server_uses_are_not_migrated(database: Database, db_command: DbCommand) -> None:
    """A running server uses the tables of its own version."""

    async def meanwhile(service: MatchService, store: Store) -> None:
        async with store._engine.begin() as connection:
            await connection.execute(text("UPDATE alembic_version SET version_num = '0008'"))
        message = await asyncio.to_thread(db_command.refusal, "migrate", database)
        assert message == "a server uses this database: stop it first"

    database.run_with_service(meanwhile)
