"""Run PostgreSQL, two servers, a job worker and nginx on this machine until Ctrl-C: `make cluster PORT=8000`.

The data stay in build/cluster, so the next run has the same matches.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from support import ROOT
from support.database.postgres import Postgres, PostgresError
from support.network.nginx import NGINX, nginx
from support.processes.cli_commands import LIMINA
from support.requirements import REQUIREMENTS
from support.server.server_process import has_worker_command, is_listening, running_server

SERVER_COUNT = 2


def main() -> int:
    """Start the cluster, print its address, and wait for SIGINT or SIGTERM."""
    parser = argparse.ArgumentParser(prog="make cluster", description=__doc__)
    parser.add_argument("--port", type=int, default=8000, help="port of the page (8000)")
    parser.add_argument(
        "--folder", type=Path, default=ROOT / "build" / "cluster", help="folder of the data (build/cluster)"
    )
    arguments = parser.parse_args()
    if arguments.port and is_listening(arguments.port):
        print(f"cluster: port {arguments.port} is in use: choose another with PORT=", file=sys.stderr)
        return 1
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with ExitStack() as cleanup:
        try:
            address = start_cluster(arguments.folder.absolute(), arguments.port, cleanup)
            print(f"limina is ready: {address}/ (Ctrl-C ends it)", flush=True)
            signal.pause()
        except KeyboardInterrupt:
            print("cluster: stopping", flush=True)
        except PostgresError as error:
            print(f"cluster: {error}", file=sys.stderr)
            return 1
    return 0


def start_cluster(folder: Path, port: int, cleanup: ExitStack) -> str:
    """Start the processes, register their ends in `cleanup`, and return the address of the page."""
    folder.mkdir(parents=True, exist_ok=True)
    database = Postgres(folder / "pg", fsync=True)
    cleanup.callback(database.close)
    print(f"cluster: database {database.address}", flush=True)
    shared = ("--database", database.address, "--shared")
    # Without nginx, the first server listens on the port of the page.
    ports = ["0"] * SERVER_COUNT if NGINX is not None else [str(port), *["0"] * (SERVER_COUNT - 1)]
    servers = []
    for server_port in ports:
        arguments = (*shared, "--proxy") if NGINX is not None else shared
        server = cleanup.enter_context(running_server(folder, *arguments, port=server_port, program=LIMINA))
        servers.append(server.address)
        print(f"cluster: server {servers[-1]}", flush=True)
    if has_worker_command():
        cleanup.enter_context(job_worker("--database", database.address))
        print("cluster: job worker", flush=True)
    else:
        print("cluster: this limina has no `limina worker`: the servers run the jobs", flush=True)
    if NGINX is None:
        print(f"cluster: {REQUIREMENTS['nginx'].describe_missing()}; each server has its own address", flush=True)
        return servers[0]
    return cleanup.enter_context(nginx(folder / "nginx", servers, port))


@contextmanager
def job_worker(*arguments: str) -> Iterator[None]:
    """Run a job worker for the time of the context."""
    process = subprocess.Popen([*LIMINA, "worker", *arguments])
    try:
        yield
    finally:
        process.terminate()
        process.wait(20)


if __name__ == "__main__":
    sys.exit(main())
