"""Frames of a socket by their first bytes: how many there are, and the one that is a whole message."""

from __future__ import annotations

from websockets.frames import apply_mask  # type: ignore[attr-defined]  # it takes the faster of its two from elsewhere

_MOST_WHOLE = 4096
"""Bytes of a message that is read in one step."""


class FrameCounter:
    """Counts frames by their first bytes, without reading what is in them.

    >>> ping = bytes([0x89, 0x80, 0, 0, 0, 0])
    >>> counter = FrameCounter()
    >>> counter.count(ping * 3 + ping[:1], 100), counter.count(ping[1:] + ping, 100), counter.count(ping * 9, 4)
    (3, 2, 5)
    """

    __slots__ = ("_begun", "_rest")

    def __init__(self) -> None:
        self._begun = b""
        self._rest = 0

    @property
    def within(self) -> bool:
        """Whether the last frame has not come to its end."""
        return bool(self._begun or self._rest)

    def count(self, data: bytes, most: int) -> int:
        """How many frames begin here; counts no further than one more than most."""
        data, at, frames = self._begun + data, self._rest, 0
        size = len(data)
        while at + 2 <= size:
            length = data[at + 1] & 0x7F
            more = 2 if length == 126 else 8 if length == 127 else 0
            if at + 2 + more > size:
                break
            frames += 1
            if frames > most:
                return frames
            if more:
                length = int.from_bytes(data[at + 2 : at + 2 + more], "big")
            at += 2 + more + (4 if data[at + 1] & 0x80 else 0) + length
        self._begun, self._rest = data[at:], max(0, at - size)
        return frames


def whole_message(data: bytes) -> str | None:
    """The text of a single short frame, if that is all there is: so nearly every message of a page comes.

    Everything else (parts, controls, several at once, what is too long or not text) is for who knows all of it.

    >>> whole_message(bytes([0x81, 0x82, 1, 2, 1, 2]) + b"zx"), whole_message(bytes([0x89, 0x80, 0, 0, 0, 0]))
    ('{z', None)
    """
    size = len(data)
    if size < 7 or data[0] != 0x81 or data[1] < 0x80:
        return None
    length, begin = data[1] - 0x80, 2
    if length == 126:
        length, begin = int.from_bytes(data[2:4]), 4
    elif length == 127:  # it is long, or says so
        return None
    if length > _MOST_WHOLE or size != begin + 4 + length:
        return None
    try:
        return apply_mask(data[begin + 4 :], data[begin : begin + 4]).decode()
    except UnicodeDecodeError:
        return None
