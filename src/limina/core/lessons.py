"""Lessons of a tutorial: a position, the turns that a learner can try, and the feedback to each of them.

A lesson contains plain values only, so a web page can show the position, offer the turns and judge them without the
rules. Games generate their lessons with their rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Feedback:
    """The key of a sentence that says why a turn misses the goal, with its values. Pages translate the key."""

    key: str
    values: Mapping[str, str | int] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the feedback as plain values."""
        return {"key": self.key, "values": dict(self.values)}


@dataclass(frozen=True, slots=True)
class Lesson:
    """One step of a tutorial."""

    id: str
    """Key of its texts, which pages translate."""
    record: Mapping[str, Any]
    """The game up to this position, as a record's JSON object."""
    player: int
    """Player to move."""
    view: Mapping[str, Any]
    legal: Mapping[str, Any]
    """The legal turns that the lesson offers, which need not be all."""
    previews: Mapping[str, Mapping[str, Any]]
    """Previews of the offered turns and of their first parts."""
    good: tuple[str, ...]
    """Turns that reach the goal. With `accepts_partial`, they can be first parts of turns."""
    wrong: Mapping[str, Feedback]
    """Feedback to the other offered turns."""
    wrong_prefixes: Mapping[str, Feedback]
    """Feedback to first parts with which no good turn begins."""
    refused: Mapping[str, Feedback] = field(default_factory=dict)
    """Feedback to illegal turns that a learner may try."""
    accepts_partial: bool = False
    """True if the learner reaches the goal without ending the turn."""

    def to_json(self) -> dict[str, Any]:
        """Return the lesson as plain values."""
        return {
            "id": self.id,
            "players": len(self.record["players"]),
            "player": self.player,
            "view": self.view,
            "legal": self.legal,
            "previews": dict(self.previews),
            "good": list(self.good),
            "wrong": _plain(self.wrong),
            "wrong_prefixes": _plain(self.wrong_prefixes),
            "refused": _plain(self.refused),
            "accepts_partial": self.accepts_partial,
        }


def _plain(feedback_by_turn: Mapping[str, Feedback]) -> dict[str, Any]:
    return {turn: feedback.to_json() for turn, feedback in feedback_by_turn.items()}
