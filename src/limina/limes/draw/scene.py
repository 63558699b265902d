"""Plain values that describe a drawing of a Limes display, without the rules.

Zones have coordinates in the whole 7x7 grid of cells: x and y run from 0 to 13, two zones to a cell, with y downwards.
The cell `d4` holds the zones with x and y of 6 and 7.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

Zone = tuple[int, int]
Cell = tuple[int, int]
Landscape = Literal["F", "W", "T", "R"]
LANDSCAPES: tuple[Landscape, ...] = get_args(Landscape)
"""The landscapes in the order of the kernel's enumeration."""
Profession = Literal["farmer", "fisherman", "woodcutter", "watchman"]


@dataclass(frozen=True, slots=True)
class Ground:
    """The landscape of a zone, and True if it has a hut."""

    landscape: Landscape
    hut: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """A worker on a zone, with its points; `scored` is True for the one scoring worker of a territory."""

    x: int
    y: int
    profession: Profession
    points: int
    scored: bool
    player: int


@dataclass(frozen=True, slots=True)
class ExplainedWorker:
    """A worker whose points a drawing explains: the zones of each point, and the worker's territory."""

    figure: Figure
    counted: tuple[frozenset[Zone], ...]
    territory: frozenset[Zone]


@dataclass(frozen=True, slots=True)
class Scene:
    """A display to draw; `frames` are the cells (column, row) that are marked as open for a card."""

    ground: Mapping[Zone, Ground]
    figures: tuple[Figure, ...] = ()
    highlighted: ExplainedWorker | None = None
    frames: tuple[Cell, ...] = ()
    labels: bool = True
