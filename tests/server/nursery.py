"""Starts one server after the other from a process that has loaded everything already: `nursery.py DATA`.

For each line on standard input a child is forked that serves; it prints its address and its process id.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from limina.server.run import serve
from limina.server.settings import Settings


def main() -> None:
    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            serve(Settings(port=0, data=Path(sys.argv[1])), lambda address: print(address, os.getpid(), flush=True))
            os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()
