"""Physical games over HTTP: evaluations, hints, and the refusal of invalid entries."""

from __future__ import annotations

import json
from typing import Any

import pytest

from limina.server.network.middleware import MAX_BODY_BYTES
from support.server.clients import Client

DISPLAY = {"cards": {"d4": [17, 0]}, "workers": ["d4.nw"]}


def test_a_display_is_scored(ada: Client) -> None:
    answer = ada.call("POST", "/companion", {"game": "limes", "entry": {"players": ["Ada"], "displays": [DISPLAY]}})
    (display,) = answer["result"]["displays"]
    assert [worker["profession"] for worker in display["workers"]] == ["watchman"]
    assert answer["result"]["end"] is None


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ([], "must be an object"),
        ({"game": "chess", "entry": {}}, "chess"),
        ({"game": "limes", "entry": []}, "entry must be an object"),
        ({"game": "limes", "entry": {}, "more": 1}, "has no 'more'"),
        ({"game": "limes", "entry": {"players": ["A"] * 9, "displays": []}}, "up to 8 players"),
        ({"game": "limes", "entry": {"players": ["A"], "displays": [], "deck": ["F"]}}, "a deck has 24 cards"),
    ],
)
def test_an_invalid_request_is_refused_with_a_message(ada: Client, body: Any, words: str) -> None:
    for path in ("/companion", "/companion/hint"):
        refused = ada.call("POST", path, body, status=400)
        assert refused["code"] == "invalid"
    assert words in ada.call("POST", "/companion", body, status=400)["error"]


def test_a_body_that_is_too_large_is_refused(ada: Client) -> None:
    body = {"game": "limes", "entry": {"players": ["A" * MAX_BODY_BYTES]}}
    assert len(json.dumps(body)) > MAX_BODY_BYTES
    assert ada.call("POST", "/companion", body, status=413)["code"] == "too_large"


def position(**change: Any) -> dict[str, Any]:
    """Return a position of Limit with five tiles in a row and a pawn at each end."""
    tiles = [f"{letter}4" for letter in "cdefg"]
    return {"players": 2, "tiles": tiles, "pawns": [["c4"], ["g4"]], "to_move": 0, **change}


def test_an_entered_position_gets_a_hint_with_the_best_turn(ada: Client) -> None:
    body = {"game": "limit", "entry": position()}
    assert ada.call("POST", "/companion", body)["result"]["problem"] is None
    hint = ada.call("POST", "/companion/hint", body)
    # The opponent has no freedom after this turn.
    assert hint["turn"].startswith("c4-f4")
    assert (hint["player"], hint["unit"], hint["value"]) == (0, "probability", 1.0)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"tiles": [], "pawns": [[], []]}, "no-tiles"),
        ({"tiles": ["c4", "g4"]}, "apart"),
        ({"pawns": [[], ["g4"]]}, "no-pawns"),
        ({"pawns": [["c4"], []]}, "one-player"),
        ({"tiles": ["c4", "d4"], "pawns": [["c4"], ["d4"]]}, "no-freedom"),
    ],
)
def test_a_position_without_a_move_names_the_problem(ada: Client, change: dict[str, Any], problem: str) -> None:
    body = {"game": "limit", "entry": position(**change)}
    assert ada.call("POST", "/companion", body)["result"] == {"problem": problem, "view": None}
    assert problem in ada.call("POST", "/companion/hint", body, status=400)["error"]


@pytest.mark.parametrize(
    "change",
    [
        {"players": 4}, {"tiles": ["A1"]}, {"tiles": ["c4", "c4"]}, {"pawns": [["c4"]]}, {"pawns": [["c4"], ["c4"]]},
        {"to_move": 2}, {"first": 1}, {"layout": ["c4"]}, {"tiles": [f"a{n}" for n in range(65)]}, {"color": "red"},
    ],
)  # fmt: skip
def test_an_invalid_position_is_refused(ada: Client, change: dict[str, Any]) -> None:
    assert ada.call("POST", "/companion", {"game": "limit", "entry": position(**change)}, status=400)["error"]


def test_equal_seeds_deal_equal_layouts(ada: Client) -> None:
    def dealt(seed: int) -> Any:
        return ada.call("POST", "/companion", {"game": "limit", "entry": {"players": 3, "size": 5, "seed": seed}})

    assert len(dealt(7)["result"]["view"]["layout"]) == 20
    assert dealt(7) == dealt(7) != dealt(8)
