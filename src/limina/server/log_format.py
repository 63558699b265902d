"""The server's log: when, how bad, what and why; as text for people or as JSON for programs, and never a flood of it.

It says nothing of turns, cards or keys: of an exception only its kind and the place in the program, not its words.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from collections import OrderedDict
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

LogFormat = Literal["text", "json"]
REPEAT_WINDOW_SECONDS = 10.0
MAX_REPEATS = 5
"""How often the same may be said in so many seconds."""
_MAX_TRACKED_MESSAGES = 500


def configure_logging(form: LogFormat) -> None:
    """Write to the standard error output from now on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if form == "json" else TextFormatter())
    handler.addFilter(RepeatFilter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)


def cause_of(error: BaseException) -> str:
    """An exception by its kind and its place.

    >>> try: int("secret")
    ... except ValueError as error: cause_of(error).startswith("ValueError at ")
    True
    """
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return type(error).__name__
    return f"{type(error).__name__} at {Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"


class RepeatFilter(logging.Filter):
    """Lets the same through only so often, and says then how much of it there was."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: OrderedDict[tuple[str, int, str], tuple[float, int]] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to say it; what is the same is told by its pattern, not by what is put into it."""
        key, now = (record.name, record.levelno, _first_line(str(record.msg))), time.monotonic()
        since, count = self._seen.pop(key, (now, 0))
        held = 0
        if now - since > REPEAT_WINDOW_SECONDS:
            held, since, count = max(0, count - MAX_REPEATS), now, 0
        self._seen[key] = since, count + 1
        if len(self._seen) > _MAX_TRACKED_MESSAGES:
            self._seen.popitem(last=False)
        record.held = held
        return count < MAX_REPEATS


class TextFormatter(logging.Formatter):
    """A line for people."""

    def format(self, record: logging.LogRecord) -> str:
        """The time, the word for how bad it is, and what there is to say."""
        said = f"{_time(record)} limina: {record.levelname.lower()}: {_plain(record)}"
        held = getattr(record, "held", 0)
        return f"{said} ({held} more like it before)" if held else said


class JsonFormatter(logging.Formatter):
    """A line for programs."""

    def format(self, record: logging.LogRecord) -> str:
        """One object."""
        said: dict[str, object] = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _words(record),
        }
        if record.exc_info and record.exc_info[1] is not None:
            said["cause"] = cause_of(record.exc_info[1])
        if getattr(record, "held", 0):
            said["held"] = record.held  # type: ignore[attr-defined]  # set by the filter above
        return json.dumps(said)


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _first_line(said: str) -> str:
    return said.partition("\n")[0]


def _words(record: logging.LogRecord) -> str:
    # The event loop adds a line for each object that it is about, different each time and with whatever is in it.
    said = record.getMessage()
    return _first_line(said) if record.name == "asyncio" else " ".join(said.split())


def _plain(record: logging.LogRecord) -> str:
    said = _words(record)
    if record.exc_info and record.exc_info[1] is not None:
        said += f": {cause_of(record.exc_info[1])}"
    return said
