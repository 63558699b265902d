"""Search of messages for information that is hidden from their receiver."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

# Public lists of numbers: they are no cards, or cards in the order of their numbers.
_PUBLIC = re.compile(r'"(unseen|turns|scores|totals|to_move|mine|winners)":\[[\d,]*\]')
_NAMED = re.compile(r'"(?:draws|order)":\[([^]]*)\]')
_SINGLE = re.compile(r'"number":(\d+),"turnings"|"player":null,"text":"(\d+)"')


def find_leaks(text: str, salt: str, order: list[str], drawn: int) -> list[str]:
    """Return the secrets that a text reveals when the first `drawn` cards of the order are known."""
    secrets = ["salt"] if salt[:16] in text else []
    text = _PUBLIC.sub("", text)
    sequences = _sequence_pattern(tuple(order[drawn:]))
    if sequences is not None:
        secrets += [f"cards {match[0]}" for match in sequences.finditer(text)]
    # Fields that name cards must name only drawn ones.
    known = set(order[:drawn])
    named = [card for cards in _NAMED.findall(text) for card in re.findall(r"\d+", cards)]
    named += [one or other for one, other in _SINGLE.findall(text)]
    return secrets + [f"card {card}" for card in named if card not in known]


@lru_cache(1000)
def _sequence_pattern(cards: tuple[str, ...]) -> re.Pattern[str] | None:
    """Return a pattern of three undrawn cards in a row, with any separators; None if there are fewer."""
    separator = r"[^0-9a-zA-Z]{1,6}"
    triples = [separator.join(cards[first : first + 3]) for first in range(len(cards) - 2)]
    return re.compile(rf"(?<!\d)(?:{'|'.join(triples)})(?!\d)") if triples else None


def find_states(value: Any) -> Iterator[dict[str, Any]]:
    """Yield all JSON objects with a `view`, at any depth."""
    if isinstance(value, dict):
        if isinstance(value.get("view"), dict):
            yield value
        for part in value.values():
            yield from find_states(part)
    elif isinstance(value, list):
        for part in value:
            yield from find_states(part)
