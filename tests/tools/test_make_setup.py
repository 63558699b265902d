"""Set-up: `make` first names missing prerequisites, and repairs a broken environment."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from support import ROOT

PYTHON = ROOT / ".venv" / "bin" / "python"
EVERYTHING = ("python", "compiler", "node", "git")


def missing_prerequisites(commands: Path, *names: str, needs: Sequence[str] = EVERYTHING) -> str:
    """Return the message about missing prerequisites on a machine that has only these commands."""
    for name in ("sh", "awk", "basename", "id", "sed", "uname", *names):
        program = shutil.which(name)
        assert program, name
        (commands / name).symlink_to(program)
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


def test_machine_with_all_prerequisites_gets_no_message(tmp_path: Path) -> None:
    fake(tmp_path, "python3", f'exec {PYTHON} "$@"')
    fake(tmp_path, "node", "echo v20.19.0")
    fake(tmp_path, "npm")
    compiler = os.environ.get("CXX", "c++")
    fake(tmp_path, "c++", f'PATH="{os.environ["PATH"]}" exec {compiler} "$@"')
    assert missing_prerequisites(tmp_path, "git") == ""


@pytest.mark.parametrize(
    ("manager", "command"),
    [
        ("apt", "apt install python3 python3-venv python3-dev g++ nodejs npm git"),
        ("dnf", "dnf install python3 python3-devel gcc-c++ nodejs npm git"),
        ("brew", "brew install python node git"),
    ],
)
def test_all_missing_prerequisites_are_named_in_one_line(manager: str, command: str, tmp_path: Path) -> None:
    fake(tmp_path, manager)
    fake(tmp_path, "apt-cache", 'echo "  Candidate: 20.19.2+dfsg-1"')
    message = missing_prerequisites(tmp_path)
    assert "Python 3.11 or newer, a C++20 compiler, Node 20.19 or newer with npm, git" in message
    assert command in message
    assert message.count("\n") == 1
    assert ("sudo" in message) == (os.getuid() != 0 and manager != "brew")


def test_unknown_system_gets_no_package_names(tmp_path: Path) -> None:
    assert missing_prerequisites(tmp_path) == (
        "limina: this machine lacks Python 3.11 or newer, a C++20 compiler, Node 20.19 or newer with npm, git\n"
    )


def test_too_old_node_packages_are_not_advised(tmp_path: Path) -> None:
    fake(tmp_path, "apt")
    fake(tmp_path, "apt-cache", 'echo "  Candidate: 18.20.4+dfsg-1~deb12u2"')
    fake(tmp_path, "node", "echo v20.18.3")
    fake(tmp_path, "npm")
    assert missing_prerequisites(tmp_path, needs=["node"]) == (
        "limina: this machine lacks Node 20.19 or newer (node is v20.18.3); install Node from https://nodejs.org\n"
    )


def test_python_without_headers_and_venv_names_both_packages(tmp_path: Path) -> None:
    fake(tmp_path, "apt")
    # The output with the Python of a minimal Debian, as `make test-clean-install` shows.
    fake(tmp_path, "python3", "printf 'venv\\nheaders\\nworks\\n'")
    message = missing_prerequisites(tmp_path, needs=["python"])
    assert "lacks Python's venv and ensurepip modules, Python's headers;" in message
    assert message.endswith("apt install python3-venv python3-dev\n")


def test_an_old_python_is_named_with_its_version(tmp_path: Path) -> None:
    fake(tmp_path, "python3", "printf 'old 3.9.2\\nworks\\n'")
    message = missing_prerequisites(tmp_path, needs=["python"])
    assert message == (
        "limina: this machine lacks Python 3.11 or newer (python3 is 3.9.2); name a newer Python with make PYTHON=...\n"
    )


def commands_of(*arguments: str) -> list[str]:
    """Return the commands that make would run."""
    make = ["make", "-n", "--no-print-directory", "-C", str(ROOT), *arguments]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(make, check=True, capture_output=True, text=True, env=environment).stdout.splitlines()


@pytest.mark.parametrize("goal", ["play", "test"])
def test_prerequisites_are_checked_first(goal: str, tmp_path: Path) -> None:
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
    for stamp in (".venv-created", ".build-deps", ".dev-deps", ".limina-installed", ".python-ready"):
        (tmp_path / stamp).touch()
    packages = sorted({f"{path.parent.relative_to(ROOT)}/" for path in (ROOT / "src" / "limina").rglob("*.py")})
    (tmp_path / ".limina-packages").write_text(" ".join(packages) + "\n")
    return tmp_path


def is_created_again(environment: Path) -> bool:
    commands = commands_of(f"VENV={environment}", str(environment / ".python-ready"))
    created = any("-m venv --clear" in command for command in commands)
    assert created == any("tools/install-python-deps.sh server" in command for command in commands)
    return created


def test_working_environment_is_not_created_again(environment: Path) -> None:
    assert not is_created_again(environment)


def test_an_environment_whose_python_is_gone_is_created_again(environment: Path) -> None:
    (environment / "bin" / "python").unlink()
    (environment / "bin" / "python").symlink_to("/nowhere/python3")
    assert is_created_again(environment)


def test_an_environment_without_pip_is_created_again(environment: Path) -> None:
    (environment / "bin" / "python").write_text(f'#!/bin/sh\nexec {PYTHON} -S "$@"\n')
    assert is_created_again(environment)


def test_an_environment_whose_creation_was_killed_is_created_again(environment: Path) -> None:
    (environment / ".venv-created").unlink()
    assert is_created_again(environment)


def test_an_environment_whose_installation_was_killed_is_created_again(environment: Path) -> None:
    (environment / ".installing").touch()
    assert is_created_again(environment)


def installs_limina(environment: Path) -> bool:
    commands = commands_of(f"VENV={environment}", str(environment / ".python-ready"))
    return any(command.strip().endswith("-e .") for command in commands)


def test_limina_is_not_installed_again_while_its_packages_stay(environment: Path) -> None:
    assert not installs_limina(environment)


@pytest.mark.parametrize("recorded", ["src/limina/ src/limina/bots_of_an_older_tree/\n", None])
def test_limina_is_installed_again_when_packages_change(environment: Path, recorded: str | None) -> None:
    (environment / ".limina-packages").unlink()
    if recorded is not None:
        (environment / ".limina-packages").write_text(recorded)
    assert installs_limina(environment)


class Project:
    """A folder with a lock file, an environment, and a package index of two packages, one of which needs the other."""

    def __init__(self, folder: Path, installer: str) -> None:
        self.folder = folder
        self.index = folder / "index"
        self.index.mkdir()
        shutil.copytree(ROOT / "tools", folder / "tools", ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "pyproject.toml").write_text(
            "[build-system]\nrequires = []\n[project]\ndependencies = []\n"
            '[project.optional-dependencies]\nbuild = []\ndev = ["tree"]\n'
        )
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / ".venv"], check=True)
        paths = {"base": str(folder / ".venv"), "platbase": str(folder / ".venv")}
        self.packages = Path(sysconfig.get_path("purelib", "venv", paths))
        (self.packages / "ours.pth").write_text(sysconfig.get_path("purelib"))  # where pip is
        if installer == "uv":
            (folder / ".venv" / "bin" / "uv").symlink_to(PYTHON.parent / "uv")
        hashes = {"tree": self.pack("tree", "Requires-Dist: leaf\n"), "leaf": self.pack("leaf", "")}
        self.lock = {name: f"{name}==1.0 \\\n    --hash=sha256:{digest}\n" for name, digest in hashes.items()}

    def pack(self, name: str, metadata: str) -> str:
        """Write a wheel into the index; return its hash."""
        wheel = self.index / f"{name}-1.0-py3-none-any.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr(f"{name}.py", "")
            archive.writestr(
                f"{name}-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n{metadata}"
            )
            archive.writestr(
                f"{name}-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
            )
            archive.writestr(f"{name}-1.0.dist-info/RECORD", f"{name}.py,,\n")
        return hashlib.sha256(wheel.read_bytes()).hexdigest()

    def install(self) -> subprocess.CompletedProcess[str]:
        (self.folder / "constraints.txt").write_text("".join(self.lock.values()))
        offline = {f"{tool}_NO_INDEX": "1" for tool in ("PIP", "UV")}
        offline |= {f"{tool}_FIND_LINKS": str(self.index) for tool in ("PIP", "UV")}
        offline |= {"UV_CACHE_DIR": str(self.folder / "cache"), "PIP_CONFIG_FILE": os.devnull, "UV_OFFLINE": "1"}
        return subprocess.run(
            ["sh", "tools/install-python-deps.sh", "dev"],
            cwd=self.folder,
            env=os.environ | offline,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def installed(self) -> set[str]:
        return {path.stem for path in self.packages.glob("*.py")}


@pytest.fixture(params=["uv", "pip"])
def project(request: pytest.FixtureRequest, tmp_path: Path) -> Project:
    return Project(tmp_path, request.param)


def test_locked_packages_are_installed(project: Project) -> None:
    process = project.install()
    assert process.returncode == 0, process.stdout
    assert project.installed() == {"tree", "leaf"}
    assert not (project.folder / ".venv" / ".installing").exists()


def test_a_package_with_another_hash_is_not_installed(project: Project) -> None:
    project.pack("leaf", "Summary: tampered with\n")
    process = project.install()
    assert process.returncode != 0
    assert "hash" in process.stdout.lower()
    assert project.installed() == set()


def test_a_package_that_is_not_locked_is_not_installed(project: Project) -> None:
    del project.lock["leaf"]
    process = project.install()
    assert process.returncode != 0
    assert project.installed() == set()


def test_missing_lock_entry_names_the_command_that_adds_it(project: Project) -> None:
    project.lock.clear()
    process = project.install()
    assert (process.returncode, process.stdout) == (1, "error: constraints.txt has no tree: run `make lock`\n")
