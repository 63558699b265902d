"""A process that has imported everything `limina` may need and forks a child for each command.

`python -m support.processes.fork_server SOCKET`; `support.processes.cli_commands` starts it and sends the requests.
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

# Imported only, because a thread or an event loop would not survive in the children.
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
    "limina.server.supervisor",
    "limina.server.worker_process",
    "sqlalchemy.dialects.postgresql.asyncpg",
    "sqlalchemy.dialects.sqlite.aiosqlite",
    "uvicorn.lifespan.on",
    "uvicorn.loops.uvloop",
)
CHUNK_BYTES = 1 << 16


def serve_forks(requests: socket.socket) -> None:
    """Fork a child for each request until the socket is closed. Return only in the children."""
    running: dict[int, int] = {}
    """The file descriptor for the exit status of each running child, by process id."""
    woken, wake = socket.socketpair()
    wake.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
    selector = selectors.DefaultSelector()
    for source in (requests, woken):
        selector.register(source, selectors.EVENT_READ)
    while True:
        ready = [key.fileobj for key, _ in selector.select()]
        if woken in ready:
            woken.recv(CHUNK_BYTES)
            report_ended(running)
        if requests not in ready:
            continue
        request, files, _, _ = socket.recv_fds(requests, CHUNK_BYTES, 4)
        if not request:
            for child in running:
                os.kill(child, signal.SIGKILL)
            os._exit(0)
        while not request.endswith(b"\n"):
            request += requests.recv(CHUNK_BYTES)
        child = os.fork()
        if child == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for opened in (selector, requests, woken, wake):
                opened.close()
            for file in running.values():
                os.close(file)
            become_command(json.loads(request), files)
            return
        *streams, running[child] = files
        for file in streams:
            os.close(file)
        requests.sendall(b"%d\n" % child)


def report_ended(running: dict[int, int]) -> None:
    """Reap the children that have ended and write their exit statuses."""
    while running:
        child, status = os.waitpid(-1, os.WNOHANG)
        if child == 0:
            return
        with open(running.pop(child), "w") as status_file:
            status_file.write(str(os.waitstatus_to_exitcode(status)))


def become_command(request: dict[str, Any], files: list[int]) -> None:
    """Give this child the streams, folder, environment and arguments of the request."""
    for number, file in enumerate(files[:3]):
        os.dup2(file, number)
    for file in files:
        os.close(file)
    # New stream objects, because buffering depends on the kind of file: terminal, file or pipe.
    sys.stdin = os.fdopen(0, "r", closefd=False)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", 1, closefd=False, errors="backslashreplace")
    if request["session"]:
        os.setsid()
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    sys.argv[1:] = request["arguments"]
    sys.path[0] = request["cwd"]


status = 1


def exit_at_once() -> None:
    """Exit without the teardown of the interpreter, which takes longer than most commands."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(status)


if __name__ == "__main__":
    atexit.register(exit_at_once)  # registered first, so it runs last
    for module in MODULES:
        importlib.import_module(module)
    gc.freeze()  # so that the garbage collector does not copy shared memory pages
    serve_forks(socket.socket(fileno=int(sys.argv[1])))
    try:
        runpy.run_module("limina", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        status = int(end.code or 0)
