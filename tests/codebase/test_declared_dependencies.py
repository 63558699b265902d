"""Imports are declared in pyproject.toml, and installed packages are pinned in constraints.txt."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import limina
from support import ROOT
from support.games.records import random_record

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
LOCK = (ROOT / "constraints.txt").read_text("utf-8")
EXTRAS = {
    extra: [Requirement(text) for text in texts] for extra, texts in PROJECT["project"]["optional-dependencies"].items()
}
ALWAYS = [Requirement(text) for text in PROJECT["project"]["dependencies"] + PROJECT["build-system"]["requires"]]
OURS = {"bench", "curve", "limina", "reference", "support", "tools"}
OURS |= {path.name for path in (ROOT / "tests").iterdir() if path.is_dir()}
# Folders of code, and the extras that it may import.
CODE = {
    "src": ["server", "rl", "spiel"],
    "tests": ["server", "print", "dev", "rl", "spiel", "learn", "notebooks"],
    "bench": ["server", "dev", "rl", "spiel"],
    "tools": ["dev", "docs"],
    "examples": ["rl", "learn"],
}

# Distributions of packages that may be missing, if the name is another one.
DISTRIBUTIONS = {"griffe": "griffelib", "pyspiel": "open_spiel"}


def imported(path: Path) -> Iterator[str]:
    """Yield the packages that a file imports, except for type checking only."""
    type_checking: set[ast.AST] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            type_checking.update(child for part in node.body for child in ast.walk(part))
        if node in type_checking:
            continue
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.partition(".")[0]


@pytest.mark.parametrize("folder", CODE)
def test_every_import_is_declared(folder: str) -> None:
    declared = {canonicalize_name(requirement.name) for extra in CODE[folder] for requirement in EXTRAS[extra]}
    providers = packages_distributions()
    undeclared = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in (ROOT / folder).rglob("*.py")
        if "node_modules" not in path.parts
        for name in set(imported(path)) - OURS - sys.stdlib_module_names
        if not declared
        & {canonicalize_name(package) for package in providers.get(name, [DISTRIBUTIONS.get(name, name)])}
    }
    assert undeclared == set()


# Rejects imports other than limina and the standard library, then runs the command.
STANDARD_LIBRARY_ONLY = """
import sys
class RejectImports:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in {"limina", *sys.stdlib_module_names}:
            raise ImportError(f"{name} is not installed")
sys.meta_path.insert(0, RejectImports())
from limina.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    "command", ["replay GAME", "legal GAME", "show GAME --svg OUT", "analyze GAME --work 1", "arena limit random uct"]
)
def test_commands_other_than_serve_need_no_dependencies(command: str, tmp_path: Path) -> None:
    record = tmp_path / "game.json"
    record.write_text(random_record(limina.game("limit"), 1, players=2, steps=4).to_json_text())
    words = command.replace("GAME", str(record)).replace("OUT", str(tmp_path / "out.svg")).split()
    words += ["--games", "1", "--option", "size=4"] if words[0] == "arena" else []
    process = subprocess.run([sys.executable, "-c", STANDARD_LIBRARY_ONLY, *words], capture_output=True, text=True)
    assert process.returncode == 0, process.stderr


def test_constraints_pin_every_installed_package() -> None:
    pinned = {
        canonicalize_name(name): version for name, version in re.findall(r"^([\w.-]+)==(\S+)", LOCK, re.MULTILINE)
    }
    done: set[str] = set()
    waiting = [*ALWAYS, *(requirement for extra in EXTRAS.values() for requirement in extra)]
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        if str(requirement) in done or (requirement.marker and not requirement.marker.evaluate({"extra": ""})):
            continue
        done.add(str(requirement))
        try:
            installed = distribution(name)
        except PackageNotFoundError:
            assert name in pinned, f"{name} is not pinned: run `make lock`"  # Ray is not available everywhere
            continue
        assert pinned.get(name) == installed.version, (
            f"{name} {installed.version} is installed: run `make`, or `make lock`"
        )
        for dependency in map(Requirement, installed.requires or []):
            extras = [{"extra": extra} for extra in (requirement.extras or {""})]
            if dependency.marker is None or any(dependency.marker.evaluate(extra) for extra in extras):
                dependency.marker = None
                waiting.append(dependency)


def test_every_pinned_package_has_hashes_and_no_url() -> None:
    entries = [line for line in LOCK.replace("\\\n", "").splitlines() if not line.startswith("#")]
    hashed = re.compile(r"[\w.-]+==[\w.+]+( ; [^:\\]+?)?(\s+--hash=sha256:[0-9a-f]{64})+")
    assert [entry for entry in entries if not hashed.fullmatch(entry)] == []


def test_citation_has_the_version_of_the_project() -> None:
    cited = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text("utf-8"), flags=re.MULTILINE)
    assert cited is not None
    assert cited[1] == PROJECT["project"]["version"]
