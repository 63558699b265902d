"""Deals: the cards of a whole game in the order they are drawn, for games that are to be alike."""

from __future__ import annotations

from limina._kernel import limes as kernel
from limina.core.position import Step
from limina.core.validation import quote_truncated
from limina.errors import InvalidInputError


def read_deal(line: str) -> tuple[Step, ...]:
    """Read a line of card numbers; cards after the last round may follow and are never drawn.

    >>> [step.text for step in read_deal("5 1 2 3 4 6 7 8 9 10 11 12 13 14 15 24")[:3]]
    ['5', '1', '2']
    """
    cards = line.replace(",", " ").split()
    for card in cards:
        if not (card.isdecimal() and len(card) < 3 and 1 <= int(card) <= kernel.CARDS):
            raise InvalidInputError(
                f"{quote_truncated(card)} is not the number of a card: they are 1 to {kernel.CARDS}"
            )
    numbers = [int(card) for card in cards]
    if len(numbers) < kernel.ROUNDS:
        raise InvalidInputError(f"a deal has {kernel.ROUNDS} cards or more, this one has {len(numbers)}")
    for number in numbers:
        if numbers.count(number) > 1:
            raise InvalidInputError(f"card {number} is drawn twice")
    return tuple(Step(None, str(number)) for number in numbers)
