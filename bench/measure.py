"""How a figure is taken: several repeats, their median and their spread."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass

REPEATS = 7


class Skipped(Exception):  # noqa: N818  # nothing went wrong
    """A part cannot be measured here; says why."""


@dataclass(frozen=True)
class Figure:
    """One measured thing."""

    name: str
    median: float
    low: float
    high: float
    unit: str
    note: str = ""


def rate(name: str, work: Callable[[], int], unit: str, repeats: int = REPEATS, note: str = "") -> Figure:
    """How many things a second: `work` does some and says how many."""
    found = []
    for _ in range(repeats):
        begun = time.perf_counter()
        done = work()
        found.append(done / (time.perf_counter() - begun))
    return of(name, found, unit, note)


def of(name: str, values: Iterable[float], unit: str, note: str = "") -> Figure:
    """A figure made of values taken elsewhere."""
    found = sorted(values)
    return Figure(name, statistics.median(found), found[0], found[-1], unit, note)


def setting(name: str, default: float) -> float:
    """A number that whoever measures may change, such as BENCH_SERVER_SECONDS=20."""
    return float(os.environ.get(f"BENCH_{name}") or default)


def settings(name: str, default: str) -> list[int]:
    """Several whole numbers, such as BENCH_SERVER_GAMES="10 200"."""
    return [int(word) for word in (os.environ.get(f"BENCH_{name}") or default).split()]


def between(name: str, mean: float, within: float, unit: str, note: str = "") -> Figure:
    """A mean with its 95% interval in place of lowest and highest."""
    note = f"mean and 95% interval{'; ' if note else ''}{note}"
    return Figure(name, mean, mean - within, mean + within, unit, note)


def table(figures: Iterable[Figure]) -> str:
    """The figures for people."""
    rows = [("", "median", "lowest", "highest", "", "")]
    rows += [(f.name, number(f.median), number(f.low), number(f.high), f.unit, f.note) for f in figures]
    widths = [max(len(row[column]) for row in rows) for column in range(6)]
    lines = []
    for name, *numbers, unit, note in rows:
        cells = [number.rjust(width) for number, width in zip(numbers, widths[1:4], strict=True)]
        lines.append(f"{name.ljust(widths[0])}  {'  '.join(cells)}  {unit.ljust(widths[4])}  {note}".rstrip())
    return "\n".join(lines)


def plain(figures: Iterable[Figure]) -> list[dict[str, object]]:
    """The figures for programs."""
    return [asdict(figure) for figure in figures]


def number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.2f}"
