"""What other game servers are measured with: the same load as ours, their server on one core and the load on another.

They are spared the rules: the load knows what a turn does, and the server only applies it. Each has its packages in a
folder of its own. BENCH_RIVAL_GAMES, BENCH_SERVER_SECONDS and BENCH_SERVER_REPEATS change sizes, times and runs.
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

from bench.measure import Figure, Skipped, of, setting, settings
from bench.server_load import kept_to, two_cores
from limina.limit import Position

PRODUCTION = {**os.environ, "NODE_ENV": "production"}
"""Without it, they check and log more than a host would want."""
MOST_SPEED = 3000
"""Turns a second for which there are always matches left."""


def compare(name: str, folder: Path, stores: dict[str, str]) -> Iterator[Figure]:
    """A server with each of its stores, each size. A store called `file` is given a folder."""
    if shutil.which("npm") is None:
        raise Skipped("there is no npm here")
    if not (folder / "node_modules").exists():
        subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--silent"], cwd=folder, check=True)
    seconds, repeats = setting("SERVER_SECONDS", 5), int(setting("SERVER_REPEATS", 3))
    for games in settings("RIVAL_GAMES", "200"):
        slots = matches(games, seconds)
        for store, label in stores.items():
            runs = [measure(folder, store, slots, seconds) for _ in range(repeats)]
            size = f"{name} {label}, {games:,} open games"
            yield of(f"{size}, turns answered", (run["speed"] for run in runs), "/s")
            yield of(f"{size}, a turn, median", (run["median"] for run in runs), "ms")
            yield of(f"{size}, a turn, 99th percentile", (run["p99"] for run in runs), "ms")


def matches(games: int, seconds: float) -> list[list[dict[str, Any]]]:
    """For each open game enough matches for the whole time."""
    chance = Random(1)
    first = played_by_chance(chance)
    each = round(seconds * MOST_SPEED / games / max(10, len(first["turns"]))) + 1
    return [[played_by_chance(chance) for _ in range(each)] for _ in range(games)]


def played_by_chance(chance: Random) -> dict[str, Any]:
    """A layout and what every turn of a game on it changes."""
    position = Position.random(8, 2, rng=chance)
    board = pawns(position)
    layout, turns = board, []
    while position.to_move:
        seat = position.to_move[0]
        turn = chance.choice(position.legal_turns())
        position = position.play(turn)
        after = pawns(position)
        changed = {tile: pawn for tile, pawn in after.items() if board[tile] != pawn}
        left = [tile for tile, pawn in board.items() if pawn == seat and changed.get(tile, seat) is None]
        came = [tile for tile, pawn in changed.items() if pawn == seat]
        moved = [left[0], came[0]] if left and came else None
        gone = [tile for tile in board if tile not in after]
        turns.append({"seat": seat, "turn": {"moved": moved, "pawns": changed, "gone": gone}})
        board = after
    return {"layout": layout, "turns": turns}


def pawns(position: Position) -> dict[int, int | None]:
    """What is on each tile that is left."""
    found: dict[int, int | None] = dict.fromkeys(position.board.tiles())
    for player in range(position.players):
        found |= dict.fromkeys(position.board.pawns(player), player)
    return found


@contextmanager
def running(where: Path, store: str, core: int | None) -> Iterator[str]:
    """Its server, on one core: the address."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["node", "server.js", folder if store == "file" else "memory"]
        with kept_to(core):
            server = subprocess.Popen(command, cwd=where, stdout=subprocess.PIPE, text=True, env=PRODUCTION)
        try:
            assert server.stdout is not None
            lines = iter(server.stdout.readline, "")
            port = next(line.split()[1] for line in lines if line.startswith("ready"))
            yield f"http://127.0.0.1:{port}"
        finally:
            server.kill()
            server.wait()


def measure(where: Path, store: str, slots: list[list[dict[str, Any]]], seconds: float) -> dict[str, float]:
    """One run."""
    serving, loading = two_cores() or (None, None)
    with running(where, store, serving) as base, kept_to(loading):
        task = json.dumps({"base": base, "seconds": seconds, "slots": slots})
        load = subprocess.run(
            ["node", "load.js"], cwd=where, input=task, stdout=subprocess.PIPE, text=True, check=True, timeout=600
        )
    found: dict[str, float] = json.loads(load.stdout)
    return found
