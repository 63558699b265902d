"""Options that the commands for hosts share: database, hosted bots and log."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from limina.errors import LiminaError

if TYPE_CHECKING:
    from limina.server.settings import HostedBot


_DATABASE_VARIABLE = "LIMINA_DATABASE"
_PASSWORD = re.compile(r"(?<=:/)(/*[^:/@\s]*:)[^@\s]+(?=@)|([?&]password=)[^&\s]+")
"""The password in a database address, and in two groups the text before it."""


def add_storage_options(parser: argparse.ArgumentParser, purpose: str) -> None:
    """Add the options for the data folder and the database. The help text begins with the purpose."""
    parser.add_argument("--data", type=Path, metavar="FOLDER", help=f"{purpose} (default: your data folder)")
    add_database_option(parser, "a PostgreSQL database instead")


def add_database_option(parser: argparse.ArgumentParser, purpose: str) -> None:
    """Add the option for the database. The help text begins with the purpose."""
    parser.add_argument(
        "--database",
        metavar="URL",
        help=f"{purpose}, such as postgresql://user@host/name (default: ${_DATABASE_VARIABLE})",
    )


def take_database_address(arguments: argparse.Namespace) -> str | None:
    """Return the database address from the arguments, else from the environment unless a folder is named."""
    # Removed from the environment: bots and other programs that the server starts must not see a password.
    address = os.environ.pop(_DATABASE_VARIABLE, "").strip() or None
    if arguments.database is None:
        return address if getattr(arguments, "data", None) is None else None
    if _PASSWORD.search(arguments.database):
        print(
            "limina: warning: every user of this machine can read a password in a command line: "
            f"set {_DATABASE_VARIABLE} to the address, or put the password into the file that PGPASSFILE names",
            file=sys.stderr,
            flush=True,
        )
    return str(arguments.database)


def mask_passwords(text: str) -> str:
    """Return a text with the passwords of database addresses masked.

    >>> mask_passwords("unrecognized arguments: postgresql://me:secret@host/name")
    'unrecognized arguments: postgresql://me:***@host/name'
    """
    return _PASSWORD.sub(r"\1\2***", text)


def add_log_option(parser: argparse.ArgumentParser) -> None:
    """Add the option for the format of the log."""
    parser.add_argument("--log", choices=("text", "json"), default="text", help="format of the log (default text)")


@contextmanager
def requires_server_extra(user: str) -> Iterator[None]:
    """Raise LiminaError if a module that is imported in this context is not installed.

    Check the arguments before, because the server takes a while to import.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise LiminaError(f"{user} needs {error.name}: install limina[server]") from None


def add_hosted_bot_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for hosted bots."""
    parser.add_argument(
        "--bot",
        action="append",
        default=[],
        metavar="NAME=BOT",
        help="offer a bot of your own: MODULE:NAME, FILE.py:NAME, program:COMMAND or an installed one; GAME/NAME=BOT "
        "for one game only; may be repeated, and $LIMINA_BOTS holds one a line",
    )
    parser.add_argument(
        "--bot-timeout", type=float, default=20.0, metavar="SECONDS", help="time for a turn of such a bot (default 20)"
    )


def hosted_bots(arguments: argparse.Namespace) -> tuple[HostedBot, ...]:
    """Return the bots that the arguments and the environment name."""
    if not 0 < arguments.bot_timeout <= 3600:
        raise LiminaError("--bot-timeout must be a number of seconds above 0, up to an hour")
    from limina.server.settings import HostedBot

    lines = [line for line in os.environ.get("LIMINA_BOTS", "").splitlines() if line.strip()]
    return tuple(HostedBot.parse(text) for text in (*lines, *arguments.bot))
