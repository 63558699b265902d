"""Count the code lines of Python files, without blank lines, comments and docstrings: count_code_lines.py FOLDER..."""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from pathlib import Path

_LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


def code_lines(source: str) -> int:
    r"""Return the number of lines with code. Strings that are statements count as docstrings.

    >>> code_lines('"A docstring."\n\n# A comment.\nx = [\n    1,  # one\n]\n"Of x."\n')
    3
    """
    docstrings: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            docstrings.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _LAYOUT:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - docstrings)


def main() -> None:
    """Print the total of each folder."""
    for folder in sys.argv[1:] or ["src/limina/server"]:
        total = sum(code_lines(path.read_text("utf-8")) for path in Path(folder).rglob("*.py"))
        print(f"{total:,} code lines in {folder}")


if __name__ == "__main__":
    main()
