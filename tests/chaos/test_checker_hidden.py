"""The checker finds what was shown too early, and promises of the shuffle that were not kept."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from chaos.corruptions import Log, asked, complaints, in_all_ends, in_text, told

# --- what is hidden


def reveal(log: Log) -> Any:
    return json.loads(asked(log)[0]["text"])["reveal"]


def the_salt(log: Log, message: Any) -> None:
    message["view"]["more"] = reveal(log)["salt"]


def cards_to_come(log: Log, message: Any) -> None:
    message["view"]["more"] = reveal(log)["order"][-3:]


def the_next_card(log: Log, message: Any) -> None:
    message["view"]["draws"] = [int(card) for card in reveal(log)["order"][:16]]


def anothers_turn_of_an_open_round(log: Log, message: Any) -> None:
    end = json.loads(asked(log)[0]["text"])
    message["steps"].append(next(step for step in end["steps"] if step["player"] == 2))


def a_card_on_anothers_table(log: Log, message: Any) -> None:
    message["view"]["displays"][2] = {**(message["view"]["displays"][2] or {}), "cards": 16}


HIDDEN: dict[Callable[[Log, Any], None], str] = {
    the_salt: "what is hidden: salt",
    cards_to_come: "what is hidden: cards",
    the_next_card: "what is hidden: card",
    anothers_turn_of_an_open_round: "instead of",
    a_card_on_anothers_table: "saw the hidden turn of seat 2",
}


@pytest.mark.parametrize("damage", HIDDEN, ids=lambda damage: damage.__name__)
def test_it_finds_what_is_hidden(damage: Callable[[Log, Any], None], logs: dict[str, Log]) -> None:
    log = copy.deepcopy(logs["limes"])
    in_text(told(log, "update", 8), lambda message: damage(log, message))
    assert HIDDEN[damage] in complaints(log)


# --- what was promised


def another_salt(log: Log) -> None:
    in_all_ends(log, lambda end: end["reveal"].update(salt="0" * 64))


def another_order(log: Log) -> None:
    in_all_ends(log, lambda end: end["reveal"]["order"].reverse())


def another_promise(log: Log) -> None:
    in_text(told(log, "state", -1), lambda message: message["state"].update(commitment="0" * 64, phase="playing"))


PROMISES: dict[Callable[[Log], None], str] = {
    another_salt: "do not open the promise",
    another_order: "is not what was promised",
    another_promise: "was promised something else",
}


@pytest.mark.parametrize("damage", PROMISES, ids=lambda damage: damage.__name__)
def test_it_finds_a_broken_promise(damage: Callable[[Log], None], logs: dict[str, Log]) -> None:
    log = copy.deepcopy(logs["limes"])
    damage(log)
    assert PROMISES[damage] in complaints(log)
