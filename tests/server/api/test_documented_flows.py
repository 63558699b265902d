"""The examples of docs/server-api.md run against a server."""

from __future__ import annotations

import re
from typing import Any

import pytest

from support import ROOT

DOCUMENT = ROOT / "docs" / "server-api.md"


def test_documented_flows_run_one_after_the_other(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 3
    names: dict[str, Any] = {}
    for block in blocks:
        exec(block.replace("127.0.0.1:8000", address.removeprefix("http://")), names)
    assert capsys.readouterr().out.splitlines() == ["playing", "update [1]"]
    names["api"].close()
    turn_counts = [seat["turn_count"] for seat in names["state"]["seats"]]
    assert turn_counts == [1, 2], "the bot plays two turns, then waits for Ada"
