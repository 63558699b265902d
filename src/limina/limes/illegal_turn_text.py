"""Sentences for players: the reason why a turn is illegal, and how a game ended."""

from __future__ import annotations

from collections.abc import Sequence

from limina._kernel.limes import IllegalTurnReason
from limina.limes.notation import Turn

_SENTENCES = {
    IllegalTurnReason.DISPLAY_FULL: "the display is full",
    IllegalTurnReason.NO_SUCH_CELL: "{cell} is not a cell: cells are a1 to g7",
    IllegalTurnReason.FIRST_CARD_OFF_D4: "the first card always lies on d4",
    IllegalTurnReason.CELL_TAKEN: "a card already lies on {cell}",
    IllegalTurnReason.NOT_BESIDE_CARD: "{cell} is not beside any card",
    IllegalTurnReason.TOO_WIDE: "the display would be 5 cards wide, and 4 is the limit",
    IllegalTurnReason.TOO_TALL: "the display would be 5 cards high, and 4 is the limit",
    IllegalTurnReason.NO_SUCH_TURNING: "quarter turns clockwise are r0, r1, r2 and r3",
    IllegalTurnReason.EMPTY_SUPPLY: (
        "no worker is left in the supply: move one that is in the display, or only lay the card"
    ),
    IllegalTurnReason.TARGET_OFF_CARD: "a worker from the supply goes onto the new card, and {target} is not on it",
    IllegalTurnReason.NO_WORKER_ON_SOURCE: "no worker stands on {source}",
    IllegalTurnReason.NO_CARD_UNDER_TARGET: "there is no card under {target}",
    IllegalTurnReason.TARGET_IN_OWN_TERRITORY: (
        "the worker is already in the territory of {target}, and a move must lead to another one"
    ),
    IllegalTurnReason.TARGET_NOT_ADJACENT: "{target} is not in a territory adjacent to that of the worker on {source}",
}


def illegal_turn_text(problem: IllegalTurnReason, turn: Turn, *, diagonal: bool) -> str:
    """Return the sentence that tells a player why a turn is illegal."""
    if problem is IllegalTurnReason.NOT_BESIDE_CARD and diagonal:
        return f"{turn.cell} touches no card, not even at a corner"
    return _SENTENCES[problem].format(cell=turn.cell, source=turn.source, target=turn.target)


def outcome_text(totals: Sequence[int], winners: Sequence[int], rating: str | None) -> str:
    """Return how a game ended, in a sentence without capital and full stop."""
    best = max(totals)
    if rating is not None:
        return f"{best} points: {rating}"
    names = [f"player {player + 1}" for player in winners]
    if len(names) > 1:
        everyone = f"{', '.join(names[:-1])} and {names[-1]}"
        return f"{everyone} share the win: {best} points each, and their workers score the same"
    if list(totals).count(best) > 1:
        return f"{names[0]} wins the tie-break: {best} points, and the better scoring workers"
    return f"{names[0]} wins with {best} points"
