"""The sheet a Limes display lies on: paper, its ruled border, the names of the cells, frames for cards to come."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from limina.gamekit.svg import ID, number, tag
from limina.limes.draw.layers import ART, CARD, SIDE, attributes, layers
from limina.limes.draw.outline import pair
from limina.limes.draw.palette import SERIF
from limina.limes.draw.scene import Cell

_ART = ART["sheet"]


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

    @classmethod
    def around(cls, cells: Iterable[Cell], labels: bool) -> Sheet:
        """Return the sheet that holds the given cells."""
        columns, rows = zip(*cells, strict=True)
        margin = _ART["margin"]["labels" if labels else "border"]
        return cls(
            min(columns) * CARD - margin,
            min(rows) * CARD - margin,
            (max(columns) - min(columns) + 1) * CARD + 2 * margin,
            (max(rows) - min(rows) + 1) * CARD + 2 * margin,
            margin,
        )

    @classmethod
    def for_cards(cls, count: int, columns: int, numbers: bool) -> Sheet:
        """Return the sheet that holds cards beside each other, with room for their numbers."""
        across, down = max(1, min(count, columns)), max(1, -(-count // columns))
        margin, gap = _ART["margin"]["labels"], _ART["cards"]["gap"]
        right, bottom = card_place(across, down, numbers)
        return cls(0, 0, right - gap + margin, bottom - gap + margin, margin)

    @property
    def longer(self) -> float:
        """Return the longer side."""
        return max(self.width, self.height)


def card_place(column: int, row: int, numbers: bool) -> tuple[float, float]:
    """Return where the card of a column and a row begins on a sheet of cards."""
    margin, gap = _ART["margin"]["labels"], _ART["cards"]["gap"]
    caption = _ART["cards"]["caption"] if numbers else 0
    return margin + column * (CARD + gap), margin + row * (CARD + gap + caption)


def shapes(sheet: Sheet) -> dict[str, str]:
    """Return the path data of the surveyor's border, whose dark and light pieces are as long as a zone."""
    inset, band = _ART["inset"], _ART["band"]
    left, right = sheet.left + inset, sheet.left + sheet.width - inset
    top, bottom = sheet.top + inset, sheet.top + sheet.height - inset
    inner = _rectangle(left + band, top + band, right - band, bottom - band)
    ticks = ""
    for i in range(round((sheet.width - 2 * sheet.margin) / CARD)):
        for level in (top + band / 2, bottom - band / 2):
            ticks += f"M{pair(sheet.left + sheet.margin + i * CARD, level)}h{SIDE}"
    for i in range(round((sheet.height - 2 * sheet.margin) / CARD)):
        for level in (left + band / 2, right - band / 2):
            ticks += f"M{pair(level, sheet.top + sheet.margin + i * CARD)}v{SIDE}"
    return {"rim": _rectangle(left, top, right, bottom) + inner, "ticks": ticks}


def _rectangle(left: float, top: float, right: float, bottom: float) -> str:
    return f"M{pair(left, top)}H{number(right)}V{number(bottom)}H{number(left)}Z"


def labels(sheet: Sheet) -> list[tuple[str, float, float]]:
    """Return the letters of the columns and the numbers of the rows, and where they stand on the margin."""
    art = _ART["labels"]
    first, top = math.ceil((sheet.left + sheet.margin) / CARD), math.ceil((sheet.top + sheet.margin) / CARD)
    last = math.floor((sheet.left + sheet.width - sheet.margin) / CARD)
    bottom = math.floor((sheet.top + sheet.height - sheet.margin) / CARD)
    columns = [(cell_name((i, 0))[0], i * CARD + SIDE, sheet.top + art["column"]) for i in range(first, last)]
    rows = [(str(i + 1), sheet.left + art["row"], i * CARD + SIDE + art["drop"]) for i in range(top, bottom)]
    return [*columns, *rows]


def shading() -> str:
    """Define the darker edge of the paper."""
    art = _ART["shading"]
    return tag(
        "radialGradient",
        tag("stop", offset=str(art["from"]), stop_color="var(--paper-edge)", stop_opacity="0"),
        tag("stop", offset="1", stop_color="var(--paper-edge)"),
        id=f"{ID}edge",
        r=str(art["r"]),
    )


def draw_paper(sheet: Sheet, *, measured: bool = True) -> str:
    """Draw the paper and its border; on a sheet of cards its dark and light pieces would measure nothing."""
    box = {"x": sheet.left, "y": sheet.top, "width": sheet.width, "height": sheet.height, "rx": _ART["corner"]}
    lines = shapes(sheet) if measured else shapes(sheet) | {"ticks": ""}
    return (
        tag("rect", fill="var(--paper)", **box)
        + tag("rect", fill=f"url(#{ID}edge)", **box)
        + layers(_ART["border"], lines, "sheet")
    )


def draw_labels(sheet: Sheet) -> str:
    """Write the names of the columns and rows on the margin."""
    written = (tag("text", name, x=x, y=y) for name, x, y in labels(sheet))
    return tag("g", *written, data_part="labels", font_family=SERIF, **attributes(_ART["labels"]["text"]))


def draw_caption(written: str, x: float, y: float) -> str:
    """Write the number of the card that begins at a place under it."""
    style = attributes(_ART["cards"]["text"])
    return tag("text", written, x=x + SIDE, y=y + CARD + _ART["cards"]["drop"], font_family=SERIF, **style)


def draw_frame(cell: Cell) -> str:
    """Draw the place where a card may be laid, with the name of its cell."""
    art = _ART["frame"]
    x, y, inset, name = cell[0] * CARD, cell[1] * CARD, art["inset"], cell_name(cell)
    side = CARD - 2 * inset
    dashes = tag("rect", x=x + inset, y=y + inset, width=side, height=side, **attributes(art["rect"]))
    written = tag("text", name, x=x + SIDE, y=y + SIDE + art["drop"], font_family=SERIF, **attributes(art["text"]))
    return tag("g", dashes, written, data_part="frame", data_cell=name)
