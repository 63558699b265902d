"""The learned values: what a display will be worth at the end. They ship with the package; see `values.json`."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

from limina._kernel import limes as kernel
from limina.protocols import UnreadableError

FILE = "values.bin"


def read_values(path: str | Path) -> kernel.Values:
    """Values from a file that `limina train` has written."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise UnreadableError(f"{path}: {(error.strerror or 'it cannot be read').lower()}") from None
    return parse_values(content, str(path))


def parse_values(content: bytes, name: str) -> kernel.Values:
    """Values from a file's content; whatever is wrong with it is said in one sentence.

    >>> parse_values(b"nonsense", "mine.bin")
    Traceback (most recent call last):
    limina.protocols.UnreadableError: mine.bin: it does not hold values of this version
    """
    try:
        return kernel.Values.read(content)
    except ValueError as error:
        raise UnreadableError(f"{name}: {error}") from None


@cache
def shipped() -> kernel.Values:
    """The values that ship with the package."""
    try:
        content = (files("limina.limes") / FILE).read_bytes()
    except OSError:
        raise UnreadableError("the values of Limes are not installed: install limina again") from None
    return parse_values(content, FILE)
