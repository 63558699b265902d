"""The rules for a sheet of two pages: the page's own texts, in parts that can be set."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection
from importlib.resources import files
from typing import Any

_RUN = re.compile(r"\*\*(.+?)\*\*|`(.+?)`")
LANGUAGES = ("en", "de", "fr")


def rulebook(
    package: str, language: str, draw: Callable[[str], str], *, shown: Collection[str], left_out: Collection[str]
) -> tuple[dict[str, Any], dict[str, str]]:
    """The rules of a game's room as `sheets.typ` takes them, and the pictures of the examples that are shown."""
    book = json.loads((files(package) / "rulebook" / f"{language}.json").read_text("utf-8"))
    pictures: dict[str, str] = {}
    sections = []
    for section in book["sections"]:
        if section["id"] in left_out:
            continue
        examples = []
        for example in section["examples"]:
            if example["id"] in shown:
                name = f"example-{example['id']}"
                pictures[name] = draw(example["id"])
                examples.append({"picture": name, "caption": runs(example["caption"])})
        details = [runs(text) for text in section["details"]]
        sections.append({"title": section["title"], "details": details, "examples": examples})
    return {"title": book["title"], "lead": runs(book["lead"]), "sections": sections}, pictures


def runs(text: str) -> list[tuple[str, str]]:
    """A text with `**` and backquotes in it, cut where its kind changes.

    >>> runs("Lay **one** card")
    [('plain', 'Lay '), ('strong', 'one'), ('plain', ' card')]
    """
    found, at = [], 0
    for match in _RUN.finditer(text):
        found.append(("plain", text[at : match.start()]))
        found.append(("strong", match[1]) if match[1] is not None else ("code", match[2]))
        at = match.end()
    return [run for run in [*found, ("plain", text[at:])] if run[1]]
