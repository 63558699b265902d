"""The steps of a match at each of its versions, reconstructed from what its clients received.

A take-back removes steps from a match, so the steps at a version are not always a prefix of the final steps. The
timeline is cut into segments at the take-backs; within a segment, each version adds one step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

JsonObject = dict[str, Any]
Steps = list[JsonObject]


@dataclass(frozen=True)
class TakeBack:
    """A turn that was taken back: its seat and index, and the version and steps of the match after that."""

    seat_index: int
    turn_index: int
    version: int
    steps: Steps


@dataclass
class Segment:
    """Versions without a take-back between them: each adds one step to the version before."""

    first_version: int
    first_steps: Steps
    """The steps at the first version."""
    steps: Steps = field(default_factory=list)
    """The longest list of steps that a client received in this segment, with the first steps."""

    def step_count(self, version: int) -> int:
        """Return the number of steps at a version."""
        return max(0, len(self.first_steps) + version - self.first_version)


class Timeline:
    """All segments of a match. The last one ends with the final state, each of the others with a take-back."""

    def __init__(
        self, joins: int, take_backs: Iterable[TakeBack], final: JsonObject, states: Iterable[JsonObject]
    ) -> None:
        # A client repeats a request without an answer, so the same take-back may be in the log several times.
        by_version = {take_back.version: take_back for take_back in take_backs}
        self._take_backs = [by_version[version] for version in sorted(by_version)]
        self._final = final
        self.segments = [
            Segment(joins, []),
            *(Segment(take_back.version, take_back.steps, take_back.steps) for take_back in self._take_backs),
        ]
        for state in states:
            segment = self.segment(state["version"])
            if len(state["steps"]) > len(segment.steps):
                segment.steps = state["steps"]
        self.segments[-1].steps = final["steps"]

    def segment(self, version: int) -> Segment:
        """Return the segment that contains a version."""
        return next(
            (segment for segment in reversed(self.segments) if segment.first_version <= version), self.segments[0]
        )

    def steps_at(self, version: int) -> Steps:
        """Return the steps at a version."""
        segment = self.segment(version)
        return segment.steps[: segment.step_count(version)]

    def contradictions(self) -> Iterator[str]:
        """Yield a sentence for each take-back that removed the wrong steps, and for each gap in the versions."""
        for before, take_back in zip(self.segments, self._take_backs, strict=False):
            name = f"turn {take_back.turn_index} of seat {take_back.seat_index}, "
            name += f"taken back at version {take_back.version},"
            left, expected = len(take_back.steps), before.step_count(take_back.version - 1)
            if take_back.steps != before.steps[:left] or left >= len(before.steps):
                yield f"{name} left other steps than those before it"
            elif (
                before.steps[left]["player"] != take_back.seat_index
                or _turn_count(take_back.steps, take_back.seat_index) != take_back.turn_index
            ):
                yield f"{name} is not the turn that was removed"
            elif _turn_count(before.steps, take_back.seat_index) != take_back.turn_index + 1:
                yield f"{name} removed earlier turns too"
            elif not 0 <= expected - len(before.steps) < len(self._final["seats"]):
                yield f"{name} comes after {expected} steps, but clients received {len(before.steps)}"
        last = self.segments[-1]
        if last.step_count(self._final["version"]) != len(last.steps):
            yield (
                f"it has version {self._final['version']} after {len(last.steps)} steps, "
                f"{len(last.first_steps)} of which were there at version {last.first_version}"
            )


def _turn_count(steps: Steps, seat_index: int) -> int:
    return sum(step["player"] == seat_index for step in steps)
