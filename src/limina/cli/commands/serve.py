"""`limina serve`: play in the browser."""

from __future__ import annotations

import argparse
from typing import Any

from limina.cli.server_options import add_bots, add_log, add_storage, database_address, hosted_bots, server_needed
from limina.errors import LiminaError


def add(commands: Any) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser(
        "serve",
        help="play in the browser",
        description="Start the server and print the address of its page.",
        epilog="example: limina serve --port 8080",
    )
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: this machine only)")
    parser.add_argument("--port", type=int, default=8000, help="the port to listen on; 0 takes a free one (8000)")
    add_storage(parser, "where to keep the games")
    add_bots(parser)
    parser.add_argument(
        "--max",
        action="append",
        default=[],
        metavar="NAME=NUMBER",
        help="change what one client may do, such as matches_per_hour=100 (docs/hosting.md has all); may be repeated",
    )
    parser.add_argument(
        "--proxy",
        nargs="?",
        const="127.0.0.1,::1",
        metavar="ADDRESSES",
        help="a web server there passes requests on: believe its X-Forwarded-For (alone: one on this machine)",
    )
    parser.add_argument(
        "--origin",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="where its pages are reached, such as https://games.example.org: no other site's pages may ask it for "
        "anything; may be repeated",
    )
    add_log(parser)
    parser.add_argument(
        "--metrics",
        metavar="[HOST:]PORT",
        help="offer figures for Prometheus there (default host: this machine only)",
    )
    parser.add_argument(
        "--processes", type=int, default=1, metavar="N", help="how many processes serve; several need a PostgreSQL (1)"
    )
    parser.add_argument(
        "--shared", action="store_true", help="other servers use the same PostgreSQL; all of them have to say so"
    )
    parser.add_argument(
        "--no-jobs",
        action="store_true",
        help="leave bots, reviews and hints to `limina worker` on the same PostgreSQL, there or on other machines",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve until told to stop."""
    if not 0 <= arguments.port <= 65535:
        raise LiminaError(f"a port is a number from 0 to 65535, not {arguments.port}")
    if not 1 <= arguments.processes <= 64:
        raise LiminaError(f"--processes must be a number from 1 to 64, not {arguments.processes}")
    if arguments.no_jobs and not (arguments.shared or arguments.processes > 1):
        raise LiminaError("--no-jobs leaves jobs to workers, which need a PostgreSQL that is --shared")
    from limina.server.settings import ClientLimits, MetricsAddress, ServerSettings, default_data_folder

    settings = ServerSettings(
        arguments.host,
        arguments.port,
        arguments.data or default_data_folder(),
        database_address(arguments),
        bots=hosted_bots(arguments),
        bot_timeout_seconds=arguments.bot_timeout,
        client_limits=ClientLimits.parse(arguments.max),
        trusted_proxies=arguments.proxy,
        processes=arguments.processes,
        shared=arguments.shared,
        runs_jobs=not arguments.no_jobs,
        origins=tuple(arguments.origin),
        log_format=arguments.log,
        metrics_address=MetricsAddress.parse(arguments.metrics) if arguments.metrics is not None else None,
    )
    with server_needed("the server"):
        from limina.server.supervisor import serve_all
    return serve_all(settings, lambda address: print(f"limina is ready: {address}", flush=True))
