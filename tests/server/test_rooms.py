"""Who may know whom: left not knowing right. And no game is named outside its own folder."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import limina.server
from limina import games

HOME = Path(limina.server.__file__).parent
ORDER = [
    {"errors", "model", "settings"},
    {"wire", "storage"},
    {"matches"},
    {"analysis"},
    {"web"},
    {"run", "export"},
]
RANK = {room: rank for rank, rooms in enumerate(ORDER) for room in rooms}


def room_of(file: Path) -> str:
    return file.relative_to(HOME).parts[0].removesuffix(".py")


def imports(file: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


def test_every_room_knows_only_rooms_to_its_left() -> None:
    files = [file for file in HOME.rglob("*.py") if room_of(file) != "__init__"]
    assert {room_of(file) for file in files} == set(RANK)
    for file in files:
        room = room_of(file)
        for name in imports(file):
            if name.startswith("limina.server."):
                other = name.split(".")[2]
                assert other == room or RANK[other] < RANK[room], f"{room} knows {other}"
            if room not in ("web", "run", "export"):
                assert not name.startswith(("fastapi", "starlette", "uvicorn", "websockets")), f"{room} knows {name}"
            if room != "storage":
                assert not name.startswith(("sqlalchemy", "alembic")), f"{room} knows {name}"


def test_rules_and_records_do_not_know_the_server() -> None:
    for file in HOME.parent.rglob("*.py"):
        if not file.is_relative_to(HOME) and file.parent.name != "cli":
            assert not any(name.startswith("limina.server") for name in imports(file)), file


def test_the_server_names_no_game() -> None:
    names = re.compile(
        "|".join(rf"""["']{name}["']|limina\.{name}\b|\b{name.capitalize()}\b""" for name in games.names())
    )
    for file in HOME.rglob("*.py"):
        assert not names.search(file.read_text()), file
