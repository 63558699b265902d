"""Names of cells and zones, and turns as players write them.

Cells are `a1` to `g7`, zones `d4.nw`; a turn is `e4r1`, `e4r1 +nw` or `e4r1 d4.se>e4.nw`.
"""

from __future__ import annotations

import re
from operator import index
from typing import NamedTuple, SupportsIndex

from limina._kernel import limes as kernel
from limina.core.validation import quote_truncated
from limina.errors import InvalidInputError

QUARTERS = ("nw", "ne", "sw", "se")

# Indexed by the kernel's numbers: cells 8 * row + column, zones 16 * y + x.
CELLS = tuple(f"{'abcdefgh'[n % 8]}{n // 8 + 1}" for n in range(64))
ZONES = tuple(f"{CELLS[8 * (n // 32) + n % 16 // 2]}.{QUARTERS[n // 16 % 2 * 2 + n % 2]}" for n in range(256))
_CELL_NUMBERS = {name: n for n, name in enumerate(CELLS) if n % 8 < 7 and n < 56}
_ZONE_NUMBERS = {name: n for n, name in enumerate(ZONES) if name[:2] in _CELL_NUMBERS}

_TURN = re.compile(r"(\S+?)r(\S)(?:\s+(?:\+(\S+)|(\S+?)>(\S+)))?", re.ASCII)


def cell_number(name: str) -> int:
    """The kernel's number of a cell."""
    number = _CELL_NUMBERS.get(name)
    if number is None:
        raise InvalidInputError(f"{quote_truncated(name)} is not a cell: cells are a1 to g7")
    return number


def zone_number(name: str) -> int:
    """The kernel's number of a zone."""
    number = _ZONE_NUMBERS.get(name)
    if number is None:
        raise InvalidInputError(
            f"{quote_truncated(name)} is not a zone: write a cell and nw, ne, sw or se, such as d4.nw"
        )
    return number


def zone_xy(name: str) -> tuple[int, int]:
    """Column and row of a zone, counted from the upper left corner of the table.

    >>> zone_xy("d4.ne")
    (7, 6)
    """
    number = zone_number(name)
    return number % 16, number // 16


class Turn(NamedTuple):
    """What a player does once: lay the card, then perhaps place or move a worker.

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
    source: str | None = None
    """The zone a worker leaves; None when he comes from the supply."""
    target: str | None = None
    """The zone he goes to; None when the workers are left alone."""

    @classmethod
    def read(cls, text: str) -> Turn:
        """Read a turn from the notation."""
        parts = _TURN.fullmatch(text.strip(" ")) if isinstance(text, str) and len(text) < 100 else None
        if parts is None:
            raise InvalidInputError(
                f"{quote_truncated(text)} is not a turn: write the cell and the turning, then the worker, "
                "such as e4r1, e4r1 +nw or e4r1 d4.se>e4.nw"
            )
        cell, turning, quarter, source, target = parts.groups()
        cell_number(cell)
        if turning not in "0123":
            raise InvalidInputError(f"r{turning} is not a turning: quarter turns clockwise are r0, r1, r2 and r3")
        if quarter is not None:
            if quarter not in QUARTERS:
                raise InvalidInputError(
                    f"{quote_truncated(quarter)} is not a zone of the card: they are nw, ne, sw and se"
                )
            target = f"{cell}.{quarter}"
        for zone in (source, target):
            if zone is not None:
                zone_number(zone)
        return cls(cell, int(turning), source, target)

    @classmethod
    def from_code(cls, code: int) -> Turn:
        """The turn with the kernel's number."""
        cell, turning, source, target = kernel.turn_parts(code)
        return cls(
            CELLS[cell],
            turning,
            None if source is None else ZONES[source],
            None if target is None else ZONES[target],
        )

    @property
    def parts(self) -> tuple[str, ...]:
        """What is chosen one after the other: how the card lies, then who comes or goes (`-`: nobody), then whereto."""
        laid = f"{self.cell}r{self.turning}"
        if self.target is None:
            return laid, "-"
        return (laid, str(self).partition(" ")[2]) if self.source is None else (laid, self.source, self.target)

    @property
    def code(self) -> int:
        """The kernel's number for this turn."""
        if self.turning not in range(4):
            raise InvalidInputError(f"r{self.turning} is not a turning: quarter turns clockwise are r0, r1, r2 and r3")
        source = None if self.source is None else zone_number(self.source)
        target = None if self.target is None else zone_number(self.target)
        return kernel.turn_code(cell_number(self.cell), self.turning, source, target)

    def __str__(self) -> str:
        laid = f"{self.cell}r{self.turning}"
        if self.target is None:
            return laid
        if self.source is not None:
            return f"{laid} {self.source}>{self.target}"
        cell, _, quarter = self.target.partition(".")
        # A worker from the supply goes onto the card; anywhere else cannot be written, only refused.
        return f"{laid} +{quarter if cell == self.cell else self.target}"

    def __repr__(self) -> str:
        return f"Turn.read({str(self)!r})"


def encode(turn: Turn | str | SupportsIndex) -> int:
    """The kernel's number of a turn, of its notation, or such a number itself."""
    if isinstance(turn, Turn):
        return turn.code
    if isinstance(turn, str):
        return Turn.read(turn).code
    code = index(turn)
    if not (0 <= code < 1 << 32 and code & 255 < len(CELLS) and code >> 8 & 255 < 4):
        raise InvalidInputError(f"{quote_truncated(code)} is not the number of a turn")
    return code
