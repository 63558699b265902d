"""The setups and the ladder of the benchmark, from the packages of the games."""

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
"""Version of the benchmark. Only measurements of the same version can be compared."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A setup with its known results."""

    setup: str
    """Line that the game's `read_setup` reads."""
    par: int | None = None
    """Best known total of a solver that knows all chance steps in advance."""
    value: int | None = None
    """Result of best play for the first player: 1 for a win, 0 for a tie, -1 for a loss."""
    keeping: str | None = None
    """First turns that lead to this result, as `unpack_turns` reads them. None if all do, or it is not known."""


@dataclass(frozen=True, slots=True)
class RatedBot:
    """The measured strength of a bot of the ladder."""

    bot: str
    rating: float
    """Mean points if it plays alone, else Elo."""
    within: float
    """Half of the 95% interval."""


def benchmark_of(rules: Game) -> BenchmarkSpec:
    """Return the benchmark of a game. Raises LiminaError if it has none."""
    if rules.spec.benchmark is None:
        raise LiminaError(f"{rules.title} has no benchmark")
    return rules.spec.benchmark


def find_set(rules: Game, name: str) -> BenchmarkSet:
    """Return the set of that name. Raises LiminaError if there is none."""
    sets = {candidate.name: candidate for candidate in benchmark_of(rules).sets}
    if name not in sets:
        raise LiminaError(f"{rules.title} has no set of that name: choose one of {', '.join(sets)}")
    return sets[name]


@cache
def load_entries(game_name: str, set_name: str) -> tuple[Entry, ...]:
    """Return the setups of a set, always in the same order. Raises LiminaError if there is no such set.

    >>> first = load_entries("limes", "test")[0]
    >>> len(first.setup.split()), first.par > 40
    (24, True)
    """
    rules = game(game_name)
    lines = _file(rules, f"{find_set(rules, set_name).name}.jsonl").read_text("utf-8").splitlines()
    return tuple(Entry(**json.loads(line)) for line in lines)


@cache
def load_ladder(game_name: str) -> tuple[RatedBot, ...]:
    """Return the rated bots of a game's ladder, weakest first."""
    rules = game(game_name)
    benchmark_of(rules)
    rungs: list[dict[str, Any]] = json.loads(_file(rules, "ladder.json").read_text("utf-8"))
    return tuple(sorted((RatedBot(**rung) for rung in rungs), key=lambda rung: rung.rating))


def pack_turns(position: Position, turns: Collection[str]) -> str:
    """Return a set of legal turns as a hexadecimal bit set. Bits are in the order of the sorted notation."""
    return f"{sum(1 << index for index, turn in enumerate(_sorted_turns(position)) if turn in turns):x}"


def unpack_turns(position: Position, packed: str) -> set[str]:
    """Return the turns that `pack_turns` packed."""
    bits = int(packed, 16)
    return {turn for index, turn in enumerate(_sorted_turns(position)) if bits >> index & 1}


def _sorted_turns(position: Position) -> list[str]:
    return sorted(map(str, position.legal_turns()))


def _file(rules: Game, name: str) -> Traversable:
    return files(type(rules).__module__.rpartition(".")[0]) / "benchmark" / name
