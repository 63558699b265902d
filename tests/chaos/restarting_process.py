"""Servers and workers, each in a process of its own that is started again whenever it is gone."""

from __future__ import annotations

import asyncio
import os
import selectors
import signal
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from subprocess import DEVNULL
from typing import Literal

from support.processes.cli_commands import Command

Kind = Literal["server", "worker"]


class Process:
    """One server or worker, over all its lives."""

    def __init__(self, kind: Kind, name: str, arguments: Sequence[str], log: Path, chance: Random) -> None:
        self.kind = kind
        self.name = name
        self.lives = 0
        self.kills = 0
        self._arguments = arguments
        self._log = log
        self._chance = chance
        self._command: Command | None = None
        self._stopping = False

    def kill(self) -> bool:
        """End it without a chance to save anything; whether it lived."""
        killed = self._send(signal.SIGKILL)
        self.kills += killed
        return killed

    async def live(self, starting: asyncio.Lock) -> None:
        """Start it whenever it is gone, as whatever watches over a server does; one starts at a time."""
        while not self._stopping:
            async with starting:
                self._command = await asyncio.to_thread(self._start)
            self.lives += 1
            await _gone(self._command)
            self._command.wait()
            self._command = None
            await asyncio.sleep(0.3 * self._chance.random())

    def stop(self) -> None:
        """End it for good."""
        self._stopping = True
        self._send(signal.SIGTERM)

    def _send(self, which: int) -> bool:
        """Send a signal, if there is anybody; its end is left to be noticed by whoever starts it again."""
        if self._command is None:
            return False
        with selectors.DefaultSelector() as selector:
            selector.register(self._command, selectors.EVENT_READ)
            if selector.select(0):
                return False
        with suppress(ProcessLookupError):
            os.kill(self._command.pid, which)
        return True

    def _start(self) -> Command:
        with self._log.open("ab") as log:
            return Command(self._arguments, stdin=DEVNULL, stdout=log.fileno(), stderr=log.fileno())


async def _gone(command: Command) -> None:
    loop, gone = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(command, gone.set)
    try:
        await gone.wait()
    finally:
        loop.remove_reader(command)
