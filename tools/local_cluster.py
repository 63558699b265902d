"""`make cluster`: a database, two servers, a worker and nginx on this machine, until Ctrl-C.

Everything lies in build/cluster, or the folder that is named, and the games are still there the next time.
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
    """Start everything, print the address, and wait until told to stop."""
    parser = argparse.ArgumentParser(prog="make cluster", description=__doc__)
    parser.add_argument("--port", type=int, default=8000, help="where the page is (8000)")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "cluster", help="where everything is kept")
    arguments = parser.parse_args()
    if arguments.port and is_listening(arguments.port):
        print(f"cluster: port {arguments.port} is taken: choose another with PORT=", file=sys.stderr)
        return 1
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with ExitStack() as started:
        try:
            address = start_cluster(arguments.folder.absolute(), arguments.port, started)
            print(f"limina is ready: {address}/ (Ctrl-C ends it)", flush=True)
            signal.pause()
        except KeyboardInterrupt:
            print("cluster: stopping", flush=True)
        except PostgresError as error:
            print(f"cluster: {error}", file=sys.stderr)
            return 1
    return 0


def start_cluster(folder: Path, port: int, started: ExitStack) -> str:
    """Start everything; the address."""
    folder.mkdir(parents=True, exist_ok=True)
    database = Postgres(folder / "pg", fsync=True)
    started.callback(database.close)
    print(f"cluster: database {database.address}", flush=True)
    shared = ("--database", database.address, "--shared")
    # Behind nginx any port will do; without it, the first server is the page's address.
    ports = ["0"] * SERVER_COUNT if NGINX is not None else [str(port), *["0"] * (SERVER_COUNT - 1)]
    servers = []
    for each in ports:
        arguments = (*shared, "--proxy") if NGINX is not None else shared
        servers.append(started.enter_context(running_server(folder, *arguments, port=each, program=LIMINA)).address)
        print(f"cluster: server {servers[-1]}", flush=True)
    if has_worker_command():
        started.enter_context(job_worker("--database", database.address))
        print("cluster: worker", flush=True)
    else:
        print("cluster: this limina has no `limina worker`: the servers do the work of workers themselves", flush=True)
    if NGINX is None:
        print(f"cluster: {REQUIREMENTS['nginx'].describe_missing()}; each server answers for itself", flush=True)
        return servers[0]
    return started.enter_context(nginx(folder / "nginx", servers, port))


@contextmanager
def job_worker(*arguments: str) -> Iterator[None]:
    """A process that serves nobody and does what is to be done."""
    process = subprocess.Popen([*LIMINA, "worker", *arguments])
    try:
        yield
    finally:
        process.terminate()
        process.wait(20)


if __name__ == "__main__":
    sys.exit(main())
