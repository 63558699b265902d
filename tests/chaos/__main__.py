"""`make chaos KILLS=1000 RESTARTS=20 SEED=1`: a storm of any length, and whether anything was lost in it."""

from __future__ import annotations

import argparse
import asyncio
import shutil
import signal
import sys

from chaos.storm import SERVERS, Plan, Report, Storm
from kit import ROOT

_MOST_SAID = 20


def main() -> int:
    """Run a storm; 1 if it left a contradiction."""
    parser = argparse.ArgumentParser(prog="make chaos", description=__doc__)
    parser.add_argument("--kills", type=int, default=100, help="how often any process is killed (100)")
    parser.add_argument("--restarts", type=int, default=2, help="how often the database is stopped and started (2)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed plans the same storm (1)")
    parser.add_argument("--tables", type=int, default=24, help="how many matches are played at once (24)")
    chosen = parser.parse_args()
    folder = ROOT / "build" / "chaos"
    shutil.rmtree(folder, ignore_errors=True)
    plan = Plan(chosen.kills, chosen.restarts, chosen.seed, chosen.tables)
    # Told to end, it ends everything that it began, as for Ctrl-C.
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    report = asyncio.run(Storm(plan, folder, lambda line: print(line, flush=True)).run())
    print(*summary(report), sep="\n")
    if report.contradictions:
        print(f"\n{len(report.contradictions)} contradictions, all in {folder / 'told'}:", file=sys.stderr)
        print(*report.contradictions[:_MOST_SAID], sep="\n", file=sys.stderr)
        return 1
    print("no contradiction: nothing that anybody was told is lost, doubled, out of order or hidden from others")
    return 0


def summary(report: Report) -> list[str]:
    """What happened, in figures."""
    figures = dict(sorted(report.figures.items()))
    first = f"{SERVERS} servers and {report.workers} workers, {report.seconds:.0f} s"
    if not report.workers:
        first += " (this limina has no `limina work`: the servers do the work of workers themselves)"
    return ["", first, *(f"  {name}: {number:,}" for name, number in figures.items()), ""]


if __name__ == "__main__":
    sys.exit(main())
