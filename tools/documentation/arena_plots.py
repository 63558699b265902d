"""Plot arena results for the documentation: `limina arena ... --json > FILE`, then arena_plots.py FILE OUT.svg.

The plot has a row for each bot, or for each pair of bots that played each other, with the mean and its 95% interval.
Where the games count points, each game is a small stroke.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

from limina.gamekit.svg import number, tag, text

WIDTH, MIN_LEFT_MARGIN, ROW_HEIGHT, INK_COLOR, MARK_COLOR = 720, 190, 44, "#3b2f22", "#8f2a1d"


class PlotRow(NamedTuple):
    """A mean, half the width of its interval, and the values that the mean was computed from."""

    label: str
    mean: float
    margin: float
    values: list[float]


def plot_rows(result: dict[str, Any]) -> tuple[list[PlotRow], str]:
    """Return the rows of the plot and the unit of its axis."""
    if result["players"] == 1:
        rows = []
        for bot in result["bots"]:
            points = [game["points"][0] for game in result["games"] if game["seats"] == [bot["name"]]]
            rows.append(PlotRow(bot["name"], bot["points"]["mean"], bot["points"]["within"], points))
        return rows, "points"
    return [
        PlotRow(
            " - ".join(pair["bots"]),
            50 + 50 * pair["share_difference"]["mean"],
            50 * pair["share_difference"]["within"],
            [],
        )
        for pair in result["pairs"]
        if pair["share_difference"]
    ], "% of the wins for the first"


def draw_plot(result: dict[str, Any]) -> str:
    """Return the plot as SVG."""
    rows, unit = plot_rows(result)
    values = [value for row in rows for value in (*row.values, row.mean - row.margin, row.mean + row.margin)]
    left = max(MIN_LEFT_MARGIN, 20 + round(7.8 * max(len(row.label) for row in rows)))
    low, high = (0.0, 100.0) if unit.startswith("%") else (min(values) - 2, max(values) + 2)

    def x(value: float) -> float:
        return left + (WIDTH - left - 30) * (min(max(value, low), high) - low) / (high - low)

    height = ROW_HEIGHT * len(rows) + 60
    elements = [tag("rect", width=WIDTH, height=height, fill="#f4e9d2")]
    for step in range(int(low // 10 + 1) * 10, int(high) + 1, 10):
        elements.append(tag("path", d=f"M{number(x(step))} 14V{height - 40}", stroke=INK_COLOR, opacity="0.2"))
        elements.append(
            tag("text", str(step), x=x(step), y=height - 22, text_anchor="middle", fill=INK_COLOR, font_size=13)
        )
    elements.append(
        tag("text", text(unit), x=WIDTH - 30, y=height - 6, text_anchor="end", fill=INK_COLOR, font_size=13)
    )
    for row_index, row in enumerate(rows):
        y = 34 + ROW_HEIGHT * row_index
        elements.append(
            tag("text", text(row.label), x=left - 14, y=y + 5, text_anchor="end", fill=INK_COLOR, font_size=15)
        )
        strokes = "".join(f"M{number(x(value))} {y - 9}v18" for value in row.values)
        elements.append(tag("path", d=strokes or "M0 0", stroke=INK_COLOR, opacity="0.18", stroke_width=2))
        ends = f"M{number(x(row.mean - row.margin))} {y}H{number(x(row.mean + row.margin))}"
        elements.append(tag("path", d=ends, stroke=MARK_COLOR, stroke_width=4))
        elements.append(tag("circle", cx=x(row.mean), cy=y, r=6, fill=MARK_COLOR))
        label = f"{row.mean:.1f} ± {row.margin:.1f}"
        elements.append(
            tag("text", label, x=x(row.mean), y=y - 13, text_anchor="middle", fill=MARK_COLOR, font_size=13)
        )
    title = tag("title", text("; ".join(f"{row.label} {row.mean:.1f} ± {row.margin:.1f}" for row in rows)))
    box = f"0 0 {WIDTH} {height}"
    attributes = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": box, "font_family": "sans-serif"}
    return tag("svg", title, *elements, width=WIDTH, height=height, **attributes) + "\n"


def main() -> None:
    """Read the results and write the plot."""
    source, out = map(Path, sys.argv[1:3])
    out.write_text(draw_plot(json.loads(source.read_text())), encoding="utf-8")


if __name__ == "__main__":
    main()
