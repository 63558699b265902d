"""Par: the best score found for a deal when all 16 cards are known in advance, the turns that reach it, and a bound."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from limina._kernel import Stop
from limina._kernel import limes as kernel
from limina.core.position import Step
from limina.errors import IllegalTurnError, LiminaError
from limina.limes.decks.deck import Deck
from limina.limes.notation import Turn
from limina.limes.position import Position

ARRANGEMENTS = 1_600_000
"""Layouts that are tried for a deal; about a second on one core."""
_ENDLESS = 10**15
"""... when time alone is to decide."""
_FOREVER = 1e9


@dataclass(frozen=True, slots=True)
class Par:
    """What was found, and how hard it was looked for."""

    total: int
    turns: tuple[Turn, ...]
    start: Position
    draws: tuple[int, ...]
    tried: int
    """How many arrangements were judged."""
    bound: int
    """Proven: no game with these cards has a higher total. Where it equals the total, that is the best there is."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """The whole game as the steps of a record."""
        pairs = zip(self.draws, self.turns, strict=True)
        return tuple(step for card, turn in pairs for step in (Step(None, str(card)), Step(0, str(turn))))

    @property
    def effort(self) -> str:
        """How hard it looked, in words."""
        return f"{self.tried:,} arrangements judged"

    def to_json(self) -> dict[str, Any]:
        """What was found as plain values."""
        return {
            "par": self.total,
            "bound": self.bound,
            "draws": list(self.draws),
            "turns": [str(turn) for turn in self.turns],
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
    """The best score found for these cards in this order; `budget` is how many arrangements are tried at most.

    With `seconds` and no budget it goes on as long as there is time.
    All cores are used unless `threads` says otherwise; what a budget finds does not depend on it.

    >>> deal = [24, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    >>> found = par(Deck.default(), deal, budget=2000)
    >>> position = found.start
    >>> for step in found.steps:
    ...     position = position.apply(step)
    >>> position.display().total == found.total <= found.bound
    True
    """
    start = Position.start(deck=deck, **dict(variants or {}))
    if len(draws) != kernel.ROUNDS or len(set(draws)) != len(draws):
        raise IllegalTurnError(f"par needs a whole deal of {kernel.ROUNDS} different cards, this one has {len(draws)}")
    if not all(card in range(1, kernel.CARDS + 1) for card in draws):
        raise IllegalTurnError(f"a card must be from 1 to {kernel.CARDS}")
    if budget is None:
        budget = ARRANGEMENTS if seconds is None else _ENDLESS
    if budget < 1:
        raise IllegalTurnError("par needs at least 1 arrangement to try")
    if seconds is not None and not 0 < seconds < math.inf:
        raise IllegalTurnError("par needs a number of seconds above 0")
    cards = [deck.cards[card - 1] for card in draws]
    total, codes, tried = kernel.par(
        cards,
        start.diagonal,
        start.ferryman,
        most=min(budget, _ENDLESS),
        threads=threads or os.cpu_count() or 1,
        seconds=_FOREVER if seconds is None else seconds,
        stop=stop if stop is not None else Stop(),
    )
    if not codes:
        raise LiminaError("the search for par was ended before it had found anything")
    return Par(total, tuple(map(Turn.from_code, codes)), start, tuple(draws), tried, kernel.bound(cards))


class ParSolver:
    """Finds par for any start of the game."""

    def can_solve(self, start: Position, deal: Sequence[Step]) -> bool:
        """Whether the deal has a card for every round."""
        return len(deal) >= kernel.ROUNDS

    def solve(
        self,
        start: Position,
        deal: Sequence[Step],
        *,
        max_work: int | None = None,
        max_seconds: float | None = None,
        cancel_token: Stop | None = None,
    ) -> Par:
        """The best game found for the start and its cards."""
        return par(
            start.deck,
            [int(step.text) for step in deal[: kernel.ROUNDS]],
            variants={"diagonal": start.diagonal, "ferryman": start.ferryman},
            budget=max_work,
            seconds=max_seconds,
            stop=cancel_token,
        )
