"""The learning examples, which run for some seconds instead of minutes, and the notebooks."""

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


@pytest.mark.parametrize(("name", "min_points"), [("td", 35), ("ppo", 16)])
def test_a_learner_plays_better_than_random_and_writes_its_curve(name: str, min_points: float, tmp_path: Path) -> None:
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
    assert last["points"] > min_points


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, tmp_path: Path) -> None:
    pytest.importorskip("ipykernel", reason="ipykernel is not installed: `make test-rl` tries to")
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed: `make test-rl` tries to")
    nbformat: Any = pytest.importorskip("nbformat")
    notebook = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "clear the outputs before you commit a notebook"
    environment = {"IPYTHONDIR": str(tmp_path), "JUPYTER_CONFIG_DIR": str(tmp_path)}
    client = nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(path.parent)}})
    client.execute(env=os.environ | environment)
    assert any(cell.get("outputs") for cell in notebook.cells)
