"""`limina`: parses the command line, runs the command, and turns errors into one line and an exit status."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

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
from limina.cli.progress import redirect_to_null
from limina.cli.server_options import mask_passwords
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
    """Argument parser whose errors are one line, like all other errors of the program. Options are not abbreviated."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, **options)

    def error(self, message: str) -> NoReturn:
        self.exit(1, f"limina: {mask_passwords(message)} (see {self.prog} --help)\n")

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        # argparse would ignore a write error, such as a full disk.
        print(self.format_help(), end="", file=file)


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands and their arguments."""
    top = _Parser(
        prog="limina",
        description="Two board games about borders: play, replay, show.",
        epilog="example: limina play",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="store_true", help="print the version and exit")
    top.add_argument("--verbose", action="store_true", help="with --version: print the ISA of the kernel too")
    commands = top.add_subparsers(metavar="COMMAND")
    for command in COMMANDS:
        command.add(commands)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    _prepare_streams()
    try:
        return _run(arguments)
    except LiminaError as error:
        return _print_error(str(error))
    except BrokenPipeError:
        # The reader of the output has closed the pipe, for example `head`.
        redirect_to_null(sys.stdout)
        return 1
    except OSError as error:
        # Errors of input files are LiminaErrors. This is an error of the output, for example a full disk, or of the
        # standard input.
        redirect_to_null(sys.stdout)
        return _print_error(
            f"{error.filename or 'the output cannot be written'}: {system_error_text(error, 'unknown reason')}"
        )
    except MemoryError:
        return _print_error("there is not enough memory for this: please try something smaller")
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130


def _run(arguments: Sequence[str] | None) -> int:
    try:
        top = build_parser()
        parsed = top.parse_args(arguments)
        if parsed.version:
            print(_version(parsed.verbose))
            return 0
        if not hasattr(parsed, "run"):
            top.error("the following arguments are required: COMMAND")
        return parsed.run(parsed) or 0
    finally:
        # Flush here, where a write error is still reported, also after a help text.
        sys.stdout.flush()


def _version(verbose: bool) -> str:
    if not verbose:
        return f"limina {__version__}"
    supported = ", ".join(_isa.supported_isas())
    return (
        f"limina {__version__}\n"
        f"kernel ISA {_isa.selected_isa()} (this machine supports {supported}; {_isa.ISA_VARIABLE} chooses)"
    )


def _print_error(message: str) -> int:
    try:
        print(f"limina: {mask_passwords(message)}", file=sys.stderr, flush=True)
    except OSError:  # the exit status is the only report left
        redirect_to_null(sys.stderr)
    return 1


def _prepare_streams() -> None:
    """Replace standard streams that are closed, and escape characters that a stream cannot encode."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the parent process
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  # open until the process ends
        if hasattr(getattr(sys, name), "reconfigure"):
            getattr(sys, name).reconfigure(errors="backslashreplace")
