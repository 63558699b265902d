"""The PostgreSQL of the tests fails clearly if it does not start, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]  # it ships no types
import pytest

from support import ROOT
from support.database.postgres import MAX_SOCKET_PATH_BYTES, Postgres, PostgresError
from support.waiting import wait_until

pytestmark = pytest.mark.postgres


def query(database: Postgres, *statements: str) -> Any:
    """Run statements; return the first value of the last one."""

    async def fetch() -> Any:
        connection = await asyncpg.connect(database.address)
        try:
            return [await connection.fetchval(statement) for statement in statements][-1]
        finally:
            await connection.close()

    return asyncio.run(fetch())


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """A server with a TMPDIR that other users cannot read and that is too long for a socket."""
    closed = tmp_path_factory.mktemp("closed") / ("long" * 30)
    closed.mkdir(0o700)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(closed))
        server = Postgres()
    with closing(server):
        yield server
    assert not server.socket.parent.exists()


def test_server_starts_with_an_unsuitable_temporary_folder(database: Postgres) -> None:
    assert query(database, "SELECT 1") == 1
    assert len(os.fsencode(database.socket)) <= MAX_SOCKET_PATH_BYTES


def test_commits_survive_a_crash_of_the_server(database: Postgres) -> None:
    query(database, "CREATE TABLE numbers (value integer)", "INSERT INTO numbers VALUES (7)")
    database.stop("immediate")
    database.start()
    assert query(database, "SELECT value FROM numbers") == 7


def test_a_second_server_in_a_folder_is_refused_and_the_first_goes_on(database: Postgres) -> None:
    with pytest.raises(PostgresError, match=r"(?s)pg_ctl failed \(1\):.*already exists"):
        Postgres(database.folder)
    assert query(database, "SELECT 1") == 1


def test_a_server_that_does_not_start_names_the_cause(database: Postgres) -> None:
    settings = database.folder / "postgresql.auto.conf"
    before = settings.read_text()
    database.stop()
    settings.write_text(f"{before}\nno_such_setting = 1\n")
    try:
        with pytest.raises(PostgresError, match=r"(?s)pg_ctl failed \(1\):.*no_such_setting"):
            database.start()
    finally:
        settings.write_text(before)
        database.start()


START_POSTGRES = (
    "from support.database.postgres import Postgres; started = Postgres(); print(started.folder, flush=True); input()"
)


def test_a_killed_process_leaves_no_server_behind() -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT / "tests")}
    command = [sys.executable, "-c", START_POSTGRES]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment) as process:
        assert process.stdout is not None
        folder = Path(process.stdout.readline().strip())
        server = int((folder / "postmaster.pid").read_text().split()[0])
        process.send_signal(signal.SIGKILL)

    def is_running() -> bool:
        try:
            os.kill(server, 0)
        except ProcessLookupError:
            return False
        return True

    wait_until(lambda: not is_running() and not folder.parent.exists())


def test_a_database_that_cannot_be_made_fails_the_tests() -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        Path(name).chmod(0o755)
        program = Path(name) / "initdb"
        program.write_text("#!/bin/sh\necho 'initdb: error: the disk is full' >&2\nexit 1\n")
        program.chmod(0o755)
        variables = {name: value for name, value in os.environ.items() if name != "CI"}
        variables["LIMINA_POSTGRES"] = name
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "tests/server/storage/test_db_prune.py"]
        command += ["-k", "shared_postgresql"]
        process = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True)
    assert process.returncode == 1, process.stdout
    assert f"PostgreSQL does not run: {program} failed (1):\ninitdb: error: the disk is full\n" in process.stdout
    assert "1 error in" in process.stdout
    assert "limina: 0 tests skipped" in process.stdout
