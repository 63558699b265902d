"""The setups of the benchmark, as they lie in the games' packages."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from limina.core.game import Game
from limina.core.position import Position
from limina.core.registry import game
from limina.core.spec import BenchmarkSet, BenchmarkSpec
from limina.errors import LiminaError

VERSION = 1
"""Of the benchmark: figures of one version can be compared."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One setup, and what is known of it."""

    setup: str
    """A line that the game's `read_setup` reads."""
    par: int | None = None
    """The best total found, all that chance does known in advance."""
    value: int | None = None
    """How it ends with best play for whoever begins: 1 is a win, -1 a loss."""
    keeping: str | None = None
    """Which first turns lead to that value: see `kept`."""


@dataclass(frozen=True, slots=True)
class Rung:
    """How strong a bot of the ladder was found to be."""

    bot: str
    rating: float
    """Its mean points where it plays alone, else Elo."""
    within: float


def benchmark_of(the_game: Game) -> BenchmarkSpec:
    """What the bots of a game are measured on; LiminaError if nobody said so."""
    if the_game.spec.benchmark is None:
        raise LiminaError(f"{the_game.title} has no benchmark")
    return the_game.spec.benchmark


def set_of(the_game: Game, name: str) -> BenchmarkSet:
    """The set of that name."""
    found = {each.name: each for each in benchmark_of(the_game).sets}
    if name not in found:
        raise LiminaError(f"{the_game.title} has no set of that name: choose one of {', '.join(found)}")
    return found[name]


@cache
def entries(game_name: str, set_name: str) -> tuple[Entry, ...]:
    """The setups of a set, always in the same order.

    >>> first = entries("limes", "test")[0]
    >>> len(first.setup.split()), first.par > 40
    (24, True)
    """
    the_game = game(game_name)
    lines = _file(the_game, f"{set_of(the_game, set_name).name}.jsonl").read_text("utf-8").splitlines()
    return tuple(Entry(**json.loads(line)) for line in lines)


@cache
def ladder(game_name: str) -> tuple[Rung, ...]:
    """The ladder of a game's bots, weakest first."""
    the_game = game(game_name)
    benchmark_of(the_game)
    measured: list[dict[str, Any]] = json.loads(_file(the_game, "ladder.json").read_text("utf-8"))
    return tuple(sorted((Rung(**rung) for rung in measured), key=lambda rung: rung.rating))


def packed(position: Position, turns: Collection[str]) -> str:
    """Some of the legal turns in few letters: a bit for each, sorted by their notation, as a hexadecimal number."""
    return f"{sum(1 << n for n, turn in enumerate(_sorted(position)) if turn in turns):x}"


def kept(position: Position, keeping: str) -> set[str]:
    """The turns that `packed` wrote."""
    bits = int(keeping, 16)
    return {turn for n, turn in enumerate(_sorted(position)) if bits >> n & 1}


def _sorted(position: Position) -> list[str]:
    return sorted(map(str, position.legal_turns()))


def _file(the_game: Game, name: str) -> Traversable:
    return files(type(the_game).__module__.rpartition(".")[0]) / "benchmark" / name
