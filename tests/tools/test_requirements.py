"""Skipped tests print a reason; in CI a missing requirement fails instead."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from support import ROOT
from support.requirements import REQUIREMENTS, Requirement, require


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_missing_requirement_fails_in_ci_and_skips_elsewhere(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = replace(REQUIREMENTS[name], path=None)
    monkeypatch.setitem(REQUIREMENTS, name, missing)
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match=f"^{missing.title} is missing: install it"):
        require(name)
    monkeypatch.delenv("CI")
    with pytest.raises(pytest.skip.Exception, match=f"^{missing.title} is missing: install it"):
        require(name)


def test_reason_names_the_package_manager_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    requirement = Requirement("nginx", None, {"apt-get": "nginx-light", "dnf": "nginx-core"})
    assert requirement.describe_missing() == "nginx is missing: install it"
    (tmp_path / "dnf").touch(0o755)
    assert requirement.describe_missing() == "nginx is missing: install it with `dnf install nginx-core`"
    (tmp_path / "apt-get").touch(0o755)
    assert requirement.describe_missing() == "nginx is missing: install it with `apt-get install nginx-light`"


def run_without_programs(folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a test that needs a browser with an empty PATH."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "tests/e2e/test_accessibility.py",
        "-k",
        "rules",
    ]
    environment = {name: value for name, value in os.environ.items() if name not in ("CI", "PATH")}
    environment |= {"PATH": str(folder), **variables}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)


def test_a_run_without_a_browser_prints_why_it_was_skipped(tmp_path: Path) -> None:
    process = run_without_programs(tmp_path)
    assert process.returncode == 0, process.stdout
    skipped = [line for line in process.stdout.splitlines() if line.startswith("SKIPPED ")]
    assert len(skipped) == 1
    assert skipped[0].endswith("Chromium is missing: install it")
    assert "\nlimina: 1 tests skipped\n" in process.stdout


def test_a_run_without_a_browser_fails_in_ci(tmp_path: Path) -> None:
    process = run_without_programs(tmp_path, CI="1")
    assert process.returncode == 1, process.stdout
    assert "Chromium is missing: install it (because CI is set, this is not skipped)" in process.stdout
    assert "\nlimina: 0 tests skipped\n" in process.stdout
