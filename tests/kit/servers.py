"""Real servers, each in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

LIMINA = [sys.executable, "-m", "limina"]
"""The command, as the tests' own Python runs it."""


@dataclass(frozen=True)
class Server:
    """A server that answers requests."""

    address: str
    process: subprocess.Popen[str]

    @property
    def port(self) -> str:
        return self.address.rpartition(":")[2]

    def kill(self) -> None:
        """Let it die without a chance to save anything."""
        self.process.kill()
        self.process.communicate()


@contextmanager
def running(data: Path, *arguments: str, port: str = "0", program: Sequence[str] = LIMINA) -> Iterator[Server]:
    """A server from its first answer on; it is told to stop at the end, if it was not killed before."""
    command = [*program, "serve", "--port", port, "--data", str(data), *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert "limina is ready" in line, "the server did not start"
        yield Server(line.split()[-1].rstrip("/"), process)
    finally:
        process.terminate()
        process.communicate(timeout=20)


@contextmanager
def server(data: Path, *arguments: str) -> Iterator[str]:
    """The address of a running server, which is all that most want to know of it."""
    with running(data, *arguments) as found:
        yield found.address


def there_are_workers() -> bool:
    """Whether this limina can work in processes that serve nobody."""
    return subprocess.run([*LIMINA, "work", "--help"], capture_output=True).returncode == 0
