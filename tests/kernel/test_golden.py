"""The count tables and golden games in tests/kernel/golden are still true (`make golden-games` writes them again)."""

import json
from pathlib import Path

import pytest

from kernel import golden
from limina import Record


def test_the_count_tables_are_still_true() -> None:
    assert golden.count_table().splitlines() == (golden.FOLDER / "counts.txt").read_text().splitlines()


@pytest.mark.parametrize("path", sorted(golden.FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_golden_games_replay_as_they_did(path: Path) -> None:
    kept = json.loads(path.read_text())
    record = Record.from_json(kept["record"])
    assert record.summary() == kept["replay"]
    assert record.to_json() == kept["record"]


def test_every_golden_game_is_still_played_the_same_way() -> None:
    files = {path.stem: path.read_text() for path in golden.FOLDER.glob("*.json")}
    assert golden.golden_games() == files
