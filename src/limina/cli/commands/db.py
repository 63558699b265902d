"""`limina db`: what a host does with the games of a server."""

from __future__ import annotations

import argparse
import asyncio
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from limina.cli.progress import ProgressBar
from limina.cli.record_files import display_name
from limina.cli.server_options import add_storage, database_address, server_needed
from limina.errors import LiminaError

if TYPE_CHECKING:
    from limina.server.settings import ServerSettings

_MOST_DAYS = 36_500
_MILLISECONDS = 24 * 60 * 60 * 1000
"""Of a day."""


def add(commands: Any) -> None:
    """Add the commands' arguments."""
    parser = commands.add_parser(
        "db",
        help="look after the games of a server",
        description="Look after the games of a server: a file, or a PostgreSQL. A server may run meanwhile.",
        epilog="example: limina db check --data /srv/limina",
    )
    parts = parser.add_subparsers(metavar="COMMAND", required=True)
    where = argparse.ArgumentParser(add_help=False)
    add_storage(where, "where the games are")

    def command(name: str, run: Any, words: str, example: str) -> argparse.ArgumentParser:
        made: argparse.ArgumentParser = parts.add_parser(
            name, parents=[where], help=words, epilog=f"example: limina db {name} {example}".rstrip()
        )
        made.set_defaults(run=run)
        return made

    command("migrate", _migrate, "bring the tables up to date, as a server does when it starts", "")
    command("check", _check, "replay every match and compare it with what is stored", "--data /srv/limina")
    saved = command("backup", _backup, "copy everything into a file, while the server runs", "monday.backup")
    saved.add_argument("file", type=Path, metavar="FILE", help="the file to write; it must not be there yet")
    back = command("restore", _restore, "put a backup into an empty database, of either kind", "monday.backup")
    back.add_argument("file", type=Path, metavar="FILE", help="what `limina db backup` wrote")
    old = command("prune", _prune, "remove what is old", "--abandoned 30 --finished 365 --decks 365 --dry-run")
    old.add_argument(
        "--abandoned", type=int, metavar="DAYS", help="those that are not over, and nothing happened for so long"
    )
    old.add_argument("--finished", type=int, metavar="DAYS", help="those that have been over for so long")
    old.add_argument("--decks", type=int, metavar="DAYS", help="shared decks that nobody has used for so long")
    old.add_argument("--dry-run", action="store_true", help="only say how many they are")


def _settings(arguments: argparse.Namespace) -> ServerSettings:
    from limina.server.settings import ServerSettings, default_data_folder

    with server_needed("this"):
        import limina.server.storage  # noqa: F401  # only to see whether it is there
    return ServerSettings(data=arguments.data or default_data_folder(), database=database_address(arguments))


def _migrate(arguments: argparse.Namespace) -> None:
    settings = _settings(arguments)
    from limina.server.storage import maintenance, url_of

    before, after = asyncio.run(maintenance.migrate(url_of(settings)))
    if before == after:
        print(f"the tables are up to date: revision {after}")
    else:
        print(f"the tables were brought from {f'revision {before}' if before else 'nothing'} to revision {after}")


def _check(arguments: argparse.Namespace) -> int:
    settings = _settings(arguments)
    from limina.server.matches.checking import check

    with ProgressBar("checked") as bar:

        def found(line: str) -> None:
            bar.clear()
            print(line, flush=True)

        done = asyncio.run(check(settings, found, bar.show))
    looked = f"{_many(done.matches, 'match')} with {_many(done.events, 'event')}"
    looked += "".join(f", {_many(count, table.removesuffix('s'))}" for table, count in done.rows.items())
    print(f"{looked}: {'all are sound' if not done.damaged else f'{done.damaged:,} damaged'}")
    return 1 if done.damaged else 0


def _backup(arguments: argparse.Namespace) -> None:
    settings = _settings(arguments)
    from limina.server.storage import url_of
    from limina.server.storage.backup import backup

    asyncio.run(backup(url_of(settings), arguments.file))
    size = arguments.file.stat().st_size / 1_000_000
    name = display_name(str(arguments.file))
    print(f"{name}: {size:,.1f} MB, for nobody else to read: it holds what is hidden in games")


def _restore(arguments: argparse.Namespace) -> None:
    settings = _settings(arguments)
    from limina.server.storage import url_of
    from limina.server.storage.backup import restore

    settings.create_data_folder()
    rows = asyncio.run(restore(url_of(settings), arguments.file))
    print(f"restored {_many(rows['matches'], 'match')} with {_many(rows['events'], 'event')}: see limina db check")


def _prune(arguments: argparse.Namespace) -> None:
    rules = {"--abandoned": arguments.abandoned, "--finished": arguments.finished, "--decks": arguments.decks}
    if all(days is None for days in rules.values()):
        raise LiminaError("say what is to go: --abandoned DAYS, --finished DAYS or --decks DAYS, or several of them")
    for name, days in rules.items():
        if days is not None and not 1 <= days <= _MOST_DAYS:
            raise LiminaError(f"{name} must be a number of days from 1 to {_MOST_DAYS}, not {days}")
    settings = _settings(arguments)
    from limina.server.storage import maintenance, url_of

    now = time.time_ns() // 1_000_000
    since = [None if days is None else now - days * _MILLISECONDS for days in rules.values()]
    *matches, decks = since
    gone, stayed = [], ""
    if any(each is not None for each in matches):
        done = asyncio.run(maintenance.prune(url_of(settings), *matches, dry=arguments.dry_run))
        gone += [f"{done.abandoned:,} abandoned", f"{done.finished:,} finished"]
        stayed = f"; {_many(done.kept, 'match')} went on meanwhile, and stayed" if done.kept else ""
    if decks is not None:
        gone.append(_many(asyncio.run(maintenance.prune_decks(url_of(settings), decks, dry=arguments.dry_run)), "deck"))
    print(f"{'would go' if arguments.dry_run else 'removed'}: {', '.join(gone)}{stayed}")


def _many(count: int, what: str) -> str:
    """A number of things.

    >>> _many(1, "match"), _many(2000, "match"), _many(0, "event")
    ('1 match', '2,000 matches', '0 events')
    """
    ending = "" if count == 1 else "es" if what.endswith("ch") else "s"
    return f"{count:,} {what}{ending}"
