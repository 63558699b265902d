"""Deals: the cards of a whole game in the order they are drawn, for games that are to be alike."""

from __future__ import annotations

from random import Random

from limina._kernel import limes as kernel
from limina.check import short
from limina.protocols import UnreadableError


def read_deal(line: str) -> tuple[str, ...]:
    """Read a line of card numbers; cards after the last round may follow and are never drawn.

    >>> read_deal("5 1 2 3 4 6 7 8 9 10 11 12 13 14 15 24")[:3]
    ('5', '1', '2')
    """
    cards = line.replace(",", " ").split()
    for card in cards:
        if not (card.isdecimal() and len(card) < 3 and 1 <= int(card) <= kernel.CARDS):
            raise UnreadableError(f"{short(card)} is not the number of a card: they are 1 to {kernel.CARDS}")
    numbers = [int(card) for card in cards]
    if len(numbers) < kernel.ROUNDS:
        raise UnreadableError(f"a deal has {kernel.ROUNDS} cards or more, this one has {len(numbers)}")
    for number in numbers:
        if numbers.count(number) > 1:
            raise UnreadableError(f"card {number} is drawn twice")
    return tuple(str(number) for number in numbers[: kernel.ROUNDS])


def deal(chance: Random) -> tuple[str, ...]:
    """The cards of a game, drawn by the given source of chance."""
    return tuple(str(card) for card in chance.sample(range(1, kernel.CARDS + 1), kernel.ROUNDS))
