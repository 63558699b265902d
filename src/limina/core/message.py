"""A reason: an English sentence that also says of which parts it is made, so that a page can say it in its language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class TranslatableMessage(str):
    """A sentence with the name of its pattern, the values in it and the reasons it is put together from.

    A value that begins with a colon names a word of the game rather than being one: `:limit.pawn.R`.

    >>> said = TranslatableMessage("d4r0 brings +2 points now.", "points", {"turn": "d4r0", "n": 2})
    >>> said.startswith("d4r0"), said.to_json()["key"]
    (True, 'points')
    """

    key: str
    values: Mapping[str, str | int]
    parts: tuple[TranslatableMessage, ...]

    def __new__(
        cls, text: str, key: str, values: Mapping[str, str | int], parts: Sequence[TranslatableMessage] = ()
    ) -> TranslatableMessage:
        """The sentence; equal to any text that reads the same."""
        made = super().__new__(cls, text)
        made.key, made.values, made.parts = key, dict(values), tuple(parts)
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        """What it is made of again where it is sent to another process."""
        return str(self), self.key, self.values, self.parts

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        parts = [part.to_json() for part in self.parts]
        return {"text": str(self), "key": self.key, "values": dict(self.values), "parts": parts}


def to_json(reason: str) -> dict[str, Any]:
    """Any reason as plain values; one that is a mere text has no key."""
    if isinstance(reason, TranslatableMessage):
        return reason.to_json()
    return {"text": reason, "key": "", "values": {}, "parts": []}
