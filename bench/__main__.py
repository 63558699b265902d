"""`make bench`: every figure as a line when it is there, then a table for each part, and all of it in build/bench.json.

`make bench PARTS="rules server"` measures only those parts and leaves the others' figures as they were.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from importlib import import_module

from bench.kept import FILE, keep
from bench.measure import Figure, Skipped, table

PARTS = (
    "rules",
    "server",
    "page",
    "bots",
    "review",
    "rl",
    "native",
    "abuse",
    "fairness",
    "scaling",
    "boardgameio",
    "colyseus",
)
USUAL = ("rules", "server", "page", "bots", "review")


def main() -> None:
    """Measure the usual parts, or those named."""
    chosen = sys.argv[1:] or list(USUAL)
    unknown = [name for name in chosen if name not in PARTS]
    if unknown:
        sys.exit(f"bench: there is no part called {unknown[0]}: they are {', '.join(PARTS)}")
    for part in chosen:
        # Not at the top: a part may need what is not installed, and the others should not mind.
        figures: Callable[[], Iterator[Figure]] = import_module(f"bench.{part}").figures
        load = os.getloadavg()
        found: list[Figure] = []
        try:
            for figure in figures():
                found.append(figure)
                print(f"  {figure.name}: {figure.median:,.4g} {figure.unit}", file=sys.stderr, flush=True)
        except Skipped as why:
            print(f"bench: {part} is left out: {why}", file=sys.stderr)
            continue
        keep(part, found, load)
        print(f"\n{part}\n{table(found)}\n", flush=True)
    print(f"also in {FILE}")


if __name__ == "__main__":
    main()
