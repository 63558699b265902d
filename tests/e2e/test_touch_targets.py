"""Touch targets on a phone have at least 44 by 44 pixels, with a few exceptions."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import limina
from e2e.page_objects.helpers import open_page
from e2e.test_replay import DROP_FILE
from support.games.records import random_record
from support.server.matches import finished_match, new_match, play_until

PHONE: dict[str, Any] = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
SHORTEST = {"limes": 1, "limit": 2}
PEOPLE = [{"kind": "person", "name": "Ada"}, {"kind": "person", "name": "Ben"}]
# Links within a sentence are exempt. A label is one target with its field.
SMALL_TARGETS = """minSize => {
    const elements = document.querySelectorAll("button, a, input, select, textarea, summary, [role=button]");
    return [...elements].filter(element => element.checkVisibility({ visibilityProperty: true }))
        .filter(element => !element.closest("p > a, .visually-hidden, .skip"))
        .map(element => element.closest("label") ?? element)
        .map(element => [element.outerHTML.slice(0, 120), element.getBoundingClientRect(), minSize(element)])
        .filter(([, { width, height }, min]) => width > 0 && Math.min(width, height) < min)
        .map(([html, { width, height }]) => `${html} ${Math.round(width)}x${Math.round(height)}`);
}"""
# Smaller targets: buttons on a placed card, which exist below the board too; workers while the board shows cells; and
# tiles of a board as wide as the window.
MIN_SIZE = "element => element.matches('.placed-card button, .board:has(.cell) .worker, [data-tile]') ? 24 : 43.5"


def check(page: Page) -> None:
    """Open all disclosures; fail if a target is too small."""
    page.evaluate("document.querySelectorAll('main details').forEach(details => details.open = true)")
    targets: list[str] = page.evaluate(f"({SMALL_TARGETS})({MIN_SIZE})")
    assert not targets, "\n".join(targets)


def test_targets_on_pages_without_a_board(address: str, browser: Browser) -> None:
    with open_page(browser, address, **PHONE) as page:
        page.locator(".picture svg").nth(1).wait_for()
        page.get_by_text("Menu").tap()
        check(page)
        for path in ("/games", "/replay", "/nowhere", "/rules", "/rules/limes", "/rules/limit"):
            page.goto(f"{address}{path}")
            page.locator("main h1").first.wait_for()
            check(page)
        page.goto(f"{address}/games")
        page.get_by_role("link", name="New game").tap()  # shown while there are no matches
        expect(page.get_by_test_id("create-match")).to_be_visible()


@pytest.mark.parametrize("game", ["limes", "limit"])
def test_targets_in_matches_and_replays(address: str, browser: Browser, game: str) -> None:
    match, keys = new_match(address, game, PEOPLE)
    play_until(address, match, keys, lambda state: len(state["steps"]) > 20 or state["seats"][0]["turn_count"] >= 4)
    waiting, held = new_match(address, game, [PEOPLE[0], {"kind": "open"}])
    with open_page(browser, f"{address}/m/{match}", keys={match: keys, waiting: held}, **PHONE) as page:
        page.locator("[data-cell], [data-stage=pawn]").first.wait_for()
        check(page)
        if game == "limes":
            page.locator("[data-cell]").first.tap()
            check(page)
            page.get_by_test_id("main").tap()
            page.locator("[data-action]").first.wait_for()
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
        # A short game is enough for all elements of a review.
        page.goto(f"{address}/replay")
        page.locator("input[type=file]").wait_for()
        page.evaluate(DROP_FILE, json.dumps(random_record(limina.game(game), 1, players=SHORTEST[game]).to_json()))
        page.get_by_role("button", name="Review this game").tap()
        expect(page.locator(".review .status")).to_have_attribute("data-phase", "done", timeout=120_000)
        page.locator(".review li button").first.tap()
        page.locator(".review article").first.wait_for()
        check(page)
        if page.locator(".mistakes").count():  # a random game may have no mistake
            page.get_by_role("button", name="Try it yourself").tap()
            check(page)
