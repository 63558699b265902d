"""The notation: names of tiles such as `c4`, and turns such as `c4-e5 xd3`, `c4-e5`, `xd3` or `-`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from limina.core.validation import quote_truncated
from limina.errors import InvalidInputError

_TILE = r"[a-z](?:0|[1-9][0-9]?)"
_TURN = re.compile(rf"(?:({_TILE})-({_TILE}))?\s*(?:x({_TILE}))?", re.ASCII)
_COLORED_TILE = re.compile(rf"({_TILE})([RBYK])", re.ASCII)
_MAX_TURN_LENGTH = 40


class Turn(NamedTuple):
    """A turn: move a pawn, then remove a tile.

    Either part can be missing. A turn without parts is a pass.

    >>> turn = Turn.read("c4-e5 xd3")
    >>> turn.source, turn.target, turn.removed
    ('c4', 'e5', 'd3')
    >>> Turn("c4", "e5")
    Turn.read('c4-e5')
    >>> print(Turn())
    -
    """

    source: str | None = None
    """Tile that the pawn leaves."""
    target: str | None = None
    """Tile that the pawn moves to."""
    removed: str | None = None
    """Tile that the player removes."""

    @classmethod
    def read(cls, text: str) -> Turn:
        """Return the turn that a text in the notation describes. Raises InvalidInputError if it cannot be read."""
        match = None
        if isinstance(text, str) and len(text) < _MAX_TURN_LENGTH:
            stripped = text.strip(" ")
            if stripped == "-":
                return cls()
            match = _TURN.fullmatch(stripped) if stripped else None
        if match is None:
            raise InvalidInputError(
                f"{quote_truncated(text)} is not a turn: write the pawn move and the tile to remove, such as c4-e5 xd3"
            )
        return cls(*match.groups())

    @property
    def parts(self) -> tuple[str, ...]:
        """Parts in the order in which a player chooses them: pawn, target, removed tile; `-` for a pass."""
        move = () if self.source is None or self.target is None else (self.source, self.target)
        return (*move, *(() if self.removed is None else (f"x{self.removed}",))) or ("-",)

    def __str__(self) -> str:
        move = f"{self.source}-{self.target}" if self.source is not None else ""
        removal = f"x{self.removed}" if self.removed is not None else ""
        return f"{move} {removal}".strip() or "-"

    def __repr__(self) -> str:
        return f"Turn.read({str(self)!r})"


def read_place(name: str) -> tuple[int, int]:
    """Return the axial coordinates of a tile.

    >>> read_place("c4")
    (2, 4)
    """
    return ord(name[0]) - ord("a"), int(name[1:])


def read_colored_tile(text: object) -> tuple[str, str]:
    """Return the name and color of a tile of a layout, such as `c4R`. Raises InvalidInputError if it is not one."""
    match = _COLORED_TILE.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise InvalidInputError(
            f"{quote_truncated(text)} is not a tile of a layout: write its name and R, B, Y or K, such as c4R"
        )
    name, color = match.groups()
    return name, color


@lru_cache(2048)
def tile_name(q: int, r: int) -> str:
    """Return the name of the tile on these axial coordinates.

    The cache lets all positions share the strings, since a server holds many positions.

    >>> tile_name(2, 4)
    'c4'
    """
    return f"{chr(ord('a') + q)}{r}"
