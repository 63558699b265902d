"""The checker finds every kind of damage: real matches, calmly played, are damaged in one place each."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chaos.checker import check_all
from chaos.corruptions import Log, asked, complaints, in_all_ends, in_text, told, with_steps


def test_nothing_is_found_where_nothing_happened(calm_matches: Path, logs: dict[str, Log]) -> None:
    found, figures = check_all(calm_matches)
    assert found == []
    assert figures["matches checked"] == 3
    # It has looked at something.
    assert figures["acknowledgements"] >= 32
    assert figures["turns of bots"] > 16
    assert figures["messages searched"] > 32
    assert figures["turns taken back, checked"] > 1
    assert set(logs) == {"limes", "limit", "taken back"}


def last_turn(end: Any, seat: int | None = None) -> int:
    return max(place for place, step in enumerate(end["steps"]) if seat in (None, step["player"]))


def a_turn_is_lost(log: Log) -> None:
    def change(end: Any) -> None:
        del end["steps"][last_turn(end, 0)]
        end["version"] -= 1

    in_all_ends(log, change)


def a_turn_is_another(log: Log) -> None:
    def change(end: Any) -> None:
        mine = [step for step in end["steps"] if step["player"] == 0]
        mine[0]["text"] = mine[1]["text"]

    in_all_ends(log, change)


def a_turn_is_there_twice(log: Log) -> None:
    def change(end: Any) -> None:
        place = last_turn(end, 0)
        end["steps"].insert(place, end["steps"][place])
        end["version"] += 1

    in_all_ends(log, change)


def a_bots_turn_is_there_twice(log: Log) -> None:
    bot = len(log[0]["request"]["seats"]) - 1

    def change(end: Any) -> None:
        place = last_turn(end, bot)
        end["steps"].insert(place, end["steps"][place])
        end["version"] += 1

    in_all_ends(log, change)


def a_version_is_missing(log: Log) -> None:
    in_all_ends(log, lambda end: end.update(version=end["version"] + 1))


def it_is_stuck(log: Log) -> None:
    in_all_ends(log, lambda end: end.update(phase="playing", to_move=[0]))


def it_is_over_too_early(log: Log) -> None:
    def change(end: Any) -> None:
        end["steps"] = end["steps"][:4]

    in_all_ends(log, change)


def a_server_does_not_know_it(log: Log) -> None:
    asked(log)[-1].update(status=404, text='{"error":"there is no such game","code":"not_found"}')


def servers_disagree(log: Log) -> None:
    in_text(asked(log)[-1], lambda end: end["steps"].pop())


def nobody_asked(log: Log) -> None:
    log[:] = [entry for entry in log if entry["what"] != "asked"]


def a_bot_was_replaced(log: Log) -> None:
    in_all_ends(log, lambda end: end["seats"][-1].update(failed={"sentence": "the bot novice has crashed"}))


def a_turn_was_never_sent(log: Log) -> None:
    sent = next(entry for entry in log if entry["what"] == "sent")
    log[:] = [entry for entry in log if not (entry["what"] == "sent" and entry["turn"] == sent["turn"])]


def a_turn_is_acknowledged_elsewhere(log: Log) -> None:
    in_text(told(log, "played"), lambda answer: answer.update(version=answer["version"] + 1))


def a_turn_is_acknowledged_twice_at_two_places(log: Log) -> None:
    again = copy.deepcopy(told(log, "played"))
    in_text(again, lambda answer: answer.update(version=answer["version"] - 1))
    log.insert(log.index(told(log, "played")) + 1, again)


def somebody_saw_another_order(log: Log) -> None:
    def change(message: Any) -> None:
        message["steps"][0]["text"] = "d4r3 +se"

    in_text(with_steps(log), change)


def somebody_missed_a_step(log: Log) -> None:
    in_text(with_steps(log), lambda message: message["steps"].clear())


def somebody_saw_what_was_taken_back(log: Log) -> None:
    in_text(told(log, "update", -1), lambda message: message.update(version=message["version"] + 5))


def somebody_saw_half_a_turn(log: Log) -> None:
    in_text(told(log, "update", 4), lambda message: message.update(to_move=[]))


def somebody_came_back_and_saw_less(log: Log) -> None:
    first, place = told(log, "state"), log.index(told(log, "update", -1)) + 1
    log[place:place] = [{"what": "hello", "who": "late", "server": "x"}, {**first, "who": "late"}]


def a_turn_was_acknowledged_before_it_was_shown(log: Log) -> None:
    played = told(log, "played")
    log.remove(played)
    log.insert(log.index(told(log, "state", who=played["who"])) + 1, played)


def a_legal_turn_was_refused(log: Log) -> None:
    refused = {"type": "refused", "key": "0-1", "error": "this seat has played 2 turns, not 1", "code": "stale"}
    log.insert(log.index(told(log, "update", 4)), {"what": "told", "who": "0", "text": json.dumps(refused)})


DAMAGES: dict[Callable[[Log], None], str] = {
    a_turn_is_lost: "of seat 0, its number",
    a_turn_is_another: "was never sent",
    a_turn_is_there_twice: "does not follow from those before it",
    a_bots_turn_is_there_twice: "does not follow from those before it",
    a_version_is_missing: "it has version",
    it_is_stuck: "it is stuck at version",
    it_is_over_too_early: "its steps are not a whole game",
    a_server_does_not_know_it: "server 1 does not know it after the storm",
    servers_disagree: "servers tell different ends",
    nobody_asked: "nobody asked for it",
    a_bot_was_replaced: "was replaced: the bot novice has crashed",
    a_turn_was_never_sent: "was never sent",
    a_turn_is_acknowledged_elsewhere: "is not at version",
    a_turn_is_acknowledged_twice_at_two_places: "was acknowledged at version",
    somebody_saw_another_order: "and at the end it is",
    somebody_missed_a_step: "steps instead of",
    somebody_saw_what_was_taken_back: "and at the end there is only",
    somebody_saw_half_a_turn: "without what chance did then",
    somebody_came_back_and_saw_less: "late came back and saw version",
    a_turn_was_acknowledged_before_it_was_shown: "before the turn itself",
    a_legal_turn_was_refused: "was refused without a reason",
}


@pytest.mark.parametrize("game", ["limes", "limit"])
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_it_finds_that(damage: Callable[[Log], None], game: str, logs: dict[str, Log]) -> None:
    log = copy.deepcopy(logs[game])
    damage(log)
    assert DAMAGES[damage] in complaints(log)


def test_a_gateway_without_a_server_behind_it_is_no_contradiction(logs: dict[str, Log]) -> None:
    log = [*logs["limit"], {"what": "answered", "who": "0", "status": 502, "text": "<html>Bad Gateway</html>"}]
    assert complaints(log) == ""
    log[-1].update(status=404, text='{"error":"there is no such game","code":"not_found"}')
    assert "was refused without a reason: there is no such game" in complaints(log)
