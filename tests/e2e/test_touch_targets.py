"""Whatever is touched on a phone is large enough for a finger: 44 by 44 pixels."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import limina
from e2e.page_objects.helpers import opened
from e2e.test_replay import DROP
from support.games.records import random_record
from support.server.matches import finished_match, new_match, play_until

PHONE: dict[str, Any] = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
SHORTEST = {"limes": 1, "limit": 2}
PEOPLE = [{"kind": "person", "name": "Ada"}, {"kind": "person", "name": "Ben"}]
# Links within a sentence are as high as its lines. A label is a target with the box or field it names.
SMALL = """least => {
    const found = document.querySelectorAll("button, a, input, select, textarea, summary, [role=button]");
    return [...found].filter(each => each.checkVisibility({ visibilityProperty: true }))
        .filter(each => !each.closest("p > a, .unseen, .skip"))
        .map(each => each.closest("label") ?? each)
        .map(each => [each.outerHTML.slice(0, 120), each.getBoundingClientRect(), least(each)])
        .filter(([, { width, height }, needed]) => width > 0 && Math.min(width, height) < needed)
        .map(([written, { width, height }]) => `${written} ${Math.round(width)}x${Math.round(height)}`);
}"""
# The buttons on a card that was laid, for which there are others below; workers as long as the board shows where a card
# may lie; and the tiles of a board as wide as the window.
LEAST = "each => each.matches('.laid button, .board:has(.cell) .worker, [data-spot]') ? 24 : 43.5"


def check(page: Page) -> None:
    """Nothing is too small, when everything that can be opened is open."""
    page.evaluate("document.querySelectorAll('main details').forEach(each => each.open = true)")
    found: list[str] = page.evaluate(f"({SMALL})({LEAST})")
    assert not found, "\n".join(found)


def test_on_the_pages_without_a_table(address: str, browser: Browser) -> None:
    with opened(browser, address, **PHONE) as page:
        page.locator(".picture svg").nth(1).wait_for()
        page.get_by_text("Menu").tap()
        check(page)
        for path in ("/games", "/replay", "/nowhere", "/rules", "/rules/limes", "/rules/limit"):
            page.goto(f"{address}{path}")
            page.locator("main h1").first.wait_for()
            check(page)
        page.goto(f"{address}/games")
        page.get_by_role("link", name="New game").tap()  # whoever has none yet gets to one
        expect(page.get_by_test_id("create-match")).to_be_visible()


@pytest.mark.parametrize("game", ["limes", "limit"])
def test_at_a_table_and_in_a_replay(address: str, browser: Browser, game: str) -> None:
    match, keys = new_match(address, game, PEOPLE)
    play_until(address, match, keys, lambda state: len(state["steps"]) > 20 or state["seats"][0]["turn_count"] >= 4)
    waiting, held = new_match(address, game, [PEOPLE[0], {"kind": "open"}])
    with opened(browser, f"{address}/m/{match}", keys={match: keys, waiting: held}, **PHONE) as page:
        page.locator("[data-cell], [data-stage=pawn]").first.wait_for()
        check(page)
        if game == "limes":
            page.locator("[data-cell]").first.tap()
            check(page)
            page.get_by_test_id("main").tap()
            page.locator("[data-offer]").first.wait_for()
            check(page)
        page.goto(f"{address}/m/{waiting}")
        page.locator("main form, main select").first.wait_for()
        check(page)
        page.goto(f"{address}/m/{finished_match(address, game)}")
        page.get_by_test_id("result").wait_for()
        check(page)
        page.goto(f"{address}/replay/{finished_match(address, game)}")
        page.locator(".replay svg").first.wait_for()
        check(page)
        # A short game has all that the review of a long one has.
        page.goto(f"{address}/replay")
        page.locator("input[type=file]").wait_for()
        page.evaluate(DROP, json.dumps(random_record(limina.game(game), 1, players=SHORTEST[game]).to_json()))
        page.get_by_role("button", name="Review this game").tap()
        expect(page.locator(".review .status")).to_have_attribute("data-phase", "done", timeout=120_000)
        page.locator(".review li button").first.tap()
        page.locator(".review article").first.wait_for()
        check(page)
        if page.locator(".mistakes").count():  # whoever plays at random need not have made one
            page.get_by_role("button", name="Try it yourself").tap()
            check(page)
