"""In place of the process that reviews a game: one that says what it is told to."""

from __future__ import annotations

import sys


def printing_command(*lines: str, stays: bool = False) -> list[str]:
    """A worker that says these lines, and then ends or does nothing for long."""
    code = f"import sys, time; sys.stdin.read(); print({chr(10).join(lines)!r}, flush=True)"
    return [sys.executable, "-c", code + ("; time.sleep(600)" if stays else "")]
