"""The tables of limits in docs/hosting.md agree with the server."""

from __future__ import annotations

import runpy

from support import ROOT

TOOL = runpy.run_path(str(ROOT / "tools" / "documentation" / "write_limit_tables.py"))


def test_tables_of_limits_are_up_to_date() -> None:
    page = TOOL["HOSTING_PAGE"].read_text("utf-8")
    assert page == TOOL["fill_tables"](page), "run `make limit-tables`"


def test_each_limit_and_pool_has_a_description() -> None:
    assert set(TOOL["CLIENT_LIMITS"]) == {item.name for item in TOOL["fields"](TOOL["ClientLimits"])}
    assert set(TOOL["POOL_JOBS"]) == set(TOOL["POOLS"])
