"""Par of a deal: the best total found when all 16 cards are known in advance, its turns, and an upper bound."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from limina._kernel import CancelToken
from limina._kernel import limes as kernel
from limina.core.position import Step
from limina.errors import IllegalTurnError, LiminaError
from limina.limes.decks.deck import Deck
from limina.limes.notation import Turn
from limina.limes.position import Position

DEFAULT_MAX_ARRANGEMENTS = 1_600_000
"""Arrangements of the cards that are tried if neither their number nor a time is given: about 1 s on one core."""
_UNLIMITED_ARRANGEMENTS = 10**15
"""The bound passed to the kernel when only the time is limited."""
_UNLIMITED_SECONDS = 1e9
"""The bound passed to the kernel when the time is not limited."""


@dataclass(frozen=True, slots=True)
class Par:
    """The best game found for a deal, and the work that was spent on it."""

    total: int
    turns: tuple[Turn, ...]
    start: Position
    draws: tuple[int, ...]
    arrangements: int
    """The number of arrangements of the cards that were scored."""
    bound: int
    """A proven upper bound: no game with these cards has a higher total. If the total equals it, par is exact."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """The game as the steps of a record."""
        pairs = zip(self.draws, self.turns, strict=True)
        return tuple(step for card, turn in pairs for step in (Step(None, str(card)), Step(0, str(turn))))

    @property
    def effort(self) -> str:
        """The work spent, as text for the command line."""
        return f"{self.arrangements:,} arrangements scored"

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object that `limina par --json` prints, without the key `record`."""
        return {
            "par": self.total,
            "bound": self.bound,
            "draws": list(self.draws),
            "turns": [str(turn) for turn in self.turns],
            "tried": self.arrangements,
        }


def par(
    deck: Deck,
    draws: Sequence[int],
    *,
    variants: Mapping[str, bool] | None = None,
    max_arrangements: int | None = None,
    max_seconds: float | None = None,
    threads: int | None = None,
    cancel_token: CancelToken | None = None,
) -> Par:
    """Search for the best total with these cards in this order.

    The search ends after `max_arrangements` arrangements or `max_seconds`, whichever comes first. Without either it
    tries 1,600,000 arrangements; with `max_seconds` alone it takes all of that time. It runs on all cores, or on
    `threads`; the result for a number of arrangements does not depend on the threads.
    `variants` holds the rule options `diagonal` and `ferryman`. Raises IllegalTurnError if this is not a deal of 16
    different cards or a limit is not positive, LiminaError if the token was set before the search found a game.

    >>> deal = [24, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    >>> best = par(Deck.default(), deal, max_arrangements=2000)
    >>> position = best.start
    >>> for step in best.steps:
    ...     position = position.apply(step)
    >>> position.display().total == best.total <= best.bound
    True
    """
    start = Position.start(deck=deck, **dict(variants or {}))
    if len(draws) != kernel.ROUNDS or len(set(draws)) != len(draws):
        raise IllegalTurnError(f"par needs a whole deal of {kernel.ROUNDS} different cards, this one has {len(draws)}")
    if not all(card in range(1, kernel.DECK_SIZE + 1) for card in draws):
        raise IllegalTurnError(f"a card must be from 1 to {kernel.DECK_SIZE}")
    if max_arrangements is None:
        max_arrangements = DEFAULT_MAX_ARRANGEMENTS if max_seconds is None else _UNLIMITED_ARRANGEMENTS
    if max_arrangements < 1:
        raise IllegalTurnError("par needs at least 1 arrangement to try")
    if max_seconds is not None and not 0 < max_seconds < math.inf:
        raise IllegalTurnError("par needs a number of seconds above 0")
    cards = [deck.cards[card - 1] for card in draws]
    total, codes, arrangements = kernel.par(
        cards,
        start.diagonal,
        start.ferryman,
        max_arrangements=min(max_arrangements, _UNLIMITED_ARRANGEMENTS),
        threads=threads or os.cpu_count() or 1,
        seconds=_UNLIMITED_SECONDS if max_seconds is None else max_seconds,
        cancel_token=cancel_token if cancel_token is not None else CancelToken(),
    )
    if not codes:
        raise LiminaError("the search for par was stopped before it found a game")
    return Par(total, tuple(map(Turn.from_code, codes)), start, tuple(draws), arrangements, kernel.upper_bound(cards))


class ParSolver:
    """Finds par for any start and deal of the game."""

    def is_complete_deal(self, start: Position, deal: Sequence[Step]) -> bool:
        """Return True if the deal has a card for every round."""
        return len(deal) >= kernel.ROUNDS

    def solve(
        self,
        start: Position,
        deal: Sequence[Step],
        *,
        max_work: int | None = None,
        max_seconds: float | None = None,
        cancel_token: CancelToken | None = None,
    ) -> Par:
        """Return the best game found for the start and its deal; `max_work` limits the arrangements that are tried."""
        return par(
            start.deck,
            [int(step.text) for step in deal[: kernel.ROUNDS]],
            variants={"diagonal": start.diagonal, "ferryman": start.ferryman},
            max_arrangements=max_work,
            max_seconds=max_seconds,
            cancel_token=cancel_token,
        )
