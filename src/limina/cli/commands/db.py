"""`limina db`: maintain the database of a server."""

from __future__ import annotations

import argparse
import asyncio
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from limina.cli.progress import ProgressBar
from limina.cli.record_files import display_name
from limina.cli.server_options import add_storage_options, requires_server_extra, take_database_address
from limina.errors import LiminaError

if TYPE_CHECKING:
    from limina.server.settings import ServerSettings

_MAX_DAYS = 36_500
_MILLISECONDS_PER_DAY = 24 * 60 * 60 * 1000


def add(commands: Any) -> None:
    """Add the command and its subcommands."""
    parser = commands.add_parser(
        "db",
        help="maintain the database of a server",
        description="Maintain the database of a server: an SQLite file or PostgreSQL. Servers may run meanwhile.",
        epilog="example: limina db check --data /srv/limina",
    )
    subcommands = parser.add_subparsers(metavar="COMMAND", required=True)
    storage_options = argparse.ArgumentParser(add_help=False)
    add_storage_options(storage_options, "folder of the database")

    def add_command(name: str, run: Any, help_text: str, example: str) -> argparse.ArgumentParser:
        subparser: argparse.ArgumentParser = subcommands.add_parser(
            name, parents=[storage_options], help=help_text, epilog=f"example: limina db {name} {example}".rstrip()
        )
        subparser.set_defaults(run=run)
        return subparser

    add_command("migrate", _migrate, "migrate the tables to this version, as a server does when it starts", "")
    add_command("check", _check, "replay every match and compare it with what is stored", "--data /srv/limina")
    saved = add_command("backup", _backup, "copy the database into a file", "monday.backup")
    saved.add_argument("file", type=Path, metavar="FILE", help="the new file to write")
    restored = add_command("restore", _restore, "restore a backup into an empty database", "monday.backup")
    restored.add_argument("file", type=Path, metavar="FILE", help="a file from `limina db backup`")
    pruned = add_command(
        "prune", _prune, "delete old matches and decks", "--abandoned 30 --finished 365 --decks 365 --dry-run"
    )
    pruned.add_argument(
        "--abandoned", type=int, metavar="DAYS", help="delete unfinished matches without events for DAYS"
    )
    pruned.add_argument("--finished", type=int, metavar="DAYS", help="delete matches that ended at least DAYS ago")
    pruned.add_argument("--decks", type=int, metavar="DAYS", help="delete shared decks that were not used for DAYS")
    pruned.add_argument("--dry-run", action="store_true", help="only count them")


def _settings(arguments: argparse.Namespace) -> ServerSettings:
    from limina.server.settings import ServerSettings, default_data_folder

    with requires_server_extra("limina db"):
        import limina.server.storage  # noqa: F401  # fails if the extra is not installed
    return ServerSettings(data=arguments.data or default_data_folder(), database=take_database_address(arguments))


def _migrate(arguments: argparse.Namespace) -> None:
    settings = _settings(arguments)
    from limina.server.storage import maintenance, url_of

    before, after = asyncio.run(maintenance.migrate(url_of(settings)))
    if before == after:
        print(f"the tables are up to date: revision {after}")
    else:
        print(f"the tables were {f'migrated from revision {before}' if before else 'created'}: revision {after}")


def _check(arguments: argparse.Namespace) -> int:
    settings = _settings(arguments)
    from limina.server.matches.checking import check

    with ProgressBar("checked") as bar:

        def print_damage(line: str) -> None:
            bar.clear()
            print(line, flush=True)

        done = asyncio.run(check(settings, print_damage, bar.show))
    text = f"{_count_text(done.matches, 'match')} with {_count_text(done.events, 'event')}"
    text += "".join(f", {_count_text(count, table.removesuffix('s'))}" for table, count in done.rows.items())
    print(f"{text}: {f'{done.damaged:,} damaged' if done.damaged else 'no damage'}")
    return 1 if done.damaged else 0


def _backup(arguments: argparse.Namespace) -> None:
    settings = _settings(arguments)
    from limina.server.storage import url_of
    from limina.server.storage.backup import backup

    asyncio.run(backup(url_of(settings), arguments.file))
    size = arguments.file.stat().st_size / 1_000_000
    name = display_name(str(arguments.file))
    print(f"{name}: {size:,.1f} MB; keep it secret: it contains the hidden information of games")


def _restore(arguments: argparse.Namespace) -> None:
    settings = _settings(arguments)
    from limina.server.storage import url_of
    from limina.server.storage.backup import restore

    settings.create_data_folder()
    rows = asyncio.run(restore(url_of(settings), arguments.file))
    matches, events = _count_text(rows["matches"], "match"), _count_text(rows["events"], "event")
    print(f"restored {matches} with {events}: run `limina db check` to check them")


def _prune(arguments: argparse.Namespace) -> None:
    rules = {"--abandoned": arguments.abandoned, "--finished": arguments.finished, "--decks": arguments.decks}
    if all(days is None for days in rules.values()):
        raise LiminaError("choose what to delete with --abandoned DAYS, --finished DAYS or --decks DAYS")
    for name, days in rules.items():
        if days is not None and not 1 <= days <= _MAX_DAYS:
            raise LiminaError(f"{name} must be a number of days from 1 to {_MAX_DAYS}, not {days}")
    settings = _settings(arguments)
    from limina.server.storage import maintenance, url_of

    now = time.time_ns() // 1_000_000
    before = [None if days is None else now - days * _MILLISECONDS_PER_DAY for days in rules.values()]
    *matches, decks = before
    pruned, skipped = [], ""
    if any(time_limit is not None for time_limit in matches):
        done = asyncio.run(maintenance.prune(url_of(settings), *matches, dry_run=arguments.dry_run))
        pruned += [f"{done.abandoned:,} abandoned", f"{done.finished:,} finished"]
        skipped = f"; {_count_text(done.changed, 'match')} not deleted because of new events" if done.changed else ""
    if decks is not None:
        deck_count = asyncio.run(maintenance.prune_decks(url_of(settings), decks, dry_run=arguments.dry_run))
        pruned.append(_count_text(deck_count, "deck"))
    print(f"{'would be deleted' if arguments.dry_run else 'deleted'}: {', '.join(pruned)}{skipped}")


def _count_text(count: int, noun: str) -> str:
    """Return a number with a noun in the right form.

    >>> _count_text(1, "match"), _count_text(2000, "match"), _count_text(0, "event")
    ('1 match', '2,000 matches', '0 events')
    """
    ending = "" if count == 1 else "es" if noun.endswith("ch") else "s"
    return f"{count:,} {noun}{ending}"
