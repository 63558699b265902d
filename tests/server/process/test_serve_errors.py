"""`limina serve` prints one sentence when it cannot start."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from support.processes.cli_commands import limina
from support.server.clients import Client
from support.server.server_process import running_server, server_address


def serve(*arguments: str) -> subprocess.CompletedProcess[str]:
    return limina("serve", *arguments)


def test_serve_fails_if_the_port_is_in_use(address: str, tmp_path: Path) -> None:
    port = address.rpartition(":")[2]
    done = serve("--port", port, "--data", str(tmp_path))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"limina: port {port} is in use: choose another with --port\n"


def test_serve_fails_if_another_server_uses_the_folder(address: str, data: Path) -> None:
    done = serve("--port", "0", "--data", str(data))
    assert done.returncode == 1
    assert done.stderr == f"limina: another server uses {data}: choose another folder with --data\n"


def test_serve_keeps_matches_in_postgresql(postgres: str, tmp_path: Path) -> None:
    def play(client: Client, match: str, *turns: str) -> None:
        table = client.live(match)
        for turn in turns:
            table.until_state(lambda s: 0 in s["to_move"])
            assert table.play(0, turn)["type"] == "played"

    with server_address(tmp_path / "unused", "--database", postgres) as base, closing(Client(base)) as client:
        match = client.create("limes", "me", "random")["match_id"]
        keys = client.seat_tokens
        play(client, match, "d4r0", "d5r0")
    with server_address(tmp_path / "unused", "--database", postgres) as base, closing(Client(base)) as client:
        client.seat_tokens = keys
        play(client, match, "d6r0")
        assert client.state(match)["seats"][0]["turn_count"] == 3
    assert not (tmp_path / "unused").exists()


def test_serve_fails_if_the_file_is_not_a_database(tmp_path: Path) -> None:
    (tmp_path / "limina.sqlite").write_text("this is not a database, whatever its name says" * 50)
    done = serve("--port", "0", "--data", str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.startswith("limina: the database cannot be used: ")
    assert done.stderr.count("\n") == 1
    done = serve("--port", "0", "--database", "nonsense")
    assert done.returncode == 1
    assert "postgresql://" in done.stderr


def test_serve_fails_if_the_folder_cannot_be_created(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = serve("--port", "0", "--data", str(tmp_path / "file" / "folder"))
    assert done.returncode == 1
    assert done.stderr.startswith("limina: the data folder")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "address", ["postgresql://me@localhost:port/games", "postgresql", "mysql://me@localhost/games"]
)
def test_serve_fails_for_an_invalid_database_address(address: str) -> None:
    done = serve("--port", "0", "--database", address)
    assert done.returncode == 1
    assert done.stderr == "limina: the database must be an address such as postgresql://user@host/name\n"


def test_serve_fails_for_a_database_of_a_newer_version(tmp_path: Path) -> None:
    with server_address(tmp_path):
        pass
    with closing(sqlite3.connect(tmp_path / "limina.sqlite")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    done = serve("--port", "0", "--data", str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.startswith("limina: the database was written by a newer version of limina: install that one")
    assert done.stderr.count("\n") == 1


def test_data_folders_may_have_special_characters_in_their_names(tmp_path: Path) -> None:
    folder = tmp_path / "what? a #1 folder%20"
    with server_address(folder):
        pass
    assert (folder / "limina.sqlite").is_file()
    assert list(tmp_path.iterdir()) == [folder]


@pytest.mark.parametrize("database", ["sqlite:////proc/nowhere/games.sqlite", "postgresql://me@127.0.0.1:1/games"])
def test_serve_fails_if_the_database_does_not_exist(database: str) -> None:
    done = serve("--port", "0", "--database", database)
    assert done.returncode == 1
    assert done.stderr.startswith("limina: the database cannot be used: ")
    assert done.stderr.count("\n") == 1


def test_the_server_runs_without_uvloop(tmp_path: Path) -> None:
    without = "import sys; sys.modules['uvloop'] = None; from limina.cli import main; sys.exit(main(sys.argv[1:]))"
    with (
        running_server(tmp_path, program=[sys.executable, "-c", without]) as server,
        closing(Client(server.address)) as client,
    ):
        live = client.live(client.create("limes", "me", "random")["match_id"])
        live.play_until(lambda state: state["phase"] == "over", Random(1))
