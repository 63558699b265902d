"""The checker finds what is wrong with turns that were taken back."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from chaos.corruptions import Log, asked, complaints, in_all_ends, in_text, taken_back


def nobody_took_it_back(log: Log) -> None:
    log.remove(taken_back(log)[0])


def it_was_taken_back_twice(log: Log) -> None:
    first, again = taken_back(log)[0], copy.deepcopy(taken_back(log)[0])
    in_text(again, lambda state: state.update(version=state["version"] + 1))
    log.insert(log.index(first) + 1, again)


def another_turn_was_taken_back(log: Log) -> None:
    for entry in taken_back(log):
        entry["asked"]["number"] -= 1


def more_was_taken_back(log: Log) -> None:
    for entry in taken_back(log):
        in_text(entry, lambda state: state.update(steps=state["steps"][:1]))


def another_game_was_left(log: Log) -> None:
    in_text(taken_back(log)[0], lambda state: state["steps"][-1].update(text="a1-a2 xa3"))


def it_is_still_seen(log: Log) -> None:
    version = json.loads(taken_back(log)[0]["text"])["version"]
    states = [entry for entry in log if entry["what"] == "told" and '"state":' in entry["text"]]
    after = next(entry for entry in states if json.loads(entry["text"])["state"]["version"] == version)
    gone = next(entry["turn"] for entry in log if entry["what"] == "sent")
    step = {"player": gone["seat"], "text": gone["turn"]}
    in_text(after, lambda message: message["state"]["steps"].append(step))


def it_came_again(log: Log) -> None:
    end = json.loads(asked(log)[0]["text"])["steps"]
    sent = [entry["turn"] for entry in log if entry["what"] == "sent"]
    regretted = {(entry["asked"]["seat"], entry["asked"]["number"]) for entry in taken_back(log)}
    # Who takes back a turn may play the same one again: of those, one that is another now.
    place, gone = next(
        (place, turn["turn"])
        for turn in reversed(sent)
        if (turn["seat"], turn["number"]) in regretted
        for place in [of_seat(end, turn["seat"])[turn["number"]]]
        if end[place]["text"] != turn["turn"]
    )
    in_all_ends(log, lambda state: state["steps"][place].update(text=gone))


def of_seat(steps: list[Any], seat: int) -> list[int]:
    """The places of a seat's turns."""
    return [place for place, step in enumerate(steps) if step["player"] == seat]


TAKEN_BACK: dict[Callable[[Log], None], str] = {
    nobody_took_it_back: "is not at version",
    it_was_taken_back_twice: "left another game than there was before",
    another_turn_was_taken_back: "was not the one that is gone",
    more_was_taken_back: "was not the one that is gone",
    another_game_was_left: "left another game than there was before",
    it_is_still_seen: "steps instead of",
    it_came_again: "and at the end it is",
}


@pytest.mark.parametrize("damage", TAKEN_BACK, ids=lambda damage: damage.__name__)
def test_it_finds_what_is_wrong_with_a_turn_taken_back(damage: Callable[[Log], None], logs: dict[str, Log]) -> None:
    log = copy.deepcopy(logs["taken back"])
    damage(log)
    assert TAKEN_BACK[damage] in complaints(log)
