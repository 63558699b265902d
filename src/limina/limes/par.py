"""Par: the best score found for a deal when all 16 cards are known in advance, and the turns that reach it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from limina._kernel import Stop
from limina._kernel import limes as kernel
from limina.limes import values
from limina.limes.deck import Deck
from limina.limes.notation import Turn
from limina.limes.position import Position
from limina.protocols import IllegalTurnError, LiminaError, Step

WIDTH = 5_000
"""Displays that are kept after each card; about a second for a deal."""
_WIDEST = 100_000
"""... when time alone is to decide."""
_FOREVER = 1e9


@dataclass(frozen=True, slots=True)
class Par:
    """What was found, and how hard it was looked for."""

    total: int
    turns: tuple[Turn, ...]
    start: Position
    draws: tuple[int, ...]
    width: int
    """How many displays were kept after each card."""
    tried: int
    """How many turns were judged."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """The whole game as the steps of a record."""
        pairs = zip(self.draws, self.turns, strict=True)
        return tuple(step for card, turn in pairs for step in (Step(None, str(card)), Step(0, str(turn))))

    @property
    def effort(self) -> str:
        """How hard it looked, in words."""
        return f"a beam of {self.width:,} displays, {self.tried:,} turns judged"

    def report(self) -> dict[str, Any]:
        """What was found as plain values."""
        return {
            "par": self.total,
            "draws": list(self.draws),
            "turns": [str(turn) for turn in self.turns],
            "width": self.width,
            "tried": self.tried,
        }


def par(
    deck: Deck,
    draws: Sequence[int],
    *,
    variants: Mapping[str, bool] | None = None,
    budget: int | None = None,
    seconds: float | None = None,
    threads: int | None = None,
    stop: Stop | None = None,
) -> Par:
    """The best score found for these cards in this order; `budget` is how many displays are kept after each.

    With `seconds` and no budget as many are kept as there is time for.
    All cores are used unless `threads` says otherwise; what is found does not depend on it.

    >>> deal = [24, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    >>> found = par(Deck.default(), deal, budget=20)
    >>> position = found.start
    >>> for step in found.steps:
    ...     position = position.replay(step)
    >>> position.display().total == found.total
    True
    """
    start = Position.start(deck=deck, **dict(variants or {}))
    if len(draws) != kernel.ROUNDS or len(set(draws)) != len(draws):
        raise IllegalTurnError(f"par needs a whole deal of {kernel.ROUNDS} different cards, this one has {len(draws)}")
    if not all(card in range(1, kernel.CARDS + 1) for card in draws):
        raise IllegalTurnError(f"a card must be from 1 to {kernel.CARDS}")
    if budget is None:
        budget = WIDTH if seconds is None else _WIDEST
    if budget < 1:
        raise IllegalTurnError("par needs a beam of at least 1")
    total, codes, tried, width = kernel.par(
        values.shipped(),
        [deck.cards[card - 1] for card in draws],
        start.diagonal,
        start.ferryman,
        width=budget,
        threads=threads or os.cpu_count() or 1,
        seconds=_FOREVER if seconds is None else seconds,
        stop=stop if stop is not None else Stop(),
    )
    if width == 0:
        raise LiminaError("the search for par was ended before it had found anything: give it more time")
    return Par(total, tuple(map(Turn.from_code, codes)), start, tuple(draws), width, tried)
