"""Measure speed and strength and print a table for each part: `make bench PARTS="rules server"`.

The figures are also in build/bench.json, which keeps the figures of parts that were not measured again.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from importlib import import_module

from bench.figure import Figure, PartSkipped, text_table
from bench.results import RESULTS_FILE, save_results

PARTS = (
    "rules",
    "server",
    "page",
    "bots",
    "review",
    "rl",
    "attacks",
    "fairness",
    "scaling",
    "boardgameio",
    "colyseus",
)
DEFAULT_PARTS = ("rules", "server", "page", "bots", "review")


def main() -> None:
    """Measure the default parts, or the named ones."""
    parts = sys.argv[1:] or list(DEFAULT_PARTS)
    unknown = [name for name in parts if name not in PARTS]
    if unknown:
        sys.exit(f"bench: there is no part {unknown[0]}: choose from {', '.join(PARTS)}")
    for part in parts:
        # Imported here, because a part may need a package that is not installed.
        figures: Callable[[], Iterator[Figure]] = import_module(f"bench.{part}").figures
        load = os.getloadavg()
        measured: list[Figure] = []
        try:
            for figure in figures():
                measured.append(figure)
                print(f"  {figure.name}: {figure.median:,.4g} {figure.unit}", file=sys.stderr, flush=True)
        except PartSkipped as reason:
            print(f"bench: {part} is skipped: {reason}", file=sys.stderr)
            continue
        save_results(part, measured, load)
        print(f"\n{part}\n{text_table(measured)}\n", flush=True)
    print(f"saved in {RESULTS_FILE}")


if __name__ == "__main__":
    main()
