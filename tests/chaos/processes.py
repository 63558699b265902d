"""Servers and workers, each in a process of its own that is started again whenever it is gone."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Literal

from chaos import launcher

Kind = Literal["server", "worker"]


class Launcher:
    """Starts processes of limina."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process
        self._lock = asyncio.Lock()

    async def open(self) -> None:
        """Load everything that they need."""
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(sys.executable, launcher.__file__, stdin=pipe, stdout=pipe)

    async def close(self) -> None:
        """End all."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        await self._process.wait()

    async def start(self, log: Path, arguments: Sequence[str]) -> int:
        """Start one; its process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        async with self._lock:
            self._process.stdin.write(json.dumps([str(log), *arguments]).encode() + b"\n")
            return int(await self._process.stdout.readline())


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
        self._handle: int | None = None
        """Of the process that lives, and of no other that might get its number."""
        self._stopping = False

    def kill(self) -> bool:
        """End it without a chance to save anything; whether it lived."""
        if not self._signal(signal.SIGKILL):
            return False
        self.kills += 1
        return True

    async def live(self, launcher: Launcher) -> None:
        """Start it whenever it is gone, as whatever watches over a server does."""
        while not self._stopping:
            self._handle = os.pidfd_open(await launcher.start(self._log, self._arguments))
            self.lives += 1
            await _gone(self._handle)
            os.close(self._handle)
            self._handle = None
            await asyncio.sleep(0.3 * self._chance.random())

    def stop(self) -> None:
        """End it for good."""
        self._stopping = True
        self._signal(signal.SIGTERM)

    def _signal(self, which: signal.Signals) -> bool:
        if self._handle is None:
            return False
        try:
            signal.pidfd_send_signal(self._handle, which)
        except ProcessLookupError:  # it is gone by itself, and we are about to hear of it
            return False
        return True


async def _gone(handle: int) -> None:
    loop, gone = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(handle, gone.set)
    try:
        await gone.wait()
    finally:
        loop.remove_reader(handle)
