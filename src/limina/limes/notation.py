"""Names of cells and zones, and the notation of turns.

A cell is `a1` to `g7`, a zone `d4.nw`. A turn is `e4r1`, `e4r1 +nw` or `e4r1 d4.se>e4.nw`.
"""

from __future__ import annotations

import re
from operator import index
from typing import NamedTuple, SupportsIndex

from limina._kernel import limes as kernel
from limina.core.validation import quote_truncated
from limina.errors import InvalidInputError

QUARTERS = ("nw", "ne", "sw", "se")

# The kernel's index of a cell is 8 * row + column, that of a zone 16 * y + x.
CELLS = tuple(f"{'abcdefgh'[n % 8]}{n // 8 + 1}" for n in range(64))
ZONES = tuple(f"{CELLS[8 * (n // 32) + n % 16 // 2]}.{QUARTERS[n // 16 % 2 * 2 + n % 2]}" for n in range(256))
_CELL_INDICES = {name: n for n, name in enumerate(CELLS) if n % 8 < 7 and n < 56}
_ZONE_INDICES = {name: n for n, name in enumerate(ZONES) if name[:2] in _CELL_INDICES}

_TURN = re.compile(r"(\S+?)r(\S)(?:\s+(?:\+(\S+)|(\S+?)>(\S+)))?", re.ASCII)


def cell_index(name: str) -> int:
    """Return the kernel's index of a cell."""
    cell = _CELL_INDICES.get(name)
    if cell is None:
        raise InvalidInputError(f"{quote_truncated(name)} is not a cell: cells are a1 to g7")
    return cell


def zone_index(name: str) -> int:
    """Return the kernel's index of a zone."""
    zone = _ZONE_INDICES.get(name)
    if zone is None:
        raise InvalidInputError(
            f"{quote_truncated(name)} is not a zone: write a cell and nw, ne, sw or se, for example d4.nw"
        )
    return zone


def cell_of(zone: int) -> int:
    """Return the index of the cell that contains a zone, given by its index."""
    return zone // 32 * 8 + zone % 16 // 2


def zone_xy(name: str) -> tuple[int, int]:
    """Return the column and row of a zone, counted from the upper left corner of the 7x7 grid of cells.

    >>> zone_xy("d4.ne")
    (7, 6)
    """
    zone = zone_index(name)
    return zone % 16, zone // 16


class Turn(NamedTuple):
    """A turn of one player: lay the card, then optionally place or move a worker.

    >>> Turn("e4", 1)
    Turn.read('e4r1')
    >>> turn = Turn.read("e4r1 d4.se>e4.nw")
    >>> turn.cell, turn.turning, turn.source, turn.target
    ('e4', 1, 'd4.se', 'e4.nw')
    >>> print(Turn("e4", 1, target="e4.nw"))
    e4r1 +nw
    """

    cell: str
    turning: int
    """The quarter turns clockwise from the printed face, 0 to 3."""
    source: str | None = None
    """The zone a worker leaves; None if the worker comes from the supply."""
    target: str | None = None
    """The zone the worker goes to; None if no worker is placed or moved."""

    @classmethod
    def read(cls, text: str) -> Turn:
        """Read a turn from the notation; raise InvalidInputError if it is not one."""
        parts = _TURN.fullmatch(text.strip(" ")) if isinstance(text, str) and len(text) < 100 else None
        if parts is None:
            raise InvalidInputError(
                f"{quote_truncated(text)} is not a turn: write the cell and the turning, then the worker, "
                "for example e4r1, e4r1 +nw or e4r1 d4.se>e4.nw"
            )
        cell, turning, quarter, source, target = parts.groups()
        cell_index(cell)
        if turning not in "0123":
            raise InvalidInputError(f"r{turning} is not a turning: quarter turns clockwise are r0, r1, r2 and r3")
        if quarter is not None:
            if quarter not in QUARTERS:
                raise InvalidInputError(
                    f"{quote_truncated(quarter)} is not a zone of the card: zones are nw, ne, sw and se"
                )
            target = f"{cell}.{quarter}"
        for zone in (source, target):
            if zone is not None:
                zone_index(zone)
        return cls(cell, int(turning), source, target)

    @classmethod
    def from_code(cls, code: int) -> Turn:
        """Return the turn that has this code in the kernel."""
        cell, turning, source, target = kernel.turn_parts(code)
        return cls(
            CELLS[cell],
            turning,
            None if source is None else ZONES[source],
            None if target is None else ZONES[target],
        )

    @property
    def parts(self) -> tuple[str, ...]:
        """The choices that make up the turn: how the card lies, the worker (`-` for none), the target of a move."""
        laid = f"{self.cell}r{self.turning}"
        if self.target is None:
            return laid, "-"
        return (laid, str(self).partition(" ")[2]) if self.source is None else (laid, self.source, self.target)

    @property
    def code(self) -> int:
        """The integer that stands for this turn in the kernel."""
        if self.turning not in range(4):
            raise InvalidInputError(f"r{self.turning} is not a turning: quarter turns clockwise are r0, r1, r2 and r3")
        source = None if self.source is None else zone_index(self.source)
        target = None if self.target is None else zone_index(self.target)
        return kernel.turn_code(cell_index(self.cell), self.turning, source, target)

    def __str__(self) -> str:
        laid = f"{self.cell}r{self.turning}"
        if self.target is None:
            return laid
        if self.source is not None:
            return f"{laid} {self.source}>{self.target}"
        cell, _, quarter = self.target.partition(".")
        # A worker from the supply goes onto the new card. Other targets are illegal, and the notation cannot express
        # them; they are written with the whole zone, so that the error message can name it.
        return f"{laid} +{quarter if cell == self.cell else self.target}"

    def __repr__(self) -> str:
        return f"Turn.read({str(self)!r})"


def encode_turn(turn: Turn | str | SupportsIndex) -> int:
    """Return the kernel's code of a turn, which is given as a `Turn`, in the notation or as a code."""
    if isinstance(turn, Turn):
        return turn.code
    if isinstance(turn, str):
        return Turn.read(turn).code
    code = index(turn)
    if not (0 <= code < 1 << 32 and code & 255 < len(CELLS) and code >> 8 & 255 < 4):
        raise InvalidInputError(f"{quote_truncated(code)} is not the code of a turn")
    return code
