"""The charts of the documentation: bench figures over versions, and learning curves."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from support import ROOT

IMAGES_FOLDER = ROOT / "docs" / "img"
# Tools are no package that is installed: they are run, as `make` runs them, in a tree of their own.
DRAW_CHARTS = (
    "from pathlib import Path; import tools.documentation.{0} as tool; tool.IMAGES_FOLDER = Path({1!r}); tool.main()"
)


@pytest.mark.parametrize("tool", ["bench_history_charts", "learning_curve_charts"])
def test_charts_are_up_to_date_with_their_data(tool: str, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", DRAW_CHARTS.format(tool, str(tmp_path))], cwd=ROOT, check=True)
    drawn = list(tmp_path.glob("*.svg"))
    assert drawn
    for path in drawn:
        assert (IMAGES_FOLDER / path.name).read_text("utf-8") == path.read_text("utf-8"), "run `make docs-images`"
        assert ElementTree.parse(path).getroot().tag.endswith("svg")


def test_new_measurements_are_appended_only_once(tmp_path: Path) -> None:
    figure = {"name": "first load, transferred", "median": 60.0, "low": 59.0, "high": 61.0, "unit": "kB", "note": ""}
    part = {
        "measured_at": "2030-01-01T10:00+00:00",
        "machine": "Abacus, 2 cores",
        "load": {"before": [0.5], "cores": 2},
    }
    program = (
        "import shutil; from pathlib import Path; import tools.documentation.bench_history_charts as charts;"
        f"copy = Path({str(tmp_path / 'copy.jsonl')!r}); shutil.copy(charts.MEASUREMENTS_FILE, copy);"
        "charts.MEASUREMENTS_FILE = copy;"
        f"parts = { ({'page': {**part, 'figures': [figure]}})!r};"
        "before = len(charts.read_measurements());"
        "charts.append_measurements('9.0.0', parts); charts.append_measurements('9.0.0', parts);"
        "print(len(charts.read_measurements()) - before); print(charts.draw_chart(charts.CHARTS['page']))"
    )
    output = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    assert output.startswith("1\n")
    assert "9.0.0, 2030-01-01, Abacus" in output
