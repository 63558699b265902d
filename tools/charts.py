"""A chart of a few lines for the documentation, in limina's own colours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from limina.gamekit.svg import number, tag, text
from limina.limes.draw.palette import PLAYERS

PAPER, INK = "#f4e9d2", "#3b2f22"
COLOURS = tuple(player.colour for player in PLAYERS)
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 34, 44


class Line(NamedTuple):
    """Points to be joined, from left to right; lines of one label have one colour, and the label is written once."""

    label: str
    points: Sequence[tuple[float, float]]
    marked: bool = False
    """Whether each point is a mark of its own."""


class Goal(NamedTuple):
    """A level to be reached, with its name."""

    label: str
    level: float


def steps(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers from low to high, not more than so many: for the axes."""
    rough = (high - low) / most
    size = 10.0 ** math.floor(math.log10(rough))
    size = next(size * factor for factor in (1, 2, 5, 10) if size * factor >= rough * (1 - 1e-9))
    return [size * step for step in range(math.ceil(low / size - 1e-9), math.floor(high / size + 1e-9) + 1)]


def short(value: float) -> str:
    """A number as an axis says it."""
    for size, sign in ((1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:g}{sign}"
    return f"{value:g}"


def chart(
    title: str,
    lines: Sequence[Line],
    *,
    across: str = "",
    goals: Sequence[Goal] = (),
    names: Sequence[str] = (),
    zero: bool = False,
    size: tuple[int, int] = (720, 380),
) -> str:
    """The lines over a common ground. `names` stand below the whole numbers from 0 on, in place of numbers."""
    width, height = size
    all_x = [x for line in lines for x, _ in line.points]
    all_y = [y for line in lines for _, y in line.points] + [goal.level for goal in goals]
    left, right = (-0.5, len(names) - 0.5) if names else (min(all_x), max(all_x))
    low, high = 0.0 if zero else min(all_y), max(all_y)
    margin = 0.06 * (high - low or abs(high) or 1)
    low, high = low if zero else low - margin, high + margin

    def x(value: float) -> float:
        return LEFT + (width - LEFT - RIGHT) * (value - left) / (right - left or 1)

    def y(value: float) -> float:
        return height - BOTTOM - (height - TOP - BOTTOM) * (value - low) / (high - low)

    def words(said: str, at_x: float, at_y: float, anchor: str, fill: str = INK, font_size: int = 13) -> str:
        return tag("text", text(said), x=at_x, y=at_y, text_anchor=anchor, fill=fill, font_size=font_size)

    drawn = [tag("rect", width=width, height=height, fill=PAPER), words(title, 14, 21, "start", font_size=15)]
    for level in steps(low, high):
        drawn.append(tag("path", d=f"M{LEFT} {number(y(level))}H{width - RIGHT}", stroke=INK, opacity="0.2"))
        drawn.append(words(short(level), LEFT - 8, y(level) + 4, "end"))
    under = list(enumerate(names)) if names else [(value, short(value)) for value in steps(left, right, 10)]
    drawn += [words(name, x(value), height - BOTTOM + 18, "middle") for value, name in under]
    if across:
        drawn.append(words(across, width - RIGHT, height - 8, "end"))
    for goal in goals:
        ink = {"stroke": INK, "stroke_dasharray": "5 4", "opacity": "0.7"}
        drawn.append(tag("path", d=f"M{LEFT} {number(y(goal.level))}H{width - RIGHT}", **ink))
        drawn.append(words(goal.label, width - RIGHT - 4, y(goal.level) - 5, "end"))
    labels = list(dict.fromkeys(line.label for line in lines))
    for line in lines:
        colour = COLOURS[labels.index(line.label) % len(COLOURS)]
        joined = "L".join(f"{number(x(at))} {number(y(value))}" for at, value in line.points)
        ink = {"fill": "none", "stroke": colour, "stroke_linejoin": "round"}
        drawn.append(tag("path", d=f"M{joined}", stroke_width=2.5, **ink))
        if line.marked:
            drawn += [tag("circle", cx=x(at), cy=y(value), r=4, fill=colour) for at, value in line.points]
    named = [label for label in labels if label]
    if len(named) > 1:
        for place, label in enumerate(named):
            drawn.append(words(label, LEFT + 130 * place, height - 8, "start", COLOURS[labels.index(label)]))
    box = f"0 0 {width} {height}"
    about = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": box, "font_family": "sans-serif"}
    return tag("svg", tag("title", text(title)), *drawn, width=width, height=height, **about) + "\n"
