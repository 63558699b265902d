"""Format of the server's log: time, level, message and cause, as text or JSON, with a limit on repeated messages.

The log contains no turns, cards or seat tokens. Of an exception it has the type and the place in the code, but not the
message, which could reveal a game.
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
"""Equal messages that are logged in a window. The first one after it has the number of suppressed ones."""
_MAX_TRACKED_MESSAGES = 500


def configure_logging(log_format: LogFormat) -> None:
    """Send warnings and errors of all loggers to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if log_format == "json" else TextFormatter())
    handler.addFilter(RepeatFilter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)


def cause_of(error: BaseException) -> str:
    """Return the type of an exception and the place where it was raised.

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
    """Suppresses repeated messages, and counts them in the next one. Equal messages have the same format string."""

    def __init__(self) -> None:
        super().__init__()
        self._windows: OrderedDict[tuple[str, int, str], tuple[float, int]] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return True if the message may be logged, and set `record.suppressed`."""
        key, now = (record.name, record.levelno, _first_line(str(record.msg))), time.monotonic()
        window_start, count = self._windows.pop(key, (now, 0))
        suppressed = 0
        if now - window_start > REPEAT_WINDOW_SECONDS:
            suppressed, window_start, count = max(0, count - MAX_REPEATS), now, 0
        self._windows[key] = window_start, count + 1
        if len(self._windows) > _MAX_TRACKED_MESSAGES:
            self._windows.popitem(last=False)
        record.suppressed = suppressed
        return count < MAX_REPEATS


class TextFormatter(logging.Formatter):
    """Formats a message as one line of text."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the time, level, message and cause, and the number of suppressed repeats."""
        line = f"{_timestamp(record)} limina: {record.levelname.lower()}: {_message(record)}"
        if record.exc_info and record.exc_info[1] is not None:
            line += f": {cause_of(record.exc_info[1])}"
        suppressed = getattr(record, "suppressed", 0)
        return f"{line} ({suppressed} repeats suppressed)" if suppressed else line


class JsonFormatter(logging.Formatter):
    """Formats a message as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return an object with time, level, logger, message, cause, and the number of suppressed repeats."""
        line: dict[str, object] = {
            "time": _timestamp(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _message(record),
        }
        if record.exc_info and record.exc_info[1] is not None:
            line["cause"] = cause_of(record.exc_info[1])
        if suppressed := getattr(record, "suppressed", 0):
            line["suppressed"] = suppressed
        return json.dumps(line)


def _timestamp(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _first_line(text: str) -> str:
    return text.partition("\n")[0]


def _message(record: logging.LogRecord) -> str:
    message = record.getMessage()
    # asyncio adds a line for each object involved, with its content, which could reveal a game.
    return _first_line(message) if record.name == "asyncio" else " ".join(message.split())
