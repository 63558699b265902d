"""`limina serve` says in a sentence what keeps it from serving."""

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


def test_a_taken_port(address: str, tmp_path: Path) -> None:
    port = address.rpartition(":")[2]
    done = serve("--port", port, "--data", str(tmp_path))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"limina: port {port} is in use: choose another with --port\n"


def test_a_folder_that_another_server_uses(address: str, data: Path) -> None:
    done = serve("--port", "0", "--data", str(data))
    assert done.returncode == 1
    assert done.stderr == f"limina: another server uses {data}: choose another folder with --data\n"


def test_a_game_kept_in_postgresql(postgres: str, tmp_path: Path) -> None:
    def play(client: Client, match: str, *turns: str) -> None:
        table = client.live(match)
        for turn in turns:
            table.until_state(lambda s: 0 in s["to_move"])
            assert table.play(0, turn)["type"] == "played"

    with server_address(tmp_path / "unused", "--database", postgres) as base, closing(Client(base)) as client:
        match = client.create("limes", "me", "random")["match_id"]
        keys = client.keys
        play(client, match, "d4r0", "d5r0")
    with server_address(tmp_path / "unused", "--database", postgres) as base, closing(Client(base)) as client:
        client.keys = keys
        play(client, match, "d6r0")
        assert client.state(match)["seats"][0]["turn_count"] == 3
    assert not (tmp_path / "unused").exists()


def test_a_database_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "limina.sqlite").write_text("this is not a database, whatever its name says" * 50)
    done = serve("--port", "0", "--data", str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.startswith("limina: the database cannot be used: ")
    assert done.stderr.count("\n") == 1
    done = serve("--port", "0", "--database", "nonsense")
    assert done.returncode == 1
    assert "postgresql://" in done.stderr


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = serve("--port", "0", "--data", str(tmp_path / "file" / "folder"))
    assert done.returncode == 1
    assert done.stderr.startswith("limina: the data folder")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "address", ["postgresql://me@localhost:port/games", "postgresql", "mysql://me@localhost/games"]
)
def test_a_database_address_that_is_none(address: str) -> None:
    done = serve("--port", "0", "--database", address)
    assert done.returncode == 1
    assert done.stderr == "limina: the database must be an address such as postgresql://user@host/name\n"


def test_a_database_of_a_newer_version(tmp_path: Path) -> None:
    with server_address(tmp_path):
        pass
    with closing(sqlite3.connect(tmp_path / "limina.sqlite")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    done = serve("--port", "0", "--data", str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.startswith("limina: the database was written by a newer version of limina: install that one")
    assert done.stderr.count("\n") == 1


def test_a_folder_with_an_odd_name_holds_its_own_data(tmp_path: Path) -> None:
    folder = tmp_path / "what? a #1 folder%20"
    with server_address(folder):
        pass
    assert (folder / "limina.sqlite").is_file()
    assert list(tmp_path.iterdir()) == [folder]


@pytest.mark.parametrize("database", ["sqlite:////proc/nowhere/games.sqlite", "postgresql://me@127.0.0.1:1/games"])
def test_a_database_that_is_not_there(database: str) -> None:
    done = serve("--port", "0", "--database", database)
    assert done.returncode == 1
    assert done.stderr.startswith("limina: the database cannot be used: ")
    assert done.stderr.count("\n") == 1


def test_where_there_is_no_uvloop_it_serves_all_the_same(tmp_path: Path) -> None:
    without = "import sys; sys.modules['uvloop'] = None; from limina.cli import main; sys.exit(main(sys.argv[1:]))"
    with (
        running_server(tmp_path, program=[sys.executable, "-c", without]) as found,
        closing(Client(found.address)) as client,
    ):
        live = client.live(client.create("limes", "me", "random")["match_id"])
        live.play_until(lambda state: state["phase"] == "over", Random(1))
