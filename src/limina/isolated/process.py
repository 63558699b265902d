"""Limits of a process that works on data from clients: its memory, and an end with its server."""

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
"""Memory that such a process may allocate: 2.5 times what the largest picture needs, 6 times the largest record."""
THREAD_STACK_BYTES = 8 * 1024 * 1024
"""Memory that is added for each thread: its whole stack counts, although it uses little of it."""
_EXIT_STATUS = 12
OUT_OF_MEMORY = (_EXIT_STATUS, -signal.SIGABRT)
"""Return codes of a process that ran out of memory: our own, and that of a library that aborts."""


def prepare_process(threads: int = 0) -> None:
    """Bound the memory of this process, which may start this many threads, and end it when the server ends."""
    _end_with_server()
    _limit_memory(1 + threads)  # one thread waits for the end of the server


def exit_out_of_memory() -> NoReturn:
    """End this process after a MemoryError. Caches of its libraries may fill the memory, so it is not used again."""
    os._exit(_EXIT_STATUS)


def _limit_memory(threads: int) -> None:
    """Make allocations fail when this process has allocated too much memory.

    RLIMIT_DATA counts writable memory. A limit of the address space (RLIMIT_AS) would have to grow with the number of
    cores, because malloc reserves 64 MB of addresses for every thread.
    """
    if resource is not None:
        size = MAX_MEMORY_BYTES + threads * THREAD_STACK_BYTES
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        size = size if hard == resource.RLIM_INFINITY else min(size, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (size, size))


def _end_with_server() -> None:
    """End this process at once when the other end of its standard output is closed.

    The server kills a program that takes too long, but a server that was itself killed cannot.
    """
    if not hasattr(select, "poll"):  # not on this system
        return
    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)  # reports only that the other end is closed

    def watch() -> None:
        poll.poll()
        os._exit(1)

    threading.Thread(target=watch, name="server-watch", daemon=True).start()
