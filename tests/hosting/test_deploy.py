"""A deploy without a lost turn: servers behind nginx are told to stop and started again, one after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random

import httpx
import pytest

from chaos.checker import check_all
from chaos.simulated_players import World, ask, play_match
from support.network.nginx import nginx
from support.server.server_process import Server, free_port, running_server

pytestmark = pytest.mark.needs("nginx")
TABLES = 12
"""So many that somebody is always at the server which stops."""


def test_two_servers_are_replaced_while_people_play(shared_database: str, tmp_path: Path) -> None:
    told = tmp_path / "told"
    told.mkdir()
    ports = [free_port(), free_port()]
    lives: list[ExitStack] = []

    def start(port: int) -> Server:
        stack = ExitStack()
        lives.append(stack)
        arguments = ("--database", shared_database, "--shared", "--proxy")
        return stack.enter_context(running_server(tmp_path, *arguments, port=str(port)))

    async def play_on(world: World, number: int, done: Callable[[], bool]) -> None:
        chance = Random(number)
        while not done():
            await play_match(world, chance)

    async def scenario(address: str, servers: list[Server]) -> World:
        async with httpx.AsyncClient(verify=False, timeout=20) as http:
            world = World([address], told, http)
            replaced = 0
            people = [asyncio.create_task(play_on(world, n, lambda: replaced == 2)) for n in range(TABLES)]
            for place, port in enumerate(ports):
                enough = world.figures["turns acknowledged"] + 20
                while world.figures["turns acknowledged"] < enough:
                    assert not any(each.done() for each in people)
                    await asyncio.sleep(0.01)
                servers[place].process.terminate()
                await asyncio.to_thread(servers[place].process.wait, 20)
                await asyncio.to_thread(start, port)
                replaced += 1
            await asyncio.gather(*people)
            everywhere = World([f"http://127.0.0.1:{port}" for port in ports], told, http)
            for file in list(told.iterdir()):
                await ask(everywhere, file.name.partition(".")[0])
            return world

    try:
        servers = [start(port) for port in ports]
        with nginx(tmp_path / "nginx", [server.address for server in servers]) as address:
            figures = asyncio.run(scenario(address, servers)).figures
    finally:
        for stack in lives:
            stack.close()
    contradictions, checked = check_all(told)
    assert contradictions == []
    assert figures["matches over"] == checked["matches checked"] >= TABLES
    assert figures["connections lost"] > 0, "nobody was even connected"
