"""Draw a Limes display, or cards, with the characters of a terminal.

A zone shows its landscape by letter and pattern (`F` field, `W` water, `T` trees, `R` rock with tower), a hut as `*`.
Lines stand only between territories. `[•5]` is a worker with the mark of his player who scores 5 points, `(•5)` one
who does not; `#1`, `#2` number what a worker counts, who is then written `>•5<`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from limina.limes.draw.outline import territories
from limina.limes.draw.palette import PLAYERS, player
from limina.limes.draw.scene import Cell, Figure, Ground, Scene, Zone

# Which lines of a box character reach up, right, down and left of its center.
_JOINTS = {
    "0000": " ", "1010": "│", "0101": "─", "0110": "┌", "0011": "┐", "1100": "└", "1001": "┘",
    "1110": "├", "1011": "┤", "0111": "┬", "1101": "┴", "1111": "┼",
    "1000": "╵", "0100": "╶", "0010": "╷", "0001": "╴",
}  # fmt: skip

_PATTERNS = {"F": ". ", "W": "~", "T": "^", "R": ":"}


@dataclass(frozen=True, slots=True)
class _Style:
    """Colors by their number among the 256 that nearly every terminal knows."""

    front: int
    back: int
    bold: bool = False


_GROUND = {"F": _Style(94, 179), "W": _Style(80, 23), "T": _Style(71, 22), "R": _Style(250, 239)}
_LETTER = {
    "F": _Style(16, 179, True), "W": _Style(231, 23, True), "T": _Style(231, 22, True), "R": _Style(231, 239, True),
}  # fmt: skip
_HUT = _Style(231, 25, True)
_COUNTED = _Style(16, 227, True)
_CLOAKS = dict(zip((seat.name for seat in PLAYERS), (124, 16, 19, 28, 55, 130, 30, 94), strict=True))


def draw(scene: Scene, *, color: bool) -> str:
    """Draw a display; every line is equally long."""
    cells = {(x // 2, y // 2) for x, y in scene.ground}
    frames = [cell for cell in scene.frames if cell not in cells]
    if not cells and not frames:
        frames = [(3, 3)]
    everything = [*cells, *frames]
    left, top = min(column for column, _ in everything), min(row for _, row in everything)
    right, bottom = max(column for column, _ in everything), max(row for _, row in everything)
    grid = _Grid(2 * left, 2 * top, 2 * (right - left + 1), 2 * (bottom - top + 1), wide=6, high=2)
    grid.lay(scene.ground)
    for cell in frames:
        _frame(grid, cell)
    _numbers(grid, scene)
    _workers(grid, scene)
    lines = grid.lines(color)
    if not scene.labels:
        return "\n".join(lines) + "\n"
    cell_wide = 2 * (grid.wide + 1)
    letters = "".join("abcdefg"[column].center(cell_wide - 1) + " " for column in range(left, right + 1))
    middles = {2 * (grid.high + 1) * i + grid.high + 1: str(top + i + 1) for i in range(bottom - top + 1)}
    margin = [f" {middles.get(i, ' ')} " for i in range(len(lines))]
    return "\n".join([f"    {letters}", *(a + b for a, b in zip(margin, lines, strict=True))]) + "\n"


def draw_cards(faces: Sequence[Sequence[Ground]], *, color: bool, columns: int = 8, numbers: bool = True) -> str:
    """Draw cards beside each other, each face given as nw ne sw se, numbered from 1 in their order."""
    cards = []
    for i, face in enumerate(faces):
        grid = _Grid(0, 0, 2, 2, wide=3, high=1)
        grid.lay({(j % 2, j // 2): here for j, here in enumerate(face)})
        lines = grid.lines(color)
        cards.append([*lines, str(i + 1).center(2 * (grid.wide + 1) + 1)] if numbers else lines)
    written: list[str] = []
    for start in range(0, len(cards), columns):
        row = cards[start : start + columns]
        if start:
            # The last row is filled up, so that all lines are equally long.
            blank = [" " * len(cards[0][-1])] * len(cards[0])
            row = row + [blank] * (columns - len(row))
        written.extend(" ".join(parts) for parts in zip(*row, strict=True))
    return "\n".join(written) + "\n"


class _Grid:
    """Characters for a rectangle of zones, each with a border around it that neighbors share."""

    def __init__(self, left: int, top: int, across: int, down: int, *, wide: int, high: int) -> None:
        self.wide, self.high = wide, high
        self._left, self._top = left, top
        self._columns, self._rows = across * (wide + 1) + 1, down * (high + 1) + 1
        self._spots: dict[tuple[int, int], tuple[str, _Style | None]] = {}

    def corner(self, zone: Zone) -> tuple[int, int]:
        """Return the place of the first character inside a zone."""
        return (zone[0] - self._left) * (self.wide + 1) + 1, (zone[1] - self._top) * (self.high + 1) + 1

    def write(self, column: int, row: int, written: str, style: _Style | None = None) -> None:
        """Write characters from a place to the right, over whatever was there."""
        for i, character in enumerate(written):
            self._spots[column + i, row] = (character, style)

    def free(self, column: int, row: int) -> bool:
        """Tell whether nothing is written at a place."""
        return (column, row) not in self._spots

    def lay(self, ground: Mapping[Zone, Ground]) -> None:
        """Draw the ground, with lines between the territories only."""
        owner = {zone: i for i, zones in enumerate(territories(ground)) for zone in zones}
        for (x, y), here in ground.items():
            column, row = self.corner((x, y))
            # From the border line at the left and above: it is ground as well, where the territory goes on.
            for down in range(-1, self.high + 1):
                for across in range(-1, self.wide + 1):
                    self._cover(column + across, row + down, here.landscape)
            self.write(column, row, here.landscape, _LETTER[here.landscape])
            if here.hut:
                self.write(column + 1, row, "*", _HUT)
        self._lines(owner)

    def _cover(self, column: int, row: int, landscape: str) -> None:
        pattern = _PATTERNS[landscape]
        self.write(column, row, pattern[(column + row) % len(pattern)], _GROUND[landscape])

    def _lines(self, owner: Mapping[Zone, int]) -> None:
        # Every joint of lines has four arms; an arm is drawn if different territories lie on its two sides.
        for x, y in {(x + i, y + j) for x, y in owner for i in (0, 1) for j in (0, 1)}:
            nw, ne, sw, se = (owner.get(zone) for zone in ((x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y)))
            arms = "".join("01"[a != b] for a, b in ((nw, ne), (ne, se), (sw, se), (nw, sw)))
            column, row = self.corner((x, y))
            if arms != "0000":
                self.write(column - 1, row - 1, _JOINTS[arms])
            if arms[1] == "1":
                self.write(column, row - 1, "─" * self.wide)
            if arms[2] == "1":
                for down in range(self.high):
                    self.write(column - 1, row + down, "│")

    def lines(self, color: bool) -> list[str]:
        """Return the lines, with codes for color if wanted."""
        return [self._line(row, color) for row in range(self._rows)]

    def _line(self, row: int, color: bool) -> str:
        written, current = [], None
        for column in range(self._columns):
            character, style = self._spots.get((column, row), (" ", None))
            if color and style != current:
                written.append(_code(style))
                current = style
            written.append(character)
        return "".join(written) + ("\x1b[0m" if current else "")


def _code(style: _Style | None) -> str:
    if style is None:
        return "\x1b[0m"
    return f"\x1b[0;{'1;' if style.bold else ''}38;5;{style.front};48;5;{style.back}m"


def _frame(grid: _Grid, cell: Cell) -> None:
    """Draw the place where a card may be laid; borders of ground that is there already stay as they are."""
    column, row = grid.corner((2 * cell[0], 2 * cell[1]))
    wide, high = 2 * grid.wide + 1, 2 * grid.high + 1
    dashes: list[tuple[int, int, str]] = []
    for level in (row - 1, row + high):
        dashes.extend((column + i, level, "╌") for i in range(wide))
        dashes.extend((end, level, "·") for end in (column - 1, column + wide))
    dashes.extend((end, row + i, "┆") for i in range(high) for end in (column - 1, column + wide))
    for at, level, dash in dashes:
        if grid.free(at, level):
            grid.write(at, level, dash)
    name = f"{'abcdefg'[cell[0]]}{cell[1] + 1}"
    grid.write(column, row + high // 2, name.center(wide))


def _numbers(grid: _Grid, scene: Scene) -> None:
    if scene.lit is None:
        return
    counted = sorted(scene.lit.counted, key=lambda zones: min((y, x) for x, y in zones))
    for i, zones in enumerate(counted, start=1):
        for zone in zones:
            column, row = grid.corner(zone)
            written = f"#{i}"
            grid.write(column + grid.wide - len(written), row, written, _COUNTED)


def _workers(grid: _Grid, scene: Scene) -> None:
    for zone, here in _by_zone(scene.figures).items():
        lit = scene.lit is not None and scene.lit.figure in here
        first = scene.lit.figure if scene.lit is not None and lit else min(here, key=lambda figure: not figure.scored)
        column, row = grid.corner(zone)
        cloak = _Style(231, _CLOAKS[player(first.player).name], True) if first.scored else None
        grid.write(column, row + 1, _worker(first, len(here), lit, grid.wide), cloak)


def _worker(figure: Figure, count: int, lit: bool, wide: int) -> str:
    before, after = "><" if lit else "[]" if figure.scored else "()"
    more = f"x{count}" if count > 1 else ""
    written = f"{before}{player(figure.player).sign}{figure.points}{after}{more}"
    # The mark is the first to go where room is short.
    return written if len(written) <= wide else f"{before}{figure.points}{after}{more}"[:wide]


def _by_zone(figures: Iterable[Figure]) -> dict[Zone, list[Figure]]:
    zones: dict[Zone, list[Figure]] = {}
    for figure in figures:
        zones.setdefault((figure.x, figure.y), []).append(figure)
    return zones
