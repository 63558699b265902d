"""What the commands of a host share: where its games are, its bots, its log, and the extra they need."""

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


_VARIABLE = "LIMINA_DATABASE"
_PASSWORD = re.compile(r"(?<=:/)(/*[^:/@\s]*:)[^@\s]+(?=@)|([?&]password=)[^&\s]+")
"""The password in the address of a database, and what stands before it."""


def add_storage(parser: argparse.ArgumentParser, words: str) -> None:
    """Add the arguments for where games are kept; the words say what for."""
    parser.add_argument("--data", type=Path, metavar="FOLDER", help=f"{words} (default: your data folder)")
    add_database(parser, "a PostgreSQL instead")


def add_database(parser: argparse.ArgumentParser, words: str) -> None:
    """Add the argument for the database; the words say which."""
    parser.add_argument(
        "--database", metavar="URL", help=f"{words}, such as postgresql://user@host/name (default: ${_VARIABLE})"
    )


def database_address(arguments: argparse.Namespace) -> str | None:
    """The address of the database: of the arguments, else of the environment, unless they name a folder."""
    # Taken out of the environment: bots and other programs that the server starts are not to know a password.
    named = os.environ.pop(_VARIABLE, "").strip() or None
    if arguments.database is None:
        return named if getattr(arguments, "data", None) is None else None
    if _PASSWORD.search(arguments.database):
        print(
            "limina: warning: every user of this machine can read a password at the command line: "
            f"set {_VARIABLE} to the address, or keep the password in the file that PGPASSFILE names",
            file=sys.stderr,
            flush=True,
        )
    return str(arguments.database)


def without_password(text: str) -> str:
    """A text for people, without the password of an address in it.

    >>> without_password("unrecognized arguments: postgresql://me:secret@host/name")
    'unrecognized arguments: postgresql://me:***@host/name'
    """
    return _PASSWORD.sub(r"\1\2***", text)


def add_log(parser: argparse.ArgumentParser) -> None:
    """Add the argument for the log."""
    parser.add_argument("--log", choices=("text", "json"), default="text", help="how the log is written (text)")


@contextmanager
def server_needed(by: str) -> Iterator[None]:
    """What is imported here may be missing, and then it is said who needs it.

    It also takes a while to load, which who has mistyped something need not wait for: so arguments are checked before.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise LiminaError(f"{by} needs {error.name}: install limina[server]") from None


def add_bots(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for bots of the host."""
    parser.add_argument(
        "--bot",
        action="append",
        default=[],
        metavar="NAME=BOT",
        help="offer a bot beside ours: MODULE:NAME, FILE.py:NAME, program:COMMAND or an installed one; GAME/NAME=BOT "
        "for one game only; may be repeated, and $LIMINA_BOTS holds one a line",
    )
    parser.add_argument(
        "--bot-timeout", type=float, default=20.0, metavar="SECONDS", help="what such a bot may take for a turn (20)"
    )


def hosted_bots(arguments: argparse.Namespace) -> tuple[HostedBot, ...]:
    """The bots that these arguments and the environment name."""
    if not 0 < arguments.bot_timeout <= 3600:
        raise LiminaError("--bot-timeout must be a number of seconds up to an hour")
    from limina.server.settings import HostedBot

    named = [line for line in os.environ.get("LIMINA_BOTS", "").splitlines() if line.strip()]
    return tuple(HostedBot.parse(each) for each in (*named, *arguments.bot))
