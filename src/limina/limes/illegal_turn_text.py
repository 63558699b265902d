"""What the kernel's reasons mean, in words that a player understands."""

from __future__ import annotations

from collections.abc import Sequence

from limina._kernel.limes import Problem
from limina.limes.notation import Turn

_WHY = {
    Problem.FULL: "the display is full",
    Problem.NO_SUCH_CELL: "{cell} is not a cell: cells are a1 to g7",
    Problem.FIRST_CELL: "the first card always lies on d4",
    Problem.TAKEN: "a card lies on {cell} already",
    Problem.NOT_BESIDE: "{cell} is not beside any card",
    Problem.TOO_WIDE: "the display would be 5 cards wide",
    Problem.TOO_TALL: "the display would be 5 cards high",
    Problem.NO_SUCH_TURNING: "quarter turns clockwise are r0, r1, r2 and r3",
    Problem.EMPTY_SUPPLY: "no worker is left in the supply: move one, or leave them alone",
    Problem.OFF_CARD: "a worker from the supply goes onto the card just laid, and {target} is not on it",
    Problem.NO_WORKER: "no worker stands on {source}",
    Problem.NO_GROUND: "there is no card under {target}",
    Problem.OWN_TERRITORY: "{target} lies in the territory where the worker stands already",
    Problem.NOT_ADJACENT: "{target} lies in no territory adjacent to that of the worker on {source}",
}


def why_not(problem: Problem, turn: Turn, *, diagonal: bool) -> str:
    """The sentence for an illegal turn."""
    if problem is Problem.NOT_BESIDE and diagonal:
        return f"{turn.cell} touches no card, not even at a corner"
    return _WHY[problem].format(cell=turn.cell, source=turn.source, target=turn.target)


def how_it_ended(totals: Sequence[int], winners: Sequence[int], rating: str | None) -> str:
    """The end of a game in a sentence."""
    best = max(totals)
    if rating is not None:
        return f"{best} points: {rating}"
    names = [f"player {player + 1}" for player in winners]
    if len(names) > 1:
        return f"{', '.join(names[:-1])} and {names[-1]} share the win: {best} points each, and every worker alike"
    if list(totals).count(best) > 1:
        return f"{names[0]} wins the tie at {best} points: his or her best scoring workers are worth more"
    return f"{names[0]} wins with {best} points"
