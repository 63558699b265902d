"""A bot as a Python class with a method `choose`. It looks one turn ahead."""

from __future__ import annotations

from random import Random
from typing import Any

MAX_TURNS = 300
"""Maximum number of turns that the bot evaluates."""


class Careful:
    """Take the most points in a game with points. In other games, leave the next player as few turns as possible."""

    def __init__(self, seed: int = 0) -> None:
        self._rng = Random(seed)

    def choose(self, position: Any, player: int) -> object:
        """Return a legal turn of the player."""
        turns = list(position.legal_turns(player))
        # The order decides between turns of equal value.
        self._rng.shuffle(turns)
        return max(turns[:MAX_TURNS], key=lambda turn: self._value(position.play(turn, player), player))

    def _value(self, after: Any, player: int) -> float:
        if after.outcome is not None:
            return 1e6 if player in after.outcome.winners else -1e6
        display = getattr(after, "display", None)
        if display is not None:  # Limes: the points of the player's display
            return float(display(player).total)
        return -len(after.legal_turns())
