"""Anyone's bot at a safe distance: whatever it is, it runs in a process of its own that can be ended at any time."""

from __future__ import annotations

import shlex
import sys

from limina.bots.engine_client import Program
from limina.bots.external import check, is_program
from limina.bots.options import split
from limina.bots.registry import bot_names
from limina.core.game import Game

START_SECONDS = 15.0
"""How long it may take to be ready: people are waiting."""
PATIENCE = 5
"""How far behind the host such a process stands in the queue for the processor."""


def check_hosted(game: Game, name: str) -> None:
    """Say what is wrong with the name of a bot, as far as that can be known without running it."""
    if split(name)[0] not in bot_names(game):
        check(name)


def hosted(game: Game, name: str, *, seed: int) -> Program:
    """The bot of that name as a program: a Python object speaks the lines through `limina engine`."""
    command = shlex.join([sys.executable, "-m", "limina", "engine", game.name, name])
    if is_program(name):
        command = name.partition(":")[2]
    return Program(game, command, seed=seed, start_seconds=START_SECONDS, patience=PATIENCE)
