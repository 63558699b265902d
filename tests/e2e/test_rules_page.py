"""The page of the rules: sections, examples, levels of detail, and languages."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from e2e.page_objects.helpers import fits_window, in_each_language, open_page
from support import ROOT

TEXTS = ROOT / "web" / "src" / "rules"


def load_rules(game: str, language: str) -> dict[str, Any]:
    """Return the texts of the rules."""
    rules: dict[str, Any] = json.loads((TEXTS / f"{game}.{language}.json").read_text("utf-8"))
    return rules


@pytest.mark.parametrize("game", ["limes", "limit"])
def test_every_section_and_example_is_shown(address: str, browser: Browser, game: str) -> None:
    rules = load_rules(game, "en")
    with open_page(browser, f"{address}/rules/{game}") as page:
        expect(page.get_by_role("heading", level=1)).to_have_text(rules["title"])
        assert page.get_by_role("heading", level=2).all_inner_texts() == [
            section["title"] for section in rules["sections"]
        ]
        examples = [example for section in rules["sections"] for example in section["examples"]]
        expect(page.locator("figure")).to_have_count(len(examples))
        expect(page.locator("figure:not(:has(svg))")).to_have_count(0)
        # The browser parses all elements as SVG; it would not draw HTML elements.
        assert page.locator("figure svg *").evaluate_all("all => all.every(element => element instanceof SVGElement)")
        rulings = sum(len(section["ruling"]) for section in rules["sections"])
        expect(page.locator("article").get_by_text("Our ruling", exact=True)).to_have_count(rulings)


def test_the_level_of_detail_can_be_chosen_and_is_remembered(address: str, browser: Browser) -> None:
    section = load_rules("limit", "en")["sections"][0]
    summary, detail = section["summary"], section["details"][0].split("**")[0].strip()
    with open_page(browser, f"{address}/rules/limit") as page:
        for choice, counts in (
            ("Summary only", (1, 0)),
            ("Details only", (0, 1)),
            ("Both", (1, 1)),
            ("Summary only", (1, 0)),
        ):
            page.get_by_role("radio", name=choice).check()
            expect(page.get_by_text(summary, exact=True)).to_have_count(counts[0])
            expect(page.locator("#goal").get_by_text(detail)).to_have_count(counts[1])
        page.reload()
        expect(page.get_by_role("radio", name="Summary only")).to_be_checked()


def test_the_rules_fit_a_phone_in_every_language(address: str, browser: Browser) -> None:
    for game, language in (("limes", "de"), ("limit", "fr")):
        with open_page(browser, f"{address}/rules/{game}", width=320, height=600, language=language) as page:
            expect(page.get_by_role("heading", level=1)).to_have_text(load_rules(game, language)["title"])
            for chosen in in_each_language(page):
                expect(page.get_by_role("heading", level=1)).to_have_text(load_rules(game, chosen)["title"])
                assert fits_window(page)
