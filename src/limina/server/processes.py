"""Several processes that serve at one address, each like any server; one that dies is replaced."""

from __future__ import annotations

import multiprocessing
import signal
import socket
from collections.abc import Callable
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import FrameType

from limina.errors import LiminaError
from limina.server.run import listen, serve
from limina.server.settings import Settings
from limina.server.storage import Store, url_of


def serve_all(settings: Settings, ready: Callable[[str], None]) -> int:
    """Listen until told to stop, with as many processes as the settings ask for."""
    if settings.processes == 1:
        return serve(settings, ready)
    Store(url_of(settings), shared=True)  # complains about a database that cannot be shared before anything begins
    with listen(settings) as listening:
        return _Processes(settings, listening).run(ready)


@dataclass(frozen=True, slots=True)
class _Child:
    number: int
    process: SpawnProcess
    told: Connection


class _Processes:
    def __init__(self, settings: Settings, listening: socket.socket) -> None:
        self._settings = settings
        self._listening = listening
        self._context = multiprocessing.get_context("spawn")
        self._children: list[_Child] = []
        self._ready: list[_Child] = []
        self._stopping = False
        self._failure: str | None = None

    def run(self, ready: Callable[[str], None]) -> int:
        """Start all, replace those that die, until told to stop or one cannot start."""
        for which in (signal.SIGTERM, signal.SIGINT):
            signal.signal(which, self._stop)
        for number in range(self._settings.processes):
            self._start(number)
        while self._children:
            starting = [child.told for child in self._children if child not in self._ready]
            wait([*starting, *(child.process.sentinel for child in self._children)])
            for child in list(self._children):
                address = self._hear(child)
                if address is not None and len(self._ready) == self._settings.processes:
                    ready(address)
                if not child.process.is_alive():
                    self._bury(child)
        if self._failure is not None:
            raise LiminaError(self._failure)
        return 0

    def _start(self, number: int) -> None:
        told, tell = self._context.Pipe(duplex=False)
        settings, metrics = self._settings, self._settings.metrics
        if metrics is not None:  # each has its own figures: at the port that was named, and those after it
            settings = replace(settings, metrics=replace(metrics, port=metrics.port + number))
        process = self._context.Process(target=_serve_one, args=(settings, self._listening, tell))
        process.start()
        tell.close()
        self._children.append(_Child(number, process, told))

    def _hear(self, child: _Child) -> str | None:
        """The address, if it is the first time that a child says it is ready."""
        if child in self._ready or not child.told.poll():
            return None
        try:
            how, said = child.told.recv()
        except EOFError:
            return None
        if how == "failed":
            self._failure = said
        if how != "ready":
            return None
        self._ready.append(child)
        return str(said)

    def _bury(self, child: _Child) -> None:
        child.process.join()
        child.told.close()
        self._children.remove(child)
        if child not in self._ready:
            # It could not even start, and the next one will not either.
            self._failure = self._failure or "the server cannot start: one of its processes has died"
            self._stop()
        elif not self._stopping:
            self._ready.remove(child)
            self._start(child.number)

    def _stop(self, which: int = 0, frame: FrameType | None = None) -> None:
        self._stopping = True
        for child in self._children:
            child.process.terminate()


def _serve_one(settings: Settings, listening: socket.socket, tell: Connection) -> None:
    try:
        serve(settings, lambda address: tell.send(("ready", address)), listening)
    except LiminaError as error:
        tell.send(("failed", str(error)))
