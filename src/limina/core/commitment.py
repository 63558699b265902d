"""Commitments, with which a server proves after a game that it did not change the order of the draws.

The server publishes the commitment before the first draw, and salt and order after the game. The commitment is the
SHA-256, in hexadecimal, of the text `SALT:ORDER` in UTF-8. SALT is 64 hexadecimal digits. ORDER is all draws, written
as in records and joined by commas.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from limina.core.record import Record
from limina.core.validation import expect_list, expect_str, quote_truncated
from limina.errors import IllegalTurnError, InvalidInputError


def commitment_hash(salt: str, order: Iterable[str]) -> str:
    """Return the commitment to an order of draws.

    >>> commitment_hash("00" * 32, ["2", "1"])[:16]
    '3f4eca2558058122'
    """
    return hashlib.sha256(f"{salt}:{','.join(order)}".encode()).hexdigest()


def is_honored(commitment: str, salt: str, order: Sequence[str], outcomes: Sequence[str]) -> bool:
    """Return True if salt and order match the commitment and the outcomes are the first draws of the order."""
    try:
        return commitment_hash(salt, order) == commitment and list(order[: len(outcomes)]) == list(outcomes)
    except UnicodeEncodeError:
        return False


def chance_outcomes(record: Record) -> list[str]:
    """Return all draws of a record, as it writes them."""
    return [step.text for step in record.steps if step.player is None]


def verify(record: Record) -> str:
    """Check the draws of a record against its commitment and return a sentence that confirms them.

    Raises InvalidInputError if the record lacks commitment, salt or order, and IllegalTurnError if they disagree.
    """
    commitment, salt, order = read_opening(record.extra)
    if commitment is None:
        raise InvalidInputError("the record has no commitment, so its draws cannot be checked")
    if salt is None or order is None:
        raise InvalidInputError(
            "the record has a commitment but no salt and order: servers publish them when the game is over"
        )
    try:
        recomputed = commitment_hash(salt, order)
    except UnicodeEncodeError:
        raise InvalidInputError("salt and order must be valid UTF-8") from None
    if recomputed != commitment:
        raise IllegalTurnError(f"salt and order do not match the commitment: they give {recomputed}")
    outcomes = chance_outcomes(record)
    for number, (outcome, promised) in enumerate(zip(outcomes, order, strict=False), 1):
        if outcome != promised:
            raise IllegalTurnError(f"draw {number} should have been {quote_truncated(promised)}, but was {outcome}")
    if len(outcomes) > len(order):
        raise IllegalTurnError(f"the record has {len(outcomes)} draws, but the order has only {len(order)}")
    return f"the draws match the commitment: all {len(outcomes)} came in the order fixed before the first one"


def read_opening(extra: Any) -> tuple[str | None, str | None, list[str] | None]:
    """Return commitment, salt and order from the extra keys of a record; None for each that is missing.

    Raises InvalidInputError if one has the wrong type.
    """
    commitment, salt = (
        None if extra.get(key) is None else expect_str(extra[key], key) for key in ("commitment", "salt")
    )
    order = extra.get("order")
    if order is None:
        return commitment, salt, None
    return commitment, salt, [_draw_text(draw) for draw in expect_list(order, "order")]


def _draw_text(draw: object) -> str:
    if isinstance(draw, bool) or not isinstance(draw, int | str):
        raise InvalidInputError("order must be a list of numbers or strings")
    # Python refuses to convert huge integers to text, and no draw is written like this.
    return str(draw) if isinstance(draw, str) or abs(draw) < 10**9 else "?"
