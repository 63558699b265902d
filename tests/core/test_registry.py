"""The registry of games, and what an import of limina loads."""

from __future__ import annotations

import subprocess
import sys

import pytest

import limina
from limina.core import registry


def test_registry_finds_every_game_and_lists_the_names() -> None:
    for name in registry.game_names():
        assert registry.game(name).name == name
    with pytest.raises(limina.InvalidInputError, match=", ".join(registry.game_names())):
        registry.game("chess")


def test_importing_limina_loads_no_game_and_no_heavy_library() -> None:
    code = "import sys, limina; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert not {"limina.limes", "limina.limit", "argparse", "asyncio", "numpy", "sqlalchemy"} & set(loaded)
