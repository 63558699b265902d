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
    for path in KERNEL.rglob("*.[ch]pp"):
        folder = path.relative_to(KERNEL).parts[0]
        if folder == "bindings":
            continue
        text = path.read_text()
        assert "nanobind" not in text
        included = {name.split("/")[0] for name in re.findall(r'#include "([^"]+)"', text)}
        assert included <= {folder, "common"}, path


def test_kernel_stubs_are_up_to_date(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-r", "-m", "limina._kernel", "-O", str(tmp_path)]
    subprocess.run(command, check=True, cwd=tmp_path)
    generated = {path.name: path.read_text() for path in (tmp_path / "_kernel").glob("*.pyi")}
    committed = {path.name: path.read_text() for path in (SOURCE / "_kernel").glob("*.pyi") if path.stem != "_cpu"}
    assert committed == generated, "run `make stubs`"
