"""The turn counts and golden games of tests/kernel/golden (`make golden-games` writes them)."""

import json
from pathlib import Path

import pytest

from kernel import golden
from limina import Record


def test_turn_counts_are_unchanged() -> None:
    assert golden.count_table().splitlines() == (golden.FOLDER / "counts.txt").read_text().splitlines()


@pytest.mark.parametrize("path", sorted(golden.FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_golden_games_replay_to_the_same_summary(path: Path) -> None:
    golden_game = json.loads(path.read_text())
    record = Record.from_json(golden_game["record"])
    assert record.summary() == golden_game["replay"]
    assert record.to_json() == golden_game["record"]


def test_random_games_are_the_golden_games() -> None:
    files = {path.stem: path.read_text() for path in golden.FOLDER.glob("*.json")}
    assert golden.golden_games() == files
