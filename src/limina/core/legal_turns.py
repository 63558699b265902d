"""A lazy sequence of legal turns."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar, overload

T = TypeVar("T")


class LegalTurns(Sequence[T], Generic[T]):
    """A sequence of turns that stores the kernel's codes and decodes a turn only when it is read.

    `decode` returns the turn of a code, and `encode` the code of a turn or of its notation.
    """

    __slots__ = ("_codes", "_decode", "_encode")

    def __init__(self, codes: Sequence[int], decode: Callable[[int], T], encode: Callable[[T | str], int]) -> None:
        self._codes = codes
        self._decode = decode
        self._encode = encode

    @property
    def codes(self) -> array[int]:
        """The kernel's codes of the turns as an array of 32-bit integers. The position plays a code, too."""
        return array("I", self._codes)

    def __len__(self) -> int:
        return len(self._codes)

    def __iter__(self) -> Iterator[T]:
        return map(self._decode, self._codes)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> LegalTurns[T]: ...
    def __getitem__(self, index: int | slice) -> T | LegalTurns[T]:
        if isinstance(index, slice):
            return LegalTurns(self._codes[index], self._decode, self._encode)
        return self._decode(self._codes[index])

    def __contains__(self, turn: object) -> bool:
        """Return True if a turn, or its notation, is in the sequence."""
        try:
            return self._encode(turn) in self._codes  # type: ignore[arg-type]  # callers may pass any object
        except (ValueError, AttributeError, TypeError):
            return False

    def __repr__(self) -> str:
        shown = ", ".join(str(turn) for turn in self[:3])
        return f"<{len(self)} legal turns: {shown}{', …' if len(self) > 3 else ''}>"
