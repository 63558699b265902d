"""Records made for tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from random import Random
from typing import Any

from limina import Game, Position, Record

Choose = Callable[[Position, int], Any]


def random_record(game: Game, seed: int, players: int | None = None, steps: int = 10_000) -> Record:
    """A game played at random to its end, or for a number of steps."""
    rng = Random(seed)
    count = players or rng.choice(game.spec.players[:4])
    record = begun(game, [f"player {n}" for n in range(count)], rng)
    for _ in range(steps):
        if record.end.outcome is not None:
            break
        if record.end.awaits_chance:
            record = record.apply_chance(rng)
        else:
            mover = rng.choice(record.end.to_move)
            record = record.play(rng.choice(record.end.legal_turns(mover)), mover)
    return record


def begun(game: Game, names: Sequence[str], rng: Random, **options: Any) -> Record:
    """A new game, with the table laid where chance lays it."""
    record = Record.begin(game, names, **options)
    return record.apply_chance(rng) if game.spec.chance == "setup" else record


def play_on(
    record: Record,
    rng: Random,
    choose: Choose | None = None,
    until: Callable[[Record], bool] = lambda record: False,
) -> Record:
    """The game played on, at random or as somebody chooses, until it is over or as wanted."""
    while record.end.outcome is None and not until(record):
        if record.end.awaits_chance:
            record = record.apply_chance(rng)
        else:
            mover = record.end.to_move[0]
            turn = choose(record.end, mover) if choose else rng.choice(record.end.legal_turns(mover))
            record = record.play(turn, mover)
    return record


def example_record(game: str, name: str = "full-game") -> dict[str, Any]:
    """A whole game, from the examples of the rules."""
    found: dict[str, Any] = import_module(f"limina.{game}.examples").example(name).record
    return found
