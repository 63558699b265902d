"""What a page needs of a game, beside its rules: its options, what it shows, and what chance will do.

Each game keeps this in its own folder; `limina.games.views` finds it. Everything here is plain values, ready for JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Literal, NotRequired, Protocol, TypedDict


class Option(TypedDict):
    """One thing to choose before a game begins."""

    name: str
    kind: Literal["flag", "number", "deck"]
    default: bool | int | None
    least: NotRequired[int]
    most: NotRequired[int]


class Views(Protocol):
    """How a game is shown."""

    most_seats: int
    """How many may sit at one table of the server."""
    options: tuple[Option, ...]
    types: Mapping[str, Any]
    """The types of what `view`, `legal` and `preview` give, under these names."""

    def deal(self, chance: Random) -> list[str]:
        """All that chance will do in one game, as steps of a record hold it; empty where nothing is left to chance."""

    def view(self, position: Any, before: Any = None) -> Mapping[str, Any]:
        """What everybody may see. With the position before it, parts that are the same may be left out."""

    def legal(self, position: Any, player: int) -> Mapping[str, Any]:
        """Every legal turn of a player, in few words."""

    def preview(self, position: Any, player: int, turn: str) -> Mapping[str, Any]:
        """What a turn, or its first part, would lead to."""

    def scores(self, position: Any) -> list[int]:
        """One number for each player: how well they are doing."""
