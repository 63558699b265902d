"""How far a long command has come, on standard error: one line that changes, or now and then a line in a log."""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType

WIDTH = 30
LOG_SECONDS = 10.0


class Bar:
    """A progress bar, used with `with`: whatever happens, the line it stood on is left clean."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._begun = self._said = monotonic()
        self._first: int | None = None
        self._live = sys.stderr.isatty()

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def clear(self) -> None:
        """Make room for a line of something else."""
        if self._live:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

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
            print(
                f"\r\x1b[K[{'#' * full}{'.' * (WIDTH - full)}] {ready}{remaining}", end="", file=sys.stderr, flush=True
            )
        else:
            print(ready + remaining, file=sys.stderr, flush=True)


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
