"""Names of tiles, and turns as players write them: `c4-e5 xd3`, `c4-e5`, `xd3` or `-`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from limina.core.validation import quote_truncated
from limina.errors import InvalidInputError

_TILE = r"[a-z](?:0|[1-9][0-9]?)"
_TURN = re.compile(rf"(?:({_TILE})-({_TILE}))?\s*(?:x({_TILE}))?", re.ASCII)
_LAID = re.compile(rf"({_TILE})([RBYK])", re.ASCII)


class Turn(NamedTuple):
    """What a player does once: move a pawn, then remove a tile.

    >>> turn = Turn.read("c4-e5 xd3")
    >>> turn.source, turn.target, turn.removed
    ('c4', 'e5', 'd3')
    >>> Turn("c4", "e5")
    Turn.read('c4-e5')
    >>> print(Turn())
    -
    """

    source: str | None = None
    """The tile a pawn leaves."""
    target: str | None = None
    """The tile it goes to."""
    removed: str | None = None
    """The tile that is removed."""

    @classmethod
    def read(cls, text: str) -> Turn:
        """Read a turn from the notation."""
        parts = None
        if isinstance(text, str) and len(text) < 40:
            plain = text.strip(" ")
            if plain == "-":
                return cls()
            parts = _TURN.fullmatch(plain) if plain else None
        if parts is None:
            raise InvalidInputError(
                f"{quote_truncated(text)} is not a turn: write the pawn's way and the tile to remove, such as c4-e5 xd3"
            )
        return cls(*parts.groups())

    @property
    def parts(self) -> tuple[str, ...]:
        """What is chosen one after the other: a pawn, where it goes, the tile to remove; `-` for nothing at all."""
        way = () if self.source is None or self.target is None else (self.source, self.target)
        return (*way, *(() if self.removed is None else (f"x{self.removed}",))) or ("-",)

    def __str__(self) -> str:
        way = f"{self.source}-{self.target}" if self.source is not None else ""
        gone = f"x{self.removed}" if self.removed is not None else ""
        return f"{way} {gone}".strip() or "-"

    def __repr__(self) -> str:
        return f"Turn.read({str(self)!r})"


def read_place(name: str) -> tuple[int, int]:
    """The coordinates of a tile's name.

    >>> read_place("c4")
    (2, 4)
    """
    return ord(name[0]) - ord("a"), int(name[1:])


def read_laid(text: object) -> tuple[str, str]:
    """Read a tile of a layout, `c4R`, as its name and its color."""
    parts = _LAID.fullmatch(text) if isinstance(text, str) else None
    if parts is None:
        raise InvalidInputError(
            f"{quote_truncated(text)} is not a tile of a layout: write its place and R, B, Y or K, such as c4R"
        )
    name, color = parts.groups()
    return name, color


@lru_cache(2048)
def name_of(q: int, r: int) -> str:
    """The name of a tile; the same object in all games, which are many on a server.

    >>> name_of(2, 4)
    'c4'
    """
    return f"{chr(ord('a') + q)}{r}"
