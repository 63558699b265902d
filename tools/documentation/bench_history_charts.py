"""How the most telling figures went from version to version: docs/data/performance.jsonl as pictures in docs/img.

A line of the file is one measurement of one part, added by `make bench-report`; none is ever taken out. Figures of
different machines are not joined: they differ for the machine's sake too.
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
    """One picture: a part, a title, and which figures it follows, each by a pattern of its names over the years."""

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
    """All that was ever kept, in the order in which it was measured."""
    lines = MEASUREMENTS_FILE.read_text("utf-8").splitlines() if MEASUREMENTS_FILE.exists() else []
    return [json.loads(line) for line in lines]


def append_measurements(version: str, parts: dict[str, Any]) -> None:
    """Add what was measured anew, as build/bench.json has it."""
    found = read_measurements()
    known = {(each["part"], each["measured_at"]) for each in found}
    for name, part in parts.items():
        if (name, part["measured_at"]) in known:
            continue
        figures = {each["name"]: each["median"] for each in part["figures"]}
        about = {
            "version": version,
            "measured_at": part["measured_at"],
            "machine": part["machine"],
            "load": part["load"]["before"][0],
        }
        found.append({"part": name, **about, "figures": figures})
    MEASUREMENTS_FILE.write_text("".join(f"{json.dumps(each)}\n" for each in found), "utf-8")


def highest_match(figures: dict[str, float], pattern: str) -> float | None:
    """The greatest of the figures that are called so: a processor has a kernel for each of several ISAs."""
    return max((value for name, value in figures.items() if re.fullmatch(pattern, name)), default=None)


def draw_chart(spec: ChartSpec) -> str:
    """The picture."""
    rows = [each for each in read_measurements() if each["part"] == spec.part]

    def lines() -> Iterator[Line]:
        for label, pattern in spec.figures.items():
            for _, group in groupby(enumerate(rows), lambda row: row[1]["machine"]):
                found = [(at, highest_match(each["figures"], pattern)) for at, each in group]
                points = [(float(at), value) for at, value in found if value is not None]
                if points:
                    yield Line(label, points, marked=True)

    names = [f"{each['version']}, {each['measured_at'][:10]}, {each['machine'].split()[0]}" for each in rows]
    return draw_lines(spec.title, list(lines()), names=names, starts_at_zero=True, size=(720, 260))


def draw_charts() -> dict[str, str]:
    """Every picture by the name of its file."""
    return {f"history-{name}": draw_chart(spec) for name, spec in CHARTS.items()}


def main() -> None:
    """Write them."""
    for name, svg in draw_charts().items():
        (IMAGES_FOLDER / f"{name}.svg").write_text(svg, "utf-8")


if __name__ == "__main__":
    main()
