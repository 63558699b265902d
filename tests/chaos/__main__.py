"""`make chaos KILLS=1000 RESTARTS=20 SEED=1`: a storm of any length, and whether anything was lost in it."""

from __future__ import annotations

import argparse
import asyncio
import fcntl
import shutil
import signal
import sys
from math import inf

from chaos.fault_injection import SERVERS, Plan, Report, Storm
from support import ROOT
from support.database.postgres import PostgresError

_MOST_SAID = 20


def main() -> int:
    """Run a storm; 1 if it left a contradiction."""
    parser = argparse.ArgumentParser(prog="make chaos", description=__doc__)
    parser.add_argument("--kills", type=int, default=100, help="how often any process is killed (100)")
    parser.add_argument("--restarts", type=int, default=2, help="how often the database is stopped and started (2)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed plans the same storm (1)")
    parser.add_argument("--tables", type=int, default=24, help="how many matches are played at once (24)")
    parser.add_argument("--seconds", type=float, default=inf, help="the storm ends after so many, too")
    chosen = parser.parse_args()
    folder = ROOT / "build" / "chaos"
    folder.parent.mkdir(exist_ok=True)
    lock = folder.with_suffix(".lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("chaos: another storm is raging here: wait until it is over", file=sys.stderr)
        return 1
    shutil.rmtree(folder, ignore_errors=True)
    plan = Plan(chosen.kills, chosen.restarts, chosen.seed, chosen.tables, seconds=chosen.seconds)
    try:
        report = asyncio.run(run(Storm(plan, folder, lambda line: print(line, flush=True))))
    except PostgresError as error:
        print(f"chaos: {error}", file=sys.stderr)
        return 1
    print(*summary(report), sep="\n")
    if report.contradictions:
        print(f"\n{len(report.contradictions)} contradictions, all in {folder / 'told'}:", file=sys.stderr)
        print(*report.contradictions[:_MOST_SAID], sep="\n", file=sys.stderr)
        return 1
    print("no contradiction: nothing that anybody was told is lost, doubled, out of order or hidden from others;")
    print("every bot to move had one job, played once, and none waited for too long after the storm")
    return 0


async def run(storm: Storm) -> Report:
    """Let it rage; Ctrl-C calms it, and once more, or SIGTERM, ends everything."""
    loop = asyncio.get_running_loop()
    task = asyncio.create_task(storm.run())

    def calm() -> None:
        storm.calm()
        loop.add_signal_handler(signal.SIGINT, task.cancel)

    loop.add_signal_handler(signal.SIGINT, calm)
    loop.add_signal_handler(signal.SIGTERM, task.cancel)
    return await task


def summary(report: Report) -> list[str]:
    """What happened, in figures."""
    figures = dict(sorted(report.figures.items()))
    first = f"{SERVERS} servers and {report.workers} workers, {report.seconds:.0f} s"
    if not report.workers:
        first += " (this limina has no `limina worker`: the servers do the work of workers themselves)"
    return ["", first, *(f"  {name}: {number:,}" for name, number in figures.items()), ""]


if __name__ == "__main__":
    sys.exit(main())
