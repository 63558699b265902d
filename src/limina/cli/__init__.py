"""The command line: arguments and printing, no logic. One file for each command."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from limina.errors import LiminaError

try:
    from limina.cli.main import main
except LiminaError as error:
    # The commands know the kernel, and LIMINA_KERNEL_ISA may name one that it cannot load.
    _wrong = str(error)

    def main(arguments: Sequence[str] | None = None) -> int:
        """Say why no command can run; the exit status."""
        print(f"limina: {_wrong}", file=sys.stderr)
        return 1


__all__ = ["main"]
