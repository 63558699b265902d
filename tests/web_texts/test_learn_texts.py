"""The tutorials have texts for all lessons and all feedback, in every language."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import limina
from limina.core.lessons import Lesson
from support import ROOT

TEXTS = ROOT / "web" / "src" / "learn"
LANGUAGES = ("en", "de", "fr")


def load_tutorial_text(game: str, language: str) -> dict[str, Any]:
    """Return the texts of a tutorial."""
    text: dict[str, Any] = json.loads((TEXTS / f"{game}.{language}.json").read_text("utf-8"))
    return text


def lessons(game: str) -> tuple[Lesson, ...]:
    """Return the lessons of a game."""
    tutor = limina.game(game).tutor
    assert tutor is not None
    return tuple(tutor.lessons())


def value_names(message: str) -> set[str]:
    """Return the names of the values in a message."""
    return set(re.findall(r"\{(\w+)", message))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["limes", "limit"])
def test_every_lesson_and_every_feedback_has_a_text(game: str, language: str) -> None:
    text = load_tutorial_text(game, language)
    assert list(text["lessons"]) == [lesson.id for lesson in lessons(game)]
    groups = [group for lesson in lessons(game) for group in (lesson.wrong, lesson.wrong_prefixes, lesson.refused)]
    feedback_by_key = {feedback.key: feedback for group in groups for feedback in group.values()}
    assert set(feedback_by_key) <= set(text["feedback"])
    for key, feedback in feedback_by_key.items():
        assert value_names(text["feedback"][key]) <= set(feedback.values), key


@pytest.mark.parametrize("game", ["limes", "limit"])
def test_all_languages_have_the_same_keys_and_different_texts(game: str) -> None:
    english = load_tutorial_text(game, "en")
    for language in LANGUAGES[1:]:
        text = load_tutorial_text(game, language)
        for part in ("lessons", "feedback", "finale"):
            assert list(text[part]) == list(english[part])
        for part in ("feedback", "finale"):
            for key, message in text[part].items():
                assert value_names(message) == value_names(english[part][key]), key
                assert message != english[part][key], key


def test_german_uses_du_and_french_uses_vous() -> None:
    for game in ("limes", "limit"):
        german, french = (
            json.dumps(load_tutorial_text(game, language), ensure_ascii=False) for language in ("de", "fr")
        )
        assert not re.findall(r"[a-zäöüß,] (?:Sie|Ihr|Ihre|Ihren|Ihnen)\b", german.replace(": Sie", ":"))
        assert not re.findall(r"\b(?:tu|ton|tes|toi)\b", french)
