"""How far a long command has come, on standard error: one line that changes, or now and then a line in a log."""

from __future__ import annotations

import contextlib
import os
import sys
from time import monotonic
from types import TracebackType
from typing import TextIO

WIDTH = 30
LOG_SECONDS = 10.0


class ProgressBar:
    """A progress bar, used with `with`: whatever happens, the line it stood on is left clean."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._begun = self._said = monotonic()
        self._first: int | None = None
        self._live = sys.stderr.isatty()

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def clear(self) -> None:
        """Make room for a line of something else."""
        if self._live:
            self._say("\r\x1b[K")

    def show(self, done: int, of: int) -> None:
        """Show that so many are done."""
        now = monotonic()
        if self._first is None:
            self._first = done - 1  # what an earlier run had done took no time in this one
        if done < of and now - self._said < (0.1 if self._live else LOG_SECONDS):
            return
        self._said = now
        new = max(1, done - self._first)
        left = (now - self._begun) / new * (of - done)
        ready = f"{self._what} {done} of {of}"
        remaining = f", {_time(left)} left" if done < of else f", {_time(now - self._begun)}"
        if self._live:
            full = WIDTH * done // max(1, of)
            self._say(f"\r\x1b[K[{'#' * full}{'.' * (WIDTH - full)}] {ready}{remaining}")
        else:
            self._say(f"{ready}{remaining}\n")

    @staticmethod
    def _say(words: str) -> None:
        try:
            sys.stderr.write(words)
            sys.stderr.flush()
        except OSError:  # nobody can watch: what is found matters more
            discard(sys.stderr)


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def discard(stream: TextIO) -> None:
    """Let a stream that takes nothing any more lead nowhere: it would be flushed once more at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
