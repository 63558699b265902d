"""The example units for systemd, checked by systemd-analyze."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from limina.cli import main
from limina.isolated.process import MAX_MEMORY_BYTES
from limina.server.analysis.renders import RENDER_PROGRAM
from limina.server.analysis.subprocess_pool import RECORD_PROGRAM
from support import ROOT
from support.requirements import REQUIREMENTS

ANALYZE = REQUIREMENTS["systemd"].path
EXAMPLES = ROOT / "examples" / "hosting"
UNITS = sorted(EXAMPLES.glob("*.service"))
TIMERS = sorted(EXAMPLES.glob("*.timer"))
pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="systemd runs on Linux only"),
    pytest.mark.needs("systemd"),
]


@pytest.fixture
def units(tmp_path: Path) -> list[Path]:
    """Return copies of the units with the path of the limina that is tested."""
    limina = shutil.which("limina", path=str(Path(sys.executable).parent))
    assert limina is not None
    copies = []
    for unit in UNITS:
        text = unit.read_text("utf-8")
        assert text.count("ExecStart=/opt/limina/bin/limina ") == 1
        # systemd-analyze checks a template as one of its instances.
        copies.append(tmp_path / unit.name.replace("@.", "@8001."))
        copies[-1].write_text(text.replace("/opt/limina/bin/limina", limina).replace("%i", "8001"))
    return copies


def analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    assert ANALYZE is not None
    return subprocess.run([ANALYZE, *arguments], capture_output=True, text=True)


def test_systemd_accepts_every_line_of_the_units(units: list[Path]) -> None:
    assert (len(units), len(TIMERS)) == (4, 1)
    timers = [Path(shutil.copy(timer, units[0].parent)) for timer in TIMERS]
    assert all(timer.with_suffix(".service") in units for timer in timers)
    done = analyze("verify", "--man=no", "--recursive-errors=no", *map(str, [*units, *timers]))
    assert (done.returncode, done.stderr) == (0, "")


def test_systemd_units_have_few_rights(units: list[Path]) -> None:
    for unit in units:
        done = analyze("security", "--offline=yes", "--threshold=20", "--no-pager", str(unit))
        assert done.returncode == 0, done.stdout


def test_no_unit_has_a_database_address_in_its_command() -> None:
    for unit in UNITS:
        lines = unit.read_text("utf-8").splitlines()
        (command,) = [line for line in lines if line.startswith("ExecStart=")]
        assert "$" not in command
        assert "--database" not in command


def test_the_memory_limit_of_units_fits_all_subprocesses() -> None:
    bounds = {}
    for unit in UNITS:
        (line,) = [line for line in unit.read_text("utf-8").splitlines() if line.startswith("MemoryMax=")]
        bounds[unit.stem] = int(line[10:-1]) * {"M": 2**20, "G": 2**30}[line[-1]]
    # The record program has two job pools; two reviews run on two processors.
    helpers = RENDER_PROGRAM.limits.max_running + 2 * RECORD_PROGRAM.limits.max_running + 2
    assert bounds["limina"] == bounds["limina@"] >= 2**30 + helpers * MAX_MEMORY_BYTES
    assert bounds["limina-worker@"] >= 2**29 + 2 * MAX_MEMORY_BYTES


def test_the_prune_unit_deletes_old_matches(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    unit = (EXAMPLES / "limina-prune.service").read_text("utf-8")
    command = next(line for line in unit.splitlines() if line.startswith("ExecStart=")).split()[1:]
    (tmp_path / "limina.sqlite").touch()
    assert main(["db", "migrate", "--data", str(tmp_path)]) == 0
    capsys.readouterr()
    monkeypatch.setenv("LIMINA_DATABASE", f"sqlite:///{tmp_path}/limina.sqlite")
    assert main(command) == 0
    assert capsys.readouterr().out == "deleted: 0 abandoned, 0 finished, 0 decks\n"
