"""What a deck is worth to those who play it: bots alone on random deals, beside our own deck on the same ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from statistics import fmean, stdev

from limina._kernel import Stop
from limina._kernel import limes as kernel
from limina.bots.base import Budget
from limina.core.position import Step
from limina.core.record import Record
from limina.errors import LiminaError
from limina.limes import bots
from limina.limes.decks.deck import Deck
from limina.limes.par import par
from limina.limes.rules import GAME

ARRANGEMENTS = 300_000
"""Layouts tried for a par: a fraction of a second, and a point or so below what patience finds."""
Totals = Mapping[str, Sequence[int]]


class DeckTrial:
    """Plays deals with a deck, and with ours if it is another; the same seed gives the same deals.

    >>> trial = DeckTrial(Deck.default(), seed=1)
    >>> sorted(trial.play(0, Stop()))
    ['greedy', 'par', 'skilled']
    """

    def __init__(self, deck: Deck, seed: int = 0) -> None:
        self._decks = [deck] if deck == Deck.default() else [deck, Deck.default()]
        self._seed = seed

    def play(self, deal_index: int, cancel_token: Stop) -> Totals:
        """The totals of one deal, for each way to play it; LiminaError if it was stopped."""
        rng = Random(f"{self._seed}-{deal_index}")
        draws = rng.sample(range(1, kernel.CARDS + 1), kernel.ROUNDS)
        found: dict[str, list[int]] = {"greedy": [], "skilled": [], "par": []}
        for deck in self._decks:
            found["greedy"].append(_greedy(deck, draws))
            found["skilled"].append(_skilled(deck, draws, deal_index))
            if cancel_token.is_set():
                raise LiminaError("the trial was stopped")
            found["par"].append(par(deck, draws, budget=ARRANGEMENTS, threads=1, stop=cancel_token).total)
        return {name: tuple(totals) for name, totals in found.items()}

    def summarize(self, played: Sequence[Totals]) -> str:
        """The means of what was played, with the error of each."""
        if not played:
            return "No deal was played to its end."
        lines = [f"Points alone, mean of {len(played)} deal{'s' if len(played) > 1 else ''}:"]
        for name in played[0]:
            columns = list(zip(*(totals[name] for totals in played), strict=True))
            line = f"  {name:<8}{_mean(columns[0])}"
            if len(columns) > 1:
                line += f"   ours {_mean(columns[1])}"
            lines.append(line)
        return "\n".join(lines)


def _mean(totals: Sequence[int]) -> str:
    error = 1.96 * stdev(totals) / len(totals) ** 0.5 if len(totals) > 1 else 0.0
    return f"{fmean(totals):5.1f} ± {error:.1f}"


def _greedy(deck: Deck, draws: Sequence[int]) -> int:
    """Whoever takes the most points at once, wherever they are."""
    values, display = kernel.Values(), kernel.Display()
    for card in draws:
        face = deck.cards[card - 1]
        after = display.play(face, values.turns(display, face)[0][0])
        assert isinstance(after, kernel.Display)  # it was one of the legal turns
        display = after
    return display.total()


def _skilled(deck: Deck, draws: Sequence[int], seed: int) -> int:
    bot = bots.skilled(seed=seed)
    record = Record.new(GAME, ["skilled"], deck=list(deck.faces))
    for card in draws:
        record = record.apply(Step(None, str(card)))
        record = record.play(bot.choose(record, 0, Budget()).turn, 0)
    return GAME.points(record.end)[0]
