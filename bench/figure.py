"""Figures of the bench: the median of repeated measurements, with the lowest and highest."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass

REPEATS = 7


class PartSkipped(Exception):  # noqa: N818  # not an error
    """A part of the bench cannot run on this machine; the message says why."""


@dataclass(frozen=True)
class Figure:
    """A measured value with its spread."""

    name: str
    median: float
    low: float
    high: float
    unit: str
    note: str = ""


def measure_rate(name: str, work: Callable[[], int], unit: str, repeats: int = REPEATS, note: str = "") -> Figure:
    """Measure operations per second; `work` runs some operations and returns how many."""
    rates = []
    for _ in range(repeats):
        started = time.perf_counter()
        count = work()
        rates.append(count / (time.perf_counter() - started))
    return figure(name, rates, unit, note)


def figure(name: str, values: Iterable[float], unit: str, note: str = "") -> Figure:
    """Return the figure of measured values."""
    ordered = sorted(values)
    return Figure(name, statistics.median(ordered), ordered[0], ordered[-1], unit, note)


def number_setting(name: str, default: float) -> float:
    """Return the number in an environment variable such as BENCH_SERVER_SECONDS=20, or the default."""
    return float(os.environ.get(f"BENCH_{name}") or default)


def integer_settings(name: str, default: str) -> list[int]:
    """Return the integers in an environment variable such as BENCH_SERVER_GAMES="10 200", or the default."""
    return [int(word) for word in (os.environ.get(f"BENCH_{name}") or default).split()]


def interval_figure(name: str, mean: float, margin: float, unit: str, note: str = "") -> Figure:
    """Return the figure of a mean, with its 95% interval in place of lowest and highest."""
    note = f"mean and 95% interval{'; ' if note else ''}{note}"
    return Figure(name, mean, mean - margin, mean + margin, unit, note)


def text_table(figures: Iterable[Figure]) -> str:
    """Return the figures as a table of text."""
    rows = [("", "median", "lowest", "highest", "", "")]
    rows += [
        (f.name, format_number(f.median), format_number(f.low), format_number(f.high), f.unit, f.note) for f in figures
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(6)]
    lines = []
    for name, *numbers, unit, note in rows:
        cells = [number.rjust(width) for number, width in zip(numbers, widths[1:4], strict=True)]
        lines.append(f"{name.ljust(widths[0])}  {'  '.join(cells)}  {unit.ljust(widths[4])}  {note}".rstrip())
    return "\n".join(lines)


def as_dicts(figures: Iterable[Figure]) -> list[dict[str, object]]:
    """Return the figures as JSON objects."""
    return [asdict(figure) for figure in figures]


def format_number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.2f}"
