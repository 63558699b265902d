"""Sheets to cut out: the positions of pieces, cut lines and folds, with backs behind their fronts. In millimeters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

PAPER_SIZES_MM: dict[str, tuple[float, float]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height by paper format."""
MIN_MARGIN_MM = 5.0
"""The margin that most printers cannot print on."""
MAX_BLEED_MM = 5.0
"""The largest distance to which the art may extend beyond the cut."""
NOTE_MARGIN_MM = 9.0
"""The margin at the top and the bottom, with space for the note at the bottom."""
_CUT_MARK_MM = (1.0, 4.0)
"""The start and end of a cut mark, as distances from the art."""

Line = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Piece:
    """A drawing by its name, with the position of its upper left corner and its size."""

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
    """Instructions in small letters at the bottom."""

    def to_json(self) -> dict[str, Any]:
        """Return the sheet as plain values for `sheets.typ`."""
        pieces = [[piece.picture, piece.x, piece.y, piece.width, piece.height] for piece in self.pieces]
        return {"pieces": pieces, "cuts": self.cuts, "folds": self.folds, "note": self.note}


@dataclass(frozen=True, slots=True)
class Grid:
    """Rectangles in rows and columns, centered on a sheet; without bleed, neighbors share a cut."""

    paper: tuple[float, float]
    width: float
    height: float
    bleed: float = 0.0
    max_columns: int = 100

    @property
    def columns(self) -> int:
        """The number of pieces in a row."""
        return min(self._fit(self.paper[0] - 2 * MIN_MARGIN_MM, self.width), self.max_columns)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self._fit(self.paper[1] - 2 * NOTE_MARGIN_MM, self.height)

    def _fit(self, available: float, side: float) -> int:
        return int((available + 1e-9) // (side + 2 * self.bleed))

    def _start(self) -> tuple[float, float]:
        step_x, step_y = self.width + 2 * self.bleed, self.height + 2 * self.bleed
        left = (self.paper[0] - self.columns * step_x) / 2 + self.bleed
        return left, (self.paper[1] - self.rows * step_y) / 2 + self.bleed

    def corner(self, index: int, *, back: bool = False) -> tuple[float, float]:
        """Return the upper left corner of a piece without its bleed.

        `back` gives the mirrored corner for the other side of the sheet, which is flipped on the long edge.
        """
        left, top = self._start()
        row, column = divmod(index, self.columns)
        x = left + column * (self.width + 2 * self.bleed)
        if back:
            x = self.paper[0] - x - self.width
        return x, top + row * (self.height + 2 * self.bleed)

    def place_piece(self, index: int, picture: str, *, back: bool = False) -> Piece:
        """Return where a picture lies on the sheet and its size, with its bleed."""
        x, y = self.corner(index, back=back)
        b = self.bleed
        return Piece(picture, x - b, y - b, self.width + 2 * b, self.height + 2 * b)

    def sheets(self, pictures: Sequence[str], back: str, *, note: str = "") -> list[Sheet]:
        """Return front sides with cut marks, each followed by its back side."""
        sheets = []
        for batch in _batches(pictures, self.columns * self.rows):
            fronts = [self.place_piece(i, picture) for i, picture in enumerate(batch)]
            sheets.append(Sheet(fronts, self.cut_marks(len(batch)), [], note))
            sheets.append(Sheet([self.place_piece(i, back, back=True) for i in range(len(batch))]))
        return sheets

    def cut_marks(self, count: int) -> list[Line]:
        """Return short lines outside of the art, aligned with the edges to cut."""
        corners = [self.corner(i) for i in range(count)]
        xs = sorted({round(x + side, 4) for x, _ in corners for side in (0.0, self.width)})
        ys = sorted({round(y + side, 4) for _, y in corners for side in (0.0, self.height)})
        (near, far), b = _CUT_MARK_MM, self.bleed
        left, right, top, bottom = xs[0] - b, xs[-1] + b, ys[0] - b, ys[-1] + b
        vertical = [(x, y, x, z) for x in xs for y, z in ((top - far, top - near), (bottom + near, bottom + far))]
        horizontal = [(x, y, z, y) for y in ys for x, z in ((left - far, left - near), (right + near, right + far))]
        return vertical + horizontal


@dataclass(frozen=True, slots=True)
class Honeycomb:
    """Hexagons with a corner at the top, in interlocking rows centered on a sheet."""

    paper: tuple[float, float]
    hexagon_width: float
    """The distance between two parallel sides, without the bleed."""
    bleed: float = 0.0

    @property
    def _width(self) -> float:
        return self.hexagon_width + 2 * self.bleed

    @property
    def _height(self) -> float:
        return self._width * 2 / math.sqrt(3)

    @property
    def columns(self) -> int:
        """The number of hexagons in a row; every second row is shifted by half a hexagon."""
        return int((self.paper[0] - 2 * MIN_MARGIN_MM - self._width / 2 + 1e-9) // self._width)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return 1 + int((self.paper[1] - 2 * NOTE_MARGIN_MM - self._height + 1e-9) // (self._height * 0.75))

    def center(self, index: int, *, back: bool = False) -> tuple[float, float]:
        """Return the center of a hexagon.

        `back` gives the mirrored center for the other side of the sheet, which is flipped on the long edge.
        """
        row, column = divmod(index, self.columns)
        left = (self.paper[0] - (self.columns + 0.5) * self._width) / 2
        top = (self.paper[1] - self._height * (0.75 * self.rows + 0.25)) / 2
        x = left + (column + (1.0 if row % 2 else 0.5)) * self._width
        return (self.paper[0] - x if back else x), top + self._height / 2 + row * self._height * 0.75

    def sheets(self, pictures: Sequence[str], back: str, *, note: str = "") -> list[Sheet]:
        """Return front sides with the edges to cut, each followed by its back side."""
        sheets = []
        for batch in _batches(pictures, self.columns * self.rows):
            front_side, back_side = Sheet(note=note), Sheet()
            for i, picture in enumerate(batch):
                front_side.pieces.append(self._piece(self.center(i), picture))
                front_side.cuts += self._edges(self.center(i))
                back_side.pieces.append(self._piece(self.center(i, back=True), back))
            sheets += [front_side, back_side]
        return sheets

    def _piece(self, center: tuple[float, float], picture: str) -> Piece:
        left, top = center[0] - self._width / 2, center[1] - self._height / 2
        return Piece(picture, left, top, self._width, self._height)

    def _edges(self, center: tuple[float, float]) -> list[Line]:
        radius = self.hexagon_width / math.sqrt(3)
        angles = [math.radians(60 * i - 90) for i in range(7)]
        corners = [(center[0] + radius * math.cos(a), center[1] + radius * math.sin(a)) for a in angles]
        return [(*corners[i], *corners[i + 1]) for i in range(6)]


def standee_sheets(
    paper: tuple[float, float],
    pictures: Sequence[str],
    width: float,
    height: float,
    foot: float,
    *,
    note: str,
    max_columns: int = 100,
) -> list[Sheet]:
    """Return sheets of paper figures that are folded at the head and stand on two feet.

    A picture contains front and back, each `height` high, and at both ends a foot of the depth `foot`.
    """
    length = 2 * (height + foot)
    grid = Grid(paper, width, length, bleed=1.5, max_columns=max_columns)
    sheets = []
    for batch in _batches(pictures, grid.columns * grid.rows):
        sheet = Sheet(note=note)
        for i, picture in enumerate(batch):
            x, y = grid.corner(i)
            sheet.pieces.append(Piece(picture, x, y, width, length))
            right, bottom = x + width, y + length
            sheet.cuts += [(x, y, right, y), (x, bottom, right, bottom), (x, y, x, bottom), (right, y, right, bottom)]
            sheet.folds += [(x, fold, right, fold) for fold in (y + foot, y + foot + height, bottom - foot)]
        sheets.append(sheet)
    return sheets


def _batches(pictures: Sequence[str], size: int) -> list[Sequence[str]]:
    return [pictures[first : first + size] for first in range(0, len(pictures), size)]
