"""Records made for tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from importlib import import_module
from random import Random
from typing import Any

from limina import Game, Position, Record

ChooseTurn = Callable[[Position, int], Any]


def random_record(game: Game, seed: int, players: int | None = None, steps: int = 10_000) -> Record:
    """Return the record of a random game to its end, or to this number of steps."""
    rng = Random(seed)
    count = players or rng.choice(game.spec.players[:4])
    record = start_record(game, [f"player {n}" for n in range(count)], rng)
    for _ in range(steps):
        if record.position.outcome is not None:
            break
        if record.position.awaits_chance:
            record = record.apply_random_chance_step(rng)
        else:
            mover = rng.choice(record.position.to_move)
            record = record.play(rng.choice(record.position.legal_turns(mover)), mover)
    return record


def start_record(game: Game, names: Sequence[str], rng: Random, **options: Any) -> Record:
    """Return a new record, after the setup by chance if the game has one."""
    record = Record.new(game, names, **options)
    return record.apply_random_chance_step(rng) if game.spec.chance == "setup" else record


def play_on(
    record: Record,
    rng: Random,
    choose: ChooseTurn | None = None,
    until: Callable[[Record], bool] = lambda record: False,
) -> Record:
    """Play on, at random or by `choose`, until the game is over or `until` is true; return the record."""
    while record.position.outcome is None and not until(record):
        if record.position.awaits_chance:
            record = record.apply_random_chance_step(rng)
        else:
            mover = record.position.to_move[0]
            turn = choose(record.position, mover) if choose else rng.choice(record.position.legal_turns(mover))
            record = record.play(turn, mover)
    return record


def example_record(game: str, name: str = "full-game") -> dict[str, Any]:
    """Return the record of an example of the rules; by default that of a whole game."""
    record: dict[str, Any] = import_module(f"limina.{game}.rule_examples").example(name).record
    return deepcopy(record)


def ring_record(turns: int) -> dict[str, Any]:
    """Return a game of Limit on a ring of 64 tiles: after two turns no tile can be removed, so that pawns only move.

    Empty tiles and pawns alternate along the ring, the sixteen red pawns first, then the sixteen blue ones. The first
    two turns remove two neighboring tiles, which opens the ring. Then red counts in a Gray code, each pawn a digit, and
    blue moves a pawn forth and back. No position is repeated in the first 32,000 turns.
    """
    ring = [(0, r) for r in range(1, 32)] + [(1, 31)] + [(2, r) for r in range(30, -1, -1)] + [(1, 0)]
    names = [f"{'abc'[q]}{r}" for q, r in ring]
    colors = ["BR"[n < 32] if n % 2 == 0 else "YK"[n // 2 % 2] for n in range(64)]
    played = [f"{names[2]}-{names[1]} x{names[63]}", f"{names[62]}-{names[61]} x{names[62]}"]
    gray = 0
    for turn_index in range(turns - 2):
        if turn_index % 2:
            tile, forward = 40, turn_index % 4 == 1
        else:
            digit = (turn_index // 2 + 1 & -(turn_index // 2 + 1)).bit_length() - 1
            tile, forward = 4 + 2 * digit, not gray >> digit & 1
            gray ^= 1 << digit
        step = names[tile], names[tile + 1]
        played.append("-".join(step if forward else step[::-1]))
    return {
        "format": "limina/1",
        "game": "limit",
        "players": ["Ada", "Ben"],
        "options": {"size": 16},
        "layout": [name + color for name, color in zip(names, colors, strict=True)],
        "turns": played[:turns],
    }


def memory_heavy_json(size: int) -> bytes:
    """Return JSON that takes more than `size` bytes of memory once it is parsed.

    Its first character needs four bytes, so Python stores every character of the text in four bytes. Each item takes 5
    bytes in the request, 20 in the text, and 59 as a string in a list.
    """
    return '["\U0001f600",'.encode() + b'"ab",' * (size // 82) + b"1]"
