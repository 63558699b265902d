"""What a drawing of a Limit position shows, as plain values that know nothing of the rules."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

Place: TypeAlias = tuple[int, int]
"""Axial coordinates (q, r): q is the letter (a = 0), r the number."""

COLORS: Mapping[str, str] = {"R": "red", "B": "blue", "Y": "yellow", "K": "black"}
"""The tile colors by their letter."""

PLAYERS: str = "RBY"
"""The color letter of each player."""

SIGNS: Mapping[str, str] = {"R": "●", "B": "▬", "Y": "▲", "K": "✚"}
"""The sign of each color as a character: circle, bar, triangle, cross."""

STEPS: tuple[Place, ...] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
"""The steps from a tile to the six places that it touches."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A position and the marks drawn upon it.

    A place in ``sunk`` is drawn sinking even if ``tiles`` still holds it; then its color shows through the water.
    """

    tiles: Mapping[Place, str]
    """Color letter R, B, Y or K of each tile."""
    pawns: Mapping[Place, int]
    """Player of each pawn: 0 red, 1 blue, 2 yellow."""
    sunk: tuple[Place, ...] = ()
    """Tiles removed by the last turn."""
    captured: tuple[tuple[Place, int], ...] = ()
    """Pawns captured by the last turn, each with its player."""
    moved: tuple[Place, Place] | None = None
    """Where the last moved pawn came from and where it went."""
    danger: frozenset[Place] = field(default_factory=frozenset)
    """Pawns of groups in their last freedom."""
    breath: frozenset[Place] = field(default_factory=frozenset)
    """Empty tiles marked as freedoms."""
    reach: frozenset[Place] = field(default_factory=frozenset)
    """Tiles that a picked pawn may reach."""
    removable: frozenset[Place] = field(default_factory=frozenset)
    """Tiles that may be removed."""
    labels: bool = True
    """Whether tiles bear their names."""


def name(place: Place) -> str:
    """The name of a place: ``(2, 4)`` is ``c4``; letters go on with ``aa`` after ``z``."""
    q, r = place
    if q < 0:  # not a place of any dealt layout, but a drawing should never fail on one
        return f"({q}){r}"
    letters = ""
    while q >= 0:
        letters = chr(ord("a") + q % 26) + letters
        q = q // 26 - 1
    return f"{letters}{r}"
