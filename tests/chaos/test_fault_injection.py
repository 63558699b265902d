"""A short chaos run; `make chaos` runs longer ones."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from chaos.fault_injection import ChaosPlan, ChaosRun


@pytest.mark.postgres
def test_no_turn_is_lost_when_processes_are_killed(tmp_path: Path) -> None:
    progress: list[str] = []
    plan = ChaosPlan(kills=12, restarts=1, seed=1, matches=10, mean_pause_seconds=0.5)
    report = asyncio.run(ChaosRun(plan, tmp_path, progress.append).run())
    assert report.contradictions == [], progress
    # Faults were injected while matches were played.
    figures = report.figures
    assert figures["kills"] >= 12
    assert figures["restarts of the database"] == 1
    assert figures["connections cut"] > 0
    assert figures["connections lost"] > 0
    assert figures["matches over"] == figures["matches"] == figures["matches checked"] >= 10
    assert figures["turns acknowledged"] > 50
    assert figures["turns of bots"] > 0
    assert figures["comparisons of jobs and matches"] > 0
    assert figures["jobs compared"] > 0
