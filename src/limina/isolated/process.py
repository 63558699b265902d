"""Bounds of a process that works on data from a client: its memory, and the life of the server that started it."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from typing import NoReturn

try:
    import resource
except ImportError:  # this system has no such limits
    resource = None  # type: ignore[assignment]

MAX_MEMORY_BYTES = 256 * 1024 * 1024
"""Memory that such a process may allocate: 2.5 times what the largest picture takes, and 6 times the largest record."""
THREAD_STACK_BYTES = 8 * 1024 * 1024
"""Memory that each further thread may allocate: its whole stack counts, of which a thread uses little."""
_EXIT_STATUS = 12
OUT_OF_MEMORY = (_EXIT_STATUS, -signal.SIGABRT)
"""Return codes of a process that reached its bound: ours, and that of a library which aborts when it gets no memory."""


def prepare_process(threads: int = 0) -> None:
    """Bound the memory of this process, which may start so many threads, and end it when the server has ended."""
    _end_with_server()
    _bound_memory(1 + threads)  # one waits for the end of the server


def exit_out_of_memory() -> NoReturn:
    """End this process after a MemoryError. It is not asked again: what its libraries cache may be what it lacks."""
    os._exit(_EXIT_STATUS)


def _bound_memory(threads: int) -> None:
    """Let allocations fail in this process once it has too much memory.

    Memory that can be written counts (RLIMIT_DATA). A bound of the address space (RLIMIT_AS) would have to grow with
    the number of cores, because malloc reserves 64 MB of addresses for every thread.
    """
    if resource is not None:
        size = MAX_MEMORY_BYTES + threads * THREAD_STACK_BYTES
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        size = size if hard == resource.RLIM_INFINITY else min(size, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (size, size))


def _end_with_server() -> None:
    """End this process, whatever it is doing, when the other end of its standard output is closed.

    The server that reads it kills a program that takes too long. A server that was itself killed cannot.
    """
    if not hasattr(select, "poll"):  # not on this system
        return
    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)  # reports the end of the other side, and nothing else

    def watch() -> None:
        poll.poll()
        os._exit(1)

    threading.Thread(target=watch, name="server-watch", daemon=True).start()
