"""The page's examples of the rules are those of the games, and each has what a board needs to draw it."""

from __future__ import annotations

import json
from importlib import import_module
from runpy import run_path

import pytest

from limina.core import registry
from support import ROOT

EXAMPLES_FOLDER = ROOT / "web" / "src" / "rules" / "examples"


@pytest.mark.parametrize("game", registry.BUILTIN_GAMES)
def test_the_page_shows_the_games_examples(game: str) -> None:
    examples_json = run_path(str(ROOT / "tools" / "generators" / "rule_examples.py"))["examples_json"]
    assert (EXAMPLES_FOLDER / f"{game}.json").read_text("utf-8") == examples_json(game), "run `make rule-examples`"


@pytest.mark.parametrize("game", registry.BUILTIN_GAMES)
@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_the_printed_rules_are_those_of_the_page(game: str, language: str) -> None:
    printed = ROOT / "src" / "limina" / game / "rulebook" / f"{language}.json"
    assert printed.read_bytes() == (EXAMPLES_FOLDER.parent / f"{game}.{language}.json").read_bytes(), (
        "run `make rule-examples`"
    )


@pytest.mark.parametrize("game", registry.BUILTIN_GAMES)
def test_the_little_boards_of_the_start_page_show_true_games(game: str) -> None:
    slideshow_json = run_path(str(ROOT / "tools" / "generators" / "rule_examples.py"))["slideshow_json"]
    slideshow = ROOT / "web" / "src" / "games" / game / "start" / "slideshow.json"
    assert slideshow.read_text("utf-8") == slideshow_json(game), "run `make rule-examples`"


def test_what_a_capture_takes_is_in_the_example() -> None:
    shown = {each["id"]: each for each in json.loads((EXAMPLES_FOLDER / "limit.json").read_text("utf-8"))}
    for example in import_module("limina.limit.rule_examples").examples():
        taken = example.claims.get("by_move", []) + example.claims.get("by_removal", []) + example.claims.get("own", [])
        assert sorted(tile for tile, _ in shown[example.id]["captured"]) == sorted(taken) or not taken
        assert shown[example.id]["reach"] == sorted(example.claims.get("reach", []))


def test_the_worker_an_example_explains_is_in_its_display() -> None:
    for each in json.loads((EXAMPLES_FOLDER / "limes.json").read_text("utf-8")):
        zones = {worker["zone"] for shown in each["displays"] for worker in shown["display"]["workers"]}
        assert each["highlighted"] is None or each["highlighted"] in zones
