"""The sheet a Limes display lies on: paper, its ruled border, the names of the cells, frames for cards to come."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass

from limina.limes.outline import SIDE, chance
from limina.limes.palette import SERIF, Palette
from limina.limes.scene import Cell
from limina.svg import ID, number, tag

_CARD = 2 * SIDE
_MARGIN_WITH_LABELS = 62
_MARGIN = 40
_GAP = 40


def cell_name(cell: Cell) -> str:
    """Return the name of a cell, such as `d4`."""
    return f"{'abcdefghijklmnopqrstuvwxyz'[cell[0]]}{cell[1] + 1}"


@dataclass(frozen=True, slots=True)
class Sheet:
    """A piece of paper: where it begins, how large it is, and how much of it is margin."""

    left: float
    top: float
    width: float
    height: float
    margin: float
    caption: float = 0
    cards: bool = False

    @classmethod
    def around(cls, cells: Iterable[Cell], labels: bool) -> Sheet:
        """Return the sheet that holds the given cells."""
        columns, rows = zip(*cells, strict=True)
        margin = _MARGIN_WITH_LABELS if labels else _MARGIN
        return cls(
            min(columns) * _CARD - margin,
            min(rows) * _CARD - margin,
            (max(columns) - min(columns) + 1) * _CARD + 2 * margin,
            (max(rows) - min(rows) + 1) * _CARD + 2 * margin,
            margin,
        )

    @classmethod
    def for_cards(cls, count: int, columns: int, numbers: bool) -> Sheet:
        """Return the sheet that holds cards beside each other, with room for their numbers."""
        across, down = max(1, min(count, columns)), max(1, -(-count // columns))
        caption = 30 if numbers else 0
        return cls(
            0,
            0,
            across * (_CARD + _GAP) - _GAP + 2 * _MARGIN_WITH_LABELS,
            down * (_CARD + _GAP + caption) - _GAP + 2 * _MARGIN_WITH_LABELS,
            _MARGIN_WITH_LABELS,
            caption,
            cards=True,
        )

    @property
    def longer(self) -> float:
        """Return the longer side."""
        return max(self.width, self.height)

    def card(self, column: int, row: int) -> tuple[float, float]:
        """Return where the card of a column and a row begins on a sheet of cards."""
        return self.margin + column * (_CARD + _GAP), self.margin + row * (_CARD + _GAP + self.caption)

    def shading(self, colours: Palette) -> str:
        """Define the darker edge of the paper."""
        return tag(
            "radialGradient",
            tag("stop", offset="0.55", stop_color=colours["paper-edge"], stop_opacity="0"),
            tag("stop", offset="1", stop_color=colours["paper-edge"]),
            id=f"{ID}edge",
            r="0.75",
        )

    def paper(self, colours: Palette) -> str:
        """Draw the paper and the surveyor's border, whose dark and light pieces are as long as a zone."""
        box = {"x": self.left, "y": self.top, "width": self.width, "height": self.height, "rx": 14}
        fibres = "".join(self._fibre(i) for i in range(round(self.width * self.height / 14000)))
        return (
            tag("rect", fill=colours["paper"], **box)
            + tag("rect", fill=f"url(#{ID}edge)", **box)
            + tag("path", d=fibres, fill="none", stroke=colours["ink"], stroke_width=0.8, stroke_opacity=0.16)
            + self._border(colours)
        )

    def _fibre(self, i: int) -> str:
        x = self.left + 12 + chance("fibre", i) * (self.width - 24)
        y = self.top + 12 + chance("fibre-y", i) * (self.height - 24)
        dx, dy = (chance("fibre-dx", i) - 0.5) * 14, (chance("fibre-dy", i) - 0.5) * 8
        return f"M{number(x)} {number(y)}q{number(dx / 2)} {number(dy)} {number(dx)} {number(dy / 3)}"

    def _border(self, colours: Palette) -> str:
        gap, band = 14, 7
        x, y = self.left + gap, self.top + gap
        width, height = self.width - 2 * gap, self.height - 2 * gap
        middle = band / 2
        rim = f"M{number(x)} {number(y)}h{number(width)}v{number(height)}h{number(-width)}Z"
        inner = (
            f"M{number(x + band)} {number(y + band)}h{number(width - 2 * band)}v{number(height - 2 * band)}"
            f"h{number(2 * band - width)}Z"
        )
        ticks: list[str] = []
        # On a sheet of cards the pieces would measure nothing.
        lengths = (self.width, self.height) if not self.cards else (0, 0)
        for start in range(0, int(lengths[0] - 2 * self.margin), 2 * SIDE):
            for level in (y + middle, y + height - middle):
                ticks.append(f"M{number(self.left + self.margin + start)} {number(level)}h{SIDE}")
        for start in range(0, int(lengths[1] - 2 * self.margin), 2 * SIDE):
            for level in (x + middle, x + width - middle):
                ticks.append(f"M{number(level)} {number(self.top + self.margin + start)}v{SIDE}")
        return tag(
            "g",
            tag("path", d=rim + inner, stroke_width=1.4),
            tag("path", d="".join(ticks), stroke_width=band),
            fill="none",
            stroke=colours["ink"],
            stroke_opacity=0.6,
        )

    def labels(self, colours: Palette) -> str:
        """Write the letters of the columns and the numbers of the rows on the margin."""
        first_column = round((self.left + self.margin) / _CARD)
        first_row = round((self.top + self.margin) / _CARD)
        columns = range(first_column, first_column + round((self.width - 2 * self.margin) / _CARD))
        rows = range(first_row, first_row + round((self.height - 2 * self.margin) / _CARD))
        names = [(cell_name((c, 0))[0], float(c * _CARD + SIDE), self.top + 50) for c in columns]
        names += [(str(r + 1), self.left + 41, r * _CARD + SIDE + 9.0) for r in rows]
        return tag(
            "g",
            *(tag("text", name, x=x, y=y) for name, x, y in names),
            data_part="labels",
            fill=colours["ink"],
            font_family=SERIF,
            font_size=30,
            font_style="italic",
            text_anchor="middle",
        )


def caption(written: str, x: float, y: float, colours: Palette) -> str:
    """Write the number of a card under it."""
    return tag(
        "text",
        written,
        x=x,
        y=y,
        fill=colours["ink"],
        font_family=SERIF,
        font_size=28,
        font_style="italic",
        text_anchor="middle",
    )


def frame(cell: Cell, colours: Palette) -> str:
    """Draw the place where a card may be laid, with the name of its cell."""
    x, y = cell[0] * _CARD, cell[1] * _CARD
    box = {"x": x + 9, "y": y + 9, "width": _CARD - 18, "height": _CARD - 18, "rx": 14}
    name = tag(
        "text",
        cell_name(cell),
        x=x + SIDE,
        y=y + SIDE + 14,
        fill=colours["ink"],
        fill_opacity=0.75,
        font_family=SERIF,
        font_size=42,
        font_style="italic",
        text_anchor="middle",
    )
    dashes = tag(
        "rect",
        fill=colours["ink"],
        fill_opacity=0.05,
        stroke=colours["ink"],
        stroke_opacity=0.65,
        stroke_width=3,
        stroke_dasharray="13 9",
        stroke_linecap="round",
        **box,
    )
    return tag("g", dashes, name, data_part="frame", data_cell=cell_name(cell))


def card_edges(cells: Set[Cell], colours: Palette) -> str:
    """Draw a hairline where two cards meet."""
    lines = []
    for column, row in sorted(cells):
        if (column + 1, row) in cells:
            lines.append(f"M{(column + 1) * _CARD} {row * _CARD}v{_CARD}")
        if (column, row + 1) in cells:
            lines.append(f"M{column * _CARD} {(row + 1) * _CARD}h{_CARD}")
    if not lines:
        return ""
    return tag("path", d="".join(lines), stroke=colours["ink"], stroke_width=1.2, stroke_opacity=0.4)
