"""`limina worker`: do the jobs of servers that share a database."""

from __future__ import annotations

import argparse
import os
from typing import Any

from limina.cli.server_options import add_bots, add_database, add_log, database_address, hosted_bots, server_needed
from limina.errors import LiminaError


def add(commands: Any) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser(
        "worker",
        help="do the jobs of servers that share a database",
        description="Let bots think and review games for servers that share a PostgreSQL, on any machine.",
        epilog="example: limina worker --database postgresql://user@host/name --bots 8",
    )
    add_database(parser, "the PostgreSQL")
    parser.add_argument(
        "--bots",
        type=int,
        default=os.cpu_count() or 1,
        metavar="N",
        help="how many bots may think at once (as many as there are processors)",
    )
    parser.add_argument(
        "--reviews", type=int, default=2, metavar="N", help="how many games may be reviewed at once (2)"
    )
    add_bots(parser)
    add_log(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Work until told to stop."""
    if not 1 <= arguments.bots <= 256:
        raise LiminaError(f"--bots must be a number from 1 to 256, not {arguments.bots}")
    if not 1 <= arguments.reviews <= 256:
        raise LiminaError(f"--reviews must be a number from 1 to 256, not {arguments.reviews}")
    database = database_address(arguments)
    if database is None:
        raise LiminaError(
            "a job worker needs the PostgreSQL of its servers: name it with --database or LIMINA_DATABASE"
        )
    from limina.server.settings import ServerSettings

    bots = hosted_bots(arguments)
    settings = ServerSettings(
        database=database, bots=bots, bot_timeout_seconds=arguments.bot_timeout, log_format=arguments.log, shared=True
    )
    with server_needed("a worker"):
        from limina.server.worker_process import run_worker
    added = f" and the host's {', '.join(bot.name for bot in bots)}" if bots else ""
    said = f"limina worker is ready: up to {arguments.bots} bots{added} and {arguments.reviews} reviews at once"
    return run_worker(settings, arguments.bots, arguments.reviews, lambda: print(said, flush=True))
