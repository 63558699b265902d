"""The tutorials have words for every lesson and for everything that may go wrong in one, in every language."""

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


def text(game: str, language: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((TEXTS / f"{game}.{language}.json").read_text("utf-8"))
    return found


def taught(game: str) -> tuple[Lesson, ...]:
    tutor = limina.game(game).tutor
    assert tutor is not None
    return tuple(tutor.lessons())


def values(written: str) -> set[str]:
    return set(re.findall(r"\{(\w+)", written))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["limes", "limit"])
def test_every_lesson_and_every_reason_has_its_words(game: str, language: str) -> None:
    said = text(game, language)
    assert list(said["lessons"]) == [lesson.id for lesson in taught(game)]
    groups = [group for lesson in taught(game) for group in (lesson.wrong, lesson.wrong_prefixes, lesson.refused)]
    reasons = {why.key: why for group in groups for why in group.values()}
    assert set(reasons) <= set(said["why"])
    for key, why in reasons.items():
        assert values(said["why"][key]) <= set(why.values), key


@pytest.mark.parametrize("game", ["limes", "limit"])
def test_all_languages_say_the_same_things_in_their_own_words(game: str) -> None:
    english = text(game, "en")
    for language in LANGUAGES[1:]:
        said = text(game, language)
        for part in ("lessons", "why", "finale"):
            assert list(said[part]) == list(english[part])
        for part in ("why", "finale"):
            for key, written in said[part].items():
                assert values(written) == values(english[part][key]), key
                assert written != english[part][key], key


def test_german_says_du_and_french_says_vous() -> None:
    for game in ("limes", "limit"):
        german, french = (json.dumps(text(game, language), ensure_ascii=False) for language in ("de", "fr"))
        assert not re.findall(r"[a-zäöüß,] (?:Sie|Ihr|Ihre|Ihren|Ihnen)\b", german.replace(": Sie", ":"))
        assert not re.findall(r"\b(?:tu|ton|tes|toi)\b", french)
