"""The sheet under a Limes display: paper, measured border, names of rows and columns, and frames of open cells."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from limina.gamekit.svg import ID, format_number, svg_element
from limina.limes.draw.layers import ART, CARD, SIDE, attributes, draw_layers
from limina.limes.draw.outline import path_point
from limina.limes.draw.palette import SERIF
from limina.limes.draw.scene import Cell

_ART = ART["sheet"]


def cell_name(cell: Cell) -> str:
    """Return the name of a cell, such as `d4`."""
    return f"{'abcdefghijklmnopqrstuvwxyz'[cell[0]]}{cell[1] + 1}"


@dataclass(frozen=True, slots=True)
class Sheet:
    """The position, size and margin of the paper, in user units."""

    left: float
    top: float
    width: float
    height: float
    margin: float

    @classmethod
    def around(cls, cells: Iterable[Cell], labels: bool) -> Sheet:
        """Return the sheet around the given cells; `labels` make the margin wider."""
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
        """Return the sheet for `count` cards in rows of `columns`, with space for their numbers if these are drawn."""
        across, down = max(1, min(count, columns)), max(1, -(-count // columns))
        margin, gap = _ART["margin"]["labels"], _ART["cards"]["gap"]
        right, bottom = card_position(across, down, numbers)
        return cls(0, 0, right - gap + margin, bottom - gap + margin, margin)

    @property
    def longer(self) -> float:
        """The longer side of the sheet."""
        return max(self.width, self.height)


def card_position(column: int, row: int, numbers: bool) -> tuple[float, float]:
    """Return the upper left corner of a card on a sheet of cards."""
    margin, gap = _ART["margin"]["labels"], _ART["cards"]["gap"]
    caption = _ART["cards"]["caption"] if numbers else 0
    return margin + column * (CARD + gap), margin + row * (CARD + gap + caption)


def shapes(sheet: Sheet) -> dict[str, str]:
    """Return the path data of the border, whose dark and light pieces are as long as a zone."""
    inset, band = _ART["inset"], _ART["band"]
    left, right = sheet.left + inset, sheet.left + sheet.width - inset
    top, bottom = sheet.top + inset, sheet.top + sheet.height - inset
    inner = _rectangle(left + band, top + band, right - band, bottom - band)
    ticks = ""
    for i in range(round((sheet.width - 2 * sheet.margin) / CARD)):
        for level in (top + band / 2, bottom - band / 2):
            ticks += f"M{path_point(sheet.left + sheet.margin + i * CARD, level)}h{SIDE}"
    for i in range(round((sheet.height - 2 * sheet.margin) / CARD)):
        for level in (left + band / 2, right - band / 2):
            ticks += f"M{path_point(level, sheet.top + sheet.margin + i * CARD)}v{SIDE}"
    return {"rim": _rectangle(left, top, right, bottom) + inner, "ticks": ticks}


def _rectangle(left: float, top: float, right: float, bottom: float) -> str:
    return f"M{path_point(left, top)}H{format_number(right)}V{format_number(bottom)}H{format_number(left)}Z"


def label_positions(sheet: Sheet) -> list[tuple[str, float, float]]:
    """Return the letters of the columns and the numbers of the rows, each with its position on the margin."""
    art = _ART["labels"]
    first, top = math.ceil((sheet.left + sheet.margin) / CARD), math.ceil((sheet.top + sheet.margin) / CARD)
    last = math.floor((sheet.left + sheet.width - sheet.margin) / CARD)
    bottom = math.floor((sheet.top + sheet.height - sheet.margin) / CARD)
    columns = [(cell_name((i, 0))[0], i * CARD + SIDE, sheet.top + art["column"]) for i in range(first, last)]
    rows = [(str(i + 1), sheet.left + art["row"], i * CARD + SIDE + art["drop"]) for i in range(top, bottom)]
    return [*columns, *rows]


def shading() -> str:
    """Define the gradient that darkens the paper towards its edge."""
    art = _ART["shading"]
    return svg_element(
        "radialGradient",
        svg_element("stop", offset=str(art["from"]), stop_color="var(--paper-edge)", stop_opacity="0"),
        svg_element("stop", offset="1", stop_color="var(--paper-edge)"),
        id=f"{ID}edge",
        r=str(art["r"]),
    )


def draw_paper(sheet: Sheet, *, measured: bool = True) -> str:
    """Draw the paper and its border, which has dark and light pieces if it is measured in zones."""
    box = {"x": sheet.left, "y": sheet.top, "width": sheet.width, "height": sheet.height, "rx": _ART["corner"]}
    lines = shapes(sheet) if measured else shapes(sheet) | {"ticks": ""}
    return (
        svg_element("rect", fill="var(--paper)", **box)
        + svg_element("rect", fill=f"url(#{ID}edge)", **box)
        + draw_layers(_ART["border"], lines, "sheet")
    )


def draw_labels(sheet: Sheet) -> str:
    """Draw the names of the columns and rows on the margin."""
    written = (svg_element("text", name, x=x, y=y) for name, x, y in label_positions(sheet))
    return svg_element("g", *written, data_part="labels", font_family=SERIF, **attributes(_ART["labels"]["text"]))


def draw_caption(caption: str, x: float, y: float) -> str:
    """Draw a caption below the card whose upper left corner is (x, y)."""
    style = attributes(_ART["cards"]["text"])
    return svg_element("text", caption, x=x + SIDE, y=y + CARD + _ART["cards"]["drop"], font_family=SERIF, **style)


def draw_frame(cell: Cell) -> str:
    """Draw the frame of a cell where a card may be laid, with the name of the cell."""
    art = _ART["frame"]
    x, y, inset, name = cell[0] * CARD, cell[1] * CARD, art["inset"], cell_name(cell)
    side = CARD - 2 * inset
    dashes = svg_element("rect", x=x + inset, y=y + inset, width=side, height=side, **attributes(art["rect"]))
    written = svg_element(
        "text", name, x=x + SIDE, y=y + SIDE + art["drop"], font_family=SERIF, **attributes(art["text"])
    )
    return svg_element("g", dashes, written, data_part="frame", data_cell=name)
