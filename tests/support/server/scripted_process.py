"""A process with scripted output, in place of the one that reviews a game."""

from __future__ import annotations

import sys


def printing_command(*lines: str, stays: bool = False) -> list[str]:
    """Return the command of a process that reads its input, prints these lines, and ends or (`stays`) sleeps."""
    code = f"import sys, time; sys.stdin.read(); print({chr(10).join(lines)!r}, flush=True)"
    return [sys.executable, "-c", code + ("; time.sleep(600)" if stays else "")]
