"""`limina serve` says in a sentence what keeps it from serving."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from server.helpers import RUN


def serve(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", RUN, "serve", *arguments], capture_output=True, text=True, timeout=60)


def test_a_taken_port(address: str, tmp_path: Path) -> None:
    port = address.rpartition(":")[2]
    done = serve("--port", port, "--data", str(tmp_path))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"limina: port {port} is taken: choose another with --port\n"


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
