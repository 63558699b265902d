"""The example units for systemd, as systemd reads them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kit import ROOT

ANALYZE = shutil.which("systemd-analyze")
UNITS = sorted((ROOT / "examples" / "hosting").glob("*.service"))
pytestmark = pytest.mark.skipif(ANALYZE is None, reason="no systemd here: install Debian's package `systemd`")


@pytest.fixture
def units(tmp_path: Path) -> list[Path]:
    """The units as they would lie on a machine on which limina is installed where these tests have it."""
    limina = shutil.which("limina", path=str(Path(sys.executable).parent))
    assert limina is not None
    copies = []
    for unit in UNITS:
        text = unit.read_text("utf-8")
        assert text.count("ExecStart=/opt/limina/bin/limina ") == 1
        # A template is looked at as one of its instances.
        copies.append(tmp_path / unit.name.replace("@.", "@8001."))
        copies[-1].write_text(text.replace("/opt/limina/bin/limina", limina).replace("%i", "8001"))
    return copies


def analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    assert ANALYZE is not None
    return subprocess.run([ANALYZE, *arguments], capture_output=True, text=True)


def test_systemd_understands_every_line(units: list[Path]) -> None:
    assert len(units) == 3
    done = analyze("verify", "--man=no", "--recursive-errors=no", *map(str, units))
    assert (done.returncode, done.stderr) == (0, "")


def test_what_they_may_do_is_little(units: list[Path]) -> None:
    for unit in units:
        done = analyze("security", "--offline=yes", "--threshold=20", "--no-pager", str(unit))
        assert done.returncode == 0, done.stdout
