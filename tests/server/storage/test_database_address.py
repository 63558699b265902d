"""The address of the database comes from the command line or the environment; its password is shown nowhere."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE

import pytest
from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import create_async_engine

from limina.cli import main
from limina.server.settings import ServerSettings
from limina.server.storage import url_of
from support.processes.cli_commands import Command, limina
from support.processes.process_tree import busy_helpers, command_line, sleeping_bot_arguments

SECRET = "open-sesame"


def with_password(address: str, user: str | None = None, password: str | None = SECRET) -> str:
    url = make_url(address)
    return url.set(username=user or url.username, password=password).render_as_string(hide_password=False)


# --- sources of the address


def test_the_environment_names_the_database_without_an_argument(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("named", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "limina.sqlite").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "nothing"))

    def migrated(*arguments: str) -> bool:
        monkeypatch.setenv("LIMINA_DATABASE", f"sqlite:///{tmp_path}/named/limina.sqlite")
        assert main(["db", "migrate", *arguments]) == 0
        return "created" in capsys.readouterr().out

    assert migrated()
    assert not migrated()
    assert migrated("--data", str(tmp_path / "other"))
    assert not migrated("--database", f"sqlite:///{tmp_path}/other/limina.sqlite")
    monkeypatch.setenv("LIMINA_DATABASE", "")
    assert main(["db", "check"]) == 1
    assert f"there is no database at {tmp_path}/nothing/limina/" in capsys.readouterr().err


def test_a_server_and_a_worker_read_the_environment(shared: str, tmp_path: Path) -> None:
    environment = {**os.environ, "LIMINA_DATABASE": shared}
    serve = ["serve", "--port", "0", "--shared"]
    for words, ready in ((serve, "limina is ready"), (["worker"], "limina worker is ready")):
        process = Command(words, stdout=PIPE, env=environment)
        assert process.stdout is not None
        assert ready in process.stdout.readline()
        process.terminate()
        process.communicate(timeout=20)
    assert "name it with --database or LIMINA_DATABASE" in limina("worker").stderr


# --- the password


@pytest.fixture
def shared(url: object, postgres: str) -> str:
    """A PostgreSQL without tables."""
    return postgres


def test_no_process_and_no_log_shows_the_password(shared: str, tmp_path: Path) -> None:
    environment = {**os.environ, "LIMINA_DATABASE": with_password(shared)}
    log = tmp_path / "log"
    with log.open("w") as errors:
        words = ["serve", "--port", "0", "--processes", "2", *sleeping_bot_arguments(tmp_path)]
        process = Command(words, stdout=PIPE, stderr=errors.fileno(), env=environment)
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[-1].rstrip("/")
            with busy_helpers(process.pid, address) as helpers:
                for pid in (process.pid, *helpers):
                    assert SECRET not in command_line(pid)
                # Subprocesses need no database, so their environment does not contain the address.
                started = [pid for pid, line in helpers.items() if "limina." in line or "limina engine" in line]
                assert started
                for pid in started:
                    assert SECRET.encode() not in Path(f"/proc/{pid}/environ").read_bytes()
        finally:
            process.terminate()
            process.communicate(timeout=30)
    assert SECRET not in log.read_text()


@pytest.mark.parametrize("command", [["serve", "--port", "0"], ["worker"], ["db", "check"], ["db", "backup", "saved"]])
@pytest.mark.parametrize(
    "address", [f"postgresql://me:{SECRET}@127.0.0.1:1/games", f"postgresql://me@127.0.0.1:1/games?password={SECRET}"]
)
def test_a_password_in_the_command_line_causes_a_warning(command: list[str], address: str) -> None:
    done = limina(*command, "--database", address)
    assert (done.returncode, done.stdout) == (1, ""), "there is no such database"
    assert done.stderr.startswith(
        "limina: warning: every user of this machine can read a password in a command line: "
        "set LIMINA_DATABASE to the address, or put the password into the file that PGPASSFILE names\n"
    )
    assert SECRET not in done.stderr


@pytest.mark.parametrize("address", [f"postgresql://me:{SECRET}@127.0.0.1:1/games", f"postgresql://me:{SECRET}@h:x/g"])
def test_no_error_message_contains_the_password(address: str) -> None:
    environment = {**os.environ, "LIMINA_DATABASE": address}
    for words in (["serve", "--port", "0"], ["serve", "--port", "0", "--processes", "2"], ["worker"], ["db", "check"]):
        done = limina(*words, env=environment)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1), done.stderr
        assert SECRET not in done.stderr
    for words in (["db", "check", address], ["serve", "--databse", address], ["serve", f"--port={address}"]):
        done = limina(*words)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1), done.stderr
        assert SECRET not in done.stderr
    assert SECRET not in repr(ServerSettings(database=address))


@pytest.fixture
def guarded(postgres: str) -> Iterator[str]:
    """The address for a user of the PostgreSQL who needs a password."""

    async def run(*statements: str) -> str:
        engine = create_async_engine(url_of(ServerSettings(database=postgres)), isolation_level="AUTOCOMMIT")
        async with engine.connect() as connection:
            for statement in statements:
                await connection.execute(text(statement))
            hba_file = str((await connection.execute(text("SHOW hba_file"))).scalar_one())
        await engine.dispose()
        return hba_file

    rules = Path(asyncio.run(run(f"CREATE ROLE guarded LOGIN PASSWORD '{SECRET}'")))
    before = rules.read_text()
    try:
        rules.write_text(f"local all guarded scram-sha-256\nhost all guarded all scram-sha-256\n{before}")
        asyncio.run(run("SELECT pg_reload_conf()"))
        yield with_password(postgres, "guarded", None)
    finally:
        rules.write_text(before)
        asyncio.run(run("SELECT pg_reload_conf()", "DROP ROLE guarded"))


def test_the_password_is_read_from_the_file_that_pgpassfile_names(guarded: str, tmp_path: Path) -> None:
    file = tmp_path / "pgpass"
    file.touch(0o600)

    def check(password: str) -> str:
        file.write_text(f"*:*:*:guarded:{password}\n")
        done = limina("db", "check", env={**os.environ, "LIMINA_DATABASE": guarded, "PGPASSFILE": str(file)})
        assert (done.returncode, done.stderr.count("\n")) == (1, 1)
        return done.stderr

    assert check(SECRET).startswith("limina: there are no games in this database")
    wrong = check("a-wrong-one")
    assert "password authentication failed" in wrong
    assert "a-wrong-one" not in wrong
