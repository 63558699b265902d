"""Writes the last figures of `make bench` into docs/performance.md, each part between its marks, and keeps them.

A part that was not measured keeps what is written there. What was measured is added to docs/data/performance.jsonl, of
which `make docs-images` draws how it went from version to version.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

from tools.documentation import bench_history_charts

ROOT = Path(__file__).parents[2]
PERFORMANCE_PAGE = ROOT / "docs" / "performance.md"
BENCH_RESULTS = ROOT / "build" / "bench.json"


def format_part(part: dict[str, Any]) -> str:
    """A part as a table, with when and where it was measured."""
    load = part["load"]
    before = f"load average before it {load['before'][0]:g} on {load['cores']} cores"
    lines = [f"Measured {part['measured_at'].partition('T')[0]}: {part['machine']}; {before}."]
    if part["settings"]:
        lines[0] += f" With {', '.join(f'`{name}={value}`' for name, value in part['settings'].items())}."
    lines += ["", "| | median | lowest | highest | | |", "| --- | ---: | ---: | ---: | --- | --- |"]
    for each in part["figures"]:
        cells = [
            each["name"],
            *(format_number(each[key]) for key in ("median", "low", "high")),
            each["unit"],
            each["note"],
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def format_number(value: float) -> str:
    """Three digits that count, or all of a large number."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def fill_tables(page: str, parts: dict[str, Any]) -> str:
    """The page with every measured part in its place."""
    for name, part in parts.items():
        marks = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        found = marks.search(page)
        if found is None:
            raise SystemExit(f"bench-report: docs/performance.md has no place for {name}")
        page = page[: found.end(1)] + "\n" + format_part(part) + "\n\n" + page[found.start(2) :]
    return page


def main() -> None:
    """Fill the page."""
    if not BENCH_RESULTS.exists():
        sys.exit("bench-report: there are no figures yet: run `make bench`")
    parts = json.loads(BENCH_RESULTS.read_text())
    PERFORMANCE_PAGE.write_text(fill_tables(PERFORMANCE_PAGE.read_text(), parts))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    bench_history_charts.append_measurements(project["version"], parts)
    print(f"{PERFORMANCE_PAGE.relative_to(ROOT)}: {', '.join(parts)}")


if __name__ == "__main__":
    main()
