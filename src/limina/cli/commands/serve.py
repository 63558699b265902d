"""`limina serve`: run a server to play in the browser."""

from __future__ import annotations

import argparse
from typing import Any

from limina.cli.server_options import (
    add_hosted_bot_options,
    add_log_option,
    add_storage_options,
    hosted_bots,
    requires_server_extra,
    take_database_address,
)
from limina.errors import LiminaError


def add(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "serve",
        help="play in the browser",
        description="Start the server and print the address of its page.",
        epilog="example: limina serve --port 8080",
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
    parser.add_argument("--port", type=int, default=8000, help="port to listen on; 0 takes a free one (default 8000)")
    add_storage_options(parser, "folder of the database")
    add_hosted_bot_options(parser)
    parser.add_argument(
        "--max",
        action="append",
        default=[],
        metavar="NAME=NUMBER",
        help="change a limit for clients, such as matches_per_hour=100 (docs/hosting.md lists them); may be repeated",
    )
    parser.add_argument(
        "--proxy",
        nargs="?",
        const="127.0.0.1,::1",
        metavar="ADDRESSES",
        help="trust the X-Forwarded-For header of web servers at these addresses (alone: of one on this machine)",
    )
    parser.add_argument(
        "--origin",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="origin of the page, such as https://games.example.org; pages of other sites are refused; may be repeated",
    )
    add_log_option(parser)
    parser.add_argument(
        "--metrics",
        metavar="[HOST:]PORT",
        help="serve metrics for Prometheus at this address (default host: this machine only)",
    )
    parser.add_argument(
        "--processes", type=int, default=1, metavar="N", help="number of processes; several need PostgreSQL (default 1)"
    )
    parser.add_argument(
        "--shared", action="store_true", help="allow other servers with this option to use the same PostgreSQL"
    )
    parser.add_argument(
        "--no-jobs",
        action="store_true",
        help="leave bots, reviews and hints to `limina worker` processes on the same PostgreSQL",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve until a signal stops the server, and return the exit status."""
    if not 0 <= arguments.port <= 65535:
        raise LiminaError(f"--port must be from 0 to 65535, not {arguments.port}")
    if not 1 <= arguments.processes <= 64:
        raise LiminaError(f"--processes must be from 1 to 64, not {arguments.processes}")
    if arguments.no_jobs and not (arguments.shared or arguments.processes > 1):
        raise LiminaError("--no-jobs leaves jobs to job workers, which need PostgreSQL and --shared")
    from limina.server.settings import ClientLimits, MetricsAddress, ServerSettings, default_data_folder

    settings = ServerSettings(
        arguments.host,
        arguments.port,
        arguments.data or default_data_folder(),
        take_database_address(arguments),
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
    with requires_server_extra("the server"):
        from limina.server.supervisor import serve_all
    return serve_all(settings, lambda address: print(f"limina is ready: {address}", flush=True))
