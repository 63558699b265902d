"""`limina worker`: run the jobs of servers that share a database."""

from __future__ import annotations

import argparse
import os
from typing import Any

from limina.cli.server_options import (
    add_database_option,
    add_hosted_bot_options,
    add_log_option,
    hosted_bots,
    requires_server_extra,
    take_database_address,
)
from limina.errors import LiminaError


def add(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "worker",
        help="run the jobs of servers that share a database",
        description="Run bots, reviews and hints for servers that share a PostgreSQL database, on any machine.",
        epilog="example: limina worker --database postgresql://user@host/name --bots 8",
    )
    add_database_option(parser, "the PostgreSQL database")
    parser.add_argument(
        "--bots",
        type=int,
        default=os.cpu_count() or 1,
        metavar="N",
        help="maximum number of bots that think at the same time (default: number of processors)",
    )
    parser.add_argument(
        "--reviews", type=int, default=2, metavar="N", help="maximum number of reviews at the same time (default 2)"
    )
    add_hosted_bot_options(parser)
    add_log_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run jobs until a signal stops the worker, and return the exit status."""
    if not 1 <= arguments.bots <= 256:
        raise LiminaError(f"--bots must be from 1 to 256, not {arguments.bots}")
    if not 1 <= arguments.reviews <= 256:
        raise LiminaError(f"--reviews must be from 1 to 256, not {arguments.reviews}")
    database = take_database_address(arguments)
    if database is None:
        raise LiminaError(
            "a job worker needs the PostgreSQL of its servers: name it with --database or LIMINA_DATABASE"
        )
    from limina.server.settings import ServerSettings

    bots = hosted_bots(arguments)
    settings = ServerSettings(
        database=database, bots=bots, bot_timeout_seconds=arguments.bot_timeout, log_format=arguments.log, shared=True
    )
    with requires_server_extra("limina worker"):
        from limina.server.worker_process import run_worker
    hosted = f" and the host's {', '.join(bot.name for bot in bots)}" if bots else ""
    text = f"limina worker is ready: up to {arguments.bots} bots{hosted} and {arguments.reviews} reviews at once"
    return run_worker(settings, arguments.bots, arguments.reviews, lambda: print(text, flush=True))
