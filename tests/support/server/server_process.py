"""Real servers, each in a process of its own."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from subprocess import PIPE

from support.processes.cli_commands import Command, limina

_PORTS = count()


@dataclass(frozen=True)
class Server:
    """A server that answers requests."""

    address: str
    process: Command | subprocess.Popen[str]

    @property
    def port(self) -> str:
        return self.address.rpartition(":")[2]

    def kill(self) -> None:
        """Let it die without a chance to save anything."""
        self.process.kill()
        self.process.communicate()


@contextmanager
def running_server(data: Path, *arguments: str, port: str = "0", program: Sequence[str] = ()) -> Iterator[Server]:
    """A server from its first answer on; it is told to stop at the end, if it was not killed before.

    It is forked from a process that has loaded everything, unless a program is named.
    """
    words = ["serve", "--port", port, "--data", str(data), *arguments]
    process: Command | subprocess.Popen[str]
    process = subprocess.Popen([*program, *words], stdout=PIPE, text=True) if program else Command(words, stdout=PIPE)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert "limina is ready" in line, "the server did not start"
        yield Server(line.split()[-1].rstrip("/"), process)
    finally:
        process.terminate()
        process.communicate(timeout=20)


@contextmanager
def server_address(data: Path, *arguments: str) -> Iterator[str]:
    """The address of a running server, which is all that most want to know of it."""
    with running_server(data, *arguments) as found:
        yield found.address


def has_worker_command() -> bool:
    """Whether this limina can work in processes that serve nobody."""
    return limina("worker", "--help").returncode == 0


def free_port() -> int:
    """A port that nobody listens on, and that nobody is given who asks the system for any port."""
    while True:
        # Each process of the tests has its own part of those below what the system gives.
        port = 20_000 + (37 * os.getpid() + next(_PORTS)) % 10_000
        with suppress(OSError), socket.socket() as found:
            found.bind(("127.0.0.1", port))
            return port


def is_listening(port: int) -> bool:
    """Whether somebody listens on a port of this machine."""
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0
