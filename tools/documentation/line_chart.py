"""Line charts for the documentation, in the colors of limina."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from limina.gamekit.svg import number, tag, text
from limina.limes.draw.palette import PLAYER_STYLES

PAPER, INK = "#f4e9d2", "#3b2f22"
COLORS = tuple(player.color for player in PLAYER_STYLES)
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 34, 44


class Line(NamedTuple):
    """A line through points, from left to right. Lines with the same label have the same color and one legend entry."""

    label: str
    points: Sequence[tuple[float, float]]
    marked: bool = False
    """Draw a mark at each point."""


class Goal(NamedTuple):
    """A horizontal dashed line with a label."""

    label: str
    level: float


def axis_ticks(low: float, high: float, max_ticks: int = 6) -> list[float]:
    """Return round numbers from low to high, at most about `max_ticks`, for an axis."""
    rough = (high - low) / max_ticks
    size = 10.0 ** math.floor(math.log10(rough))
    size = next(size * factor for factor in (1, 2, 5, 10) if size * factor >= rough * (1 - 1e-9))
    return [size * step for step in range(math.ceil(low / size - 1e-9), math.floor(high / size + 1e-9) + 1)]


def format_tick(value: float) -> str:
    """Return a number with a prefix such as k or M."""
    for size, prefix in ((1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:g}{prefix}"
    return f"{value:g}"


def draw_lines(
    title: str,
    lines: Sequence[Line],
    *,
    x_label: str = "",
    goals: Sequence[Goal] = (),
    names: Sequence[str] = (),
    starts_at_zero: bool = False,
    size: tuple[int, int] = (720, 380),
) -> str:
    """Return a chart as SVG. With `names`, the ticks of the x axis at 0, 1, 2, ... show these names."""
    width, height = size
    all_x = [x for line in lines for x, _ in line.points]
    all_y = [y for line in lines for _, y in line.points] + [goal.level for goal in goals]
    left, right = (-0.5, len(names) - 0.5) if names else (min(all_x), max(all_x))
    low, high = 0.0 if starts_at_zero else min(all_y), max(all_y)
    margin = 0.06 * (high - low or abs(high) or 1)
    low, high = low if starts_at_zero else low - margin, high + margin

    def x(value: float) -> float:
        return LEFT + (width - LEFT - RIGHT) * (value - left) / (right - left or 1)

    def y(value: float) -> float:
        return height - BOTTOM - (height - TOP - BOTTOM) * (value - low) / (high - low)

    def draw_text(content: str, at_x: float, at_y: float, anchor: str, fill: str = INK, font_size: int = 13) -> str:
        return tag("text", text(content), x=at_x, y=at_y, text_anchor=anchor, fill=fill, font_size=font_size)

    elements = [tag("rect", width=width, height=height, fill=PAPER), draw_text(title, 14, 21, "start", font_size=15)]
    for level in axis_ticks(low, high):
        elements.append(tag("path", d=f"M{LEFT} {number(y(level))}H{width - RIGHT}", stroke=INK, opacity="0.2"))
        elements.append(draw_text(format_tick(level), LEFT - 8, y(level) + 4, "end"))
    x_ticks = (
        list(enumerate(names)) if names else [(value, format_tick(value)) for value in axis_ticks(left, right, 10)]
    )
    elements += [draw_text(name, x(value), height - BOTTOM + 18, "middle") for value, name in x_ticks]
    if x_label:
        elements.append(draw_text(x_label, width - RIGHT, height - 8, "end"))
    for goal in goals:
        ink = {"stroke": INK, "stroke_dasharray": "5 4", "opacity": "0.7"}
        elements.append(tag("path", d=f"M{LEFT} {number(y(goal.level))}H{width - RIGHT}", **ink))
        elements.append(draw_text(goal.label, width - RIGHT - 4, y(goal.level) - 5, "end"))
    labels = list(dict.fromkeys(line.label for line in lines))
    for line in lines:
        color = COLORS[labels.index(line.label) % len(COLORS)]
        joined = "L".join(f"{number(x(at))} {number(y(value))}" for at, value in line.points)
        ink = {"fill": "none", "stroke": color, "stroke_linejoin": "round"}
        elements.append(tag("path", d=f"M{joined}", stroke_width=2.5, **ink))
        if line.marked:
            elements += [tag("circle", cx=x(at), cy=y(value), r=4, fill=color) for at, value in line.points]
    named = [label for label in labels if label]
    if len(named) > 1:
        for label_index, label in enumerate(named):
            elements.append(
                draw_text(label, LEFT + 130 * label_index, height - 8, "start", COLORS[labels.index(label)])
            )
    box = f"0 0 {width} {height}"
    attributes = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": box, "font_family": "sans-serif"}
    return tag("svg", tag("title", text(title)), *elements, width=width, height=height, **attributes) + "\n"
