"""The rules in a real browser: every language, as much of them as is wanted, every example drawn."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from e2e.page_objects.helpers import fits, in_each_language, opened
from support import ROOT

TEXTS = ROOT / "web" / "src" / "rules"


def text(game: str, language: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((TEXTS / f"{game}.{language}.json").read_text("utf-8"))
    return found


@pytest.mark.parametrize("game", ["limes", "limit"])
def test_every_section_and_example_is_there(address: str, browser: Browser, game: str) -> None:
    words = text(game, "en")
    with opened(browser, f"{address}/rules/{game}") as page:
        expect(page.get_by_role("heading", level=1)).to_have_text(words["title"])
        assert page.get_by_role("heading", level=2).all_inner_texts() == [each["title"] for each in words["sections"]]
        examples = [example for section in words["sections"] for example in section["examples"]]
        expect(page.locator("figure")).to_have_count(len(examples))
        expect(page.locator("figure:not(:has(svg))")).to_have_count(0)
        # What the browser takes for HTML in the middle of a drawing is not drawn.
        assert page.locator("figure svg *").evaluate_all("all => all.every((each) => each instanceof SVGElement)")
        rulings = sum(len(section["ruling"]) for section in words["sections"])
        expect(page.locator("article").get_by_text("Our ruling", exact=True)).to_have_count(rulings)


def test_the_switch_shows_summary_details_or_both_and_is_remembered(address: str, browser: Browser) -> None:
    section = text("limit", "en")["sections"][0]
    summary, detail = section["summary"], section["details"][0].split("**")[0].strip()
    with opened(browser, f"{address}/rules/limit") as page:
        for choice, seen in (
            ("Summary only", (1, 0)),
            ("Details only", (0, 1)),
            ("Both", (1, 1)),
            ("Summary only", (1, 0)),
        ):
            page.get_by_role("radio", name=choice).check()
            expect(page.get_by_text(summary, exact=True)).to_have_count(seen[0])
            expect(page.locator("#goal").get_by_text(detail)).to_have_count(seen[1])
        page.reload()
        expect(page.get_by_role("radio", name="Summary only")).to_be_checked()


def test_the_rules_speak_every_language_and_fit_a_phone(address: str, browser: Browser) -> None:
    for game, language in (("limes", "de"), ("limit", "fr")):
        with opened(browser, f"{address}/rules/{game}", width=320, height=600, language=language) as page:
            expect(page.get_by_role("heading", level=1)).to_have_text(text(game, language)["title"])
            for chosen in in_each_language(page):
                expect(page.get_by_role("heading", level=1)).to_have_text(text(game, chosen)["title"])
                assert fits(page)
