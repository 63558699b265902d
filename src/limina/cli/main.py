"""`limina`: finds the command, and turns whatever goes wrong into one line and an exit status."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from limina import __version__
from limina._kernel import _isa
from limina.cli.commands import (
    analyze,
    arena,
    benchmark,
    db,
    deck,
    engine,
    legal,
    par,
    play,
    printing,
    replay,
    serve,
    show,
    train,
    verify,
    worker,
)
from limina.cli.progress import discard
from limina.cli.server_options import without_password
from limina.core.files import system_error_text
from limina.errors import LiminaError

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

COMMANDS = (
    play,
    serve,
    worker,
    db,
    replay,
    legal,
    show,
    deck,
    printing,
    verify,
    analyze,
    par,
    arena,
    benchmark,
    engine,
    train,
)


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, like every other error of the program."""

    def error(self, message: str) -> NoReturn:
        self.exit(1, f"limina: {without_password(message)} (see {self.prog} --help)\n")

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        # Printed like everything else: argparse's own way does not notice a full disk.
        print(self.format_help(), end="", file=file)


def parser() -> argparse.ArgumentParser:
    """All commands and their arguments."""
    top = _Parser(
        prog="limina",
        description="Two board games about borders: play, replay, show.",
        epilog="example: limina play",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="store_true", help="show program's version number and exit")
    top.add_argument("--verbose", action="store_true", help="with --version: which path of the kernel runs, too")
    commands = top.add_subparsers(metavar="COMMAND")
    for command in COMMANDS:
        command.add(commands)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status."""
    _open_streams()
    try:
        return _run(arguments)
    except LiminaError as error:
        return _fail(str(error))
    except BrokenPipeError:
        # Whoever read our output has seen enough.
        discard(sys.stdout)
        return 1
    except OSError as error:
        # What files do wrong is said where they are used; this is the output, on a full disk for one.
        discard(sys.stdout)
        return _fail(
            f"{error.filename or 'the output cannot be written'}: {system_error_text(error, 'it does not work')}"
        )
    except MemoryError:
        return _fail("there is not enough memory for this")
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130


def _run(arguments: Sequence[str] | None) -> int:
    try:
        top = parser()
        chosen = top.parse_args(arguments)
        if chosen.version:
            print(_version(chosen.verbose))
            return 0
        if not hasattr(chosen, "run"):
            top.error("the following arguments are required: COMMAND")
        return chosen.run(chosen) or 0
    finally:
        # Here, where something can still be said about it: also after a help text.
        sys.stdout.flush()


def _version(verbose: bool) -> str:
    if not verbose:
        return f"limina {__version__}"
    supported = ", ".join(_isa.supported_isas())
    return (
        f"limina {__version__}\n"
        f"kernel ISA {_isa.selected_isa()} (this machine runs {supported}; {_isa.ISA_VARIABLE} chooses)"
    )


def _fail(sentence: str) -> int:
    try:
        print(f"limina: {without_password(sentence)}", file=sys.stderr, flush=True)
    except OSError:  # nobody can be told, but the status tells
        discard(sys.stderr)
    return 1


def _open_streams() -> None:
    """Whatever the standard streams are, reading and printing is never to fail on a character."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by whoever started us
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  # as long as the program
        if hasattr(getattr(sys, name), "reconfigure"):
            getattr(sys, name).reconfigure(errors="backslashreplace")
