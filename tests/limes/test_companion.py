"""The companion of Limes: scores of entered displays, and a record that leads to them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from limina import LiminaError, Record
from limina.core import registry
from limina.limes.companion.judge import LimesCompanionJudge
from limina.limes.notation import ZONES, Turn
from support.games.records import play_on, start_record

GAME = registry.game("limes")


def random_game(seed: int) -> Record:
    """Return a complete random game of one to three players, for some seeds with a variant."""
    names = ["Ada", "Ben", "Cleo"][: 1 + seed % 3]
    return play_on(
        start_record(GAME, names, Random(seed), diagonal=seed % 4 == 1, ferryman=seed % 4 == 2), Random(seed)
    )


def entry_of(record: Record, **extra: Any) -> dict[str, Any]:
    """Return the final displays of a record as players would enter them."""
    displays = []
    for player, board in enumerate(record.position.boards):
        turns = [Turn.read(step.text) for step in record.steps if step.player == player]
        cards = {turn.cell: [card, turn.turning] for card, turn in zip(record.position.draws, turns, strict=True)}
        displays.append({"cards": cards, "workers": [ZONES[zone] for zone in board.workers()]})
    return {"players": list(record.names), "options": GAME.options_of(record.start), "displays": displays, **extra}


@pytest.mark.parametrize("seed", range(12))
def test_entered_displays_score_as_in_a_record_that_leads_to_them(seed: int) -> None:
    record = random_game(seed)
    for extra in ({}, {"draws": list(record.position.draws)}):
        state = LimesCompanionJudge().judge(entry_of(record, **extra))
        assert state["record"] is not None
        summary = Record.from_json(state["record"]).position.summary(record.names)
        if extra:  # known draws fix the first card, so no display is shifted
            assert summary == record.position.summary(record.names)
            assert state["record"]["draws"] == list(record.position.draws)
        assert state["end"] is not None
        assert state["end"]["winners"] == summary["winners"] == list(record.position.outcome.winners)
        assert [display["total"] for display in state["displays"]] == [player["total"] for player in summary["players"]]


def test_workers_of_every_round_give_exactly_the_game_that_was_played() -> None:
    record = random_game(2)
    entry = entry_of(record, draws=list(record.position.draws))
    for player, display in enumerate(entry["displays"]):
        boards = [position.boards[player] for position in record.positions()]
        display["workers_by_round"] = [
            [ZONES[zone] for zone in next(board for board in boards if board.card_count == cards).workers()]
            for cards in range(1, 17)
        ]
    state = LimesCompanionJudge().judge(entry)
    assert state["record"] is not None
    assert Record.from_json(state["record"]).steps == record.steps


def test_an_unfinished_game_has_scored_displays_but_no_end_or_record() -> None:
    entry = {"players": ["Ada", "Ben"], "displays": [{"cards": {"d4": [17, 0]}, "workers": ["d4.nw"]}, {"cards": {}}]}
    state = LimesCompanionJudge().judge(entry)
    assert (state["end"], state["record"]) == (None, None)
    assert [display["cards"] for display in state["displays"]] == [1, 0]


@pytest.mark.parametrize(
    ("display", "message"),
    [
        ({"cards": {"d4": [17, 0], "d5": [17, 1]}}, "card 17 lies there twice"),
        ({"cards": {"d4": [25, 0]}}, "must be from 1 to 24"),
        ({"cards": {"d4": [1, 4]}}, "turning of card 1 must be from 0 to 3"),
        ({"cards": {"d9": [1, 0]}}, "is not a cell"),
        ({"cards": {"d4": 1}}, "must be a list"),
        ({"cards": {"d4": [1, 0], "a4": [2, 0], "e4": [3, 0]}}, "up to 4 in a row"),
        ({"cards": {"d4": [1, 0], "d6": [2, 0]}}, "without a gap"),
        ({"cards": {"c4": [1, 0]}}, "is not a display"),
        ({"cards": {"d4": [1, 0]}, "workers": ["e4.nw"]}, "no card lies under"),
        ({"cards": {"d4": [1, 0]}, "workers": ["d4.nw"] * 8}, "a player has 7 workers"),
        ({"cards": {"d4": [1, 0]}, "workers_by_round": 3}, "workers_by_round must be a list"),
        ({"color": 1}, "has no 'color'"),
        ([], "must be an object"),
    ],
)
def test_an_invalid_display_is_refused_with_the_reason(display: Any, message: str) -> None:
    with pytest.raises(LiminaError, match=message):
        LimesCompanionJudge().judge({"players": ["Ada"], "displays": [display]})
