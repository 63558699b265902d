"""Matches that nothing happened to, for the checker to look at, and for those who damage them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import httpx
import pytest

from chaos.client_log import read
from chaos.corruptions import Log, taken_back
from chaos.simulated_players import World, ask, play_match

LIMES = {
    "game": "limes",
    "seats": [{"kind": "person"}, {"kind": "open"}, {"kind": "bot", "bot": "novice"}],
    "options": {},
    "hidden": True,
}
LIMIT = {
    "game": "limit",
    "seats": [{"kind": "person"}, {"kind": "bot", "bot": "novice"}],
    "options": {"size": 8},
    "hidden": False,
}


@pytest.fixture(scope="session")
def calm_matches(address: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where three matches are written down, which were played at a server that nothing happened to.

    In the last one turns were taken back.
    """
    folder = tmp_path_factory.mktemp("told")

    async def play() -> None:
        async with httpx.AsyncClient(verify=False, timeout=30) as http:
            for seed, (request, regrets) in enumerate(((LIMES, 0.0), (LIMIT, 0.0), (LIMIT, 0.3))):
                world = World([address, address], folder, http, restless=0.1, regrets=regrets)
                await ask(world, await play_match(world, Random(seed), request))

    asyncio.run(play())
    return folder


@pytest.fixture(scope="session")
def logs(calm_matches: Path) -> dict[str, Log]:
    found = [list(read(file)) for file in calm_matches.iterdir()]
    return {"taken back" if taken_back(log) else log[0]["request"]["game"]: log for log in found}
