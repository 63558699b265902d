"""Every path of the kernel that this machine can run plays by the same rules and comes to the same results."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from typing import Any

import pytest

from kernel import on_path
from limina import paths
from limina.errors import LiminaError
from support import ROOT


def run(path: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {paths.VARIABLE: path, "PYTHONPATH": str(ROOT / "tests")}
    return subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True)


@cache
def here() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(on_path.results()))
    return found


@pytest.mark.parametrize("path", paths.runnable())
def test_a_path_agrees_with_the_reference_and_with_the_others(path: str) -> None:
    done = run(path, "-m", "kernel.on_path")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == here()


def test_the_quickest_path_is_taken_unless_the_variable_names_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(paths.VARIABLE, raising=False)
    assert paths.chosen() == paths.runnable()[-1]
    monkeypatch.setenv(paths.VARIABLE, "plain")
    assert paths.chosen() == "plain"


def test_a_path_that_cannot_run_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "runnable", lambda: ("plain",))
    monkeypatch.setenv(paths.VARIABLE, "avx512")
    with pytest.raises(LiminaError, match=r"needs a processor with AVX-512 .*: here it can be plain"):
        paths.chosen()
    monkeypatch.setenv(paths.VARIABLE, "quick")
    with pytest.raises(LiminaError, match="'quick': it must be one of plain, or empty"):
        paths.chosen()


def test_the_command_line_refuses_an_unknown_path_in_one_line() -> None:
    done = run("quick", "-m", "limina", "--version")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("limina: LIMINA_KERNEL_PATH is 'quick': it must be one of plain")
    assert done.stderr.count("\n") == 1


def test_the_version_says_which_path_runs() -> None:
    done = run("plain", "-m", "limina", "--version", "--verbose")
    assert done.returncode == 0, done.stderr
    assert "kernel path plain" in done.stdout
    assert all(path in done.stdout for path in paths.runnable())
