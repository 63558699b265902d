"""Sheets of paper: where pieces lie on them, where they are cut, and how fronts and backs meet."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

PAPER_SIZES_MM: dict[str, tuple[float, float]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height in millimetres."""
MARGIN = 5.0
"""No printer is trusted with less."""
MAX_BLEED_MM = 5.0
"""How far art goes on beyond the cut, at most."""
FOOT = 9.0
"""What is kept free above and below, for the note at the foot."""
_MARK = (1.0, 4.0)
"""Where a cut mark begins and ends, from the art that it stands beside."""

Line = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Piece:
    """A drawing by its name, and where it lies, in millimetres from the upper left corner of the sheet."""

    picture: str
    x: float
    y: float
    width: float
    height: float


@dataclass(slots=True)
class Sheet:
    """One side of a sheet."""

    pieces: list[Piece] = field(default_factory=list)
    cuts: list[Line] = field(default_factory=list)
    folds: list[Line] = field(default_factory=list)
    note: str = ""
    """What to do with it, in small letters at its foot."""

    def to_json(self) -> dict[str, Any]:
        """The same as plain values."""
        pieces = [[piece.picture, piece.x, piece.y, piece.width, piece.height] for piece in self.pieces]
        return {"pieces": pieces, "cuts": self.cuts, "folds": self.folds, "note": self.note}


@dataclass(frozen=True, slots=True)
class Grid:
    """Squares or oblongs in rows, in the middle of a sheet; with bleed they stand apart, else one cut parts two."""

    paper: tuple[float, float]
    width: float
    height: float
    bleed: float = 0.0
    max_columns: int = 100

    @property
    def columns(self) -> int:
        """How many lie beside each other."""
        return min(self._fit(self.paper[0] - 2 * MARGIN, self.width), self.max_columns)

    @property
    def rows(self) -> int:
        """How many lie below each other."""
        return self._fit(self.paper[1] - 2 * FOOT, self.height)

    def _fit(self, room: float, side: float) -> int:
        return int((room + 1e-9) // (side + 2 * self.bleed))

    def _start(self) -> tuple[float, float]:
        step_x, step_y = self.width + 2 * self.bleed, self.height + 2 * self.bleed
        left = (self.paper[0] - self.columns * step_x) / 2 + self.bleed
        return left, (self.paper[1] - self.rows * step_y) / 2 + self.bleed

    def place(self, number: int, *, back: bool = False) -> tuple[float, float]:
        """The corner of a piece; its back lies where it is when the sheet was turned over its long edge."""
        left, top = self._start()
        row, column = divmod(number, self.columns)
        x = left + column * (self.width + 2 * self.bleed)
        if back:
            x = self.paper[0] - x - self.width
        return x, top + row * (self.height + 2 * self.bleed)

    def piece(self, number: int, picture: str, *, back: bool = False) -> Piece:
        """A piece with its bleed around it."""
        x, y = self.place(number, back=back)
        b = self.bleed
        return Piece(picture, x - b, y - b, self.width + 2 * b, self.height + 2 * b)

    def sheets(self, pictures: Sequence[str], back: str, *, note: str = "") -> list[Sheet]:
        """Fronts with their cut marks, each followed by the side with the backs."""
        made = []
        each = self.columns * self.rows
        for first in range(0, len(pictures), each):
            here = pictures[first : first + each]
            made.append(
                Sheet([self.piece(i, picture) for i, picture in enumerate(here)], self.marks(len(here)), [], note)
            )
            made.append(Sheet([self.piece(i, back, back=True) for i in range(len(here))]))
        return made

    def marks(self, count: int) -> list[Line]:
        """Short lines outside of the art, in line with every edge that is cut."""
        places = [self.place(i) for i in range(count)]
        xs = sorted({round(x + side, 4) for x, _ in places for side in (0.0, self.width)})
        ys = sorted({round(y + side, 4) for _, y in places for side in (0.0, self.height)})
        (near, far), b = _MARK, self.bleed
        left, right, top, bottom = xs[0] - b, xs[-1] + b, ys[0] - b, ys[-1] + b
        upright = [(x, y, x, z) for x in xs for y, z in ((top - far, top - near), (bottom + near, bottom + far))]
        level = [(x, y, z, y) for y in ys for x, z in ((left - far, left - near), (right + near, right + far))]
        return upright + level


@dataclass(frozen=True, slots=True)
class Honeycomb:
    """Hexagons with a corner on top, in rows that lie in each other's gaps."""

    paper: tuple[float, float]
    across: float
    """From side to side."""
    bleed: float = 0.0

    @property
    def _step(self) -> float:
        return self.across + 2 * self.bleed

    @property
    def columns(self) -> int:
        """How many lie beside each other; every second row begins half a hexagon later."""
        return int((self.paper[0] - 2 * MARGIN - self._step / 2 + 1e-9) // self._step)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        tall = self._step * 2 / math.sqrt(3)
        return 1 + int((self.paper[1] - 2 * FOOT - tall + 1e-9) // (tall * 0.75))

    def center(self, number: int, *, back: bool = False) -> tuple[float, float]:
        """The middle of a hexagon; its back lies where it is when the sheet was turned over its long edge."""
        row, column = divmod(number, self.columns)
        tall = self._step * 2 / math.sqrt(3)
        left = (self.paper[0] - (self.columns + 0.5) * self._step) / 2
        top = (self.paper[1] - tall * (0.75 * self.rows + 0.25)) / 2
        x = left + (column + (1.0 if row % 2 else 0.5)) * self._step
        return (self.paper[0] - x if back else x), top + tall / 2 + row * tall * 0.75

    def sheets(self, pictures: Sequence[str], back: str, *, note: str = "") -> list[Sheet]:
        """Fronts with the lines to cut along, each followed by the side with the backs."""
        made = []
        each = self.columns * self.rows
        for first in range(0, len(pictures), each):
            here = pictures[first : first + each]
            front, behind = Sheet(note=note), Sheet()
            for i, picture in enumerate(here):
                front.pieces.append(self._piece(self.center(i), picture))
                front.cuts += self._edges(self.center(i))
                behind.pieces.append(self._piece(self.center(i, back=True), back))
            made += [front, behind]
        return made

    def _piece(self, center: tuple[float, float], picture: str) -> Piece:
        wide, tall = self._step, self._step * 2 / math.sqrt(3)
        return Piece(picture, center[0] - wide / 2, center[1] - tall / 2, wide, tall)

    def _edges(self, center: tuple[float, float]) -> list[Line]:
        radius = self.across / math.sqrt(3)
        turns = [math.radians(60 * i - 90) for i in range(7)]
        corners = [(center[0] + radius * math.cos(a), center[1] + radius * math.sin(a)) for a in turns]
        return [(*corners[i], *corners[i + 1]) for i in range(6)]


def standees(
    paper: tuple[float, float],
    pictures: Sequence[str],
    width: float,
    height: float,
    foot: float,
    *,
    note: str,
    max_columns: int = 100,
) -> list[Sheet]:
    """Figures that are folded at the head and stand on two feet; every picture has front, back and feet in one."""
    whole = 2 * (height + foot)
    grid = Grid(paper, width, whole, bleed=1.5, max_columns=max_columns)
    made, each = [], grid.columns * grid.rows
    for first in range(0, len(pictures), each):
        sheet = Sheet(note=note)
        for i, picture in enumerate(pictures[first : first + each]):
            x, y = grid.place(i)
            sheet.pieces.append(Piece(picture, x, y, width, whole))
            right, bottom = x + width, y + whole
            sheet.cuts += [(x, y, right, y), (x, bottom, right, bottom), (x, y, x, bottom), (right, y, right, bottom)]
            sheet.folds += [(x, fold, right, fold) for fold in (y + foot, y + foot + height, bottom - foot)]
        made.append(sheet)
    return made
