"""`make cluster` starts, serves a game, and stops."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from support import ROOT
from support.server.clients import Client
from support.server.server_process import is_listening


@pytest.fixture
def folder() -> Iterator[Path]:
    """Return a folder that all users may enter, because as root the database runs as another user."""
    with TemporaryDirectory(dir="/tmp") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.postgres
def test_make_cluster_starts_serves_a_game_and_stops_cleanly(folder: Path) -> None:
    command = [
        sys.executable,
        "-W",
        "ignore",
        str(ROOT / "tools" / "local_cluster.py"),
        "--port",
        "0",
        "--folder",
        str(folder),
    ]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "tests")}
    with ExitStack() as stopped:
        process = stopped.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment))
        # If the test fails, stop the cluster, which then stops its processes.
        stopped.callback(process.terminate)
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            lines.append(line)
            if "ready" in line:
                break
        assert sum(line.startswith("cluster: server ") for line in lines) == 2, lines
        address = lines[-1].split()[3].rstrip("/")
        with closing(Client(address)) as ada:
            live = ada.live(ada.create("limes", "me", "novice")["match_id"])
            live.play_until(lambda state: state["seats"][0]["turn_count"] == 1, Random(1))
            live.until_state(lambda state: state["seats"][1]["turn_count"] >= 1)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
    addresses = [address, *(line.split()[-1] for line in lines if line.startswith("cluster: server "))]
    assert not any(is_listening(int(url.rpartition(":")[2])) for url in addresses)
    assert not (folder / "pg" / "postmaster.pid").exists()
