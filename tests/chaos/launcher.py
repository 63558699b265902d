"""Starts limina's processes from one that has loaded everything already, so that a new life takes no second.

For each line on standard input, a JSON list of the file for what it says and its arguments, a child is forked that runs
`limina` with them; the answer is its process id. When the input ends, so do all children.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from importlib import import_module

_LOADED = (
    "limina.server.processes",
    "limina.server.storage.postgres_bus",
    "uvicorn.lifespan.on",
    "uvicorn.loops.auto",
    "uvloop",
)
"""What every child would load for itself otherwise."""


def main() -> None:
    """Fork children until nobody asks for more."""
    for name in _LOADED:
        import_module(name)
    from limina.cli import main as run

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # those who die leave nothing behind
    children: list[int] = []
    for line in sys.stdin:
        log, *arguments = json.loads(line)
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            said = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            nothing = os.open(os.devnull, os.O_RDONLY)
            for number, file in enumerate((nothing, said, said)):
                os.dup2(file, number)
            sys.stdin = open(0)  # noqa: SIM115  # the parent has read from its own already
            try:
                status = run(arguments)
            except BaseException:  # nothing may go on from here as if it were the parent
                traceback.print_exc()
                status = 1
            os._exit(status)
        children.append(child)
        print(child, flush=True)
    for child in children:
        try:
            os.kill(child, signal.SIGKILL)
        except ProcessLookupError:
            continue


if __name__ == "__main__":
    main()
