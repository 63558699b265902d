"""The rules on two printed pages: the texts of the rule book, prepared for `sheets.typ`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection
from importlib.resources import files
from typing import Any

_MARKUP = re.compile(r"\*\*(.+?)\*\*|`(.+?)`")
LANGUAGES = ("en", "de", "fr")


def rulebook(
    package: str,
    language: str,
    draw_example: Callable[[str], str],
    *,
    example_ids: Collection[str],
    omitted_sections: Collection[str],
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the rules of a game's package in the form that `sheets.typ` takes, and the drawings of its examples.

    Only examples in `example_ids` are printed; `draw_example` draws one by its id.
    """
    book = json.loads((files(package) / "rulebook" / f"{language}.json").read_text("utf-8"))
    pictures: dict[str, str] = {}
    sections = []
    for section in book["sections"]:
        if section["id"] in omitted_sections:
            continue
        examples = []
        for example in section["examples"]:
            if example["id"] in example_ids:
                name = f"example-{example['id']}"
                pictures[name] = draw_example(example["id"])
                examples.append({"picture": name, "caption": split_runs(example["caption"])})
        details = [split_runs(text) for text in section["details"]]
        sections.append({"title": section["title"], "details": details, "examples": examples})
    return {"title": book["title"], "lead": split_runs(book["lead"]), "sections": sections}, pictures


def split_runs(text: str) -> list[tuple[str, str]]:
    """Split a text with `**strong**` and backquoted parts into runs of one kind each.

    >>> split_runs("Lay **one** card")
    [('plain', 'Lay '), ('strong', 'one'), ('plain', ' card')]
    """
    parts: list[tuple[str, str]] = []
    end = 0
    for match in _MARKUP.finditer(text):
        parts.append(("plain", text[end : match.start()]))
        parts.append(("strong", match[1]) if match[1] is not None else ("code", match[2]))
        end = match.end()
    return [run for run in [*parts, ("plain", text[end:])] if run[1]]
