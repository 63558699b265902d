"""Client logs of matches that were played without faults."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import httpx
import pytest

from chaos.client_log import read_log
from chaos.corruptions import Log, take_backs
from chaos.simulated_players import Simulation, log_final_states, play_match

LIMES = {
    "game": "limes",
    "seats": [{"kind": "person"}, {"kind": "open"}, {"kind": "bot", "bot": "novice"}],
    "options": {},
    "hidden_turns": True,
}
LIMIT = {
    "game": "limit",
    "seats": [{"kind": "person"}, {"kind": "bot", "bot": "novice"}],
    "options": {"size": 8},
    "hidden_turns": False,
}


@pytest.fixture(scope="session")
def undamaged_logs(address: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with the logs of three matches on a server without faults; the third has take-backs."""
    folder = tmp_path_factory.mktemp("client_logs")

    async def play() -> None:
        async with httpx.AsyncClient(verify=False, timeout=30) as http:
            for seed, (request, probability) in enumerate(((LIMES, 0.0), (LIMIT, 0.0), (LIMIT, 0.3))):
                simulation = Simulation(
                    [address, address], folder, http, switch_probability=0.1, take_back_probability=probability
                )
                await log_final_states(simulation, await play_match(simulation, Random(seed), request))

    asyncio.run(play())
    return folder


@pytest.fixture(scope="session")
def logs(undamaged_logs: Path) -> dict[str, Log]:
    """Return the three logs as `limes`, `limit` and `taken back`."""
    all_logs = [list(read_log(file)) for file in undamaged_logs.iterdir()]
    return {"taken back" if take_backs(log) else log[0]["request"]["game"]: log for log in all_logs}
