"""What a match was at each of its versions, as far as its clients saw it, where turns may have been taken back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

Plain = dict[str, Any]
Steps = list[Plain]


@dataclass(frozen=True)
class TakenBack:
    """A turn that somebody took back: which one, and what was left of the game."""

    seat: int
    number: int
    version: int
    steps: Steps


@dataclass
class Stretch:
    """Versions between which nothing was taken back: each is one step more than the one before."""

    first: int
    """The version at which it begins."""
    kept: Steps
    """The steps that were there then."""
    steps: Steps = field(default_factory=list)
    """The longest list that anybody saw, with those."""

    def length(self, version: int) -> int:
        """How many steps there are at a version."""
        return max(0, len(self.kept) + version - self.first)


class Timeline:
    """All stretches of a match. The last one ends as the match does, the others with a turn that is taken back."""

    def __init__(self, joins: int, taken_back: Iterable[TakenBack], final: Plain, seen: Iterable[Plain]) -> None:
        # A request that was sent again is answered again: it is the same event.
        events = {event.version: event for event in taken_back}
        self._events = [events[version] for version in sorted(events)]
        self._final = final
        self.stretches = [
            Stretch(joins, []),
            *(Stretch(event.version, event.steps, event.steps) for event in self._events),
        ]
        for state in seen:
            stretch = self.stretch(state["version"])
            if len(state["steps"]) > len(stretch.steps):
                stretch.steps = state["steps"]
        self.stretches[-1].steps = final["steps"]

    def stretch(self, version: int) -> Stretch:
        """The one to which a version belongs."""
        return next((each for each in reversed(self.stretches) if each.first <= version), self.stretches[0])

    def at(self, version: int) -> Steps:
        """The steps at a version."""
        stretch = self.stretch(version)
        return stretch.steps[: stretch.length(version)]

    def contradictions(self) -> Iterator[str]:
        """Whether each take-back took back what it should, and nothing is missing between."""
        for before, event in zip(self.stretches, self._events, strict=False):
            whose = f"turn {event.number} of seat {event.seat}, taken back at version {event.version},"
            left, there = len(event.steps), before.length(event.version - 1)
            if event.steps != before.steps[:left] or left >= len(before.steps):
                yield f"{whose} left another game than there was before"
            elif before.steps[left]["player"] != event.seat or _turns(event.steps, event.seat) != event.number:
                yield f"{whose} was not the one that is gone"
            elif _turns(before.steps, event.seat) != event.number + 1:
                yield f"{whose} took earlier turns with it"
            elif not 0 <= there - len(before.steps) < len(self._final["seats"]):
                yield f"{whose} comes {there} steps after the beginning, and {len(before.steps)} were seen"
        last = self.stretches[-1]
        if last.length(self._final["version"]) != len(last.steps):
            yield (
                f"it has version {self._final['version']} after {len(last.steps)} steps, "
                f"of which {len(last.kept)} were there at version {last.first}"
            )


def _turns(steps: Steps, seat: int) -> int:
    return sum(step["player"] == seat for step in steps)
