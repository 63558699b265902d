"""Let a helper process end with the server that started it."""

from __future__ import annotations

import os
import select
import sys
import threading


def end_with_reader() -> None:
    """End this process, whatever it is doing, when the other end of its standard output is closed.

    The server that reads it kills a helper that takes too long. A server that was itself killed cannot.
    """
    if not hasattr(select, "poll"):  # not on this system
        return
    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)  # reports the end of the other side, and nothing else

    def watch() -> None:
        poll.poll()
        os._exit(1)

    threading.Thread(target=watch, name="reader-watch", daemon=True).start()
