"""The charts of the documentation. They need matplotlib, which only `make docs` installs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from support import ROOT


def draw(*arguments: Path) -> None:
    """Run the script that draws charts."""
    subprocess.run([sys.executable, str(ROOT / "tools" / "documentation" / "plots.py"), *arguments], check=True)


def test_charts_are_up_to_date_with_their_data(tmp_path: Path) -> None:
    draw(tmp_path)
    charts = sorted(tmp_path.glob("*.svg"))
    assert len(charts) == 6
    for chart in charts:
        current = (ROOT / "docs" / "img" / chart.name).read_text("utf-8")
        assert current == chart.read_text("utf-8"), "run `make docs-images`"


def test_arena_results_become_a_chart_with_every_bot(tmp_path: Path) -> None:
    results, chart = tmp_path / "results.json", tmp_path / "chart.svg"
    command = [str(Path(sys.executable).with_name("limina")), "arena", "limes", "novice", "random"]
    output = subprocess.run([*command, "--alone", "--games", "3", "--json"], check=True, capture_output=True, text=True)
    results.write_text(output.stdout)
    draw(results, chart)
    assert {"novice", "random"} <= {line.partition("<")[0] for line in chart.read_text("utf-8").split(">")}
