"""Write the last figures of `make bench` into docs/performance.md, each part between its marks: `make bench-report`.

Parts that were not measured keep their figures. The figures are also appended to docs/data/performance.jsonl, from
which `make docs-images` draws charts over time.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PERFORMANCE_PAGE = ROOT / "docs" / "performance.md"
BENCH_RESULTS = ROOT / "build" / "bench.json"
MEASUREMENTS_FILE = ROOT / "docs" / "data" / "performance.jsonl"


def format_part(part: dict[str, Any]) -> str:
    """Return a part as a Markdown table, with the date, the machine and its load."""
    load = part["load"]
    before = f"load average before it {load['before'][0]:g} on {load['cores']} cores"
    lines = [f"Measured {part['measured_at'].partition('T')[0]}: {part['machine']}; {before}."]
    if part["settings"]:
        lines[0] += f" With {', '.join(f'`{name}={value}`' for name, value in part['settings'].items())}."
    lines += ["", "| | median | lowest | highest | | |", "| --- | ---: | ---: | ---: | --- | --- |"]
    for figure in part["figures"]:
        numbers = [format_number(figure[statistic]) for statistic in ("median", "low", "high")]
        cells = [figure["name"], *numbers, figure["unit"], figure["note"]]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def format_number(value: float) -> str:
    """Return a number with three significant digits, or all digits before the point if there are more."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def fill_tables(page: str, parts: dict[str, Any]) -> str:
    """Return the page with the tables of the measured parts replaced."""
    for name, part in parts.items():
        marks = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        match = marks.search(page)
        if match is None:
            raise SystemExit(f"bench-report: docs/performance.md has no marks of {name}")
        page = page[: match.end(1)] + "\n" + format_part(part) + "\n\n" + page[match.start(2) :]
    return page


def append_measurements(lines: list[str], version: str, parts: dict[str, Any]) -> list[str]:
    """Return the lines of performance.jsonl with those measurements of build/bench.json that they lack."""
    measurements = [json.loads(line) for line in lines]
    present = {(measurement["part"], measurement["measured_at"]) for measurement in measurements}
    for name, part in parts.items():
        if (name, part["measured_at"]) in present:
            continue
        measurement = {
            "part": name,
            "version": version,
            "measured_at": part["measured_at"],
            "machine": part["machine"],
            "load": part["load"]["before"][0],
            "figures": {figure["name"]: figure["median"] for figure in part["figures"]},
        }
        lines = [*lines, json.dumps(measurement)]
    return lines


def main() -> None:
    """Update the page and the measurements."""
    if not BENCH_RESULTS.exists():
        sys.exit("bench-report: no figures yet: run `make bench` first")
    parts = json.loads(BENCH_RESULTS.read_text())
    PERFORMANCE_PAGE.write_text(fill_tables(PERFORMANCE_PAGE.read_text(), parts))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = append_measurements(MEASUREMENTS_FILE.read_text("utf-8").splitlines(), project["version"], parts)
    MEASUREMENTS_FILE.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    print(f"{PERFORMANCE_PAGE.relative_to(ROOT)}: {', '.join(parts)}")


if __name__ == "__main__":
    main()
