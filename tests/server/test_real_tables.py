"""What somebody enters of a real table, over HTTP: judged beside the event loop, bounded, and stored nowhere."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kit.clients import Client
from limina.server.web.middleware import MOST_BYTES

DISPLAY = {"cards": {"d4": [17, 0]}, "workers": ["d4.nw"]}


def test_a_display_is_counted(ada: Client) -> None:
    told = ada.call("POST", "/table", {"game": "limes", "table": {"players": ["Ada"], "displays": [DISPLAY]}})
    (display,) = told["table"]["displays"]
    assert [worker["profession"] for worker in display["workers"]] == ["watchman"]
    assert told["table"]["end"] is None


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ([], "must be an object"),
        ({"game": "chess", "table": {}}, "chess"),
        ({"game": "limes", "table": []}, "table must be an object"),
        ({"game": "limes", "table": {}, "more": 1}, "has no 'more'"),
        ({"game": "limes", "table": {"players": ["A"] * 9, "displays": []}}, "up to 8 players"),
        ({"game": "limes", "table": {"players": ["A"], "displays": [], "deck": ["F"]}}, "a deck has 24 cards"),
    ],
)
def test_junk_is_refused_in_a_sentence(ada: Client, body: Any, words: str) -> None:
    for path in ("/table", "/table/advice"):
        refused = ada.call("POST", path, body, status=400)
        assert refused["code"] == "unreadable"
    assert words in ada.call("POST", "/table", body, status=400)["error"]


def test_what_is_too_large_is_not_read(ada: Client) -> None:
    body = {"game": "limes", "table": {"players": ["A" * MOST_BYTES]}}
    assert len(json.dumps(body)) > MOST_BYTES
    assert ada.call("POST", "/table", body, status=413)["code"] == "too_large"
