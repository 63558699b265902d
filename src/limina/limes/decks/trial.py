"""A trial of a deck: the mean points that bots and par reach on random deals, compared with limina's own deck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from statistics import fmean, stdev

from limina._kernel import CancelToken
from limina._kernel import limes as kernel
from limina.bots.base import Budget
from limina.core.position import Step
from limina.core.record import Record
from limina.core.validation import pluralize
from limina.errors import LiminaError
from limina.limes import bots
from limina.limes.decks.deck import Deck
from limina.limes.par import par
from limina.limes.rules import GAME

MAX_PAR_ARRANGEMENTS = 300_000
"""Arrangements tried for a par: a fraction of a second, for about a point less than a long search finds."""
Totals = Mapping[str, Sequence[int]]
"""The totals with the deck and with limina's own deck, by way to play (`greedy`, `skilled`, `par`)."""


class DeckTrial:
    """Plays random deals with a deck, and with limina's own if that is another; a seed always gives the same deals.

    >>> trial = DeckTrial(Deck.default(), seed=1)
    >>> sorted(trial.play(0, CancelToken()))
    ['greedy', 'par', 'skilled']
    """

    def __init__(self, deck: Deck, seed: int = 0) -> None:
        self._decks = [deck] if deck == Deck.default() else [deck, Deck.default()]
        self._seed = seed

    def play(self, deal_index: int, cancel_token: CancelToken) -> Totals:
        """Return the totals of one deal; raise LiminaError if the token was set."""
        rng = Random(f"{self._seed}-{deal_index}")
        draws = rng.sample(range(1, kernel.DECK_SIZE + 1), kernel.ROUNDS)
        totals: dict[str, list[int]] = {"greedy": [], "skilled": [], "par": []}
        for deck in self._decks:
            totals["greedy"].append(_greedy(deck, draws))
            totals["skilled"].append(_skilled(deck, draws, deal_index))
            if cancel_token.is_canceled():
                raise LiminaError("the trial was stopped")
            totals["par"].append(
                par(deck, draws, max_arrangements=MAX_PAR_ARRANGEMENTS, threads=1, cancel_token=cancel_token).total
            )
        return {name: tuple(by_deck) for name, by_deck in totals.items()}

    def summarize(self, played: Sequence[Totals]) -> str:
        """Return a text with the mean of each way to play and the half width of its 95% confidence interval."""
        if not played:
            return "No deal was finished."
        lines = [f"Points of one player, mean of {pluralize(len(played), 'deal')}:"]
        for name in played[0]:
            columns = list(zip(*(totals[name] for totals in played), strict=True))
            line = f"  {name:<8}{_mean(columns[0])}"
            if len(columns) > 1:
                line += f"   limina's own deck {_mean(columns[1])}"
            lines.append(line)
        return "\n".join(lines)


def _mean(totals: Sequence[int]) -> str:
    error = 1.96 * stdev(totals) / len(totals) ** 0.5 if len(totals) > 1 else 0.0
    return f"{fmean(totals):5.1f} ± {error:.1f}"


def _greedy(deck: Deck, draws: Sequence[int]) -> int:
    """Return the total of always playing the turn with the most points at once."""
    values, display = kernel.Weights(), kernel.Display()
    for card in draws:
        face = deck.cards[card - 1]
        after = display.play(face, values.ranked_turns(display, face)[0][0])
        assert isinstance(after, kernel.Display)  # it was one of the legal turns
        display = after
    return display.total()


def _skilled(deck: Deck, draws: Sequence[int], seed: int) -> int:
    bot = bots.skilled(seed=seed)
    record = Record.new(GAME, ["skilled"], deck=list(deck.faces))
    for card in draws:
        record = record.apply(Step(None, str(card)))
        record = record.play(bot.choose(record, 0, Budget()).turn, 0)
    return GAME.points(record.position)[0]
