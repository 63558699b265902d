"""`make cluster` comes up, plays, and goes away."""

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
    """A folder that all users may enter, unlike pytest's: as root the database runs as another user."""
    with TemporaryDirectory(dir="/tmp") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.postgres
def test_it_comes_up_plays_a_turn_and_leaves_nothing_behind(folder: Path) -> None:
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
        # Whatever fails below, nobody waits for it: it stops what it started when it is told to.
        stopped.callback(process.terminate)
        assert process.stdout is not None
        said = []
        for line in process.stdout:
            said.append(line)
            if "ready" in line:
                break
        assert sum(line.startswith("cluster: server ") for line in said) == 2, said
        address = said[-1].split()[3].rstrip("/")
        with closing(Client(address)) as ada:
            live = ada.live(ada.create("limes", "me", "novice")["match_id"])
            live.play_until(lambda state: state["seats"][0]["turn_count"] == 1, Random(1))
            live.until_state(lambda state: state["seats"][1]["turn_count"] >= 1)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
    addresses = [address, *(line.split()[-1] for line in said if line.startswith("cluster: server "))]
    assert not any(is_listening(int(each.rpartition(":")[2])) for each in addresses)
    assert not (folder / "pg" / "postmaster.pid").exists()
