"""Who may know whom in the house, and what keeps its pieces in step."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import limina
from kit import ROOT
from limina import games

SOURCE = ROOT / "src" / "limina"
KERNEL = ROOT / "kernel"

# From the ground floor up: a room may know those before it, never those after it.
FLOORS = [
    {"examples", "protocols", "reason", "svg", "views"},
    {"bot", "files"},
    {"check", "training", "turns"},
    set(limina.names()),
    {"games"},
    {"record"},
    {"bots", "commitment"},
    {"arena", "analysis"},
    {"terminal", "server"},
    {"cli"},
]
# The package's own front door and its back door know everybody.
DOORS = {"__init__", "__main__"}


def room(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def rooms_known_by(path: Path) -> set[str]:
    known = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "limina":
            names = [node.module] if node.module != "limina" else [f"limina.{alias.name}" for alias in node.names]
            known |= {name.split(".")[1] for name in names if (SOURCE / name.split(".")[1]).exists() or
                      (SOURCE / f"{name.split('.')[1]}.py").exists()}  # fmt: skip
        elif isinstance(node, ast.Import):
            known |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("limina.")}
    return known - {"_kernel"}


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCE)))
def test_rooms_know_only_the_floors_below(path: Path) -> None:
    here = room(path)
    if here in DOORS:
        return
    floor = next((n for n, rooms in enumerate(FLOORS) if here in rooms), None)
    assert floor is not None, f"give {here} a floor in FLOORS"
    below = set().union(*FLOORS[:floor]) | {here}
    assert rooms_known_by(path) <= below


def test_only_a_games_own_room_and_the_registry_name_it() -> None:
    for path in SOURCE.rglob("*.py"):
        if room(path) in limina.names() or path == SOURCE / "games.py":
            continue
        tree = ast.parse(path.read_text())
        docs = {id(node.body[0].value) for node in ast.walk(tree)
                if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and node.body
                and isinstance(node.body[0], ast.Expr)}  # fmt: skip
        words = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docs]
        words += [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]
        named = [
            word for word in words if isinstance(word, str) and re.search(r"\b(limes|limit)\b", word, re.IGNORECASE)
        ]
        assert not named, f"{path} names a game: {named}"


def test_the_kernels_rules_do_not_know_python_or_each_other() -> None:
    allowed = {"limes": {"bits", "limes"}, "limit": {"bits", "limit"}, "bits": {"bits"}}
    for path in KERNEL.glob("*.[ch]pp"):
        if path.name.startswith("bind"):
            continue
        text = path.read_text()
        assert "nanobind" not in text
        included = {name.split(".")[0].split("_")[0] for name in re.findall(r'#include "([^"]+)"', text)}
        owner = path.stem.split("_")[0]
        assert included <= allowed.get(owner, {owner, "bits"}) | {"search"}, path


def test_the_stub_is_what_the_kernel_says(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-r", "-m", "limina._kernel", "-O", str(tmp_path)]
    subprocess.run(command, check=True, cwd=tmp_path)
    made = {path.name: path.read_text() for path in (tmp_path / "_kernel").glob("*.pyi")}
    kept = {path.name: path.read_text() for path in (SOURCE / "_kernel").glob("*.pyi")}
    assert kept == made, "run `make stubs`"


def test_the_registry_finds_every_game_and_says_which_there_are() -> None:
    for name in games.names():
        assert games.game(name).name == name
    with pytest.raises(limina.UnreadableError, match=", ".join(games.names())):
        games.game("chess")


def test_importing_the_package_loads_no_game_and_nothing_heavy() -> None:
    code = "import sys, limina; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert not {"limina.limes", "limina.limit", "argparse", "asyncio", "numpy", "sqlalchemy"} & set(loaded)


def test_nothing_in_the_tree_names_a_registry_or_a_place_outside() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    texts = (".py", ".md", ".txt", ".toml", ".json", ".lock", ".sh", "Makefile")
    suspicious = re.compile("pypi" + r"\.org|files\.pythonhosted|registry\." + "npmjs|/work" + "/|/root" + "/")
    named = [
        name for name in tracked
        if (ROOT / name).is_file() and name.endswith(texts)
        and suspicious.search((ROOT / name).read_text(errors="replace"))
    ]  # fmt: skip
    assert not named
