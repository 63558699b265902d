"""The rules pages say the same in every language, and point at examples that exist."""

from __future__ import annotations

import json
import re
from importlib import import_module
from typing import Any

import pytest

from support import ROOT

PAGES = ROOT / "web" / "src" / "rules"
GAMES = ("limes", "limit")
LANGUAGES = ("en", "de", "fr")

# Small words that hardly a sentence does without. Those of the language itself never count as foreign.
USUAL = {
    "en": {"the", "of", "and", "is", "with", "that", "his", "you", "your"},
    "de": {
        "der",
        "die",
        "das",
        "und",
        "ist",
        "mit",
        "eine",
        "einen",
        "du",
        "dein",
        "des",
        "sind",
        "nicht",
        "auf",
        "von",
        "den",
    },
    "fr": {"le", "la", "les", "et", "est", "une", "des", "du", "vous", "votre", "sur", "qui", "de", "à"},
}
WORD = re.compile(r"[^\W\d_]+")
CODE = re.compile(r"`[^`]*`")


def page(game: str, language: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((PAGES / f"{game}.{language}.json").read_text("utf-8"))
    return found


def shape(value: object, key: str = "") -> object:
    """What a page is made of: ids, lists, marked rulings and code, but none of its words."""
    if isinstance(value, dict):
        return {name: shape(inner, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [shape(inner, key) for inner in value]
    return value if key in ("id", "ruling") else type(value).__name__


def texts(value: object, key: str = "") -> list[str]:
    """Every text that is meant to be read."""
    if isinstance(value, dict):
        return [text for name, inner in value.items() for text in texts(inner, name)]
    if isinstance(value, list):
        return [text for inner in value for text in texts(inner, key)]
    return [value] if isinstance(value, str) and key != "id" else []


def words(text: str) -> list[str]:
    return [word.lower() for word in WORD.findall(CODE.sub(" ", text))]


@pytest.mark.parametrize("game", GAMES)
def test_all_languages_have_the_same_structure(game: str) -> None:
    english = shape(page(game, "en"))
    for language in LANGUAGES[1:]:
        assert shape(page(game, language)) == english


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_is_complete(game: str, language: str) -> None:
    content = page(game, language)
    assert set(content) == {"title", "lead", "sections"}
    ids = [section["id"] for section in content["sections"]]
    assert len(set(ids)) == len(ids)
    assert all(text.strip() == text and text for text in texts(content))
    for section in content["sections"]:
        assert set(section) == {"id", "title", "summary", "details", "ruling", "examples"}
        assert section["details"], section["id"]
        assert len(re.findall(r"[.!?](?:\s|$)", section["summary"])) in (1, 2, 3), section["id"]
        assert set(section["ruling"]) <= set(range(len(section["details"])))
        for text in texts(section):
            assert text.count("**") % 2 == 0, text
            assert text.count("`") % 2 == 0, text
    assert any(section["ruling"] for section in content["sections"])


@pytest.mark.parametrize("game", GAMES)
def test_the_examples_are_those_of_the_game_and_none_is_left_out(game: str) -> None:
    every = {example.id for example in import_module(f"limina.{game}.rule_examples").examples()}
    there = {name for name in every if not name.startswith("legend-")}  # those are shown beside the table
    shown = [example["id"] for section in page(game, "en")["sections"] for example in section["examples"]]
    assert set(shown) == there
    assert len(shown) == len(there)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_is_in_its_language(game: str, language: str) -> None:
    others = set().union(*(USUAL[other] for other in LANGUAGES if other != language)) - USUAL[language]

    def balance(text: str) -> int:
        return sum((word in USUAL[language]) - (word in others) for word in words(text))

    content = page(game, language)
    assert balance(f"{content['title']} {content['lead']}") > 0
    for section in content["sections"]:
        assert sum(map(balance, texts(section))) > 0, section["id"]
        for text in texts(section):
            assert balance(text) >= 0, text


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_nothing_is_left_in_english(game: str, language: str) -> None:
    for english, translated in zip(texts(page(game, "en")), texts(page(game, language)), strict=True):
        assert english != translated


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_translations_name_the_same_places_and_numbers(game: str, language: str) -> None:
    places = re.compile(r"\b[a-z]\d(?:\.(?:nw|ne|sw|se))?\b|\b\d+\b")
    for english, translated in zip(texts(page(game, "en")), texts(page(game, language)), strict=True):
        missing = set(places.findall(english)) - set(places.findall(translated)) - {"1"}  # "un point" is 1 too
        assert not missing, translated


def test_german_says_du_and_french_says_vous() -> None:
    for game in GAMES:
        german = " ".join(texts(page(game, "de")))
        assert " du " in german
        # Within a sentence a capital can only mean the polite form.
        assert not re.findall(r"[a-zäöüß,] (?:Sie|Ihr|Ihre|Ihren|Ihnen)\b", german)
        french = {word for text in texts(page(game, "fr")) for word in words(text)}
        assert "vous" in french
        assert not french & {"tu", "ton", "ta", "tes", "toi"}
