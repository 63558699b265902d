"""A process that has loaded all that `limina` may need and forks for each command: that one need not load it again.

`python -m support.processes.fork_server SOCKET`. `support.processes.cli_commands` is how tests ask for one.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import runpy
import selectors
import signal
import socket
import sys
from typing import Any

# Loaded, and nothing started: a thread or an event loop would not live on in the children.
MODULES = (
    "aiosqlite",
    "alembic.command",
    "alembic.context",
    "alembic.op",
    "concurrent.futures.process",
    "encodings.idna",
    "limina.cli",
    "limina.limes",
    "limina.limit",
    "limina.server.processes",
    "limina.server.worker_process",
    "sqlalchemy.dialects.postgresql.asyncpg",
    "sqlalchemy.dialects.sqlite.aiosqlite",
    "uvicorn.lifespan.on",
    "uvicorn.loops.uvloop",
)
CHUNK_BYTES = 1 << 16


def serve_forks(requests: socket.socket) -> None:
    """Fork whenever that is asked for, until nobody can ask any more. Returns in the children alone."""
    running: dict[int, int] = {}
    """Where to write how each of the children ended."""
    woken, wake = socket.socketpair()
    wake.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
    selector = selectors.DefaultSelector()
    for each in (requests, woken):
        selector.register(each, selectors.EVENT_READ)
    while True:
        ready = [key.fileobj for key, _ in selector.select()]
        if woken in ready:
            woken.recv(CHUNK_BYTES)
            report_ended(running)
        if requests not in ready:
            continue
        asked, files, _, _ = socket.recv_fds(requests, CHUNK_BYTES, 4)
        if not asked:
            for child in running:
                os.kill(child, signal.SIGKILL)
            os._exit(0)
        while not asked.endswith(b"\n"):
            asked += requests.recv(CHUNK_BYTES)
        child = os.fork()
        if child == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for opened in (selector, requests, woken, wake):
                opened.close()
            for file in running.values():
                os.close(file)
            become_command(json.loads(asked), files)
            return
        *streams, running[child] = files
        for file in streams:
            os.close(file)
        requests.sendall(b"%d\n" % child)


def report_ended(running: dict[int, int]) -> None:
    """Tell of all children that have ended how they did."""
    while running:
        child, status = os.waitpid(-1, os.WNOHANG)
        if child == 0:
            return
        with open(running.pop(child), "w") as told:
            told.write(str(os.waitstatus_to_exitcode(status)))


def become_command(asked: dict[str, Any], files: list[int]) -> None:
    """Be to all appearances the process that was asked for."""
    for number, file in enumerate(files[:3]):
        os.dup2(file, number)
    for file in files:
        os.close(file)
    # Anew: a stream knows from its beginning whether it is a terminal, a file or a pipe.
    sys.stdin = os.fdopen(0, "r", closefd=False)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", 1, closefd=False, errors="backslashreplace")
    if asked["session"]:
        os.setsid()
    os.chdir(asked["cwd"])
    os.environ.clear()
    os.environ.update(asked["env"])
    sys.argv[1:] = asked["arguments"]
    sys.path[0] = asked["cwd"]


status = 1


def exit_at_once() -> None:
    """End at once: to take all that is loaded apart again, as Python does, takes longer than most commands."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(status)


if __name__ == "__main__":
    atexit.register(exit_at_once)  # before what others register, and so done after that
    for module in MODULES:
        importlib.import_module(module)
    gc.freeze()  # what is shared is not to be copied only because the collector looks at it
    serve_forks(socket.socket(fileno=int(sys.argv[1])))
    try:
        runpy.run_module("limina", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        status = int(end.code or 0)
