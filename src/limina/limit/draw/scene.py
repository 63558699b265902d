"""The content of a drawing of a Limit position, as plain values that do not depend on the rules."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

Place: TypeAlias = tuple[int, int]
"""Axial coordinates (q, r): q is the letter (a = 0), r the number."""

COLORS: Mapping[str, str] = {"R": "red", "B": "blue", "Y": "yellow", "K": "black"}
"""Tile colors by letter."""

PLAYERS: str = "RBY"
"""Color letter of each player."""

SIGNS: Mapping[str, str] = {"R": "●", "B": "▬", "Y": "▲", "K": "✚"}
"""Sign of each color as a character: circle, bar, triangle, cross."""

STEPS: tuple[Place, ...] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
"""Offsets of the six places that a tile touches."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A position with marks.

    A place in `sunk` is drawn as a sinking tile. If it is also in `tiles`, its color shows through the water.
    """

    tiles: Mapping[Place, str]
    """Color letter of each tile: R, B, Y or K."""
    pawns: Mapping[Place, int]
    """Player of each pawn: 0 is red, 1 blue, 2 yellow."""
    sunk: tuple[Place, ...] = ()
    """Tiles that sank with the last turn."""
    captured: tuple[tuple[Place, int], ...] = ()
    """Pawns that the last turn captured, with their players."""
    moved: tuple[Place, Place] | None = None
    """Source and target of the last pawn move."""
    danger: frozenset[Place] = field(default_factory=frozenset)
    """Pawns in groups with one freedom."""
    freedoms: frozenset[Place] = field(default_factory=frozenset)
    """Empty tiles that are marked as freedoms."""
    reach: frozenset[Place] = field(default_factory=frozenset)
    """Tiles that a chosen pawn can reach."""
    removable: frozenset[Place] = field(default_factory=frozenset)
    """Tiles that can be removed."""
    labels: bool = True
    """True if tiles are labeled with their names."""


def place_name(place: Place) -> str:
    """Return the name of a place, such as `c4` for `(2, 4)`. The letters continue with `aa` after `z`."""
    q, r = place
    if q < 0:  # no layout has such a place, but drawings accept it
        return f"({q}){r}"
    letters = ""
    while q >= 0:
        letters = chr(ord("a") + q % 26) + letters
        q = q // 26 - 1
    return f"{letters}{r}"
