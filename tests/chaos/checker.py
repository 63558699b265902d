"""Looks for contradictions in what the clients of a match were told. It knows nothing else: no database, no server.

    PYTHONPATH=tests python -m chaos.checker FOLDER

looks through all matches of a folder.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from chaos.client_log import Entry, read
from chaos.timeline import TakenBack, Timeline
from limina.core import registry
from limina.core.commitment import commit
from limina.core.position import Step
from limina.errors import LiminaError
from support.games.hidden_information import find_leaks, find_states
from support.server.clients import apply_message

Plain = dict[str, Any]
_BUSY = ("unavailable", "too_many")
"""The refusals that ask to come back; to no other did anybody give a reason."""


class Checker:
    """One match. Whatever does not fit together becomes a sentence."""

    def __init__(self, match: str, entries: Iterable[Entry]) -> None:
        self.match = match
        self.figures: Counter[str] = Counter()
        self._entries = list(entries)
        self._found: list[str] = []
        self._request: Plain = next((entry["request"] for entry in self._entries if entry["what"] == "begun"), {})
        self._final: Plain = {}
        self._line: Timeline

    def check(self) -> list[str]:
        """All contradictions, none where all is well."""
        self._find_final()
        if self._final:
            self._line = Timeline(self._joins, self._taken_back(), self._final, self._seen())
            self._replay()
            self._check_promise()
            self._check_seats()
            self._check_turns()
            self._check_viewers()
        return self._found

    def _say(self, sentence: str) -> None:
        self._found.append(f"{self.match}: {sentence}")

    # --- how it ended

    def _find_final(self) -> None:
        """The end as every server tells it after the storm, which must be the same."""
        ends: list[Plain] = []
        for entry in self._entries:
            if entry["what"] == "asked":
                if entry["status"] == 200:
                    ends.append(json.loads(entry["text"]))
                else:
                    self._say(f"{entry['server']} does not know it after the storm: {entry['text'][:200]}")
        if not ends:
            if not self._found:
                self._say("nobody asked for it after the storm")
            return
        self._final = ends[0]
        for other in ends[1:]:
            if [other[key] for key in ("version", "steps")] != [self._final[key] for key in ("version", "steps")]:
                self._say(f"servers tell different ends: version {self._final['version']} and {other['version']}")
        if self._final["phase"] != "over":
            waits = [(seat, self._request["seats"][seat].get("bot", "a person")) for seat in self._final["to_move"]]
            self._say(f"it is stuck at version {self._final['version']} ({self._final['phase']}), waiting for {waits}")
        for number, seat in enumerate(self._final["seats"]):
            if seat["failed"] is not None:
                self._say(f"the bot of seat {number} was replaced: {seat['failed']['sentence']}")

    @property
    def _steps(self) -> list[Plain]:
        steps: list[Plain] = self._final["steps"]
        return steps

    @property
    def _joins(self) -> int:
        """Events before the first turn that are no steps."""
        return sum(seat["kind"] == "open" for seat in self._request["seats"])

    def _taken_back(self) -> Iterator[TakenBack]:
        """The turns that somebody was told are taken back."""
        for entry in self._entries:
            if entry["what"] == "took back" and entry["status"] == 200:
                left = json.loads(entry["text"])
                yield TakenBack(entry["asked"]["seat"], entry["asked"]["number"], left["version"], left["steps"])

    def _seen(self) -> Iterator[Plain]:
        """The states that players and others saw, where nothing is hidden from them."""
        views: dict[str, Plain] = {}
        for entry in self._entries:
            if entry["what"] == "told" and not self._request["hidden"]:
                message = json.loads(entry["text"])
                state = views[entry["who"]] = apply_message(views.get(entry["who"], {}), message)
                if message["type"] in ("state", "update"):
                    yield state

    def _replay(self) -> None:
        """Whether the steps are a game: no gap, no turn twice, none out of its order, and the end is one.

        So it must be with those that were taken back.
        """
        for sentence in self._line.contradictions():
            self._say(sentence)
        self.figures["turns taken back, checked"] += len(self._line.stretches) - 1
        game = registry.game(self._final["game"])
        deck = {"deck": self._final["view"]["deck"]} if "deck" in self._final["view"] else {}
        for stretch in self._line.stretches:
            position = game.start(len(self._final["seats"]), **self._final["options"], **deck)
            for place, step in enumerate(stretch.steps):
                try:
                    position = position.apply(Step(step["player"], step["text"]))
                except LiminaError as error:
                    whose = "chance" if step["player"] is None else f"seat {step['player']}"
                    what = f"step {place}, {step['text']!r} of {whose}"
                    return self._say(f"{what}, does not follow from those before it: {error}")
        if self._final["phase"] == "over" and position.outcome is None:
            self._say("it is said to be over, but its steps are not a whole game")
        turns = Counter(step["player"] for step in self._steps if step["player"] is not None)
        played = [turns[seat] for seat in range(len(self._final["seats"]))]
        if played != [seat["turns"] for seat in self._final["seats"]]:
            self._say(f"the seats have played {played} turns, but are said to have played otherwise")
        self.figures["turns"] += turns.total()
        kinds = [seat["kind"] for seat in self._request["seats"]]
        self.figures["turns of bots"] += sum(turns[seat] for seat, kind in enumerate(kinds) if kind == "bot")

    def _check_promise(self) -> None:
        """What was promised of chance before the first step is what came."""
        reveal = self._final["reveal"]
        if reveal is None:
            return
        if commit(reveal["salt"], reveal["order"]) != self._final["commitment"]:
            self._say("salt and order do not open the promise about chance")
        drawn = [step["text"] for step in self._steps if step["player"] is None]
        if drawn != reveal["order"][: len(drawn)]:
            self._say("what chance did is not what was promised")

    # --- what was acknowledged

    def _check_seats(self) -> None:
        for entry in self._entries:
            if entry["what"] == "seated" and self._final["seats"][entry["seat"]]["kind"] != "person":
                self._say(f"seat {entry['seat']} was given to somebody and is not theirs")

    def _check_turns(self) -> None:
        """Every turn that was acknowledged is there once, where it was acknowledged; no other but those sent."""
        sent: set[tuple[int, int, str]] = set()
        places: dict[str, int] = {}
        for entry in self._entries:
            if entry["what"] == "sent":
                turn = entry["turn"]
                sent.add((turn["seat"], turn["number"], turn["turn"]))
            for answer in _acknowledged(entry):
                self.figures["acknowledgements"] += 1
                key, version = answer["key"], answer["version"]
                if places.setdefault(key, version) != version:
                    self._say(f"the turn {key} was acknowledged at version {places[key]} and at {version}")
                self._check_place(answer)
        for stretch in self._line.stretches:
            played: Counter[int] = Counter()
            for step in stretch.steps:
                seat = step["player"]
                if seat is None:
                    continue
                if self._request["seats"][seat]["kind"] != "bot" and (seat, played[seat], step["text"]) not in sent:
                    self._say(f"turn {played[seat]} of seat {seat}, {step['text']!r}, was never sent")
                played[seat] += 1

    def _check_place(self, answer: Plain) -> None:
        """What chance did after a turn has part in its version, so it is the last turn up to there."""
        before = [step for step in self._line.at(answer["version"]) if step["player"] is not None]
        what = f"the acknowledged turn {answer['turn']!r} of seat {answer['seat']}, its number {answer['number']}"
        if not before or (before[-1]["player"], before[-1]["text"]) != (answer["seat"], answer["turn"]):
            return self._say(f"{what}, is not at version {answer['version']}")
        if sum(step["player"] == answer["seat"] for step in before) != answer["number"] + 1:
            self._say(f"{what}, is there at another number")

    # --- what everybody saw

    def _check_viewers(self) -> None:
        """All saw the same order without a gap, never anything older than was known, and nothing hidden."""
        views: dict[str, Plain] = {}
        newest = 0
        promised: dict[str, int] = {}
        for entry in self._entries:
            what, who = entry["what"], entry["who"]
            if what == "hello":
                promised[who] = newest
            elif what == "answered":
                # From 500 on it says to come back, in the server's words or in those of whoever passes requests on.
                self._check_refusal(who, json.loads(entry["text"]) if 400 <= entry["status"] < 500 else {})
            elif what == "told":
                message = json.loads(entry["text"])
                state = views[who] = apply_message(views.get(who, {}), message)
                self._check_message(who, message, state, promised.pop(who, None))
                self._check_hidden(who, entry["text"], message, state)
                newest = max(newest, state.get("version", 0))
            elif what == "took back":
                answer = json.loads(entry["text"]) if entry["status"] < 500 else {}
                self._check_refusal(who, answer if "code" in answer else {})
                newest = max(newest, answer.get("version", 0))
            for answer in _acknowledged(entry):
                newest = max(newest, answer["version"])

    def _check_message(self, who: str, message: Plain, state: Plain, known: int | None) -> None:
        kind = message["type"]
        self._check_refusal(who, message if kind == "refused" else {})
        if kind == "played" and message["version"] > state["version"]:
            self._say(f"{who} was told of a saved turn before the turn itself, at version {message['version']}")
        if known is not None and kind in ("state", "current") and state["version"] < known:
            self._say(f"{who} came back and saw version {state['version']}, when {known} was known to others")
        if kind not in ("state", "update") or state["phase"] == "waiting":
            return
        if state["commitment"] != self._final["commitment"]:
            self._say(f"{who} was promised something else about chance than there is at the end")
        if state["phase"] == "playing" and not state["to_move"]:
            self._say(f"at version {state['version']} {who} saw a turn without what chance did then")
        expected = self._visible(state)
        if state["version"] > self._final["version"]:
            self._say(f"{who} saw version {state['version']}, and at the end there is only {self._final['version']}")
        elif state["steps"] != expected:
            both = zip(state["steps"], expected, strict=False)
            place = next((n for n, (saw, is_there) in enumerate(both) if saw != is_there), None)
            self._say(
                f"at version {state['version']} {who} saw {len(state['steps'])} steps instead of {len(expected)}"
                if place is None
                else f"at version {state['version']} {who} saw {state['steps'][place]} as step {place}, "
                f"and at the end it is {expected[place]}"
            )

    def _visible(self, state: Plain) -> list[Plain]:
        """The steps that somebody may know of at a version: of an open round, hidden, one's own."""
        steps = self._line.at(state["version"])
        if not state["hidden"] or state["phase"] == "over":
            return steps
        first = max((place + 1 for place, step in enumerate(steps) if step["player"] is None), default=0)
        return steps[:first] + [step for step in steps[first:] if step["player"] in state["mine"]]

    def _check_refusal(self, who: str, answer: Plain) -> None:
        if answer and answer["code"] not in _BUSY:
            self._say(f"{who} was refused without a reason: {answer['error']}")

    def _check_hidden(self, who: str, text: str, message: Plain, state: Plain) -> None:
        """No card to come, no salt, and of others' turns in an open round not even a card on their table."""
        reveal = self._final["reveal"]
        if reveal is None or not state or state["phase"] == "over":
            return
        self.figures["messages searched"] += 1
        self.figures["bytes searched"] += len(text)
        version: int = message["version"] if "version" in message else state["version"]
        steps = self._line.at(version)
        drawn = sum(step["player"] is None for step in steps)
        for leak in find_leaks(text, reveal["salt"], reveal["order"], drawn):
            self._say(f"at version {state['version']} {who} was told what is hidden: {leak}")
        if not state["hidden"]:
            return
        shown = Counter(step["player"] for step in self._visible(state))
        for found in find_states(message):
            for seat, display in enumerate(found["view"]["displays"]):
                if display is not None and display["cards"] > shown[seat]:
                    self._say(f"at version {state['version']} {who} saw the hidden turn of seat {seat}")


def _acknowledged(entry: Entry) -> Iterator[Plain]:
    """The turn that is acknowledged here, if one is."""
    told_so = entry["what"] == "told" and entry["text"].startswith('{"type":"played"')
    if told_so or (entry["what"] == "answered" and entry["status"] == 200):
        yield json.loads(entry["text"])


def check_all(folder: Path) -> tuple[list[str], Counter[str]]:
    """The contradictions in all matches of a folder, and how much was looked at."""
    found: list[str] = []
    figures: Counter[str] = Counter()
    for file in sorted(folder.glob("*.jsonl.gz")):
        checker = Checker(file.name.removesuffix(".jsonl.gz"), read(file))
        found += checker.check()
        figures += checker.figures
        figures["matches checked"] += 1
    return found, figures


if __name__ == "__main__":
    contradictions, _ = check_all(Path(sys.argv[1]))
    print(*contradictions, sep="\n")
    sys.exit(1 if contradictions else 0)
