"""Records made for tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from random import Random
from typing import Any

from limina import Game, Position, Record

ChooseTurn = Callable[[Position, int], Any]


def random_record(game: Game, seed: int, players: int | None = None, steps: int = 10_000) -> Record:
    """A game played at random to its end, or for a number of steps."""
    rng = Random(seed)
    count = players or rng.choice(game.spec.players[:4])
    record = start_record(game, [f"player {n}" for n in range(count)], rng)
    for _ in range(steps):
        if record.end.outcome is not None:
            break
        if record.end.awaits_chance:
            record = record.apply_chance(rng)
        else:
            mover = rng.choice(record.end.to_move)
            record = record.play(rng.choice(record.end.legal_turns(mover)), mover)
    return record


def start_record(game: Game, names: Sequence[str], rng: Random, **options: Any) -> Record:
    """A new game, with the table laid where chance lays it."""
    record = Record.new(game, names, **options)
    return record.apply_chance(rng) if game.spec.chance == "setup" else record


def play_on(
    record: Record,
    rng: Random,
    choose: ChooseTurn | None = None,
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
    found: dict[str, Any] = import_module(f"limina.{game}.rule_examples").example(name).record
    return found


def ring_record(turns: int) -> dict[str, Any]:
    """A game of Limit on a ring of 64 tiles: after two turns no tile can be removed, so that pawns walk to and fro.

    Empty tiles and pawns alternate along the ring, the sixteen red pawns first, then the sixteen blue ones. Red opens
    the ring and guards one end of it, blue the other. Then red counts in a Gray code, each pawn a digit, and blue steps
    forth and back; up to 32,000 turns nothing is repeated.
    """
    ring = [(0, r) for r in range(1, 32)] + [(1, 31)] + [(2, r) for r in range(30, -1, -1)] + [(1, 0)]
    names = [f"{'abc'[q]}{r}" for q, r in ring]
    colors = ["BR"[n < 32] if n % 2 == 0 else "YK"[n // 2 % 2] for n in range(64)]
    played = [f"{names[2]}-{names[1]} x{names[63]}", f"{names[62]}-{names[61]} x{names[62]}"]
    gray = 0
    for number in range(turns - 2):
        if number % 2:
            place, forth = 40, number % 4 == 1
        else:
            digit = (number // 2 + 1 & -(number // 2 + 1)).bit_length() - 1
            place, forth = 4 + 2 * digit, not gray >> digit & 1
            gray ^= 1 << digit
        way = names[place], names[place + 1]
        played.append("-".join(way if forth else way[::-1]))
    return {
        "format": "limina/1",
        "game": "limit",
        "players": ["Ada", "Ben"],
        "options": {"size": 16},
        "layout": [name + color for name, color in zip(names, colors, strict=True)],
        "turns": played[:turns],
    }


def memory_heavy_json(size: int) -> bytes:
    """JSON that takes more than so many bytes of memory once it is parsed.

    The first character makes the text one of four bytes for each character, so that each item takes 5 bytes as it is
    sent, 20 as text, and 59 as a string in a list.
    """
    return '["\U0001f600",'.encode() + b'"ab",' * (size // 82) + b"1]"
