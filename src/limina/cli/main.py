"""`limina`: finds the command, and turns whatever goes wrong into one line and an exit status."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from limina import __version__
from limina.cli import analyze, arena, deck, engine, legal, par, play, replay, serve, show, train, verify
from limina.protocols import LiminaError

COMMANDS = (play, serve, replay, legal, show, deck, verify, analyze, par, arena, engine, train)


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, like every other error of the program."""

    def error(self, message: str) -> NoReturn:
        self.exit(1, f"limina: {message} (see {self.prog} --help)\n")


def parser() -> argparse.ArgumentParser:
    """All commands and their arguments."""
    top = _Parser(
        prog="limina",
        description="Two board games about borders: play, replay, show.",
        epilog="example: limina play",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"limina {__version__}")
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add(commands)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status."""
    for stream in (sys.stdout, sys.stderr):
        # Names in records may hold anything; printing them is never to fail.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    chosen = parser().parse_args(arguments)
    try:
        status: int = chosen.run(chosen) or 0
        sys.stdout.flush()
        return status
    except LiminaError as error:
        print(f"limina: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # Whoever read our output has seen enough. Nothing may be flushed into the closed pipe at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
