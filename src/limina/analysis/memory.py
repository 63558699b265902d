"""An upper bound on the memory of a process that works on data from a client."""

from __future__ import annotations

import os
import signal
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


def bound_memory(threads: int = 0) -> None:
    """Let allocations fail in this process, which may start so many threads, once it has too much memory.

    Memory that can be written counts (RLIMIT_DATA). A bound of the address space (RLIMIT_AS) would have to grow with
    the number of cores, because malloc reserves 64 MB of addresses for every thread.
    """
    if resource is not None:
        size = MAX_MEMORY_BYTES + threads * THREAD_STACK_BYTES
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        size = size if hard == resource.RLIM_INFINITY else min(size, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (size, size))


def exit_out_of_memory() -> NoReturn:
    """End this process after a MemoryError. It is not asked again: what its libraries cache may be what it lacks."""
    os._exit(_EXIT_STATUS)
