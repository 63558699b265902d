"""Servers and job workers in processes of their own, started again after each exit."""

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


class RestartingProcess:
    """A server or job worker that is started again after each exit, as a service manager does it."""

    def __init__(self, kind: Kind, name: str, arguments: Sequence[str], log: Path, rng: Random) -> None:
        self.kind = kind
        self.name = name
        self.starts = 0
        self.kills = 0
        self._arguments = arguments
        self._log = log
        self._rng = rng
        self._command: Command | None = None
        self._stopping = False

    def kill(self) -> bool:
        """Send SIGKILL; return True if the process was running."""
        killed = self._send(signal.SIGKILL)
        self.kills += killed
        return killed

    async def run(self, starting: asyncio.Lock) -> None:
        """Start the process, and start it again after each exit, until `stop`. The lock lets one start at a time."""
        while not self._stopping:
            async with starting:
                self._command = await asyncio.to_thread(self._start)
            self.starts += 1
            await _wait_for_exit(self._command)
            self._command.wait()
            self._command = None
            await asyncio.sleep(0.3 * self._rng.random())

    def stop(self) -> None:
        """Send SIGTERM, and do not start the process again."""
        self._stopping = True
        self._send(signal.SIGTERM)

    def _send(self, signal_number: int) -> bool:
        """Send a signal to the process if it is running. Do not reap it: `run` has to notice its exit."""
        if self._command is None:
            return False
        with selectors.DefaultSelector() as selector:
            selector.register(self._command, selectors.EVENT_READ)
            if selector.select(0):
                return False
        with suppress(ProcessLookupError):
            os.kill(self._command.pid, signal_number)
        return True

    def _start(self) -> Command:
        with self._log.open("ab") as log:
            return Command(self._arguments, stdin=DEVNULL, stdout=log.fileno(), stderr=log.fileno())


async def _wait_for_exit(command: Command) -> None:
    loop, exited = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(command, exited.set)
    try:
        await exited.wait()
    finally:
        loop.remove_reader(command)
