"""Files and folders of other programs and owners keep their content and mode; the error is one sentence."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from limina.errors import LiminaError
from limina.server.settings import ServerSettings
from limina.server.storage import url_of
from support.database.databases import Database, DbCommand, populate
from support.database.stores import open_store
from support.processes.cli_commands import limina
from support.server.clients import Client
from support.server.server_process import running_server


def _text(path: Path) -> None:
    path.write_text("a letter, whatever its name says\n" * 50)


def _database(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in ("CREATE TABLE bookmarks (address TEXT)", *statements):
            connection.execute(statement)


def _database_in_wal_mode(path: Path) -> None:
    _database(path, "PRAGMA journal_mode=WAL")


def _database_with_alembic(path: Path) -> None:
    _database(path, "CREATE TABLE alembic_version (version_num TEXT)", "INSERT INTO alembic_version VALUES ('0001')")


FOREIGN = [_text, _database, _database_in_wal_mode, _database_with_alembic]


def snapshot(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Return the mode and content of every file in a folder."""
    return {path.name: (path.stat().st_mode, path.read_bytes()) for path in folder.iterdir()}


@pytest.fixture
def backup_file(tmp_path: Path, file: Database, db_command: DbCommand) -> Path:
    Path(file.arguments[1]).mkdir()
    file.run_with_service(populate)
    assert db_command.run("backup", file, str(tmp_path / "monday.backup"))[0] == 0
    return tmp_path / "monday.backup"


@pytest.mark.parametrize("make", FOREIGN)
@pytest.mark.parametrize(
    "command", ["serve", "db migrate", "db prune --abandoned 1", "db check", "db backup", "db restore"]
)
def test_a_foreign_file_named_as_the_database_stays_as_it_is(
    command: str, make: Callable[[Path], None], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    words = command.split()
    if command == "db backup":
        words.append(str(tmp_path / "new.backup"))
    elif command == "db restore":
        words.append(str(request.getfixturevalue("backup_file")))
    folder = tmp_path / "anothers"
    folder.mkdir()
    path = folder / "notes.sqlite"
    make(path)
    path.chmod(0o644)
    before = snapshot(folder)
    done = limina(*words, *(("--port", "0") if command == "serve" else ()), "--database", f"sqlite:///{path}")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1), done.stderr
    assert done.stderr.startswith("limina: ")
    assert snapshot(folder) == before
    assert not (tmp_path / "new.backup").exists()


@pytest.mark.parametrize("make", FOREIGN)
def test_a_foreign_file_named_as_the_backup_stays_as_it_is(
    make: Callable[[Path], None], file: Database, db_command: DbCommand, tmp_path: Path
) -> None:
    folder = tmp_path / "anothers"
    folder.mkdir()
    path = folder / "notes.sqlite"
    make(path)
    path.chmod(0o644)
    before = snapshot(folder)
    assert str(path) in db_command.refusal("restore", file, str(path))
    assert snapshot(folder) == before


def test_a_backup_with_a_wal_beside_it_is_restored_and_stays_as_it_is(
    file: Database, db_command: DbCommand, tmp_path: Path
) -> None:
    Path(file.arguments[1]).mkdir()
    file.run_with_service(populate)
    copied = tmp_path / "copied"
    copied.mkdir()
    with closing(sqlite3.connect(str(file.url.database))) as other:
        other.execute("UPDATE decks SET used_at = 7")
        other.commit()
        # Like a backup tool that copies the files of a running server one by one.
        for source in Path(file.arguments[1]).glob("limina.sqlite*"):
            (copied / source.name).write_bytes(source.read_bytes())
    before = snapshot(copied)["limina.sqlite"]
    target = Database(url_of(ServerSettings(data=tmp_path / "new")), ("--data", str(tmp_path / "new")))
    assert db_command.run("restore", target, str(copied / "limina.sqlite"))[0] == 0
    assert target.execute("SELECT used_at FROM decks") == [(7,)]
    assert snapshot(copied)["limina.sqlite"] == before


@pytest.mark.parametrize("kind", ["a folder", "a pipe", "a device"])
def test_a_database_that_is_not_a_file_is_refused(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "database"
    if kind == "a folder":
        path.mkdir()
    elif kind == "a pipe":
        os.mkfifo(path)
    else:
        path = Path(os.devnull)
    done = limina("serve", "--port", "0", "--database", f"sqlite:///{path}")
    assert (done.returncode, done.stderr) == (1, f"limina: {path} is not a file: choose another\n")


@pytest.mark.parametrize("there", [True, False])
def test_a_lock_that_is_a_symbolic_link_is_not_followed(there: bool, tmp_path: Path) -> None:
    target = tmp_path / "precious"
    if there:
        target.write_text("precious")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "limina.lock").symlink_to(target)
    done = limina("serve", "--port", "0", "--data", str(tmp_path / "data"))
    lock = tmp_path / "data" / "limina.lock"
    assert (done.returncode, done.stderr) == (1, f"limina: {lock} is a symbolic link: remove it\n")
    assert target.read_text() == "precious" if there else not target.exists()


def test_a_file_with_the_name_of_the_lock_keeps_its_content_and_mode(tmp_path: Path) -> None:
    lock = tmp_path / "limina.lock"
    lock.write_text("written by another program")
    lock.chmod(0o644)
    with running_server(tmp_path):
        pass
    assert snapshot(tmp_path)["limina.lock"] == (stat.S_IFREG | 0o644, b"written by another program")


def modes(*paths: Path) -> list[str]:
    return [f"{path.stat().st_mode & 0o777:o}" for path in paths]


def test_new_files_are_private_and_other_modes_stay(tmp_path: Path) -> None:
    def files(folder: Path) -> list[Path]:
        return [folder / f"limina.{end}" for end in ("sqlite", "sqlite-wal", "sqlite-shm", "lock")]

    new, old = tmp_path / "new", tmp_path / "old"
    old.mkdir()
    old.chmod(0o755)
    (old / "limina.sqlite").touch()
    (old / "limina.sqlite").chmod(0o640)
    (tmp_path / "linked").symlink_to(tmp_path / "target")
    for folder in (new, old):
        with running_server(folder) as server, closing(Client(server.address)) as client:
            client.create("limes", "me")
            assert modes(*files(folder)) == (["600"] * 4 if folder == new else ["640"] * 3 + ["600"])
    assert modes(new, old) == ["700", "755"]
    assert limina("db", "restore", "--database", f"sqlite:///{tmp_path / 'linked'}", "/dev/null").returncode == 1
    with running_server(tmp_path / "unused", "--database", f"sqlite:///{tmp_path / 'linked'}"):
        assert modes(tmp_path / "target") == ["600"]


def test_an_exposed_database_file_causes_a_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    tmp_path.chmod(0o700)
    asyncio.run(_opened(tmp_path))
    assert caplog.messages == []
    tmp_path.chmod(0o777)
    (tmp_path / "limina.sqlite").chmod(0o644)
    asyncio.run(_opened(tmp_path))
    assert caplog.messages == [
        f"database: every user of this machine can read {tmp_path}/limina.sqlite: chmod it to 600",
        f"database: every user of this machine can replace the files in {tmp_path}: chmod it to 700",
    ]


# --- files of another owner


@contextmanager
def plain_user() -> Iterator[None]:
    """Drop the privileges of root, if this process has them."""
    if os.geteuid() != 0:
        yield
        return
    os.setresgid(65534, 65534, 0)
    os.setresuid(65534, 65534, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)
        os.setresgid(0, 0, 0)


def test_a_writable_folder_of_another_owner_is_used_and_keeps_its_mode() -> None:
    with tempfile.TemporaryDirectory() as path:  # a plain user may not enter pytest's folder
        folder = Path(path)
        folder.chmod(0o777)
        with plain_user():
            ServerSettings(data=folder).create_data_folder()
            asyncio.run(_opened(folder))
        assert modes(folder, folder / "limina.sqlite") == ["777", "600"]


def test_a_file_without_permission_is_named_with_its_owner() -> None:
    with tempfile.TemporaryDirectory() as path:
        folder = Path(path) / "data"
        folder.mkdir(0o555)
        Path(path).chmod(0o755)
        owner = folder.owner()
        with plain_user(), pytest.raises(LiminaError) as refused:
            ServerSettings(data=folder).create_data_folder()
        end = f"belongs to {owner} and this user may not write to it: chown it, or choose another place"
        assert str(refused.value) == f"{folder} {end}"
        for name in ("limina.sqlite", "limina.lock"):
            folder.chmod(0o777)
            (folder / name).touch()
            (folder / name).chmod(0o400)
            with plain_user(), pytest.raises(LiminaError) as refused:
                asyncio.run(_opened(folder))
            assert str(refused.value) == f"{folder / name} {end}"
            (folder / name).unlink()


async def _opened(folder: Path) -> None:
    async with open_store(folder):
        pass
