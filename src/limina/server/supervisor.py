"""Several processes that serve at one address: a supervisor starts them, and replaces those that die."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import FrameType

from limina.errors import LiminaError
from limina.server.log_format import configure_logging
from limina.server.main import listen, serve
from limina.server.settings import ServerSettings
from limina.server.storage import check_shareable, url_of

MIN_RESTART_PAUSE_SECONDS = 0.1
"""The pause before a process that has died is replaced. It doubles each time, up to the maximum."""
MAX_RESTART_PAUSE_SECONDS = 30.0
STABLE_SECONDS = 30.0
"""After a process has been ready for so long, its next pause is the shortest again."""
MAX_ORPHAN_SECONDS = 10.0
"""How long a process may take to shut down after its supervisor has died."""
_LOG = logging.getLogger("limina.server")


def serve_all(settings: ServerSettings, ready: Callable[[str], None]) -> int:
    """Listen until told to stop, with as many processes as the settings ask for."""
    if settings.processes == 1:
        return serve(settings, ready)
    check_shareable(url_of(settings))
    configure_logging(settings.log_format)
    with listen(settings) as listening:
        return _Supervisor(settings, listening).run(ready)


@dataclass(slots=True)
class _Child:
    """A process that runs."""

    process: SpawnProcess
    reports: Connection
    """Receives ("ready", address) or ("failed", sentence)."""
    ready_at: float | None = None
    failure: str | None = None
    stopping: bool = False

    @property
    def cause(self) -> str:
        """Why it has ended."""
        if self.failure is not None:
            return f"cannot start ({self.failure})"
        status = self.process.exitcode or 0
        return f"ended ({f'killed by signal {-status}' if status < 0 else f'exit status {status}'})"


@dataclass(slots=True)
class _Slot:
    """The place of one process."""

    number: int
    child: _Child | None = None
    pause: float = 0.0
    """Seconds between the last process and the next one."""
    start_at: float = 0.0
    """When the next process starts, if none runs, as `time.monotonic` tells it."""


class _Supervisor:
    """Starts the processes, and replaces those that die until it is told to stop.

    If one of them fails before all have been ready for the first time, it ends them all: the settings are wrong. After
    that it tries again for as long as it takes, since the database may be away for a while.
    """

    def __init__(self, settings: ServerSettings, listening: socket.socket) -> None:
        self._settings = settings
        self._listening = listening
        self._context = multiprocessing.get_context("spawn")
        self._slots = [_Slot(number) for number in range(settings.processes)]
        self._woken, self._wake = self._context.Pipe(duplex=False)
        self._started = False
        """Whether all processes have been ready at the same time."""
        self._stopping = False
        self._failure: str | None = None

    def run(self, ready: Callable[[str], None]) -> int:
        """Serve until told to stop; `ready` is called once, when all processes answer."""
        for which in (signal.SIGTERM, signal.SIGINT):
            signal.signal(which, self._stop)
        while not self._stopping or self._children():
            self._start_due()
            self._wait()
            for slot in self._slots:
                address = self._hear(slot)
                if address is not None and not self._started and self._all_ready():
                    self._started = True
                    ready(address)
                if slot.child is not None and not slot.child.process.is_alive():
                    self._bury(slot, slot.child)
        if self._failure is not None:
            raise LiminaError(self._failure)
        return 0

    def _children(self) -> list[_Child]:
        return [slot.child for slot in self._slots if slot.child is not None]

    def _all_ready(self) -> bool:
        return all(slot.child is not None and slot.child.ready_at is not None for slot in self._slots)

    def _start_due(self) -> None:
        for slot in self._slots:
            if slot.child is None and not self._stopping and slot.start_at <= time.monotonic():
                slot.child = self._start(slot.number)

    def _start(self, number: int) -> _Child:
        reports, report = self._context.Pipe(duplex=False)
        settings, address = self._settings, self._settings.metrics_address
        if address is not None:  # metrics are separate for each process: ports count up from the named one
            settings = replace(settings, metrics_address=replace(address, port=address.port + number))
        process = self._context.Process(target=_serve_one, args=(settings, self._listening, report))
        process.start()
        report.close()
        return _Child(process, reports)

    def _wait(self) -> None:
        """Wait for a report, the end of a process, the next start, or a signal."""
        for child in self._children():
            if self._stopping and not child.stopping:
                child.stopping = True
                child.process.terminate()
        awaited = [child.process.sentinel for child in self._children()]
        reports = [child.reports for child in self._children() if child.ready_at is None and child.failure is None]
        starts = [slot.start_at for slot in self._slots if slot.child is None and not self._stopping]
        timeout = max(0.0, min(starts) - time.monotonic()) if starts else None
        if self._woken in wait([self._woken, *reports, *awaited], timeout):
            self._woken.recv()

    def _hear(self, slot: _Slot) -> str | None:
        """The address, when the process of this slot reports that it is ready."""
        child = slot.child
        if child is None or child.ready_at is not None or child.failure is not None or not child.reports.poll():
            return None
        try:
            kind, said = child.reports.recv()
        except EOFError:
            return None
        if kind == "failed":
            child.failure = str(said)
            return None
        child.ready_at = time.monotonic()
        if slot.pause:
            _LOG.warning("%s is ready again", self._name(slot))
        return str(said)

    def _name(self, slot: _Slot) -> str:
        return f"process {slot.number + 1} of {len(self._slots)}"

    def _bury(self, slot: _Slot, child: _Child) -> None:
        """Decide what follows the end of a process: another one after a pause, or the end of all."""
        child.process.join()
        child.reports.close()
        slot.child = None
        if self._stopping:
            return
        if not self._started and child.ready_at is None:
            self._failure = child.failure or "the server cannot start: one of its processes has died"
            self._stopping = True
            return
        now = time.monotonic()
        stable = child.ready_at is not None and now - child.ready_at >= STABLE_SECONDS
        pause = MIN_RESTART_PAUSE_SECONDS if stable else max(MIN_RESTART_PAUSE_SECONDS, 2 * slot.pause)
        slot.pause = min(pause, MAX_RESTART_PAUSE_SECONDS)
        slot.start_at = now + slot.pause
        _LOG.error("%s %s, next start in %g s", self._name(slot), child.cause, slot.pause)

    def _stop(self, which: int, frame: FrameType | None) -> None:
        self._stopping = True
        self._wake.send(None)  # else the supervisor would wait on


def _serve_one(settings: ServerSettings, listening: socket.socket, report: Connection) -> None:
    _end_with_supervisor()
    try:
        serve(settings, lambda address: report.send(("ready", address)), listening)
    except LiminaError as error:
        report.send(("failed", str(error)))


def _end_with_supervisor() -> None:
    """Shut this process down when its supervisor dies, so that the port is free for the next one."""
    supervisor = multiprocessing.parent_process()
    assert supervisor is not None

    def watch() -> None:
        supervisor.join()  # its end of a pipe closes when it dies, however it does
        _LOG.error("the supervisor has died: this process shuts down")
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(MAX_ORPHAN_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, name="supervisor-watch", daemon=True).start()
