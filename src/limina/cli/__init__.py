"""The command line: arguments and printing, no logic. One file for each command."""

from limina.cli.main import main

__all__ = ["main"]
