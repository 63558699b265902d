"""The last figures of each part, in build/bench.json: measuring one part leaves those of the others."""

from __future__ import annotations

import json
import os
import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.measure import Figure, plain

FILE = Path("build") / "bench.json"


def keep(part: str, figures: list[Figure], load: tuple[float, ...]) -> None:
    """Put a part's figures in the place of its old ones."""
    found = kept()
    found[part] = {
        "taken": datetime.now(UTC).isoformat(timespec="minutes"),
        "machine": machine(),
        "load": {"before": [round(each, 2) for each in load], "cores": os.cpu_count()},
        "settings": {name: value for name, value in sorted(os.environ.items()) if name.startswith("BENCH_")},
        "figures": plain(figures),
    }
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps(found, indent=1) + "\n")


def kept() -> dict[str, Any]:
    """All parts that were measured, each with when and where."""
    found = json.loads(FILE.read_text()) if FILE.exists() else {}
    return found if isinstance(found, dict) else {}


def machine() -> str:
    """What was measured on, in a few words."""
    cpu = platform.machine()
    described = Path("/proc/cpuinfo")
    if described.exists():
        names = [line for line in described.read_text().splitlines() if line.startswith("model name")]
        cpu = names[0].partition(":")[2].strip() if names else cpu
    return f"{cpu}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"
