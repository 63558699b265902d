"""Deals: the cards of a game in the order in which they are drawn."""

from __future__ import annotations

from limina._kernel import limes as kernel
from limina.core.position import Step
from limina.core.validation import quote_truncated
from limina.errors import InvalidInputError


def read_deal(line: str) -> tuple[Step, ...]:
    """Read a line of at least 16 different card numbers; a game never draws those after the 16th.

    >>> [step.text for step in read_deal("5 1 2 3 4 6 7 8 9 10 11 12 13 14 15 24")[:3]]
    ['5', '1', '2']
    """
    words = line.replace(",", " ").split()
    for word in words:
        if not (word.isdecimal() and len(word) < 3 and 1 <= int(word) <= kernel.DECK_SIZE):
            raise InvalidInputError(
                f"{quote_truncated(word)} is not the number of a card: cards are 1 to {kernel.DECK_SIZE}"
            )
    cards = [int(word) for word in words]
    if len(cards) < kernel.ROUNDS:
        raise InvalidInputError(f"a deal has {kernel.ROUNDS} cards or more, this one has {len(cards)}")
    for card in cards:
        if cards.count(card) > 1:
            raise InvalidInputError(f"card {card} is in this deal twice")
    return tuple(Step(None, str(card)) for card in cards)
