"""The examples for learners and the notebooks: that they run as they are, for some seconds of what takes minutes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support import ROOT

NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize(("name", "least"), [("td", 35), ("ppo", 16)])
def test_a_learner_writes_its_curve_and_plays_better_than_chance(name: str, least: float, tmp_path: Path) -> None:
    if name == "ppo":
        pytest.importorskip("torch", reason="torch is not installed: `make test-rl` tries to")
    out = tmp_path / "curve.json"
    command = [sys.executable, f"examples/rl/{name}.py", "--seconds", "6", "--seed", "1", "--out", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    curve = json.loads(out.read_text("utf-8"))
    assert curve["learner"] == name
    first, *_, last = curve["curve"]
    assert (first["seconds"], first["steps"]) == (0, 0)
    assert last["steps"] > 0
    assert last["points"] > least


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_its_first_cell_to_its_last(path: Path, tmp_path: Path) -> None:
    pytest.importorskip("ipykernel", reason="ipykernel is not installed: `make test-rl` tries to")
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed: `make test-rl` tries to")
    nbformat: Any = pytest.importorskip("nbformat")
    notebook = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "outputs are not kept: clear them"
    settings = {"IPYTHONDIR": str(tmp_path), "JUPYTER_CONFIG_DIR": str(tmp_path)}
    client = nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(path.parent)}})
    client.execute(env=os.environ | settings)
    assert any(cell.get("outputs") for cell in notebook.cells)
