"""The texts of the rules have the same structure in every language and name existing examples."""

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

# Frequent words of each language. Words of the text's own language do not count as foreign.
FREQUENT_WORDS = {
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


def load_rules(game: str, language: str) -> dict[str, Any]:
    """Return the texts of the rules."""
    rules: dict[str, Any] = json.loads((PAGES / f"{game}.{language}.json").read_text("utf-8"))
    return rules


def structure(value: object, key: str = "") -> object:
    """Return the structure of the rules: keys, ids, rulings and list lengths, with the type names of texts."""
    if isinstance(value, dict):
        return {name: structure(inner, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [structure(inner, key) for inner in value]
    return value if key in ("id", "ruling") else type(value).__name__


def texts(value: object, key: str = "") -> list[str]:
    """Return all texts except ids."""
    if isinstance(value, dict):
        return [text for name, inner in value.items() for text in texts(inner, name)]
    if isinstance(value, list):
        return [text for inner in value for text in texts(inner, key)]
    return [value] if isinstance(value, str) and key != "id" else []


def words(text: str) -> list[str]:
    """Return the words of a text in lower case, without code."""
    return [word.lower() for word in WORD.findall(CODE.sub(" ", text))]


@pytest.mark.parametrize("game", GAMES)
def test_all_languages_have_the_same_structure(game: str) -> None:
    english = structure(load_rules(game, "en"))
    for language in LANGUAGES[1:]:
        assert structure(load_rules(game, language)) == english


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_are_complete(game: str, language: str) -> None:
    content = load_rules(game, language)
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
def test_the_rules_show_all_examples_of_the_game_once(game: str) -> None:
    all_ids = {example.id for example in import_module(f"limina.{game}.rule_examples").examples()}
    expected = {name for name in all_ids if not name.startswith("legend-")}  # the side panel shows the others
    shown = [example["id"] for section in load_rules(game, "en")["sections"] for example in section["examples"]]
    assert set(shown) == expected
    assert len(shown) == len(expected)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_are_written_in_their_language(game: str, language: str) -> None:
    others = (
        set().union(*(FREQUENT_WORDS[other] for other in LANGUAGES if other != language)) - FREQUENT_WORDS[language]
    )

    def balance(text: str) -> int:
        return sum((word in FREQUENT_WORDS[language]) - (word in others) for word in words(text))

    content = load_rules(game, language)
    assert balance(f"{content['title']} {content['lead']}") > 0
    for section in content["sections"]:
        assert sum(map(balance, texts(section))) > 0, section["id"]
        for text in texts(section):
            assert balance(text) >= 0, text


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_text_is_translated(game: str, language: str) -> None:
    for english, translated in zip(texts(load_rules(game, "en")), texts(load_rules(game, language)), strict=True):
        assert english != translated


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_translations_name_the_same_locations_and_numbers(game: str, language: str) -> None:
    locations = re.compile(r"\b[a-z]\d(?:\.(?:nw|ne|sw|se))?\b|\b\d+\b")
    for english, translated in zip(texts(load_rules(game, "en")), texts(load_rules(game, language)), strict=True):
        missing = set(locations.findall(english)) - set(locations.findall(translated)) - {"1"}  # "un point" is 1 too
        assert not missing, translated


def test_german_uses_du_and_french_uses_vous() -> None:
    for game in GAMES:
        german = " ".join(texts(load_rules(game, "de")))
        assert " du " in german
        # Within a sentence a capital letter means the polite form.
        assert not re.findall(r"[a-zäöüß,] (?:Sie|Ihr|Ihre|Ihren|Ihnen)\b", german)
        french = {word for text in texts(load_rules(game, "fr")) for word in words(text)}
        assert "vous" in french
        assert not french & {"tu", "ton", "ta", "tes", "toi"}
