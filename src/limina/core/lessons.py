"""What the lessons of all games share: a position to learn something in, and what is said of each thing one may try.

A lesson holds plain values only, so that a page needs nothing else for it: it shows the position, offers the turns and
knows of each of them whether it reaches the goal or why it does not. All of it is made by the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Feedback:
    """Why something was not what is asked for: the name of a sentence, which pages have in their language."""

    key: str
    values: Mapping[str, str | int] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return {"key": self.key, "values": dict(self.values)}


@dataclass(frozen=True, slots=True)
class Lesson:
    """One step of a tutorial."""

    id: str
    """Its name; pages have its words."""
    record: Mapping[str, Any]
    """The game up to here, as a record's JSON object."""
    player: int
    """Whose turn it is."""
    view: Mapping[str, Any]
    legal: Mapping[str, Any]
    """The legal turns that are offered: perhaps not all of them."""
    previews: Mapping[str, Mapping[str, Any]]
    """What each of them, and each first part that a page may ask for, would lead to."""
    good: tuple[str, ...]
    """The turns that reach the goal; if `accepts_partial`, these may be first parts of turns."""
    wrong: Mapping[str, Feedback]
    """Why the other turns do not."""
    wrong_prefixes: Mapping[str, Feedback]
    """First parts that no good turn begins with, and why."""
    refused: Mapping[str, Feedback] = field(default_factory=dict)
    """Why the rules do not allow what else may be tried."""
    accepts_partial: bool = False
    """Whether the goal is reached without ending the turn."""

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
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


def _plain(reasons: Mapping[str, Feedback]) -> dict[str, Any]:
    return {tried: why.to_json() for tried, why in reasons.items()}
