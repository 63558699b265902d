"""The last figures of each part, saved in build/bench.json."""

from __future__ import annotations

import json
import os
import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.figure import Figure, as_dicts

RESULTS_FILE = Path("build") / "bench.json"


def save_results(part: str, figures: list[Figure], load: tuple[float, ...]) -> None:
    """Save the figures of a part, and keep those of the other parts."""
    results = load_results()
    results[part] = {
        "measured_at": datetime.now(UTC).isoformat(timespec="minutes"),
        "machine": describe_machine(),
        "load": {"before": [round(average, 2) for average in load], "cores": os.cpu_count()},
        "settings": {name: value for name, value in sorted(os.environ.items()) if name.startswith("BENCH_")},
        "figures": as_dicts(figures),
    }
    RESULTS_FILE.parent.mkdir(exist_ok=True)
    RESULTS_FILE.write_text(json.dumps(results, indent=1) + "\n")


def load_results() -> dict[str, Any]:
    """Return the saved parts by name, with their date, machine and settings."""
    results = json.loads(RESULTS_FILE.read_text()) if RESULTS_FILE.exists() else {}
    return results if isinstance(results, dict) else {}


def describe_machine() -> str:
    """Return the processor, the number of cores, the system and the version of Python."""
    cpu = platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        cpu = names[0].partition(":")[2].strip() if names else cpu
    return f"{cpu}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"
