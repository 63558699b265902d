"""Find contradictions in what the clients of a match received, from the client log alone.

    PYTHONPATH=tests python -m chaos.checker FOLDER

checks all logs in a folder. The checker reads no database and uses no code of the server: it replays the steps with
the rules and compares.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from chaos.client_log import SUFFIX, Entry, logged_match_id, read_log
from chaos.timeline import TakeBack, Timeline
from limina.core import registry
from limina.core.commitment import commitment_hash
from limina.core.position import Step
from limina.errors import LiminaError
from support.games.hidden_information import find_leaks, find_states
from support.server.clients import apply_message

JsonObject = dict[str, Any]
_RETRY_CODES = ("unavailable", "rate_limited")
"""Error codes that ask the client to try again later. The simulated clients cause no other error."""


class Checker:
    """Checks the log of one match."""

    def __init__(self, match_id: str, entries: Iterable[Entry]) -> None:
        self.match_id = match_id
        self.figures: Counter[str] = Counter()
        self._entries = list(entries)
        self._contradictions: list[str] = []
        self._request: JsonObject = next(
            (entry["request"] for entry in self._entries if entry["kind"] == "created"), {}
        )
        self._final: JsonObject = {}
        self._timeline: Timeline

    def check(self) -> list[str]:
        """Return a sentence for each contradiction."""
        self._find_final_state()
        if self._final:
            self._timeline = Timeline(self._joins, self._take_backs(), self._final, self._public_states())
            self._check_rules()
            self._check_commitment()
            self._check_joins()
            self._check_turns()
            self._check_messages()
        return self._contradictions

    def _report(self, sentence: str) -> None:
        self._contradictions.append(f"{self.match_id}: {sentence}")

    # --- the final state

    def _find_final_state(self) -> None:
        """Compare the final states of all servers, which must be equal and over, without a replaced bot."""
        states: list[JsonObject] = []
        for entry in self._entries:
            if entry["kind"] == "final_state":
                if entry["status"] == 200:
                    states.append(json.loads(entry["text"]))
                else:
                    self._report(f"{entry['server']} does not have it at the end: {entry['text'][:200]}")
        if not states:
            if not self._contradictions:
                self._report("no server was asked for its final state")
            return
        self._final = states[0]
        for other in states[1:]:
            if [other[name] for name in ("version", "steps")] != [self._final[name] for name in ("version", "steps")]:
                self._report(f"servers have different final states: {self._final['version']} and {other['version']}")
        if self._final["phase"] != "over":
            waits = [(seat, self._request["seats"][seat].get("bot", "a person")) for seat in self._final["to_move"]]
            self._report(
                f"it is stuck at version {self._final['version']} ({self._final['phase']}), waiting for {waits}"
            )
        for seat_index, seat in enumerate(self._final["seats"]):
            if seat["failed_bot"] is not None:
                self._report(f"the bot of seat {seat_index} was replaced: {seat['failed_bot']['message']}")

    @property
    def _steps(self) -> list[JsonObject]:
        steps: list[JsonObject] = self._final["steps"]
        return steps

    @property
    def _joins(self) -> int:
        """The number of open seats: each adds one event before the first turn that is no step."""
        return sum(seat["kind"] == "open" for seat in self._request["seats"])

    def _take_backs(self) -> Iterator[TakeBack]:
        """Yield the take-backs that a server confirmed."""
        for entry in self._entries:
            if entry["kind"] == "took_back" and entry["status"] == 200:
                request, state = entry["request"], json.loads(entry["text"])
                yield TakeBack(request["seat_index"], request["turn_index"], state["version"], state["steps"])

    def _public_states(self) -> Iterator[JsonObject]:
        """Yield the states that clients received, if the match hides nothing."""
        states: dict[str, JsonObject] = {}
        for entry in self._entries:
            if entry["kind"] == "received" and not self._request["hidden_turns"]:
                message = json.loads(entry["text"])
                state = states[entry["client"]] = apply_message(states.get(entry["client"], {}), message)
                if message["type"] in ("state", "update"):
                    yield state

    def _check_rules(self) -> None:
        """Replay the steps of every segment by the rules, and compare the end with the final state."""
        for sentence in self._timeline.contradictions():
            self._report(sentence)
        self.figures["turns taken back, checked"] += len(self._timeline.segments) - 1
        game = registry.game(self._final["game"])
        deck = {"deck": self._final["view"]["deck"]} if "deck" in self._final["view"] else {}
        for segment in self._timeline.segments:
            position = game.start(len(self._final["seats"]), **self._final["options"], **deck)
            for step_index, step in enumerate(segment.steps):
                try:
                    position = position.apply(Step(step["player"], step["text"]))
                except LiminaError as error:
                    player = "chance" if step["player"] is None else f"seat {step['player']}"
                    name = f"step {step_index}, {step['text']!r} of {player}"
                    return self._report(f"{name}, does not follow from those before it: {error}")
        if self._final["phase"] == "over" and position.outcome is None:
            self._report("its phase is over, but its steps are not a whole game")
        turns = Counter(step["player"] for step in self._steps if step["player"] is not None)
        played = [turns[seat] for seat in range(len(self._final["seats"]))]
        if played != [seat["turn_count"] for seat in self._final["seats"]]:
            self._report(f"the seats have played {played} turns, but the state has other counts")
        self.figures["turns"] += turns.total()
        kinds = [seat["kind"] for seat in self._request["seats"]]
        self.figures["turns of bots"] += sum(turns[seat] for seat, kind in enumerate(kinds) if kind == "bot")

    def _check_commitment(self) -> None:
        """Check the revealed salt and order against the commitment and against the steps of chance."""
        reveal = self._final["reveal"]
        if reveal is None:
            return
        if commitment_hash(reveal["salt"], reveal["order"]) != self._final["commitment"]:
            self._report("salt and order do not open the commitment")
        drawn = [step["text"] for step in self._steps if step["player"] is None]
        if drawn != reveal["order"][: len(drawn)]:
            self._report("the steps of chance do not follow the commitment")

    # --- acknowledgements

    def _check_joins(self) -> None:
        for entry in self._entries:
            if entry["kind"] == "joined" and self._final["seats"][entry["seat"]]["kind"] != "person":
                self._report(f"a client joined seat {entry['seat']}, and the seat has no person")

    def _check_turns(self) -> None:
        """Check that each acknowledged turn is there once, at its version, and that each person's turn was sent."""
        sent: set[tuple[int, int, str]] = set()
        versions: dict[str, int] = {}
        for entry in self._entries:
            if entry["kind"] == "sent":
                turn = entry["turn"]
                sent.add((turn["seat_index"], turn["turn_index"], turn["turn"]))
            for answer in _acknowledgements(entry):
                self.figures["acknowledgements"] += 1
                key, version = answer["idempotency_key"], answer["version"]
                if versions.setdefault(key, version) != version:
                    self._report(f"the turn {key} was acknowledged at version {versions[key]} and at {version}")
                self._check_acknowledgement(answer)
        for segment in self._timeline.segments:
            played: Counter[int] = Counter()
            for step in segment.steps:
                seat = step["player"]
                if seat is None:
                    continue
                if self._request["seats"][seat]["kind"] != "bot" and (seat, played[seat], step["text"]) not in sent:
                    self._report(f"turn {played[seat]} of seat {seat}, {step['text']!r}, was never sent")
                played[seat] += 1

    def _check_acknowledgement(self, answer: JsonObject) -> None:
        """Check that the turn is the last one at its version. Steps of chance after it belong to the same version."""
        before = [step for step in self._timeline.steps_at(answer["version"]) if step["player"] is not None]
        seat_index, turn_index = answer["seat_index"], answer["turn_index"]
        name = f"the acknowledged turn {answer['turn']!r} of seat {seat_index}, its number {turn_index}"
        if not before or (before[-1]["player"], before[-1]["text"]) != (seat_index, answer["turn"]):
            return self._report(f"{name}, is not at version {answer['version']}")
        if sum(step["player"] == seat_index for step in before) != turn_index + 1:
            self._report(f"{name}, has another number there")

    # --- messages

    def _check_messages(self) -> None:
        """Check that clients received the same steps in the same order, nothing outdated and nothing hidden."""
        states: dict[str, JsonObject] = {}
        newest = 0
        newest_at_hello: dict[str, int] = {}
        for entry in self._entries:
            kind, client = entry["kind"], entry["client"]
            if kind == "hello":
                newest_at_hello[client] = newest
            elif kind == "answered":
                # A status from 500 on asks to try again, and the text may be that of a gateway.
                self._check_error(client, json.loads(entry["text"]) if 400 <= entry["status"] < 500 else {})
            elif kind == "received":
                message = json.loads(entry["text"])
                state = states[client] = apply_message(states.get(client, {}), message)
                self._check_message(client, message, state, newest_at_hello.pop(client, None))
                self._check_hidden(client, entry["text"], message, state)
                newest = max(newest, state.get("version", 0))
            elif kind == "took_back":
                answer = json.loads(entry["text"]) if entry["status"] < 500 else {}
                self._check_error(client, answer if "code" in answer else {})
                newest = max(newest, answer.get("version", 0))
            for answer in _acknowledgements(entry):
                newest = max(newest, answer["version"])

    def _check_message(self, client: str, message: JsonObject, state: JsonObject, known_version: int | None) -> None:
        message_type = message["type"]
        self._check_error(client, message if message_type == "refused" else {})
        if message_type == "played" and message["version"] > state["version"]:
            self._report(
                f"{client} received an acknowledgement before the turn itself, at version {message['version']}"
            )
        if known_version is not None and message_type in ("state", "current") and state["version"] < known_version:
            self._report(f"{client} reconnected to version {state['version']}, when others had {known_version}")
        if message_type not in ("state", "update") or state["phase"] == "waiting":
            return
        if state["commitment"] != self._final["commitment"]:
            self._report(f"{client} received another commitment than the final one")
        if state["phase"] == "playing" and not state["to_move"]:
            self._report(f"at version {state['version']} {client} received a turn without the step of chance after it")
        expected = self._visible_steps(state)
        if state["version"] > self._final["version"]:
            self._report(f"{client} received version {state['version']}, but the last is {self._final['version']}")
        elif state["steps"] != expected:
            pairs = zip(state["steps"], expected, strict=False)
            different = next((index for index, (seen, final) in enumerate(pairs) if seen != final), None)
            self._report(
                f"at version {state['version']} {client} received {len(state['steps'])} steps "
                f"instead of {len(expected)}"
                if different is None
                else f"at version {state['version']} {client} received {state['steps'][different]} "
                f"as step {different}, but it is {expected[different]}"
            )

    def _visible_steps(self, state: JsonObject) -> list[JsonObject]:
        """Return the steps that a client may know: of a hidden round that is not over, only those of its own seats."""
        steps = self._timeline.steps_at(state["version"])
        if not state["hidden_turns"] or state["phase"] == "over":
            return steps
        first = max((index + 1 for index, step in enumerate(steps) if step["player"] is None), default=0)
        return steps[:first] + [step for step in steps[first:] if step["player"] in state["my_seats"]]

    def _check_error(self, client: str, answer: JsonObject) -> None:
        if answer and answer["code"] not in _RETRY_CODES:
            self._report(f"{client} received an unexpected error: {answer['error']}")

    def _check_hidden(self, client: str, text: str, message: JsonObject, state: JsonObject) -> None:
        """Search a message for the salt, for cards that are not drawn yet, and for other seats' hidden turns."""
        reveal = self._final["reveal"]
        if reveal is None or not state or state["phase"] == "over":
            return
        self.figures["messages searched"] += 1
        self.figures["bytes searched"] += len(text)
        version: int = message["version"] if "version" in message else state["version"]
        steps = self._timeline.steps_at(version)
        drawn = sum(step["player"] is None for step in steps)
        for leak in find_leaks(text, reveal["salt"], reveal["order"], drawn):
            self._report(f"at version {state['version']} {client} received what is hidden: {leak}")
        if not state["hidden_turns"]:
            return
        turns = Counter(step["player"] for step in self._visible_steps(state))
        for part in find_states(message):
            for seat, display in enumerate(part["view"]["displays"]):
                if display is not None and display["cards"] > turns[seat]:
                    self._report(f"at version {state['version']} {client} received the hidden turn of seat {seat}")


def _acknowledgements(entry: Entry) -> Iterator[JsonObject]:
    """Yield the acknowledgement of a turn, if the entry is one."""
    over_socket = entry["kind"] == "received" and entry["text"].startswith('{"type":"played"')
    if over_socket or (entry["kind"] == "answered" and entry["status"] == 200):
        yield json.loads(entry["text"])


def check_all(folder: Path) -> tuple[list[str], Counter[str]]:
    """Return the contradictions in all logs of a folder, and counts of what was checked."""
    contradictions: list[str] = []
    figures: Counter[str] = Counter()
    for file in sorted(folder.glob(f"*{SUFFIX}")):
        checker = Checker(logged_match_id(file), read_log(file))
        contradictions += checker.check()
        figures += checker.figures
        figures["matches checked"] += 1
    return contradictions, figures


if __name__ == "__main__":
    contradictions, _ = check_all(Path(sys.argv[1]))
    print(*contradictions, sep="\n")
    sys.exit(1 if contradictions else 0)
