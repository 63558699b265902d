"""The checker finds every kind of damage: real matches, calmly played, are damaged in one place each."""

from __future__ import annotations

import asyncio
import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from chaos.checker import Checker, check_all
from chaos.players import World, ask, play_match
from chaos.told import Entry, read

Log = list[Entry]
LIMES = {
    "game": "limes",
    "seats": [{"kind": "person"}, {"kind": "open"}, {"kind": "bot", "bot": "novice"}],
    "options": {},
    "hidden": True,
}
LIMIT = {
    "game": "limit",
    "seats": [{"kind": "person"}, {"kind": "bot", "bot": "novice"}],
    "options": {"size": 8},
    "hidden": False,
}


@pytest.fixture(scope="module")
def folder(address: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where three matches are written down, which were played at a server that nothing happened to.

    In the last one turns were taken back.
    """
    folder = tmp_path_factory.mktemp("told")

    async def play() -> None:
        async with httpx.AsyncClient(verify=False, timeout=30) as http:
            for seed, (request, regrets) in enumerate(((LIMES, 0.0), (LIMIT, 0.0), (LIMIT, 0.3))):
                world = World([address, address], folder, http, restless=0.1, regrets=regrets)
                await ask(world, await play_match(world, Random(seed), request))

    asyncio.run(play())
    return folder


@pytest.fixture(scope="module")
def logs(folder: Path) -> dict[str, Log]:
    found = [list(read(file)) for file in folder.iterdir()]
    return {"taken back" if taken_back(log) else log[0]["request"]["game"]: log for log in found}


def taken_back(log: Log) -> Log:
    """The answers to whoever took back a turn."""
    return [entry for entry in log if entry["what"] == "took back"]


def complaints(log: Log) -> str:
    return "\n".join(Checker("it", log).check())


def test_nothing_is_found_where_nothing_happened(folder: Path, logs: dict[str, Log]) -> None:
    found, figures = check_all(folder)
    assert found == []
    assert figures["matches checked"] == 3
    # It has looked at something.
    assert figures["acknowledgements"] >= 32
    assert figures["turns of bots"] > 16
    assert figures["messages searched"] > 32
    assert figures["turns taken back, checked"] > 1
    assert set(logs) == {"limes", "limit", "taken back"}


# --- one kind of damage each


def in_text(entry: Entry, change: Callable[[Any], None]) -> None:
    """Change what a message says."""
    message = json.loads(entry["text"])
    change(message)
    entry["text"] = json.dumps(message, separators=(",", ":"))


def told(log: Log, kind: str, number: int = 0, who: str | None = None) -> Entry:
    """A message of a kind that somebody was told."""
    found = [
        entry
        for entry in log
        if entry["what"] == "told" and json.loads(entry["text"])["type"] == kind and who in (None, entry["who"])
    ]
    return found[number]


def with_steps(log: Log) -> Entry:
    """An update in which somebody saw something happen."""
    return next(
        entry for entry in log if entry["what"] == "told" and len(json.loads(entry["text"]).get("steps", ())) > 0
    )


def asked(log: Log) -> Log:
    return [entry for entry in log if entry["what"] == "asked"]


def in_all_ends(log: Log, change: Callable[[Any], None]) -> None:
    for entry in asked(log):
        in_text(entry, change)


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


# --- what is taken back


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
    it_came_again: "is not at version|does not follow|and at the end it is",
}


@pytest.mark.parametrize("damage", TAKEN_BACK, ids=lambda damage: damage.__name__)
def test_it_finds_what_is_wrong_with_a_turn_taken_back(damage: Callable[[Log], None], logs: dict[str, Log]) -> None:
    log = copy.deepcopy(logs["taken back"])
    damage(log)
    assert re.search(TAKEN_BACK[damage], complaints(log))


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
