"""A short storm over three servers: `make chaos` has longer ones."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from chaos.fault_injection import Plan, Storm


@pytest.mark.postgres
def test_nothing_is_lost_in_a_storm(tmp_path: Path) -> None:
    said: list[str] = []
    report = asyncio.run(Storm(Plan(kills=12, restarts=1, seed=1, tables=10, pause=0.5), tmp_path, said.append).run())
    assert report.contradictions == [], said
    # It is worth something only if there was a storm, and somebody in it.
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
