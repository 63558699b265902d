"""Bots of the server's host, each in a process of its own that can be ended at any time."""

from __future__ import annotations

import shlex
import sys

from limina.bots.engine_client import EngineClient
from limina.bots.external import check_external, is_program
from limina.bots.options import split_options
from limina.bots.registry import bot_names
from limina.core.game import Game

START_TIMEOUT_SECONDS = 15.0
"""Time in which the process must be ready. Shorter than for other engines, since players wait."""
NICE_LEVEL = 5
"""Nice level of the process, so that the server is scheduled first."""


def check_subprocess_bot(game: Game, name: str) -> None:
    """Check the name of a bot without running it. Raises LiminaError if no bot can have this name."""
    if split_options(name)[0] not in bot_names(game):
        check_external(name)


def subprocess_bot(game: Game, name: str, *, seed: int) -> EngineClient:
    """Return a client for the bot of that name. A Python bot runs in a process of `limina engine`."""
    command = shlex.join([sys.executable, "-m", "limina", "engine", game.name, name])
    if is_program(name):
        command = name.partition(":")[2]
    return EngineClient(game, command, seed=seed, start_timeout=START_TIMEOUT_SECONDS, nice_level=NICE_LEVEL)
