"""Displays of a real table: counted as the rules count them, and led to by a record."""

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


def whole_game(seed: int) -> Record:
    """A random game of one to three players, with either variant now and then."""
    names = ["Ada", "Ben", "Cleo"][: 1 + seed % 3]
    return play_on(
        start_record(GAME, names, Random(seed), diagonal=seed % 4 == 1, ferryman=seed % 4 == 2), Random(seed)
    )


def entered(record: Record, **more: Any) -> dict[str, Any]:
    """The displays of a record as somebody would enter them from the table."""
    displays = []
    for player, board in enumerate(record.end.boards):
        turns = [Turn.read(step.text) for step in record.steps if step.player == player]
        laid = zip(record.end.draws, turns, strict=True)
        cards = {turn.cell: [card, turn.turning] for card, turn in laid}
        displays.append({"cards": cards, "workers": [ZONES[zone] for zone in board.workers()]})
    return {"players": list(record.names), "options": GAME.options_of(record.start), "displays": displays, **more}


@pytest.mark.parametrize("seed", range(12))
def test_displays_are_worth_what_the_replay_says_and_some_game_leads_to_them(seed: int) -> None:
    record = whole_game(seed)
    for known in ({}, {"draws": list(record.end.draws)}):
        told = LimesCompanionJudge().judge(entered(record, **known))
        assert told["record"] is not None
        summary = Record.from_json(told["record"]).end.summary(record.names)
        if known:  # then everything lies where it lay
            assert summary == record.end.summary(record.names)
            assert told["record"]["draws"] == list(record.end.draws)
        assert told["end"] is not None
        assert told["end"]["winners"] == summary["winners"] == list(record.end.outcome.winners)
        assert [each["total"] for each in told["displays"]] == [each["total"] for each in summary["players"]]


def test_a_game_that_was_written_down_as_it_went_is_that_game() -> None:
    record = whole_game(2)
    table = entered(record, draws=list(record.end.draws))
    for player, display in enumerate(table["displays"]):
        boards = [position.boards[player] for position in record.positions()]
        display["course"] = [
            [ZONES[zone] for zone in next(board for board in boards if board.cards == cards).workers()]
            for cards in range(1, 17)
        ]
    told = LimesCompanionJudge().judge(table)
    assert told["record"] is not None
    assert Record.from_json(told["record"]).steps == record.steps


def test_before_the_end_the_displays_are_counted_and_nothing_else() -> None:
    table = {"players": ["Ada", "Ben"], "displays": [{"cards": {"d4": [17, 0]}, "workers": ["d4.nw"]}, {"cards": {}}]}
    told = LimesCompanionJudge().judge(table)
    assert (told["end"], told["record"]) == (None, None)
    assert [display["cards"] for display in told["displays"]] == [1, 0]


@pytest.mark.parametrize(
    ("display", "words"),
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
        ({"cards": {"d4": [1, 0]}, "course": 3}, "course must be a list"),
        ({"color": 1}, "has no 'color'"),
        ([], "must be an object"),
    ],
)
def test_what_is_wrong_with_a_display_is_said(display: Any, words: str) -> None:
    with pytest.raises(LiminaError, match=words):
        LimesCompanionJudge().judge({"players": ["Ada"], "displays": [display]})
