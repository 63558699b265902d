"""A rolling restart loses no turn: servers behind nginx are stopped and started again, one after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random

import httpx
import pytest

from chaos.checker import check_all
from chaos.client_log import logged_match_id
from chaos.simulated_players import Simulation, log_final_states, play_match
from support.network.nginx import nginx
from support.server.server_process import Server, free_port, running_server

pytestmark = pytest.mark.needs("nginx")
MATCHES = 12
"""Matches at the same time: enough that the server which stops always has a connected player."""


def test_a_rolling_restart_loses_no_turn(shared_database: str, tmp_path: Path) -> None:
    client_logs = tmp_path / "client_logs"
    client_logs.mkdir()
    ports = [free_port(), free_port()]
    stacks: list[ExitStack] = []

    def start(port: int) -> Server:
        stack = ExitStack()
        stacks.append(stack)
        arguments = ("--database", shared_database, "--shared", "--proxy")
        return stack.enter_context(running_server(tmp_path, *arguments, port=str(port)))

    async def play_matches(simulation: Simulation, seed: int, is_done: Callable[[], bool]) -> None:
        rng = Random(seed)
        while not is_done():
            await play_match(simulation, rng)

    async def scenario(address: str, servers: list[Server]) -> Simulation:
        async with httpx.AsyncClient(verify=False, timeout=20) as http:
            simulation = Simulation([address], client_logs, http)
            replaced = 0
            players = [asyncio.create_task(play_matches(simulation, n, lambda: replaced == 2)) for n in range(MATCHES)]
            for index, port in enumerate(ports):
                target = simulation.figures["turns acknowledged"] + 20
                while simulation.figures["turns acknowledged"] < target:
                    assert not any(player.done() for player in players)
                    await asyncio.sleep(0.01)
                servers[index].process.terminate()
                await asyncio.to_thread(servers[index].process.wait, 20)
                await asyncio.to_thread(start, port)
                replaced += 1
            await asyncio.gather(*players)
            all_servers = Simulation([f"http://127.0.0.1:{port}" for port in ports], client_logs, http)
            for file in list(client_logs.iterdir()):
                await log_final_states(all_servers, logged_match_id(file))
            return simulation

    try:
        servers = [start(port) for port in ports]
        with nginx(tmp_path / "nginx", [server.address for server in servers]) as address:
            figures = asyncio.run(scenario(address, servers)).figures
    finally:
        for stack in stacks:
            stack.close()
    contradictions, checked = check_all(client_logs)
    assert contradictions == []
    assert figures["matches over"] == checked["matches checked"] >= MATCHES
    assert figures["connections lost"] > 0, "no player was connected to a server that stopped"
