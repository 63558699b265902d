"""Binding oneself to all that chance will do before it begins, and showing at the end that it was kept.

The commitment is the SHA-256, in hexadecimal, of the text `SALT:ORDER` in UTF-8: the salt as 64 hexadecimal digits, a
colon, and all that chance will do (each draw as records write it), joined by commas.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from limina.core.record import Record
from limina.core.validation import expect_list, expect_str, quote_truncated
from limina.errors import IllegalTurnError, InvalidInputError


def commit(salt: str, order: Iterable[str]) -> str:
    """The commitment to an order.

    >>> commit("00" * 32, ["2", "1"])[:16]
    '3f4eca2558058122'
    """
    return hashlib.sha256(f"{salt}:{','.join(order)}".encode()).hexdigest()


def is_honored(commitment: str, salt: str, order: Sequence[str], outcomes: Sequence[str]) -> bool:
    """Whether salt and order open the commitment, and chance kept to that order."""
    try:
        return commit(salt, order) == commitment and list(order[: len(outcomes)]) == list(outcomes)
    except UnicodeEncodeError:
        return False


def chance_outcomes(record: Record) -> list[str]:
    """All that chance did in a record."""
    return [step.text for step in record.steps if step.player is None]


def verify(record: Record) -> str:
    """Check a record against the commitment in it; the sentence that says it was kept."""
    commitment, salt, order = read_opening(record.extra)
    if commitment is None:
        raise InvalidInputError("it carries no commitment: nothing was promised about what chance did in it")
    if salt is None or order is None:
        raise InvalidInputError(
            "it carries a commitment but not the salt and the order that open it: is the game over?"
        )
    try:
        found = commit(salt, order)
    except UnicodeEncodeError:
        raise InvalidInputError("salt and order must be plain ASCII") from None
    if found != commitment:
        raise IllegalTurnError(f"salt and order do not open the commitment: they give {found}")
    came = chance_outcomes(record)
    for place, (one, other) in enumerate(zip(came, order, strict=False), 1):
        if one != other:
            raise IllegalTurnError(f"draw {place} was to be {quote_truncated(other)}, but was {one}")
    if len(came) > len(order):
        raise IllegalTurnError("more was drawn than the order holds")
    return f"the commitment was kept: all {len(came)} draws came in the order promised before the first"


def read_opening(extra: Any) -> tuple[str | None, str | None, list[str] | None]:
    """Commitment, salt and order among a record's extra keys."""
    commitment, salt = (
        None if extra.get(key) is None else expect_str(extra[key], key) for key in ("commitment", "salt")
    )
    order = extra.get("order")
    if order is None:
        return commitment, salt, None
    return commitment, salt, [_draw(each) for each in expect_list(order, "order")]


def _draw(each: object) -> str:
    if isinstance(each, bool) or not isinstance(each, int | str):
        raise InvalidInputError("order must be a list of draws")
    return str(each) if isinstance(each, str) or abs(each) < 10**9 else "?"
