"""What is imported is declared in pyproject.toml, and what is installed for it is pinned in constraints.txt."""

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
    extra: [Requirement(each) for each in wanted]
    for extra, wanted in PROJECT["project"]["optional-dependencies"].items()
}
ALWAYS = [Requirement(each) for each in PROJECT["project"]["dependencies"] + PROJECT["build-system"]["requires"]]
OURS = {"bench", "curve", "limina", "reference", "support", "tools"}
OURS |= {path.name for path in (ROOT / "tests").iterdir() if path.is_dir()}
# Where code lies, and the extras that whoever runs it has installed.
CODE = {
    "src": ["server", "rl", "spiel"],
    "tests": ["server", "print", "dev", "rl", "spiel", "learn", "notebooks"],
    "bench": ["server", "dev", "rl", "spiel"],
    "tools": ["dev", "docs"],
    "examples": ["rl", "learn"],
}

# Packages that may be missing and are not called like their distributions.
UNLIKE = {"griffe": "griffelib", "pyspiel": "open_spiel"}


def imported(path: Path) -> Iterator[str]:
    """The packages that a file imports, but for those that only type checkers see."""
    unseen: set[ast.AST] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            unseen.update(each for part in node.body for each in ast.walk(part))
        if node in unseen:
            continue
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.partition(".")[0]


@pytest.mark.parametrize("folder", CODE)
def test_every_import_is_declared(folder: str) -> None:
    declared = {canonicalize_name(each.name) for extra in CODE[folder] for each in EXTRAS[extra]}
    brought = packages_distributions()
    undeclared = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in (ROOT / folder).rglob("*.py")
        if "node_modules" not in path.parts
        for name in set(imported(path)) - OURS - sys.stdlib_module_names
        if not declared & {canonicalize_name(each) for each in brought.get(name, [UNLIKE.get(name, name)])}
    }
    assert undeclared == set()


# Refuses whatever is neither Python's nor ours, then runs the command.
ALONE = """
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in {"limina", *sys.stdlib_module_names}:
            raise ImportError(f"{name} is not installed")
sys.meta_path.insert(0, Refuse())
from limina.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    "command", ["replay GAME", "legal GAME", "show GAME --svg OUT", "analyze GAME --work 1", "arena limit random uct"]
)
def test_whoever_does_not_serve_needs_python_alone(command: str, tmp_path: Path) -> None:
    record = tmp_path / "game.json"
    record.write_text(random_record(limina.game("limit"), 1, players=2, steps=4).write())
    words = command.replace("GAME", str(record)).replace("OUT", str(tmp_path / "out.svg")).split()
    words += ["--games", "1", "--option", "size=4"] if words[0] == "arena" else []
    done = subprocess.run([sys.executable, "-c", ALONE, *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_constraints_cover_all_that_is_installed_for_it() -> None:
    pinned = {
        canonicalize_name(name): version for name, version in re.findall(r"^([\w.-]+)==(\S+)", LOCK, re.MULTILINE)
    }
    seen: set[str] = set()
    waiting = [*ALWAYS, *(each for wanted in EXTRAS.values() for each in wanted)]
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        if str(wanted) in seen or (wanted.marker and not wanted.marker.evaluate({"extra": ""})):
            continue
        seen.add(str(wanted))
        try:
            found = distribution(name)
        except PackageNotFoundError:
            assert name in pinned, f"{name} is not pinned: run `make lock`"  # Ray cannot be had everywhere
            continue
        assert pinned.get(name) == found.version, f"{name} {found.version} is installed: run `make`, or `make lock`"
        for each in map(Requirement, found.requires or []):
            extras = [{"extra": extra} for extra in (wanted.extras or {""})]
            if each.marker is None or any(each.marker.evaluate(extra) for extra in extras):
                each.marker = None
                waiting.append(each)


def test_every_pinned_package_has_hashes_and_no_address() -> None:
    entries = [line for line in LOCK.replace("\\\n", "").splitlines() if not line.startswith("#")]
    hashed = re.compile(r"[\w.-]+==[\w.+]+( ; [^:\\]+?)?(\s+--hash=sha256:[0-9a-f]{64})+")
    assert [entry for entry in entries if not hashed.fullmatch(entry)] == []


def test_whoever_cites_cites_this_version() -> None:
    cited = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text("utf-8"), flags=re.MULTILINE)
    assert cited is not None
    assert cited[1] == PROJECT["project"]["version"]
