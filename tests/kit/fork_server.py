"""Starts one server after the other from a process that has loaded everything already: `fork_server.py DATA`.

For each line on standard input a child is forked that serves; it prints its address and its process id.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from limina.server.run import serve
from limina.server.settings import Settings


@contextmanager
def fork_server(data: Path) -> Iterator[Callable[[], tuple[str, int]]]:
    """A function that starts a server and says its address and its process; the one before must have ended."""
    command = [sys.executable, __file__, str(data)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    asked, told = process.stdin, process.stdout

    def start() -> tuple[str, int]:
        asked.write("go\n")
        asked.flush()
        address, child = told.readline().split()
        return address.rstrip("/"), int(child)

    try:
        yield start
    finally:
        process.communicate(timeout=20)


def main() -> None:
    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            serve(Settings(port=0, data=Path(sys.argv[1])), lambda address: print(address, os.getpid(), flush=True))
            os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()
