"""Records made for tests."""

from __future__ import annotations

from random import Random

from limina import Game, Record


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
