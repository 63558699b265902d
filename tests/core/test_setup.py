"""Setting up: `make` names what the machine lacks before it begins, and repairs an environment that was left broken."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from kit import ROOT

PYTHON = ROOT / ".venv" / "bin" / "python"
EVERYTHING = ("python", "compiler", "node", "git")


def lacking(commands: Path, *names: str, needs: Sequence[str] = EVERYTHING) -> str:
    """Say what a machine with these commands alone lacks."""
    for name in ("sh", "awk", "basename", "id", "sed", "uname", *names):
        found = shutil.which(name)
        assert found, name
        (commands / name).symlink_to(found)
    check = subprocess.run(
        ["sh", str(ROOT / "tools" / "check-prerequisites.sh"), "python3", *needs],
        env={"PATH": str(commands)},
        capture_output=True,
        text=True,
    )
    assert check.stdout == ""
    assert check.returncode == (1 if check.stderr else 0)
    return check.stderr


def fake(commands: Path, name: str, script: str = "") -> None:
    path = commands / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_a_machine_with_everything_lacks_nothing(tmp_path: Path) -> None:
    fake(tmp_path, "python3", f'exec {PYTHON} "$@"')
    fake(tmp_path, "node", "echo v20.19.0")
    fake(tmp_path, "npm")
    compiler = os.environ.get("CXX", "c++")
    fake(tmp_path, "c++", f'PATH="{os.environ["PATH"]}" exec {compiler} "$@"')
    assert lacking(tmp_path, "git") == ""


@pytest.mark.parametrize(
    ("manager", "command"),
    [
        ("apt", "apt install python3 python3-venv python3-dev g++ nodejs npm git"),
        ("dnf", "dnf install python3 python3-devel gcc-c++ nodejs npm git"),
        ("brew", "brew install python node git"),
    ],
)
def test_everything_that_is_missing_is_named_in_one_sentence(manager: str, command: str, tmp_path: Path) -> None:
    fake(tmp_path, manager)
    fake(tmp_path, "apt-cache", 'echo "  Candidate: 20.19.2+dfsg-1"')
    said = lacking(tmp_path)
    assert "Python 3.11 or newer, a C++20 compiler, Node 20.19 or newer with npm, git" in said
    assert command in said
    assert said.count("\n") == 1
    assert ("sudo" in said) == (os.getuid() != 0 and manager != "brew")


def test_packages_of_an_unknown_system_are_not_guessed(tmp_path: Path) -> None:
    assert lacking(tmp_path) == (
        "limina: this machine lacks Python 3.11 or newer, a C++20 compiler, Node 20.19 or newer with npm, git\n"
    )


def test_an_old_node_is_not_advised_where_packages_have_no_newer_one(tmp_path: Path) -> None:
    fake(tmp_path, "apt")
    fake(tmp_path, "apt-cache", 'echo "  Candidate: 18.20.4+dfsg-1~deb12u2"')
    fake(tmp_path, "node", "echo v20.18.3")
    fake(tmp_path, "npm")
    assert lacking(tmp_path, needs=["node"]) == (
        "limina: this machine lacks Node 20.19 or newer (node is v20.18.3); install Node from https://nodejs.org\n"
    )


def test_python_without_headers_and_venv_names_both_packages(tmp_path: Path) -> None:
    fake(tmp_path, "apt")
    # What the Python of a minimal Debian answers; `make test-fresh` asks a real one.
    fake(tmp_path, "python3", "printf 'venv\\nheaders\\nworks\\n'")
    said = lacking(tmp_path, needs=["python"])
    assert "lacks Python's venv and ensurepip modules, Python's headers;" in said
    assert said.endswith("apt install python3-venv python3-dev\n")


def test_an_old_python_is_named_with_its_version(tmp_path: Path) -> None:
    fake(tmp_path, "python3", "printf 'old 3.9.2\\nworks\\n'")
    said = lacking(tmp_path, needs=["python"])
    assert said == (
        "limina: this machine lacks Python 3.11 or newer (python3 is 3.9.2); name a newer Python with make PYTHON=...\n"
    )


def commands_of(*arguments: str) -> list[str]:
    """List what make would run."""
    make = ["make", "-n", "--no-print-directory", "-C", str(ROOT), *arguments]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(make, check=True, capture_output=True, text=True, env=environment).stdout.splitlines()


@pytest.mark.parametrize("goal", ["play", "test"])
def test_the_machine_is_checked_before_anything_is_done(goal: str, tmp_path: Path) -> None:
    first = commands_of(goal, f"VENV={tmp_path / 'none'}")[0]
    assert re.search(r"tools/check-prerequisites\.sh \S+ python compiler node git$", first)


def test_make_play_takes_a_port() -> None:
    assert commands_of("play", "PORT=9000")[-1].endswith("limina serve --port 9000")


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """A virtual environment in which everything is up to date."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").write_text(f'#!/bin/sh\nexec {PYTHON} "$@"\n')
    (tmp_path / "bin" / "python").chmod(0o755)
    for stamp in (".created", ".builder", ".tools", ".installed", ".built"):
        (tmp_path / stamp).touch()
    return tmp_path


def made_again(environment: Path) -> bool:
    commands = commands_of(f"VENV={environment}", str(environment / ".built"))
    created = any("-m venv --clear" in command for command in commands)
    installed = [command for command in commands if "tools/install.sh" in command]
    assert len(installed) == (2 if created else 0)
    return created


def test_an_environment_that_works_is_kept(environment: Path) -> None:
    assert not made_again(environment)


def test_an_environment_whose_python_is_gone_is_created_again(environment: Path) -> None:
    (environment / "bin" / "python").unlink()
    (environment / "bin" / "python").symlink_to("/nowhere/python3")
    assert made_again(environment)


def test_an_environment_without_pip_is_created_again(environment: Path) -> None:
    (environment / "bin" / "python").write_text(f'#!/bin/sh\nexec {PYTHON} -S "$@"\n')
    assert made_again(environment)


def test_an_environment_whose_creation_was_killed_is_created_again(environment: Path) -> None:
    (environment / ".created").unlink()
    assert made_again(environment)


def test_an_environment_whose_installation_was_killed_is_created_again(environment: Path) -> None:
    (environment / ".installing").touch()
    assert made_again(environment)
