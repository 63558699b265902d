"""The script that counts code lines counts code and nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from support import ROOT


def test_blank_lines_comments_and_docstrings_are_no_code(tmp_path: Path) -> None:
    source = '''
"""A module."""

# A comment.
from x import y  # with a comment


class A:
    """A class,

    described in several lines.
    """

    size = """not a
docstring"""
    """Of an attribute."""

    def f(self) -> None:
        "A function."
        return [
            1,
        ]
'''
    (tmp_path / "a.py").write_text(source)
    command = [sys.executable, str(ROOT / "tools" / "count_code_lines.py"), str(tmp_path)]
    assert subprocess.check_output(command, text=True).startswith("8 code lines in ")
