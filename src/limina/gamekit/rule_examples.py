"""What the examples of all games' rules share: true games that can be drawn, with claims that can be checked."""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.resources import files
from typing import Any, Protocol, TypeVar


class Example(Protocol):
    """Anything with a name."""

    @property
    def id(self) -> str:
        """Its name."""


E = TypeVar("E", bound=Example)


def load_examples(package: str) -> list[dict[str, Any]]:
    """The examples of the game whose room is `home`, as plain values, in the order of its rules."""
    found: list[dict[str, Any]] = json.loads((files(package) / "rule_examples.json").read_text("utf-8"))
    return found


def find_example(name: str, examples: Iterable[E]) -> E:
    """The example of that name."""
    return next(each for each in examples if each.id == name)
