"""All ISAs that this machine can run have the same rules and results."""

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
def own_results() -> dict[str, Any]:
    results: dict[str, Any] = json.loads(json.dumps(isa_digest.results()))
    return results


@pytest.mark.parametrize("isa", _isa.supported_isas())
def test_isas_agree_with_the_reference_and_each_other(isa: str) -> None:
    process = run(isa, "-m", "kernel.isa_digest")
    assert process.returncode == 0, process.stderr
    assert json.loads(process.stdout) == own_results()


def test_fastest_isa_is_the_default_and_the_variable_overrides_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(_isa.ISA_VARIABLE, raising=False)
    assert _isa.selected_isa() == _isa.supported_isas()[-1]
    monkeypatch.setenv(_isa.ISA_VARIABLE, "portable")
    assert _isa.selected_isa() == "portable"


def test_isa_that_cannot_run_is_rejected_with_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_isa, "supported_isas", lambda: ("portable",))
    monkeypatch.setenv(_isa.ISA_VARIABLE, "avx512")
    with pytest.raises(LiminaError, match=r"needs a processor with AVX-512 .*: set it to one of portable"):
        _isa.selected_isa()
    monkeypatch.setenv(_isa.ISA_VARIABLE, "quick")
    with pytest.raises(LiminaError, match="'quick': set it to one of portable, or unset it"):
        _isa.selected_isa()


def test_command_line_rejects_an_unknown_isa_in_one_line() -> None:
    process = run("quick", "-m", "limina", "--version")
    assert process.returncode == 1
    assert process.stdout == ""
    assert process.stderr.startswith("limina: LIMINA_KERNEL_ISA is 'quick': set it to one of portable")
    assert process.stderr.count("\n") == 1


def test_version_shows_the_isa() -> None:
    process = run("portable", "-m", "limina", "--version", "--verbose")
    assert process.returncode == 0, process.stderr
    assert "kernel ISA portable" in process.stdout
    assert all(isa in process.stdout for isa in _isa.supported_isas())
