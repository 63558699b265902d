"""Draw charts of the most important figures over time, from docs/data/performance.jsonl into docs/img.

Each line of the file is one measurement of one part of `make bench`. `make bench-report` appends lines.
The charts do not join figures of different machines, because those differ for other reasons than the version.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from tools.documentation.line_chart import Line, draw_lines

ROOT = Path(__file__).parents[2]
MEASUREMENTS_FILE = ROOT / "docs" / "data" / "performance.jsonl"
IMAGES_FOLDER = ROOT / "docs" / "img"


class ChartSpec(NamedTuple):
    """A chart: the part of the bench, the title, and by label a pattern of all names that the figure has had."""

    part: str
    title: str
    figures: dict[str, str]


CHARTS = {
    "rules": ChartSpec(
        "rules",
        "Random games in the kernel: how many in the time of one in the plain reference",
        {"Limes": r"Limes playouts, .* to reference", "Limit": r"Limit playouts, .* to reference"},
    ),
    "server": ChartSpec(
        "server",
        "The server's own work for a turn with 200 open games, in microseconds",
        {"": r"200 open games, the server's own work a turn"},
    ),
    "page": ChartSpec("page", "What the page transfers at its first load, in kB", {"": r"first load, transferred"}),
    "rl": ChartSpec(
        "rl",
        "Clicks a second in batches, on one core",
        {
            "Limes, packed": r"limes, batch of 4,096: packed.*",
            "Limes": r"limes, batch of 4,096: planes.*",
            "Limit": r"limit, batch of 256: size 8, 8 layouts",
        },
    ),
}


def read_measurements() -> list[dict[str, Any]]:
    """Return all measurements in the order of the file."""
    lines = MEASUREMENTS_FILE.read_text("utf-8").splitlines() if MEASUREMENTS_FILE.exists() else []
    return [json.loads(line) for line in lines]


def append_measurements(version: str, parts: dict[str, Any]) -> None:
    """Append the measurements of build/bench.json that the file does not have yet."""
    measurements = read_measurements()
    known = {(measurement["part"], measurement["measured_at"]) for measurement in measurements}
    for name, part in parts.items():
        if (name, part["measured_at"]) in known:
            continue
        figures = {figure["name"]: figure["median"] for figure in part["figures"]}
        header = {
            "version": version,
            "measured_at": part["measured_at"],
            "machine": part["machine"],
            "load": part["load"]["before"][0],
        }
        measurements.append({"part": name, **header, "figures": figures})
    MEASUREMENTS_FILE.write_text("".join(f"{json.dumps(measurement)}\n" for measurement in measurements), "utf-8")


def highest_match(figures: dict[str, float], pattern: str) -> float | None:
    """Return the highest figure whose name matches, or None: a machine has one figure for each ISA that it runs."""
    return max((value for name, value in figures.items() if re.fullmatch(pattern, name)), default=None)


def draw_chart(spec: ChartSpec) -> str:
    """Return a chart as SVG."""
    rows = [row for row in read_measurements() if row["part"] == spec.part]

    def lines() -> Iterator[Line]:
        for label, pattern in spec.figures.items():
            for _, group in groupby(enumerate(rows), lambda row: row[1]["machine"]):
                values = [(index, highest_match(row["figures"], pattern)) for index, row in group]
                points = [(float(index), value) for index, value in values if value is not None]
                if points:
                    yield Line(label, points, marked=True)

    names = [f"{row['version']}, {row['measured_at'][:10]}, {row['machine'].split()[0]}" for row in rows]
    return draw_lines(spec.title, list(lines()), names=names, starts_at_zero=True, size=(720, 260))


def draw_charts() -> dict[str, str]:
    """Return all charts as SVG, by file name without suffix."""
    return {f"history-{name}": draw_chart(spec) for name, spec in CHARTS.items()}


def main() -> None:
    """Write the charts."""
    for name, svg in draw_charts().items():
        (IMAGES_FOLDER / f"{name}.svg").write_text(svg, "utf-8")


if __name__ == "__main__":
    main()
