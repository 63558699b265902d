"""Progress of a long command on standard error: a bar in a terminal, else a line every ten seconds."""

from __future__ import annotations

import contextlib
import os
import sys
from time import monotonic
from types import TracebackType
from typing import TextIO

BAR_WIDTH = 30
REDRAW_SECONDS = 0.1
"""Minimum interval between two updates of the bar."""
LOG_SECONDS = 10.0
"""Minimum interval between two lines if standard error is not a terminal."""


class ProgressBar:
    """A context manager that shows progress and removes the bar at the end."""

    def __init__(self, unit: str) -> None:
        self._unit = unit
        self._started_at = self._shown_at = monotonic()
        self._resumed_from: int | None = None
        self._is_terminal = sys.stderr.isatty()

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def clear(self) -> None:
        """Remove the bar before a line of output."""
        if self._is_terminal:
            self._write("\r\x1b[K")

    def show(self, done: int, total: int) -> None:
        """Show progress, unless it was shown a moment ago."""
        now = monotonic()
        if self._resumed_from is None:
            self._resumed_from = done - 1  # items of an earlier run do not count for the speed
        if done < total and now - self._shown_at < (REDRAW_SECONDS if self._is_terminal else LOG_SECONDS):
            return
        self._shown_at = now
        elapsed = now - self._started_at
        remaining = elapsed / max(1, done - self._resumed_from) * (total - done)
        time = f"{_format_time(remaining)} left" if done < total else _format_time(elapsed)
        text = f"{self._unit} {done} of {total}, {time}"
        if self._is_terminal:
            full = BAR_WIDTH * done // max(1, total)
            self._write(f"\r\x1b[K[{'#' * full}{'.' * (BAR_WIDTH - full)}] {text}")
        else:
            self._write(f"{text}\n")

    @staticmethod
    def _write(text: str) -> None:
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except OSError:  # progress cannot be shown: the command goes on
            redirect_to_null(sys.stderr)


def _format_time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def redirect_to_null(stream: TextIO) -> None:
    """Point a stream that cannot be written at /dev/null: Python flushes it once more at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
