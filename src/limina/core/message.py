"""English sentences with the key and values that a web page needs to translate them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class TranslatableMessage(str):
    """An English sentence with its key, its values and the messages that it contains.

    A value that begins with a colon is the key of a word, such as `:limit.pawn.R`.

    >>> message = TranslatableMessage("d4r0 brings +2 points now.", "points", {"turn": "d4r0", "n": 2})
    >>> message.startswith("d4r0"), message.to_json()["key"]
    (True, 'points')
    """

    key: str
    values: Mapping[str, str | int]
    parts: tuple[TranslatableMessage, ...]

    def __new__(
        cls, text: str, key: str, values: Mapping[str, str | int], parts: Sequence[TranslatableMessage] = ()
    ) -> TranslatableMessage:
        """Create the message. It compares equal to its text."""
        message = super().__new__(cls, text)
        message.key, message.values, message.parts = key, dict(values), tuple(parts)
        return message

    def __getnewargs__(self) -> tuple[Any, ...]:
        """Return the arguments of the constructor, with which pickle copies the message."""
        return str(self), self.key, self.values, self.parts

    def to_json(self) -> dict[str, Any]:
        """Return the message as plain values."""
        parts = [part.to_json() for part in self.parts]
        return {"text": str(self), "key": self.key, "values": dict(self.values), "parts": parts}


def to_json(message: str) -> dict[str, Any]:
    """Return a message as plain values. A plain text gets an empty key."""
    if isinstance(message, TranslatableMessage):
        return message.to_json()
    return {"text": message, "key": "", "values": {}, "parts": []}
