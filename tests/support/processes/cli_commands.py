"""`limina` with any arguments, in a process of its own that need not load everything first."""

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
"""The command in a fresh interpreter, for tests of how it starts and of what a shell does with it."""


class Command:
    """A running `limina`, with what `subprocess.Popen` offers, as far as it is used here."""

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
        asked = {
            "arguments": arguments,
            "cwd": str(cwd or Path.cwd()),
            "env": dict(os.environ if env is None else env),
            "session": start_new_session,
        }
        with ExitStack() as given:
            pairs = [_open_stream(kind, number, given) for number, kind in enumerate((stdin, stdout, stderr))]
            self.stdin, self.stdout, self.stderr = (ours for _, ours in pairs)
            self._status, told = os.pipe()
            given.callback(os.close, told)
            self.pid = _request_process(json.dumps(asked).encode() + b"\n", [*(theirs for theirs, _ in pairs), told])

    def fileno(self) -> int:
        """For whoever waits for many things: it can be read from once it has ended."""
        return self._status

    def poll(self) -> int | None:
        """The exit status, if it has ended; the signal with a minus."""
        with suppress(TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """The exit status, once it has ended."""
        if self.returncode is None:
            with selectors.DefaultSelector() as selector:
                selector.register(self._status, selectors.EVENT_READ)
                if not selector.select(timeout):
                    raise TimeoutExpired(["limina", *self.args], timeout or 0)
            with open(self._status) as told:
                self.returncode = int(told.read())
        return self.returncode

    def send_signal(self, which: int) -> None:
        """Send it a signal, if it still runs."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, which)

    def terminate(self) -> None:
        """Tell it to stop."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Let it die at once."""
        self.send_signal(signal.SIGKILL)

    def communicate(self, said: str = "", timeout: float | None = None) -> tuple[str, str]:
        """What it writes to the end, if that goes to pipes of ours; it is killed when it takes too long."""
        with ThreadPoolExecutor(3) as pool:
            pool.submit(_write, self.stdin, said)
            out, errors = (pool.submit(_read, stream) for stream in (self.stdout, self.stderr))
            try:
                self.wait(timeout)
            except TimeoutExpired:
                self.kill()
                raise
            return out.result(), errors.result()


def limina(
    *arguments: str, said: str = "", env: Mapping[str, str] | None = None, timeout: float = 60
) -> CompletedProcess[str]:
    """The command from its beginning to its end, with this on its standard input."""
    command = Command(arguments, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=env)
    out, errors = command.communicate(said, timeout)
    return CompletedProcess(["limina", *arguments], command.wait(), out, errors)


def _open_stream(kind: int | None, number: int, given: ExitStack) -> tuple[int, IO[str] | None]:
    """What becomes one of its standard streams, and the other end if that is ours. None: it has the same as we."""
    if kind is None or kind >= 0:
        return number if kind is None else kind, None
    if kind == PIPE:
        read, write = os.pipe()
        theirs, ours = (write, os.fdopen(read)) if number else (read, os.fdopen(write, "w"))
    else:
        assert kind == subprocess.DEVNULL
        theirs, ours = os.open(os.devnull, os.O_RDWR), None
    given.callback(os.close, theirs)
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
    """Where to ask for processes; there is one of it for each process that runs tests, and it ends with that."""
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-m", "support.processes.fork_server", str(theirs.fileno())],
            cwd=ROOT / "tests",
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,  # the keyboard's Ctrl-C is for the tests, who then end what they began
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
