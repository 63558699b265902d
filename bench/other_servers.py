"""Measure other game servers with the load of limina's server, their server on one core and the load on another.

They do not judge turns: the load sends the changes of each turn, and the server applies them. Each server has a folder
with its packages. BENCH_OTHER_SERVERS_GAMES, BENCH_SERVER_SECONDS and BENCH_SERVER_REPEATS set the numbers of open
games, the duration of a run and the number of runs.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from bench.figure import Figure, PartSkipped, figure, integer_settings, number_setting
from bench.server_load import pinned_to, two_cores
from limina.limit import Position

PRODUCTION_ENVIRONMENT = {**os.environ, "NODE_ENV": "production"}
"""Node's production mode. Without it, the servers check and log more."""
MAX_TURNS_PER_SECOND = 3000
"""Determines the number of prepared matches: enough for this speed over the whole run."""


def compare(name: str, folder: Path, stores: dict[str, str]) -> Iterator[Figure]:
    """Measure a server with each of its stores and each number of open games. The store `file` gets a folder."""
    if shutil.which("npm") is None:
        raise PartSkipped("npm is missing")
    if not (folder / "node_modules").exists():
        subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--silent"], cwd=folder, check=True)
    seconds, repeats = number_setting("SERVER_SECONDS", 5), int(number_setting("SERVER_REPEATS", 3))
    for games in integer_settings("OTHER_SERVERS_GAMES", "200"):
        slots = random_matches(games, seconds)
        for store, label in stores.items():
            runs = [measure(folder, store, slots, seconds) for _ in range(repeats)]
            size = f"{name} {label}, {games:,} open games"
            yield figure(f"{size}, turns answered", (run["speed"] for run in runs), "/s")
            yield figure(f"{size}, a turn, median", (run["median"] for run in runs), "ms")
            yield figure(f"{size}, a turn, 99th percentile", (run["p99"] for run in runs), "ms")


def random_matches(games: int, seconds: float) -> list[list[dict[str, Any]]]:
    """Return the matches of each slot: enough for the whole run."""
    rng = Random(1)
    first = random_match(rng)
    count = round(seconds * MAX_TURNS_PER_SECOND / games / max(10, len(first["turns"]))) + 1
    return [[random_match(rng) for _ in range(count)] for _ in range(games)]


def random_match(rng: Random) -> dict[str, Any]:
    """Return a random layout, and the changes of each turn of a random game on it."""
    position = Position.random(8, 2, rng=rng)
    board = pawns_by_tile(position)
    layout, turns = board, []
    while position.to_move:
        seat = position.to_move[0]
        turn = rng.choice(position.legal_turns())
        position = position.play(turn)
        after = pawns_by_tile(position)
        changed = {tile: pawn for tile, pawn in after.items() if board[tile] != pawn}
        sources = [tile for tile, pawn in board.items() if pawn == seat and changed.get(tile, seat) is None]
        targets = [tile for tile, pawn in changed.items() if pawn == seat]
        moved = [sources[0], targets[0]] if sources and targets else None
        gone = [tile for tile in board if tile not in after]
        turns.append({"seat": seat, "turn": {"moved": moved, "pawns": changed, "gone": gone}})
        board = after
    return {"layout": layout, "turns": turns}


def pawns_by_tile(position: Position) -> dict[int, int | None]:
    """Return the player of the pawn on each remaining tile, or None for an empty tile."""
    by_tile: dict[int, int | None] = dict.fromkeys(position.board.tiles())
    for player in range(position.players):
        by_tile |= dict.fromkeys(position.board.pawns(player), player)
    return by_tile


@contextmanager
def run_server(server_folder: Path, store: str, core: int | None) -> Iterator[str]:
    """Start the server on one core; yield its address."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["node", "server.js", folder if store == "file" else "memory"]
        with pinned_to(core):
            server = subprocess.Popen(
                command, cwd=server_folder, stdout=subprocess.PIPE, text=True, env=PRODUCTION_ENVIRONMENT
            )
        try:
            assert server.stdout is not None
            lines = iter(server.stdout.readline, "")
            port = next(line.split()[1] for line in lines if line.startswith("ready"))
            yield f"http://127.0.0.1:{port}"
        finally:
            server.kill()
            server.wait()


def measure(server_folder: Path, store: str, slots: list[list[dict[str, Any]]], seconds: float) -> dict[str, float]:
    """Run the load once; return its figures."""
    serving, loading = two_cores() or (None, None)
    with run_server(server_folder, store, serving) as base, pinned_to(loading):
        task = json.dumps({"base": base, "seconds": seconds, "slots": slots})
        load = subprocess.run(
            ["node", "load.js"],
            cwd=server_folder,
            input=task,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            timeout=600,
        )
    result: dict[str, float] = json.loads(load.stdout)
    return result
