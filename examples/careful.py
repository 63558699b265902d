"""A bot as a Python object: it looks one turn ahead. All it needs is the method `choose`."""

from __future__ import annotations

from random import Random
from typing import Any

MOST = 300
"""Turns to look at; more would take too long for so simple a bot."""


class Careful:
    """Takes the most points it can get at once, or leaves the next player as few turns as possible."""

    def __init__(self, seed: int = 0) -> None:
        self._chance = Random(seed)

    def choose(self, position: Any, player: int) -> object:
        """Return one of the legal turns of this player."""
        turns = list(position.legal_turns(player))
        # Turns that look the same are chosen among by chance, not by their order.
        self._chance.shuffle(turns)
        return max(turns[:MOST], key=lambda turn: self._worth(position.play(turn, player), player))

    def _worth(self, after: Any, player: int) -> float:
        if after.outcome is not None:
            return 1e6 if player in after.outcome.winners else -1e6
        display = getattr(after, "display", None)
        if display is not None:  # a game with points: those of the player's own display
            return float(display(player).total)
        return -len(after.legal_turns())
