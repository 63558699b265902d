"""Choice between colored and plain output."""

from __future__ import annotations

import os
import sys


def use_color(*, disabled: bool = False) -> bool:
    """Return True if standard output is a terminal with colors, unless they are disabled (https://no-color.org)."""
    if disabled or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty() or bool(os.environ.get("FORCE_COLOR"))
