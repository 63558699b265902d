"""Whether to print in color."""

from __future__ import annotations

import os
import sys


def wants_color(refused: bool = False) -> bool:
    """Color goes to a terminal that can show it, unless somebody does not want it (https://no-color.org)."""
    if refused or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty() or bool(os.environ.get("FORCE_COLOR"))
