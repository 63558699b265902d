"""The pictures that are drawn of kept figures: how they went over versions, and what the examples have learned."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from support import ROOT

PICTURES = ROOT / "docs" / "img"
# Tools are no package that is installed: they are run, as `make` runs them, in a tree of their own.
DRAW = "from pathlib import Path; import tools.{0} as tool; tool.PICTURES = Path({1!r}); tool.main()"


@pytest.mark.parametrize("tool", ["history", "curves"])
def test_pictures_are_those_of_the_kept_figures(tool: str, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", DRAW.format(tool, str(tmp_path))], cwd=ROOT, check=True)
    drawn = list(tmp_path.glob("*.svg"))
    assert drawn
    for path in drawn:
        assert (PICTURES / path.name).read_text("utf-8") == path.read_text("utf-8"), "run `make pictures`"
        assert ElementTree.parse(path).getroot().tag.endswith("svg")


def test_what_is_measured_again_is_added_and_what_is_known_is_not(tmp_path: Path) -> None:
    figure = {"name": "first load, transferred", "median": 60.0, "low": 59.0, "high": 61.0, "unit": "kB", "note": ""}
    part = {"taken": "2030-01-01T10:00+00:00", "machine": "Abacus, 2 cores", "load": {"before": [0.5], "cores": 2}}
    program = (
        "import json, shutil; from pathlib import Path; from tools import history;"
        f"copy = Path({str(tmp_path / 'kept.jsonl')!r}); shutil.copy(history.KEPT, copy); history.KEPT = copy;"
        f"parts = { ({'page': {**part, 'figures': [figure]}})!r};"
        "before = len(history.measurements()); history.keep('9.0.0', parts); history.keep('9.0.0', parts);"
        "print(len(history.measurements()) - before); print(history.drawn(history.STORIES['page']))"
    )
    said = subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert said.startswith("1\n")
    assert "9.0.0, 2030-01-01, Abacus" in said
