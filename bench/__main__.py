"""`make bench`: every figure as a line when it is there, then the table, and all of it as JSON in build/bench.json."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from bench import rules
from bench.measure import Figure, plain, table

PARTS = {"rules": rules.figures}


def main() -> None:
    """Measure all parts, or those named."""
    chosen = sys.argv[1:] or list(PARTS)
    unknown = [name for name in chosen if name not in PARTS]
    if unknown:
        sys.exit(f"bench: there is no part called {unknown[0]}: they are {', '.join(PARTS)}")
    found: list[Figure] = []
    for name in chosen:
        for figure in PARTS[name]():
            found.append(figure)
            print(f"  {figure.name}: {figure.median:,.4g} {figure.unit}", file=sys.stderr, flush=True)
    print(table(found))
    out = Path("build") / "bench.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps(plain(found), indent=1) + "\n")
    print(f"\nalso in {out}")


if __name__ == "__main__":
    main()
