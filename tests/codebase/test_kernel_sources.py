"""The kernel's includes and its generated type stubs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from support import ROOT

SOURCE = ROOT / "src" / "limina"
KERNEL = ROOT / "kernel"


def test_kernel_rules_import_neither_python_nor_each_other() -> None:
    allowed = {"limes": {"bits", "lanes", "limes"}, "limit": {"bits", "lanes", "limit"}, "bits": {"bits"}}
    for path in KERNEL.glob("*.[ch]pp"):
        if path.name.startswith("bind"):
            continue
        text = path.read_text()
        assert "nanobind" not in text
        included = {name.split(".")[0].split("_")[0] for name in re.findall(r'#include "([^"]+)"', text)}
        owner = path.stem.split("_")[0]
        assert included <= allowed.get(owner, {owner, "bits"}) | {"batch", "crew", "search", "parallel"}, path


def test_kernel_stubs_are_up_to_date(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-r", "-m", "limina._kernel", "-O", str(tmp_path)]
    subprocess.run(command, check=True, cwd=tmp_path)
    generated = {path.name: path.read_text() for path in (tmp_path / "_kernel").glob("*.pyi")}
    committed = {path.name: path.read_text() for path in (SOURCE / "_kernel").glob("*.pyi")}
    assert committed == generated, "run `make stubs`"
