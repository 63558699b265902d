"""The allowed imports between the packages of limina, and inside the server."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import limina
from limina.core import registry
from support import ROOT

SOURCE = ROOT / "src" / "limina"
KERNEL = ROOT / "kernel"

# From the lowest layer up: a package may import those of lower layers, and none of its own layer or a higher one.
LAYERS = [
    {"errors"},
    {"_kernel"},
    {"core"},
    {"gamekit", "parallel", "printing"},
    {"bots"},
    {"limes", "limit"},
    {"arena", "analysis"},
    {"isolated"},
    {"server", "rl", "benchmark"},
    {"cli"},
]
# These two may import every package.
ENTRY_POINTS = {"__init__", "__main__"}


def package_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_names(path: Path) -> set[str]:
    """Return the full names of everything that a file imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return names


def imported_packages(path: Path) -> set[str]:
    """Return the packages of limina that a file imports, except the kernel."""
    parts = [name.split(".")[1] for name in imported_names(path) if name.startswith("limina.")]
    return {part for part in parts if (SOURCE / part).exists() or (SOURCE / f"{part}.py").exists()} - {"_kernel"}


def test_packages_import_only_lower_layers() -> None:
    allowed = {
        package: set().union(*LAYERS[:layer]) | {package}
        for layer, packages in enumerate(LAYERS)
        for package in packages
    }
    files = [path for path in SOURCE.rglob("*.py") if package_of(path) not in ENTRY_POINTS]
    assert {package_of(path) for path in files} == set(allowed), "LAYERS lists each package once"
    offenders = {
        str(path.relative_to(SOURCE)): wrong
        for path in files
        if (wrong := imported_packages(path) - allowed[package_of(path)])
    }
    assert offenders == {}


# In a sentence or as a variable, "limit" is the ordinary word.
GAME_NAME = re.compile(r"\b[Ll]imes\b|\bLimit\b|^limit$|limina[./]limit\b")


def test_only_its_own_package_and_the_registry_name_a_game() -> None:
    for path in SOURCE.rglob("*.py"):
        if package_of(path) in limina.game_names() or path == SOURCE / "core" / "registry.py":
            continue
        tree = ast.parse(path.read_text())
        docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        words = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docs]
        words += [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id != "limit"]
        named = [word for word in words if isinstance(word, str) and GAME_NAME.search(word)]
        assert not named, f"{path} names a game: {named}"


# --- inside the server

SERVER = SOURCE / "server"
# Each package with those that it may import. Storage does not import matches, and matches import neither the wire
# format nor the web; only the modules that build the server import most of the others.
SERVER_DEPENDENCIES: dict[str, set[str]] = {
    "errors": set(),
    "model": set(),
    "settings": set(),
    "gc_tuning": set(),
    "log_format": set(),
    "page": set(),
    "storage": {"errors", "model", "settings"},
    "jobs": {"errors", "model", "storage"},
    "matches": {"errors", "jobs", "model", "settings", "storage"},
    "schemas": {"errors", "model"},
    "monitoring": {"settings", "storage"},
    "analysis": {"errors", "jobs", "model", "storage", "matches", "schemas"},
    "backend": {"analysis", "jobs", "matches", "storage"},
    "worker_process": {"analysis", "backend", "log_format", "matches", "settings", "storage"},
    "network": {"errors", "jobs", "monitoring", "schemas", "settings"},
    "live": {"errors", "jobs", "matches", "monitoring", "network", "schemas"},
    "services": {"analysis", "backend", "live", "matches", "monitoring", "network", "settings", "storage"},
    "api": {
        "analysis",
        "errors",
        "live",
        "matches",
        "model",
        "monitoring",
        "network",
        "page",
        "schemas",
        "services",
        "storage",
    },
    "app": {"api", "live", "network", "page", "services", "settings"},
    "main": {"app", "gc_tuning", "log_format", "monitoring", "network", "settings"},
    "supervisor": {"log_format", "main", "settings", "storage"},
    "export_openapi": {"api", "app", "settings"},
}
# The packages that may import each library.
LIBRARIES = {
    ("fastapi", "starlette", "uvicorn", "websockets"): {"api", "app", "main", "network", "page"},
    ("prometheus_client",): {"monitoring"},
    ("pydantic", "orjson"): {"api", "live", "network", "schemas"},
    ("sqlalchemy", "alembic", "sqlite3", "aiosqlite", "asyncpg"): {"storage"},
}


def server_package(path: Path) -> str:
    return path.relative_to(SERVER).parts[0].removesuffix(".py")


SERVER_FILES = [path for path in sorted(SERVER.rglob("*.py")) if path != SERVER / "__init__.py"]


def test_every_server_package_declares_its_dependencies() -> None:
    assert {server_package(path) for path in SERVER_FILES} == set(SERVER_DEPENDENCIES)


def test_server_packages_import_only_declared_dependencies() -> None:
    offenders = {}
    for path in SERVER_FILES:
        package = server_package(path)
        imported = {name.split(".")[2] for name in imported_names(path) if name.startswith("limina.server.")}
        if wrong := imported - SERVER_DEPENDENCIES[package] - {package}:
            offenders[str(path.relative_to(SERVER))] = wrong
    assert offenders == {}


def test_server_packages_have_no_cyclic_dependencies() -> None:
    done: set[str] = set()
    while len(done) < len(SERVER_DEPENDENCIES):
        free = {package for package, known in SERVER_DEPENDENCIES.items() if known <= done} - done
        assert free, f"cyclic dependencies: {set(SERVER_DEPENDENCIES) - done}"
        done |= free


def test_server_uses_each_library_only_in_its_package() -> None:
    offenders = {
        str(path.relative_to(SERVER)): wrong
        for path in SERVER_FILES
        for libraries, packages in LIBRARIES.items()
        if (wrong := {name for name in imported_names(path) if name.split(".")[0] in libraries})
        and server_package(path) not in packages
    }
    assert offenders == {}


def test_settings_import_neither_games_nor_bots() -> None:
    imported = imported_names(SERVER / "settings.py")
    assert not [name for name in imported if name.startswith(("limina.core.registry", "limina.bots"))]


def test_only_the_command_line_imports_the_server() -> None:
    for path in SOURCE.rglob("*.py"):
        if not path.is_relative_to(SERVER) and package_of(path) != "cli":
            assert not any(name.startswith("limina.server") for name in imported_names(path)), path


def test_server_names_no_game_even_in_comments() -> None:
    names = re.compile(
        "|".join(
            rf"""["']{name}["']|limina\.{name}\b|\b{name.capitalize()}\b(?! of\b)""" for name in registry.game_names()
        )
    )
    for path in SERVER.rglob("*.py"):
        assert not names.search(path.read_text()), path


@pytest.mark.parametrize("program", ["record", "render", "review"])
def test_isolated_programs_load_nothing_of_the_server(program: str) -> None:
    code = f"import sys, limina.isolated.{program}; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert not {"limina.server", "sqlalchemy", "pydantic", "fastapi", "asyncio"} & set(loaded)
