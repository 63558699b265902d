"""Examples of the rules of a game: loading them from its package, and finding one by its id."""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.resources import files
from typing import Any, Protocol, TypeVar


class Example(Protocol):
    """An example with an id."""

    @property
    def id(self) -> str:
        """The id, unique in a game."""


E = TypeVar("E", bound=Example)


def load_examples(package: str) -> list[dict[str, Any]]:
    """Return the examples in the package of a game as plain values, in the order of the rules."""
    examples: list[dict[str, Any]] = json.loads((files(package) / "rule_examples.json").read_text("utf-8"))
    return examples


def find_example(example_id: str, examples: Iterable[E]) -> E:
    """Return the example with an id."""
    return next(example for example in examples if example.id == example_id)
