"""Servers in processes of their own."""

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
    """A running server."""

    address: str
    process: Command | subprocess.Popen[str]

    @property
    def port(self) -> str:
        return self.address.rpartition(":")[2]

    def kill(self) -> None:
        """Kill it with SIGKILL."""
        self.process.kill()
        self.process.communicate()


@contextmanager
def running_server(data: Path, *arguments: str, port: str = "0", program: Sequence[str] = ()) -> Iterator[Server]:
    """Start a server, wait until it is ready, and stop it at the end.

    It is forked from a process with all modules loaded, unless a program is named.
    """
    command = ["serve", "--port", port, "--data", str(data), *arguments]
    process: Command | subprocess.Popen[str]
    process = (
        subprocess.Popen([*program, *command], stdout=PIPE, text=True) if program else Command(command, stdout=PIPE)
    )
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
    """Run a server; yield its address."""
    with running_server(data, *arguments) as running:
        yield running.address


def has_worker_command() -> bool:
    """Return True if this version of limina has the command `limina worker`."""
    return limina("worker", "--help").returncode == 0


def free_port() -> int:
    """Return a free port below the range from which the system assigns ports."""
    while True:
        # Each test process starts at another port, so that they do not choose the same.
        port = 20_000 + (37 * os.getpid() + next(_PORTS)) % 10_000
        with suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port


def is_listening(port: int) -> bool:
    """Return True if a process listens on a port of this machine."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
