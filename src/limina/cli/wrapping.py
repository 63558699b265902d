"""Wrap text to the width of the terminal."""

from __future__ import annotations

import re
import shutil
import textwrap
from itertools import groupby

_FALLBACK_WIDTH = 120
"""Width of output that does not go to a terminal."""
_MIN_WIDTH = 20
_TWO_COLUMNS = re.compile(r" +\S.*? {2,}(?=\S)")
"""The first column of an indented line with two columns, and the space after it."""


def terminal_width() -> int:
    """Return the number of columns of the terminal."""
    return max(_MIN_WIDTH, shutil.get_terminal_size((_FALLBACK_WIDTH, 24)).columns)


def wrap_text(text: str, width: int) -> str:
    r"""Return a text with lines of at most `width` characters. Words that are longer, such as paths, stay whole.

    Lines that follow each other form a paragraph, which is filled. Each indented line stays a line of its own, and its
    continuation is indented like its second column.

    >>> print(wrap_text("Play a card,\nthen a worker.\n\n  undo  take back your turn", 21))
    Play a card, then a
    worker.
    <BLANKLINE>
      undo  take back
            your turn
    """
    lines: list[str] = []
    for is_paragraph, block in groupby(text.split("\n"), lambda line: bool(line) and not line.startswith(" ")):
        for line in [" ".join(block)] if is_paragraph else list(block):
            lines += _wrap_line(line, width)
    return "\n".join(lines)


def _wrap_line(line: str, width: int) -> list[str]:
    columns = _TWO_COLUMNS.match(line)
    indent = columns.end() if columns else len(line) - len(line.lstrip())
    indent = indent if indent <= width // 2 else 2
    return textwrap.wrap(
        line, width, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False
    ) or [""]
