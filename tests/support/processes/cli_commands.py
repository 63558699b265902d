"""Run `limina` in processes that are forked from a process with all modules loaded, which is fast."""

from __future__ import annotations

import atexit
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path
from subprocess import PIPE, CompletedProcess, TimeoutExpired
from typing import IO

from support import ROOT

LIMINA = [sys.executable, "-m", "limina"]
"""The command in a new interpreter, for tests of its start and of its behavior in a shell."""


class Command:
    """A running `limina`, with the part of the interface of `subprocess.Popen` that the tests use."""

    def __init__(
        self,
        arguments: Sequence[str],
        *,
        stdin: int | None = None,
        stdout: int | None = None,
        stderr: int | None = None,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        start_new_session: bool = False,
    ) -> None:
        self.args = arguments
        self.returncode: int | None = None
        request = {
            "arguments": arguments,
            "cwd": str(cwd or Path.cwd()),
            "env": dict(os.environ if env is None else env),
            "session": start_new_session,
        }
        with ExitStack() as cleanup:
            pairs = [_open_stream(kind, number, cleanup) for number, kind in enumerate((stdin, stdout, stderr))]
            self.stdin, self.stdout, self.stderr = (ours for _, ours in pairs)
            self._status, status_writer = os.pipe()
            cleanup.callback(os.close, status_writer)
            self.pid = _request_process(
                json.dumps(request).encode() + b"\n", [*(theirs for theirs, _ in pairs), status_writer]
            )

    def fileno(self) -> int:
        """Return a file descriptor that becomes readable when the process ends, for selectors and event loops."""
        return self._status

    def poll(self) -> int | None:
        """Return the exit status, the negative signal number, or None while the process runs."""
        with suppress(TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end of the process and return its exit status."""
        if self.returncode is None:
            with selectors.DefaultSelector() as selector:
                selector.register(self._status, selectors.EVENT_READ)
                if not selector.select(timeout):
                    raise TimeoutExpired(["limina", *self.args], timeout or 0)
            with open(self._status) as status:
                self.returncode = int(status.read())
        return self.returncode

    def send_signal(self, signal_number: int) -> None:
        """Send a signal if the process runs."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal_number)

    def terminate(self) -> None:
        """Send SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Send SIGKILL."""
        self.send_signal(signal.SIGKILL)

    def communicate(self, stdin_text: str = "", timeout: float | None = None) -> tuple[str, str]:
        """Write to its standard input and return its output and errors; kill it after the timeout."""
        with ThreadPoolExecutor(3) as pool:
            pool.submit(_write, self.stdin, stdin_text)
            out, errors = (pool.submit(_read, stream) for stream in (self.stdout, self.stderr))
            try:
                self.wait(timeout)
            except TimeoutExpired:
                self.kill()
                raise
            return out.result(), errors.result()


def limina(
    *arguments: str, stdin_text: str = "", env: Mapping[str, str] | None = None, timeout: float = 60
) -> CompletedProcess[str]:
    """Run `limina` to its end with this standard input."""
    command = Command(arguments, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=env)
    out, errors = command.communicate(stdin_text, timeout)
    return CompletedProcess(["limina", *arguments], command.wait(), out, errors)


def _open_stream(kind: int | None, number: int, cleanup: ExitStack) -> tuple[int, IO[str] | None]:
    """Return the file descriptor of a standard stream of the process, and our end of it if it is a pipe.

    The kind None stands for the stream of this process.
    """
    if kind is None or kind >= 0:
        return number if kind is None else kind, None
    if kind == PIPE:
        read, write = os.pipe()
        theirs, ours = (write, os.fdopen(read)) if number else (read, os.fdopen(write, "w"))
    else:
        assert kind == subprocess.DEVNULL
        theirs, ours = os.open(os.devnull, os.O_RDWR), None
    cleanup.callback(os.close, theirs)
    return theirs, ours


def _write(stream: IO[str] | None, text: str) -> None:
    if stream is not None and not stream.closed:
        with suppress(BrokenPipeError), stream:
            stream.write(text)


def _read(stream: IO[str] | None) -> str:
    if stream is None or stream.closed:
        return ""
    with stream:
        return stream.read()


@cache
def _fork_server() -> socket.socket:
    """Start the fork server of this process, which ends with it; return the socket for requests."""
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-m", "support.processes.fork_server", str(theirs.fileno())],
            cwd=ROOT / "tests",
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C must reach only the tests, which then end their processes
        )

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


def _request_process(request: bytes, files: Sequence[int]) -> int:
    server = _fork_server()
    sent = socket.send_fds(server, [request], files)
    server.sendall(request[sent:])
    return int(server.recv(64))
