"""The examples of the rules on the page are up to date with those of the games."""

from __future__ import annotations

import json
from importlib import import_module
from runpy import run_path

import pytest

from limina.core import registry
from support import ROOT

EXAMPLES_FOLDER = ROOT / "web" / "src" / "rules" / "examples"


@pytest.mark.parametrize("game", registry.BUILTIN_GAMES)
def test_the_examples_of_the_page_are_up_to_date(game: str) -> None:
    examples_json = run_path(str(ROOT / "tools" / "generators" / "rule_examples.py"))["examples_json"]
    assert (EXAMPLES_FOLDER / f"{game}.json").read_text("utf-8") == examples_json(game), "run `make rule-examples`"


@pytest.mark.parametrize("game", registry.BUILTIN_GAMES)
@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_the_printed_rules_equal_those_of_the_page(game: str, language: str) -> None:
    printed = ROOT / "src" / "limina" / game / "rulebook" / f"{language}.json"
    assert printed.read_bytes() == (EXAMPLES_FOLDER.parent / f"{game}.{language}.json").read_bytes(), (
        "run `make rule-examples`"
    )


@pytest.mark.parametrize("game", registry.BUILTIN_GAMES)
def test_the_slideshows_of_the_start_page_are_up_to_date(game: str) -> None:
    slideshow_json = run_path(str(ROOT / "tools" / "generators" / "rule_examples.py"))["slideshow_json"]
    slideshow = ROOT / "web" / "src" / "games" / game / "start" / "slideshow.json"
    assert slideshow.read_text("utf-8") == slideshow_json(game), "run `make rule-examples`"


def test_examples_of_captures_mark_the_captured_pawns() -> None:
    drawn = {example["id"]: example for example in json.loads((EXAMPLES_FOLDER / "limit.json").read_text("utf-8"))}
    for example in import_module("limina.limit.rule_examples").examples():
        captured = (
            example.claims.get("by_move", []) + example.claims.get("by_removal", []) + example.claims.get("own", [])
        )
        assert sorted(tile for tile, _ in drawn[example.id]["captured"]) == sorted(captured) or not captured
        assert drawn[example.id]["reach"] == sorted(example.claims.get("reach", []))


def test_a_highlighted_worker_is_in_the_display_of_its_example() -> None:
    for example in json.loads((EXAMPLES_FOLDER / "limes.json").read_text("utf-8")):
        zones = {worker["zone"] for display in example["displays"] for worker in display["display"]["workers"]}
        assert example["highlighted"] is None or example["highlighted"] in zones
