"""The steps of `make test`: one line if a step passes, its whole output if it fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from support import ROOT

SKIPPED = "SKIPPED [2] tests/support/requirements.py:9: nginx is missing: install it"
OUTPUT_CODE = f"print('dots'); print('{SKIPPED}'); print('limina: one thing could not be checked'); print('3 passed')"


def step(folder: Path, program: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "tools" / "run_step.py"), "tests", sys.executable, "-c", program]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def test_step_that_passes_prints_skips_and_one_line(tmp_path: Path) -> None:
    process = step(tmp_path, OUTPUT_CODE)
    assert process.returncode == 0
    skipped, warned, passed = process.stdout.splitlines()
    assert skipped == SKIPPED
    assert warned == "limina: one thing could not be checked"
    assert passed.startswith("limina: tests passed in ")
    # `make test` prints this line at its end.
    assert (tmp_path / "build" / "steps" / "tests.log").read_text().splitlines()[-1] == "3 passed"


def test_step_that_fails_prints_its_whole_output(tmp_path: Path) -> None:
    process = step(tmp_path, f"{OUTPUT_CODE}; import sys; print('why', file=sys.stderr); sys.exit(3)")
    assert process.returncode == 3
    assert {"dots", "3 passed", "why"} < set(process.stdout.splitlines())
    assert process.stdout.splitlines()[-1] == "limina: tests failed (build/steps/tests.log)"


def test_a_quiet_command_prints_only_its_first_error(tmp_path: Path) -> None:
    script = [sys.executable, str(ROOT / "tools" / "run_step.py"), "--quiet", "the page could not be built"]
    program = "print('dots'); print('error: no space left'); import sys; sys.exit(int(sys.argv[1]))"
    passed, failed = (
        subprocess.run([*script, sys.executable, "-c", program, status], cwd=tmp_path, capture_output=True, text=True)
        for status in ("0", "3")
    )
    assert (passed.returncode, passed.stdout, passed.stderr) == (0, "", "")
    assert failed.returncode == 3
    assert failed.stdout == ""
    assert failed.stderr == (
        "limina: the page could not be built: error: no space left (the whole output is in build/failed.log)\n"
    )
    assert (tmp_path / "build" / "failed.log").read_text() == "dots\nerror: no space left\n"
