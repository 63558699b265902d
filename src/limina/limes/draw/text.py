"""Drawings of a Limes display, or of cards, as text for a terminal.

A zone shows its landscape by letter and pattern (`F` field, `W` water, `T` trees, `R` rock with tower); `*` is a hut.
Lines separate territories. `[•5]` is a worker with the player's mark who scores 5 points, `(•5)` one who does not.
A highlighted worker is drawn `>•5<`, and the counted points are numbered `#1`, `#2` and so on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from limina.limes.draw.outline import territories
from limina.limes.draw.palette import PLAYER_STYLES, player_style
from limina.limes.draw.scene import Cell, Figure, Ground, Scene, Zone

# Box characters by their arms: up, right, down and left.
_JOINTS = {
    "0000": " ", "1010": "│", "0101": "─", "0110": "┌", "0011": "┐", "1100": "└", "1001": "┘",
    "1110": "├", "1011": "┤", "0111": "┬", "1101": "┴", "1111": "┼",
    "1000": "╵", "0100": "╶", "0010": "╷", "0001": "╴",
}  # fmt: skip

_PATTERNS = {"F": ". ", "W": "~", "T": "^", "R": ":"}


@dataclass(frozen=True, slots=True)
class _Style:
    """Foreground and background as indices into the 256 colors of a terminal."""

    front: int
    back: int
    bold: bool = False


_GROUND = {"F": _Style(94, 179), "W": _Style(80, 23), "T": _Style(71, 22), "R": _Style(250, 239)}
_LETTER = {
    "F": _Style(16, 179, True), "W": _Style(231, 23, True), "T": _Style(231, 22, True), "R": _Style(231, 239, True),
}  # fmt: skip
_HUT = _Style(231, 25, True)
_COUNTED = _Style(16, 227, True)
_CLOAK_COLORS = dict(zip((style.name for style in PLAYER_STYLES), (124, 16, 19, 28, 55, 130, 30, 94), strict=True))


def draw(scene: Scene, *, color: bool) -> str:
    """Return the display as lines of equal length."""
    cells = {(x // 2, y // 2) for x, y in scene.ground}
    frames = [cell for cell in scene.frames if cell not in cells]
    if not cells and not frames:
        frames = [(3, 3)]
    drawn_cells = [*cells, *frames]
    left, top = min(column for column, _ in drawn_cells), min(row for _, row in drawn_cells)
    right, bottom = max(column for column, _ in drawn_cells), max(row for _, row in drawn_cells)
    grid = _Grid(2 * left, 2 * top, 2 * (right - left + 1), 2 * (bottom - top + 1), wide=6, high=2)
    grid.write_ground(scene.ground)
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
    """Return cards in rows, numbered from 1; each face is given as nw ne sw se."""
    cards = []
    for i, face in enumerate(faces):
        grid = _Grid(0, 0, 2, 2, wide=3, high=1)
        grid.write_ground({(j % 2, j // 2): here for j, here in enumerate(face)})
        lines = grid.lines(color)
        cards.append([*lines, str(i + 1).center(2 * (grid.wide + 1) + 1)] if numbers else lines)
    written: list[str] = []
    for start in range(0, len(cards), columns):
        row = cards[start : start + columns]
        if start:
            # Blank cards fill the last row, so that all lines have the same length.
            blank = [" " * len(cards[0][-1])] * len(cards[0])
            row = row + [blank] * (columns - len(row))
        written.extend(" ".join(parts) for parts in zip(*row, strict=True))
    return "\n".join(written) + "\n"


class _Grid:
    """The characters of a rectangle of zones; neighboring zones share the border between them."""

    def __init__(self, left: int, top: int, across: int, down: int, *, wide: int, high: int) -> None:
        self.wide, self.high = wide, high
        self._left, self._top = left, top
        self._columns, self._rows = across * (wide + 1) + 1, down * (high + 1) + 1
        self._spots: dict[tuple[int, int], tuple[str, _Style | None]] = {}

    def corner(self, zone: Zone) -> tuple[int, int]:
        """Return column and row of the first character inside a zone."""
        return (zone[0] - self._left) * (self.wide + 1) + 1, (zone[1] - self._top) * (self.high + 1) + 1

    def write(self, column: int, row: int, written: str, style: _Style | None = None) -> None:
        """Write characters from a position to the right, replacing those that are there."""
        for i, character in enumerate(written):
            self._spots[column + i, row] = (character, style)

    def is_free(self, column: int, row: int) -> bool:
        """Return True if nothing is written at a position."""
        return (column, row) not in self._spots

    def write_ground(self, ground: Mapping[Zone, Ground]) -> None:
        """Write the zones, with lines between different territories only."""
        owner = {zone: i for i, zones in enumerate(territories(ground)) for zone in zones}
        for (x, y), here in ground.items():
            column, row = self.corner((x, y))
            # Start on the borders at the left and above, which show ground where no line separates two territories.
            for down in range(-1, self.high + 1):
                for across in range(-1, self.wide + 1):
                    self._fill(column + across, row + down, here.landscape)
            self.write(column, row, here.landscape, _LETTER[here.landscape])
            if here.hut:
                self.write(column + 1, row, "*", _HUT)
        self._lines(owner)

    def _fill(self, column: int, row: int, landscape: str) -> None:
        pattern = _PATTERNS[landscape]
        self.write(column, row, pattern[(column + row) % len(pattern)], _GROUND[landscape])

    def _lines(self, owner: Mapping[Zone, int]) -> None:
        # Each corner of a zone has four arms. An arm is drawn if the zones at its sides are in different territories.
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
        """Return the lines, with ANSI codes for colors if `color` is set."""
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
    """Write the frame of an open cell without replacing the borders of cards."""
    column, row = grid.corner((2 * cell[0], 2 * cell[1]))
    wide, high = 2 * grid.wide + 1, 2 * grid.high + 1
    dashes: list[tuple[int, int, str]] = []
    for level in (row - 1, row + high):
        dashes.extend((column + i, level, "╌") for i in range(wide))
        dashes.extend((end, level, "·") for end in (column - 1, column + wide))
    dashes.extend((end, row + i, "┆") for i in range(high) for end in (column - 1, column + wide))
    for at, level, dash in dashes:
        if grid.is_free(at, level):
            grid.write(at, level, dash)
    name = f"{'abcdefg'[cell[0]]}{cell[1] + 1}"
    grid.write(column, row + high // 2, name.center(wide))


def _numbers(grid: _Grid, scene: Scene) -> None:
    if scene.highlighted is None:
        return
    counted = sorted(scene.highlighted.counted, key=lambda zones: min((y, x) for x, y in zones))
    for i, zones in enumerate(counted, start=1):
        for zone in zones:
            column, row = grid.corner(zone)
            written = f"#{i}"
            grid.write(column + grid.wide - len(written), row, written, _COUNTED)


def _workers(grid: _Grid, scene: Scene) -> None:
    for zone, here in _by_zone(scene.figures).items():
        highlighted = scene.highlighted is not None and scene.highlighted.figure in here
        first = min(here, key=lambda figure: not figure.scored)
        if scene.highlighted is not None and highlighted:
            first = scene.highlighted.figure
        column, row = grid.corner(zone)
        cloak = _Style(231, _CLOAK_COLORS[player_style(first.player).name], True) if first.scored else None
        grid.write(column, row + 1, _worker(first, len(here), highlighted, grid.wide), cloak)


def _worker(figure: Figure, count: int, highlighted: bool, wide: int) -> str:
    before, after = "><" if highlighted else "[]" if figure.scored else "()"
    more = f"x{count}" if count > 1 else ""
    written = f"{before}{player_style(figure.player).sign}{figure.points}{after}{more}"
    # Omit the mark if the zone is too narrow.
    return written if len(written) <= wide else f"{before}{figure.points}{after}{more}"[:wide]


def _by_zone(figures: Iterable[Figure]) -> dict[Zone, list[Figure]]:
    zones: dict[Zone, list[Figure]] = {}
    for figure in figures:
        zones.setdefault((figure.x, figure.y), []).append(figure)
    return zones
