"""The plain values a picture of a Limes display is drawn from.

Zones are counted over the whole table: x and y run from 0 to 13, two zones to a cell, y growing downwards. The cell
`d4` holds the zones with x and y of 6 and 7.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

Zone = tuple[int, int]
Cell = tuple[int, int]
Landscape = Literal["F", "W", "T", "R"]
LANDSCAPES: tuple[Landscape, ...] = get_args(Landscape)
"""In the order of the kernel's numbers."""
Profession = Literal["farmer", "fisherman", "woodcutter", "watchman"]


@dataclass(frozen=True, slots=True)
class Ground:
    """One zone of a card: its landscape and whether a fisherman's hut stands on it."""

    landscape: Landscape
    hut: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """A worker on a zone, with the points his place is worth and whether he is the one who scores them."""

    x: int
    y: int
    profession: Profession
    points: int
    scored: bool
    player: int


@dataclass(frozen=True, slots=True)
class Lit:
    """The explanation of one worker's points: one set of zones for every point, and the territory he stands in."""

    figure: Figure
    counted: tuple[frozenset[Zone], ...]
    territory: frozenset[Zone]


@dataclass(frozen=True, slots=True)
class Scene:
    """A display as it is to be drawn; `frames` are cells (column, row) where a card may be laid."""

    ground: Mapping[Zone, Ground]
    figures: tuple[Figure, ...] = ()
    lit: Lit | None = None
    frames: tuple[Cell, ...] = ()
    labels: bool = True
