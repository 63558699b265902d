"""The checker finds every kind of damage: logs of real matches are damaged in one place each."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chaos.checker import check_all
from chaos.corruptions import (
    Log,
    change_final_states,
    change_text,
    check_log,
    final_states,
    received,
    received_with_steps,
)


def test_undamaged_logs_have_no_contradiction(undamaged_logs: Path, logs: dict[str, Log]) -> None:
    contradictions, figures = check_all(undamaged_logs)
    assert contradictions == []
    assert figures["matches checked"] == 3
    # The logs have what the checker is to check.
    assert figures["acknowledgements"] >= 32
    assert figures["turns of bots"] > 16
    assert figures["messages searched"] > 32
    assert figures["turns taken back, checked"] > 1
    assert set(logs) == {"limes", "limit", "taken back"}


def last_turn(state: Any, seat: int) -> int:
    return max(index for index, step in enumerate(state["steps"]) if step["player"] == seat)


def a_turn_is_lost(log: Log) -> None:
    def change(state: Any) -> None:
        del state["steps"][last_turn(state, 0)]
        state["version"] -= 1

    change_final_states(log, change)


def a_turn_is_changed(log: Log) -> None:
    def change(state: Any) -> None:
        own = [step for step in state["steps"] if step["player"] == 0]
        own[0]["text"] = own[1]["text"]

    change_final_states(log, change)


def a_turn_is_doubled(log: Log) -> None:
    def change(state: Any) -> None:
        index = last_turn(state, 0)
        state["steps"].insert(index, state["steps"][index])
        state["version"] += 1

    change_final_states(log, change)


def a_turn_of_a_bot_is_doubled(log: Log) -> None:
    bot = len(log[0]["request"]["seats"]) - 1

    def change(state: Any) -> None:
        index = last_turn(state, bot)
        state["steps"].insert(index, state["steps"][index])
        state["version"] += 1

    change_final_states(log, change)


def a_version_is_missing(log: Log) -> None:
    change_final_states(log, lambda state: state.update(version=state["version"] + 1))


def the_match_is_stuck(log: Log) -> None:
    change_final_states(log, lambda state: state.update(phase="playing", to_move=[0]))


def the_match_is_over_too_early(log: Log) -> None:
    def change(state: Any) -> None:
        state["steps"] = state["steps"][:4]

    change_final_states(log, change)


def a_server_does_not_have_the_match(log: Log) -> None:
    final_states(log)[-1].update(status=404, text='{"error":"there is no such game","code":"not_found"}')


def servers_disagree(log: Log) -> None:
    change_text(final_states(log)[-1], lambda state: state["steps"].pop())


def no_final_state_is_logged(log: Log) -> None:
    log[:] = [entry for entry in log if entry["kind"] != "final_state"]


def a_bot_was_replaced(log: Log) -> None:
    change_final_states(
        log, lambda state: state["seats"][-1].update(failed_bot={"message": "the bot novice has crashed"})
    )


def a_turn_was_never_sent(log: Log) -> None:
    sent = next(entry for entry in log if entry["kind"] == "sent")
    log[:] = [entry for entry in log if not (entry["kind"] == "sent" and entry["turn"] == sent["turn"])]


def a_turn_is_acknowledged_at_another_version(log: Log) -> None:
    change_text(received(log, "played"), lambda answer: answer.update(version=answer["version"] + 1))


def a_turn_is_acknowledged_at_two_versions(log: Log) -> None:
    again = copy.deepcopy(received(log, "played"))
    change_text(again, lambda answer: answer.update(version=answer["version"] - 1))
    log.insert(log.index(received(log, "played")) + 1, again)


def a_client_received_another_order(log: Log) -> None:
    def change(message: Any) -> None:
        message["steps"][0]["text"] = "d4r3 +se"

    change_text(received_with_steps(log), change)


def a_client_missed_a_step(log: Log) -> None:
    change_text(received_with_steps(log), lambda message: message["steps"].clear())


def a_client_received_a_version_too_high(log: Log) -> None:
    change_text(received(log, "update", -1), lambda message: message.update(version=message["version"] + 5))


def a_client_received_half_a_turn(log: Log) -> None:
    change_text(received(log, "update", 4), lambda message: message.update(to_move=[]))


def a_client_reconnected_to_an_older_version(log: Log) -> None:
    first, index = received(log, "state"), log.index(received(log, "update", -1)) + 1
    log[index:index] = [{"kind": "hello", "client": "late", "server": "x"}, {**first, "client": "late"}]


def a_turn_was_acknowledged_before_its_update(log: Log) -> None:
    played = received(log, "played")
    log.remove(played)
    log.insert(log.index(received(log, "state", client=played["client"])) + 1, played)


def a_legal_turn_was_refused(log: Log) -> None:
    refused = {"type": "refused", "request_id": "0-1", "error": "this seat has played 2 turns, not 1", "code": "stale"}
    log.insert(log.index(received(log, "update", 4)), {"kind": "received", "client": "0", "text": json.dumps(refused)})


DAMAGES: dict[Callable[[Log], None], str] = {
    a_turn_is_lost: "of seat 0, its number",
    a_turn_is_changed: "was never sent",
    a_turn_is_doubled: "does not follow from those before it",
    a_turn_of_a_bot_is_doubled: "does not follow from those before it",
    a_version_is_missing: "it has version",
    the_match_is_stuck: "it is stuck at version",
    the_match_is_over_too_early: "its steps are not a whole game",
    a_server_does_not_have_the_match: "server 1 does not have it at the end",
    servers_disagree: "servers have different final states",
    no_final_state_is_logged: "no server was asked",
    a_bot_was_replaced: "was replaced: the bot novice has crashed",
    a_turn_was_never_sent: "was never sent",
    a_turn_is_acknowledged_at_another_version: "is not at version",
    a_turn_is_acknowledged_at_two_versions: "was acknowledged at version",
    a_client_received_another_order: "but it is",
    a_client_missed_a_step: "steps instead of",
    a_client_received_a_version_too_high: "but the last is",
    a_client_received_half_a_turn: "without the step of chance",
    a_client_reconnected_to_an_older_version: "late reconnected to version",
    a_turn_was_acknowledged_before_its_update: "before the turn itself",
    a_legal_turn_was_refused: "0 received an unexpected error",
}


@pytest.mark.parametrize("game", ["limes", "limit"])
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_the_checker_finds_the_damage(damage: Callable[[Log], None], game: str, logs: dict[str, Log]) -> None:
    log = copy.deepcopy(logs[game])
    damage(log)
    assert DAMAGES[damage] in check_log(log)


def test_an_error_of_a_gateway_is_no_contradiction(logs: dict[str, Log]) -> None:
    log = [*logs["limit"], {"kind": "answered", "client": "0", "status": 502, "text": "<html>Bad Gateway</html>"}]
    assert check_log(log) == ""
    log[-1].update(status=404, text='{"error":"there is no such game","code":"not_found"}')
    assert "0 received an unexpected error: there is no such game" in check_log(log)
