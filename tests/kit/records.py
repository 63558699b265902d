"""Records made for tests."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import Any

from limina import Game, Position, Record

Choose = Callable[[Position, int], Any]


def random_record(game: Game, seed: int, players: int | None = None, steps: int = 10_000) -> Record:
    """A game played at random to its end, or for a number of steps."""
    chance = Random(seed)
    count = players or chance.choice(game.player_counts[:4])
    record = Record.begin(game, [f"player {n}" for n in range(count)], chance=chance)
    for _ in range(steps):
        if record.end.outcome is not None:
            break
        if record.end.awaits_chance:
            record = record.chance(chance)
        else:
            mover = chance.choice(record.end.to_move)
            record = record.play(chance.choice(record.end.legal_turns(mover)), mover)
    return record


def play_on(
    record: Record,
    chance: Random,
    choose: Choose | None = None,
    until: Callable[[Record], bool] = lambda record: False,
) -> Record:
    """The game played on, at random or as somebody chooses, until it is over or as wanted."""
    while record.end.outcome is None and not until(record):
        if record.end.awaits_chance:
            record = record.chance(chance)
        else:
            mover = record.end.to_move[0]
            turn = choose(record.end, mover) if choose else chance.choice(record.end.legal_turns(mover))
            record = record.play(turn, mover)
    return record


def example_record(game: str, name: str = "full-game") -> dict[str, Any]:
    """A whole game, from the examples of the rules."""
    found: dict[str, Any] = import_module(f"limina.{game}.examples").example(name).record
    return found
