"""Serve one address with several processes. A supervisor starts them and restarts those that end."""

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

MIN_RESTART_DELAY_SECONDS = 0.1
"""Delay before a process that has ended is restarted. It doubles each time, up to the maximum."""
MAX_RESTART_DELAY_SECONDS = 30.0
STABLE_SECONDS = 30.0
"""Reset the restart delay of a process after it has been ready for this long."""
MAX_ORPHAN_SECONDS = 10.0
"""Time in which a process must shut down after its supervisor has died."""
_LOG = logging.getLogger("limina.server")


def serve_all(settings: ServerSettings, on_ready: Callable[[str], None]) -> int:
    """Serve with the configured number of processes until a signal stops them, and return the exit status."""
    if settings.processes == 1:
        return serve(settings, on_ready)
    check_shareable(url_of(settings))
    configure_logging(settings.log_format)
    with listen(settings) as listening:
        return _Supervisor(settings, listening).run(on_ready)


@dataclass(slots=True)
class _Child:
    """A running process."""

    process: SpawnProcess
    ready_pipe: Connection
    """Receives ("ready", address) or ("failed", error text)."""
    ready_at: float | None = None
    failure: str | None = None
    stopping: bool = False

    @property
    def cause(self) -> str:
        """The reason why the process has ended."""
        if self.failure is not None:
            return f"cannot start ({self.failure})"
        status = self.process.exitcode or 0
        return f"ended ({f'killed by signal {-status}' if status < 0 else f'exit status {status}'})"


@dataclass(slots=True)
class _Slot:
    """One of the processes, across its restarts."""

    index: int
    child: _Child | None = None
    delay: float = 0.0
    """Seconds between the end of the last process and the next start; 0 before the first restart."""
    start_at: float = 0.0
    """Time of `time.monotonic` at which the next process starts if none runs."""


class _Supervisor:
    """Starts the processes, and restarts those that end, until a signal stops it.

    If a process fails before all have been ready for the first time, the supervisor stops all of them, because the
    settings are wrong. After that it restarts processes without end, because the database may be down for a while.
    """

    def __init__(self, settings: ServerSettings, listening: socket.socket) -> None:
        self._settings = settings
        self._listening = listening
        self._context = multiprocessing.get_context("spawn")
        self._slots = [_Slot(index) for index in range(settings.processes)]
        self._signal_pipe, self._signal_sender = self._context.Pipe(duplex=False)
        self._started = False
        """True once all processes have been ready at the same time."""
        self._stopping = False
        self._failure: str | None = None

    def run(self, on_ready: Callable[[str], None]) -> int:
        """Supervise until a signal arrives. `on_ready` is called once, when all processes are ready."""
        for signal_number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(signal_number, self._stop)
        while not self._stopping or self._children():
            self._start_due()
            self._wait()
            for slot in self._slots:
                address = self._read_report(slot)
                if address is not None and not self._started and self._all_ready():
                    self._started = True
                    on_ready(address)
                if slot.child is not None and not slot.child.process.is_alive():
                    self._reap(slot, slot.child)
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
                slot.child = self._start(slot.index)

    def _start(self, index: int) -> _Child:
        ready_pipe, report_pipe = self._context.Pipe(duplex=False)
        settings, address = self._settings, self._settings.metrics_address
        if address is not None:  # metrics are separate for each process: ports count up from the named one
            settings = replace(settings, metrics_address=replace(address, port=address.port + index))
        process = self._context.Process(target=_serve_one, args=(settings, self._listening, report_pipe))
        process.start()
        report_pipe.close()
        return _Child(process, ready_pipe)

    def _wait(self) -> None:
        """Wait for a report, the end of a process, the next start, or a signal; pass a stop on to the processes."""
        for child in self._children():
            if self._stopping and not child.stopping:
                child.stopping = True
                child.process.terminate()
        sentinels = [child.process.sentinel for child in self._children()]
        reports = [child.ready_pipe for child in self._children() if child.ready_at is None and child.failure is None]
        starts = [slot.start_at for slot in self._slots if slot.child is None and not self._stopping]
        timeout = max(0.0, min(starts) - time.monotonic()) if starts else None
        if self._signal_pipe in wait([self._signal_pipe, *reports, *sentinels], timeout):
            self._signal_pipe.recv()

    def _read_report(self, slot: _Slot) -> str | None:
        """Return the address when the process of a slot reports that it is ready, else None."""
        child = slot.child
        if child is None or child.ready_at is not None or child.failure is not None or not child.ready_pipe.poll():
            return None
        try:
            kind, content = child.ready_pipe.recv()
        except EOFError:
            return None
        if kind == "failed":
            child.failure = str(content)
            return None
        child.ready_at = time.monotonic()
        if slot.delay:
            _LOG.warning("supervisor: %s is ready again", self._name(slot))
        return str(content)

    def _name(self, slot: _Slot) -> str:
        return f"process {slot.index + 1} of {len(self._slots)}"

    def _reap(self, slot: _Slot, child: _Child) -> None:
        """Handle the end of a process: schedule its restart, or stop all processes if the first start failed."""
        child.process.join()
        child.ready_pipe.close()
        slot.child = None
        if self._stopping:
            return
        if not self._started and child.ready_at is None:
            self._failure = child.failure or f"the server cannot start: {self._name(slot)} {child.cause}"
            self._stopping = True
            return
        now = time.monotonic()
        stable = child.ready_at is not None and now - child.ready_at >= STABLE_SECONDS
        delay = MIN_RESTART_DELAY_SECONDS if stable else max(MIN_RESTART_DELAY_SECONDS, 2 * slot.delay)
        slot.delay = min(delay, MAX_RESTART_DELAY_SECONDS)
        slot.start_at = now + slot.delay
        _LOG.error("supervisor: %s %s, restarting in %g s", self._name(slot), child.cause, slot.delay)

    def _stop(self, signal_number: int, frame: FrameType | None) -> None:
        self._stopping = True
        self._signal_sender.send(None)  # ends the wait


def _serve_one(settings: ServerSettings, listening: socket.socket, report_pipe: Connection) -> None:
    _end_with_supervisor()
    try:
        serve(settings, lambda address: report_pipe.send(("ready", address)), listening)
    except LiminaError as error:
        report_pipe.send(("failed", str(error)))


def _end_with_supervisor() -> None:
    """Shut down this process when its supervisor dies, so that the port is free for the next server."""
    supervisor = multiprocessing.parent_process()
    assert supervisor is not None

    def watch() -> None:
        supervisor.join()  # returns when the supervisor ends for any reason
        _LOG.error("server: supervisor process %d has ended, shutting down", supervisor.pid)
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(MAX_ORPHAN_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, name="supervisor-watch", daemon=True).start()
