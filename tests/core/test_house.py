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
    {"chance", "errors", "examples", "lessons", "noise", "reason", "svg", "turns"},
    {"check", "files", "paper", "paths", "tasks", "values"},
    {"_kernel", "draft", "position", "spec", "training"},
    {"capabilities"},
    {"protocols"},
    {"games", "presenter"},
    {"record"},
    {"bot", "commitment"},
    {"limes", "limit"},
    {"bots"},
    {"arena", "analysis"},
    {"isolated"},
    {"terminal", "server", "rl", "spiel", "benchmark"},
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
    allowed = {"limes": {"bits", "lanes", "limes"}, "limit": {"bits", "lanes", "limit"}, "bits": {"bits"}}
    for path in KERNEL.glob("*.[ch]pp"):
        if path.name.startswith("bind"):
            continue
        text = path.read_text()
        assert "nanobind" not in text
        included = {name.split(".")[0].split("_")[0] for name in re.findall(r'#include "([^"]+)"', text)}
        owner = path.stem.split("_")[0]
        assert included <= allowed.get(owner, {owner, "bits"}) | {"batch", "crew", "search", "parallel"}, path


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


# --- inside the server

SERVER = SOURCE / "server"
# Each room with those it may know. What is left out on purpose is what keeps them apart: storage does not know what a
# match is made for, matches know nothing of the wire or the web, and only what puts them together knows everybody.
SERVER_ROOMS: dict[str, set[str]] = {
    "errors": set(),
    "model": set(),
    "settings": set(),
    "jobs": {"errors", "model", "storage"},
    "collector": set(),
    "logs": set(),
    "storage": {"errors", "model", "settings"},
    "matches": {"errors", "jobs", "model", "settings", "storage"},
    "wire": {"errors", "model"},
    "analysis": {"errors", "jobs", "model", "storage", "matches", "wire"},
    "backend": {"analysis", "jobs", "matches", "storage"},
    "worker_process": {"analysis", "backend", "logs", "matches", "settings", "storage"},
    "web": {"errors", "jobs", "settings", "storage", "wire"},
    "live": {"errors", "jobs", "matches", "web", "wire"},
    "services": {"analysis", "backend", "live", "matches", "settings", "storage", "web"},
    "api": {"errors", "model", "storage", "matches", "wire", "analysis", "live", "services", "web"},
    "app": {"api", "live", "services", "settings", "web"},
    "run": {"app", "collector", "logs", "settings", "web"},
    "processes": {"logs", "settings", "storage", "run"},
    "export": {"api", "app", "settings"},
}
# What a library is for is done in one place; whoever needs it goes there.
LIBRARIES = {
    ("fastapi", "starlette", "uvicorn", "websockets"): {"api", "app", "web", "run"},
    ("prometheus_client",): {"web"},
    ("pydantic", "orjson"): {"api", "live", "wire", "web"},
    ("sqlalchemy", "alembic", "sqlite3", "aiosqlite", "asyncpg"): {"storage"},
}


def imported_by(path: Path) -> set[str]:
    """The full names of everything that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


def server_room(path: Path) -> str:
    return path.relative_to(SERVER).parts[0].removesuffix(".py")


SERVER_FILES = [path for path in sorted(SERVER.rglob("*.py")) if path != SERVER / "__init__.py"]


def test_every_room_of_the_server_has_its_line_in_the_table() -> None:
    assert {server_room(path) for path in SERVER_FILES} == set(SERVER_ROOMS)


@pytest.mark.parametrize("path", SERVER_FILES, ids=lambda path: str(path.relative_to(SERVER)))
def test_a_room_of_the_server_knows_only_those_in_its_line(path: Path) -> None:
    here = server_room(path)
    known = {name.split(".")[2] for name in imported_by(path) if name.startswith("limina.server.")}
    assert known <= SERVER_ROOMS[here] | {here}, f"{here} may know {SERVER_ROOMS[here] or 'no other room'}"


def test_the_rooms_of_the_server_know_each_other_in_one_direction_only() -> None:
    done: set[str] = set()
    while len(done) < len(SERVER_ROOMS):
        free = {room for room, known in SERVER_ROOMS.items() if known <= done} - done
        assert free, f"these know each other in a circle: {set(SERVER_ROOMS) - done}"
        done |= free


@pytest.mark.parametrize("path", SERVER_FILES, ids=lambda path: str(path.relative_to(SERVER)))
def test_the_server_uses_each_library_in_the_room_that_is_there_for_it(path: Path) -> None:
    for libraries, rooms in LIBRARIES.items():
        used = {name for name in imported_by(path) if name.split(".")[0] in libraries}
        assert not used or server_room(path) in rooms, f"{used} belongs into {rooms}"


def test_settings_import_neither_games_nor_bots() -> None:
    imported = imported_by(SERVER / "settings.py")
    assert not [name for name in imported if name.startswith(("limina.games", "limina.bot"))]


def test_only_the_command_line_knows_the_server() -> None:
    for path in SOURCE.rglob("*.py"):
        if not path.is_relative_to(SERVER) and path.parent.name != "cli":
            assert not any(name.startswith("limina.server") for name in imported_by(path)), path


def test_the_server_names_no_game_not_even_in_its_comments() -> None:
    names = re.compile(
        "|".join(rf"""["']{name}["']|limina\.{name}\b|\b{name.capitalize()}\b""" for name in games.names())
    )
    for path in SERVER.rglob("*.py"):
        assert not names.search(path.read_text()), path


@pytest.mark.parametrize("program", ["record", "render", "review"])
def test_isolated_programs_load_nothing_of_the_server(program: str) -> None:
    code = f"import sys, limina.isolated.{program}; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert not {"limina.server", "sqlalchemy", "pydantic", "fastapi", "asyncio"} & set(loaded)
