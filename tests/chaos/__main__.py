"""Kill servers, job workers and the database while simulated players play, and check that no turn is lost.

`make chaos KILLS=1000 RESTARTS=20 SEED=1`. The logs are in build/chaos.
"""

from __future__ import annotations

import argparse
import asyncio
import fcntl
import shutil
import signal
import sys
from math import inf

from chaos.fault_injection import CLIENT_LOGS, SERVERS, ChaosPlan, ChaosRun, Report
from support import ROOT
from support.database.postgres import PostgresError

_MAX_PRINTED_CONTRADICTIONS = 20


def main() -> int:
    """Run the chaos test; return 1 if it cannot run or finds a contradiction."""
    parser = argparse.ArgumentParser(prog="make chaos", description=__doc__)
    parser.add_argument("--kills", type=int, default=100, help="kills of servers and job workers (100)")
    parser.add_argument("--restarts", type=int, default=2, help="restarts of the database (2)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the faults and of the players (1)")
    parser.add_argument("--matches", type=int, default=24, help="matches that are played at the same time (24)")
    parser.add_argument("--seconds", type=float, default=inf, help="end the faults after this time (no limit)")
    arguments = parser.parse_args()
    folder = ROOT / "build" / "chaos"
    folder.parent.mkdir(exist_ok=True)
    lock = folder.with_suffix(".lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("chaos: another run uses build/chaos: wait until it ends", file=sys.stderr)
        return 1
    shutil.rmtree(folder, ignore_errors=True)
    plan = ChaosPlan(
        arguments.kills, arguments.restarts, arguments.seed, arguments.matches, max_seconds=arguments.seconds
    )
    try:
        report = asyncio.run(run(ChaosRun(plan, folder, lambda line: print(line, flush=True))))
    except PostgresError as error:
        print(f"chaos: {error}", file=sys.stderr)
        return 1
    print(*summary(report), sep="\n")
    if report.contradictions:
        print(f"\n{len(report.contradictions)} contradictions, see {folder / CLIENT_LOGS}:", file=sys.stderr)
        print(*report.contradictions[:_MAX_PRINTED_CONTRADICTIONS], sep="\n", file=sys.stderr)
        return 1
    print("no contradiction: nothing that a client received was lost, doubled, out of order or hidden from others;")
    print("every bot to move had one job, played once, and none waited for too long after the last fault")
    return 0


async def run(chaos: ChaosRun) -> Report:
    """Run; the first Ctrl-C ends the faults, the second or SIGTERM ends everything."""
    loop = asyncio.get_running_loop()
    task = asyncio.create_task(chaos.run())

    def stop_faults() -> None:
        chaos.stop_faults()
        loop.add_signal_handler(signal.SIGINT, task.cancel)

    loop.add_signal_handler(signal.SIGINT, stop_faults)
    loop.add_signal_handler(signal.SIGTERM, task.cancel)
    return await task


def summary(report: Report) -> list[str]:
    """Return the figures of a run, one line each."""
    figures = dict(sorted(report.figures.items()))
    first = f"{SERVERS} servers and {report.workers} workers, {report.seconds:.0f} s"
    if not report.workers:
        first += " (this limina has no `limina worker`: the servers run the jobs)"
    return ["", first, *(f"  {name}: {value:,}" for name, value in figures.items()), ""]


if __name__ == "__main__":
    sys.exit(main())
