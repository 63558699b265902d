"""Every ISA of the kernel that this machine can run plays by the same rules and comes to the same results."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from typing import Any

import pytest

from kernel import isa_digest
from limina._kernel import _isa
from limina.errors import LiminaError
from support import ROOT


def run(isa: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {_isa.ISA_VARIABLE: isa, "PYTHONPATH": str(ROOT / "tests")}
    return subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True)


@cache
def here() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(isa_digest.results()))
    return found


@pytest.mark.parametrize("isa", _isa.supported_isas())
def test_an_isa_agrees_with_the_reference_and_with_the_others(isa: str) -> None:
    done = run(isa, "-m", "kernel.isa_digest")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == here()


def test_the_fastest_isa_is_taken_unless_the_variable_names_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(_isa.ISA_VARIABLE, raising=False)
    assert _isa.selected_isa() == _isa.supported_isas()[-1]
    monkeypatch.setenv(_isa.ISA_VARIABLE, "portable")
    assert _isa.selected_isa() == "portable"


def test_an_isa_that_cannot_run_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_isa, "supported_isas", lambda: ("portable",))
    monkeypatch.setenv(_isa.ISA_VARIABLE, "avx512")
    with pytest.raises(LiminaError, match=r"needs a processor with AVX-512 .*: here it can be portable"):
        _isa.selected_isa()
    monkeypatch.setenv(_isa.ISA_VARIABLE, "quick")
    with pytest.raises(LiminaError, match="'quick': it must be one of portable, or empty"):
        _isa.selected_isa()


def test_the_command_line_refuses_an_unknown_isa_in_one_line() -> None:
    done = run("quick", "-m", "limina", "--version")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("limina: LIMINA_KERNEL_ISA is 'quick': it must be one of portable")
    assert done.stderr.count("\n") == 1


def test_the_version_says_which_isa_runs() -> None:
    done = run("portable", "-m", "limina", "--version", "--verbose")
    assert done.returncode == 0, done.stderr
    assert "kernel ISA portable" in done.stdout
    assert all(isa in done.stdout for isa in _isa.supported_isas())
