"""The checker finds damage of the turns that were taken back."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from chaos.corruptions import Log, change_final_states, change_text, check_log, final_states, take_backs


def a_take_back_is_lost(log: Log) -> None:
    log.remove(take_backs(log)[0])


def a_take_back_is_doubled(log: Log) -> None:
    first, again = take_backs(log)[0], copy.deepcopy(take_backs(log)[0])
    change_text(again, lambda state: state.update(version=state["version"] + 1))
    log.insert(log.index(first) + 1, again)


def another_turn_was_taken_back(log: Log) -> None:
    for entry in take_backs(log):
        entry["request"]["turn_index"] -= 1


def earlier_turns_were_taken_back_too(log: Log) -> None:
    for entry in take_backs(log):
        change_text(entry, lambda state: state.update(steps=state["steps"][:1]))


def an_earlier_turn_was_changed(log: Log) -> None:
    change_text(take_backs(log)[0], lambda state: state["steps"][-1].update(text="a1-a2 xa3"))


def the_turn_is_still_shown(log: Log) -> None:
    version = json.loads(take_backs(log)[0]["text"])["version"]
    states = [entry for entry in log if entry["kind"] == "received" and '"state":' in entry["text"]]
    after = next(entry for entry in states if json.loads(entry["text"])["state"]["version"] == version)
    gone = next(entry["turn"] for entry in log if entry["kind"] == "sent")
    step = {"player": gone["seat_index"], "text": gone["turn"]}
    change_text(after, lambda message: message["state"]["steps"].append(step))


def the_turn_came_again(log: Log) -> None:
    final = json.loads(final_states(log)[0]["text"])["steps"]
    sent = [entry["turn"] for entry in log if entry["kind"] == "sent"]
    taken_back = {(entry["request"]["seat_index"], entry["request"]["turn_index"]) for entry in take_backs(log)}
    # A turn that was taken back, with another turn played in its place.
    index, gone = next(
        (index, turn["turn"])
        for turn in reversed(sent)
        if (turn["seat_index"], turn["turn_index"]) in taken_back
        for index in [turns_of_seat(final, turn["seat_index"])[turn["turn_index"]]]
        if final[index]["text"] != turn["turn"]
    )
    change_final_states(log, lambda state: state["steps"][index].update(text=gone))


def turns_of_seat(steps: list[Any], seat: int) -> list[int]:
    """Return the indices of the turns of a seat."""
    return [index for index, step in enumerate(steps) if step["player"] == seat]


DAMAGED_TAKE_BACKS: dict[Callable[[Log], None], str] = {
    a_take_back_is_lost: "is not at version",
    a_take_back_is_doubled: "left other steps than those before it",
    another_turn_was_taken_back: "is not the turn that was removed",
    earlier_turns_were_taken_back_too: "is not the turn that was removed",
    an_earlier_turn_was_changed: "left other steps than those before it",
    the_turn_is_still_shown: "steps instead of",
    the_turn_came_again: "but it is",
}


@pytest.mark.parametrize("damage", DAMAGED_TAKE_BACKS, ids=lambda damage: damage.__name__)
def test_the_checker_finds_damage_of_a_take_back(damage: Callable[[Log], None], logs: dict[str, Log]) -> None:
    log = copy.deepcopy(logs["taken back"])
    damage(log)
    assert DAMAGED_TAKE_BACKS[damage] in check_log(log)
