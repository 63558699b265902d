"""`make bench-report` appends measurements."""

from __future__ import annotations

import json
import runpy

from support import ROOT

TOOL = runpy.run_path(str(ROOT / "tools" / "documentation" / "write_bench_tables.py"))


def test_new_measurements_are_appended_once() -> None:
    figure = {"name": "first load, transferred", "median": 60.0, "low": 59.0, "high": 61.0, "unit": "kB", "note": ""}
    measured_at, machine = "2030-01-01T10:00+00:00", "Abacus, 2 cores"
    load = {"before": [0.5], "cores": 2}
    parts = {"page": {"measured_at": measured_at, "machine": machine, "load": load, "figures": [figure]}}
    append_measurements = TOOL["append_measurements"]
    before = TOOL["MEASUREMENTS_FILE"].read_text("utf-8").splitlines()
    after = append_measurements(append_measurements(before, "9.0.0", parts), "9.0.0", parts)
    assert after[:-1] == before
    assert json.loads(after[-1]) == {
        "part": "page",
        "version": "9.0.0",
        "measured_at": measured_at,
        "machine": machine,
        "load": 0.5,
        "figures": {"first load, transferred": 60.0},
    }
