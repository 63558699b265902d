"""Setting up: `make` names what the machine lacks before it begins, and repairs an environment that was left broken."""

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
    # What the Python of a minimal Debian answers; `make test-clean-install` asks a real one.
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
    for stamp in (".venv-created", ".build-deps", ".dev-deps", ".limina-installed", ".python-ready"):
        (tmp_path / stamp).touch()
    packages = sorted({f"{path.parent.relative_to(ROOT)}/" for path in (ROOT / "src" / "limina").rglob("*.py")})
    (tmp_path / ".limina-packages").write_text(" ".join(packages) + "\n")
    return tmp_path


def made_again(environment: Path) -> bool:
    commands = commands_of(f"VENV={environment}", str(environment / ".python-ready"))
    created = any("-m venv --clear" in command for command in commands)
    assert created == any("tools/install-python-deps.sh server" in command for command in commands)
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
    (environment / ".venv-created").unlink()
    assert made_again(environment)


def test_an_environment_whose_installation_was_killed_is_created_again(environment: Path) -> None:
    (environment / ".installing").touch()
    assert made_again(environment)


def installs_limina(environment: Path) -> bool:
    commands = commands_of(f"VENV={environment}", str(environment / ".python-ready"))
    return any(command.strip().endswith("-e .") for command in commands)


def test_limina_is_not_installed_again_while_its_packages_stay(environment: Path) -> None:
    assert not installs_limina(environment)


@pytest.mark.parametrize("recorded", ["src/limina/ src/limina/bots_of_an_older_tree/\n", None])
def test_limina_is_installed_again_when_the_set_of_packages_changes(environment: Path, recorded: str | None) -> None:
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


def test_what_is_locked_is_installed(project: Project) -> None:
    done = project.install()
    assert done.returncode == 0, done.stdout
    assert project.installed() == {"tree", "leaf"}
    assert not (project.folder / ".venv" / ".installing").exists()


def test_a_package_with_another_hash_is_not_installed(project: Project) -> None:
    project.pack("leaf", "Summary: tampered with\n")
    done = project.install()
    assert done.returncode != 0
    assert "hash" in done.stdout.lower()
    assert project.installed() == set()


def test_a_package_that_is_not_locked_is_not_installed(project: Project) -> None:
    del project.lock["leaf"]
    done = project.install()
    assert done.returncode != 0
    assert project.installed() == set()


def test_a_requirement_that_is_not_locked_names_the_command_that_locks_it(project: Project) -> None:
    project.lock.clear()
    done = project.install()
    assert (done.returncode, done.stdout) == (1, "error: constraints.txt has no tree: run `make lock`\n")
