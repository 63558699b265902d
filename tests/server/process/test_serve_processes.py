"""`limina serve --processes`, and databases that several servers share."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import closing
from pathlib import Path
from random import Random

import httpx
import pytest
from sqlalchemy import URL

from limina.errors import LiminaError
from limina.server.settings import ServerSettings
from limina.server.storage import Store, url_of
from support.database.stores import open_store
from support.games.turns import random_turn
from support.server.clients import Client
from support.server.server_process import running_server
from support.waiting import wait_until


def test_shared_and_exclusive_servers_exclude_each_other(url: URL) -> None:
    async def both(first: bool, second: bool) -> None:
        async with open_store(url, shared=first), open_store(url, shared=second):
            pass

    asyncio.run(both(True, True))
    for first, second in ((False, False), (False, True), (True, False)):
        with pytest.raises(LiminaError, match="another server uses this database: stop it, or start all of them with"):
            asyncio.run(both(first, second))


def test_two_paths_to_one_sqlite_file_are_one_database(tmp_path: Path) -> None:
    async def both(second: str) -> None:
        async with open_store(tmp_path), open_store(url_of(ServerSettings(database=f"sqlite:///{second}"))):
            pass

    (tmp_path / "link").symlink_to(tmp_path)
    for second in (tmp_path / "limina.sqlite", tmp_path / "link" / "limina.sqlite"):
        with pytest.raises(LiminaError, match=r"another server uses .*: choose another folder with --data"):
            asyncio.run(both(str(second)))
    asyncio.run(both(str(tmp_path / "other.sqlite")))


def test_an_sqlite_file_cannot_be_shared(tmp_path: Path) -> None:
    with pytest.raises(LiminaError, match="can share a PostgreSQL only: name one with --database"):
        Store(url_of(ServerSettings(data=tmp_path)), shared=True)


def test_two_processes_serve_one_game_at_one_address(url: URL, postgres: str, tmp_path: Path) -> None:
    arguments = ("--database", postgres, "--processes", "2")
    with running_server(tmp_path, *arguments) as server, closing(Client(server.address)) as ada:
        match = ada.create("limes", "me", "random")["match_id"]
        # It is very unlikely that one process accepts all eight sockets.
        watching = [ada.live(match) for _ in range(8)]
        for live in watching:
            live.until_state(lambda state: True)
        over = watching[0].play_until(lambda state: state["phase"] == "over", Random(3))
        for live in watching[1:]:
            assert live.until_state(lambda state: state["phase"] == "over")["steps"] == over["steps"]
        assert len({ada.state(match)["version"] for _ in range(4)}) == 1


def test_a_process_that_dies_is_replaced_and_its_matches_go_on(url: URL, postgres: str, tmp_path: Path) -> None:
    def children(process: int) -> list[int]:
        listed = Path(f"/proc/{process}/task/{process}/children").read_text().split()
        commands = {int(child): Path(f"/proc/{child}/cmdline").read_bytes() for child in listed}
        return [child for child, command in commands.items() if b"spawn_main" in command]

    with (
        running_server(tmp_path, "--database", postgres, "--processes", "2") as server,
        closing(Client(server.address)) as ada,
    ):
        state = ada.create("limes", "me", "me")
        match, chance = state["match_id"], Random(4)
        before = children(server.process.pid)
        assert len(before) == 2
        for child in before:
            os.kill(child, signal.SIGKILL)
            for seat in (0, 1):
                ada.http.close()  # open connections may belong to the dead process
                ada.http = ada.open.enter_context(httpx.Client(base_url=ada.base, timeout=30, verify=False))
                state = ada.state(match)
                ada.play(state, seat, random_turn(state, seat, chance))
            wait_until(lambda: len(children(server.process.pid)) == 2)
        assert not set(before) & set(children(server.process.pid))
        assert [seat["turn_count"] for seat in ada.state(match)["seats"]] == [2, 2]
