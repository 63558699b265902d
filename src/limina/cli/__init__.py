"""The command line. The package `commands` has one module for each command."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from limina.errors import LiminaError

try:
    from limina.cli.main import main
except LiminaError as error:
    # The commands import the kernel, which raises this error if LIMINA_KERNEL_ISA names one that it cannot load.
    _import_error = str(error)

    def main(arguments: Sequence[str] | None = None) -> int:
        """Print why no command can run, and return the exit status."""
        print(f"limina: {_import_error}", file=sys.stderr)
        return 1


__all__ = ["main"]
