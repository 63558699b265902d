"""The checker finds hidden information that was revealed too early, and broken commitments to the shuffle."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from chaos.corruptions import Log, change_final_states, change_text, check_log, final_states, received

# --- hidden information


def reveal(log: Log) -> Any:
    return json.loads(final_states(log)[0]["text"])["reveal"]


def the_salt(log: Log, message: Any) -> None:
    message["view"]["more"] = reveal(log)["salt"]


def cards_to_come(log: Log, message: Any) -> None:
    message["view"]["more"] = reveal(log)["order"][-3:]


def the_next_card(log: Log, message: Any) -> None:
    message["view"]["draws"] = [int(card) for card in reveal(log)["order"][:16]]


def a_hidden_turn_of_another_seat(log: Log, message: Any) -> None:
    state = json.loads(final_states(log)[0]["text"])
    message["steps"].append(next(step for step in state["steps"] if step["player"] == 2))


def a_card_on_the_display_of_another_seat(log: Log, message: Any) -> None:
    message["view"]["displays"][2] = {**(message["view"]["displays"][2] or {}), "cards": 16}


REVEALED: dict[Callable[[Log, Any], None], str] = {
    the_salt: "received what is hidden: salt",
    cards_to_come: "received what is hidden: cards",
    the_next_card: "received what is hidden: card",
    a_hidden_turn_of_another_seat: "instead of",
    a_card_on_the_display_of_another_seat: "received the hidden turn of seat 2",
}


@pytest.mark.parametrize("damage", REVEALED, ids=lambda damage: damage.__name__)
def test_the_checker_finds_revealed_information(damage: Callable[[Log, Any], None], logs: dict[str, Log]) -> None:
    log = copy.deepcopy(logs["limes"])
    change_text(received(log, "update", 8), lambda message: damage(log, message))
    assert REVEALED[damage] in check_log(log)


# --- commitments


def another_salt(log: Log) -> None:
    change_final_states(log, lambda state: state["reveal"].update(salt="0" * 64))


def another_order(log: Log) -> None:
    change_final_states(log, lambda state: state["reveal"]["order"].reverse())


def another_commitment(log: Log) -> None:
    change_text(
        received(log, "state", -1), lambda message: message["state"].update(commitment="0" * 64, phase="playing")
    )


BROKEN_COMMITMENTS: dict[Callable[[Log], None], str] = {
    another_salt: "do not open the commitment",
    another_order: "do not follow the commitment",
    another_commitment: "received another commitment",
}


@pytest.mark.parametrize("damage", BROKEN_COMMITMENTS, ids=lambda damage: damage.__name__)
def test_the_checker_finds_a_broken_commitment(damage: Callable[[Log], None], logs: dict[str, Log]) -> None:
    log = copy.deepcopy(logs["limes"])
    damage(log)
    assert BROKEN_COMMITMENTS[damage] in check_log(log)
