"""axe reports no violation on any page, in either theme, and names for screen readers are clean."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Browser, Page, expect

from e2e.page_objects.helpers import axe_violations, fits_window, in_each_language, open_page
from support.server.matches import finished_match, new_match, play_until

ADA = {"kind": "person", "name": "Ada"}
BEN = {"kind": "person", "name": "Ben"}


def check(page: Page, ready: str, *, without_pictures: bool = False) -> None:
    """Wait for an element and let axe check the page."""
    page.locator(ready).first.wait_for()
    violations = axe_violations(page, without_pictures=without_pictures)
    assert violations == [], "\n".join(violations)


def test_axe_accepts_start_page_list_of_matches_and_missing_pages(address: str, browser: Browser) -> None:
    with open_page(browser, address) as page:
        page.get_by_test_id("play-now").hover()
        check(page, "main h1")
        page.get_by_test_id("create-match").hover()
        page.get_by_text("Options").click()
        page.get_by_label("Invite friends").check()
        check(page, "main [data-testid=deck-choice]")
        for path in ("/games", "/nowhere", "/m/no-such-match"):
            page.goto(f"{address}{path}")
            check(page, "main h1")


def test_axe_accepts_the_lobby_for_players_and_guests(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limes", [ADA, {"kind": "open"}])
    for tokens in ({match: keys}, None):
        with open_page(browser, f"{address}/m/{match}", keys=tokens) as page:
            page.get_by_text("Share").first.click()
            check(page, "main form" if tokens is None else "main select")


def test_axe_accepts_limit_at_every_step_of_a_turn(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limit", [ADA, BEN])
    with open_page(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        check(page, "[data-stage=pawn]")
        page.locator("[data-tile]:not([aria-disabled])").first.click()
        check(page, "[data-stage=target]")
        page.locator("[data-tile]:not([aria-disabled]):not(.drag)").first.click()
        page.locator("[data-stage=removal] [data-tile]:not([aria-disabled])").first.click()
        check(page, "[data-stage=ready]")
        page.goto(f"{address}/m/{finished_match(address)}")
        check(page, "[data-phase=over]")


def test_axe_accepts_replays(address: str, browser: Browser) -> None:
    for game in ("limes", "limit"):
        with open_page(browser, f"{address}/replay/{finished_match(address, game)}#3") as page:
            page.get_by_text("Show as a table").click()
            check(page, "table", without_pictures=True)
    with open_page(browser, f"{address}/replay") as page:
        check(page, "input[type=file]")


def test_axe_accepts_rules(address: str, browser: Browser) -> None:
    for game in ("limes", "limit"):
        with open_page(browser, f"{address}/rules/{game}") as page:
            check(page, "figure svg", without_pictures=True)


STRAY_MARK = re.compile(
    r"\.\.|\. \.|, ,|[;,]\.|[●▬▲✚•↺↻|]|undefined|\?\?|\b\w\d\.[ns][ew]\b|\b(\w{3,}) \1\b", re.IGNORECASE
)
"""Matches symbols, zones in notation, and repeated words, which a screen reader should not read."""
ELEMENT_NAME = re.compile(r'(?:button|link|img|heading|group|region)\b[^"]*"(.*?)"')
NAMELESS_ELEMENT = re.compile(r"(button|link|checkbox|radio|slider|combobox|textbox)( \[.*\])?:?")


def accessible_names(page: Page) -> list[str]:
    """Return the accessible names of all elements; fail if a control has none."""
    snapshot = page.locator("main").aria_snapshot()
    lines = [line.strip().removeprefix("- ").strip("'") for line in snapshot.splitlines()]
    assert [line for line in lines if NAMELESS_ELEMENT.fullmatch(line)] == []
    return [match[1] for line in lines if (match := ELEMENT_NAME.match(line))]


def check_names(page: Page, min_count: int) -> None:
    """Check the accessible names and the layout in each language."""
    for language in in_each_language(page):
        assert fits_window(page), language
        names = accessible_names(page)
        assert len(names) >= min_count
        assert [name for name in names if STRAY_MARK.search(name)] == [], language


def test_accessible_names_have_no_stray_marks_in_any_language(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limes", [ADA])
    play_until(address, match, keys, lambda state: state["view"]["round"] >= 6)
    # The narrowest window in which the header shows all links.
    with open_page(browser, f"{address}/m/{match}", keys={match: keys}, width=1100) as page:
        page.locator("[data-cell]").first.click()
        page.get_by_test_id("main").click()
        page.locator("[data-action]").first.wait_for()
        check_names(page, 12)
        other, tokens = new_match(address, "limit", [ADA, BEN], size=4)
        page.evaluate("keys => localStorage['limina.keys'] = keys", json.dumps({other: tokens}))
        for path, ready, min_count in (
            (f"/m/{other}", "[data-stage=pawn]", 16),
            (f"/m/{finished_match(address, 'limes')}", "[data-testid=end]", 8),
            (f"/replay/{finished_match(address, 'limes')}#5", ".replay figure svg", 8),
            ("/learn/limit", "[data-tile]", 16),
            ("/", ".picture svg", 6),
            (f"/replay/{finished_match(address)}#3", ".replay svg", 8),
        ):
            page.goto(f"{address}{path}")
            page.locator(ready).first.wait_for()
            check_names(page, min_count)
        page.locator(".review button.main").click()
        expect(page.locator(".review .status")).to_have_attribute("data-phase", "done", timeout=120_000)
        page.locator(".review li button").first.click()
        page.locator(".review article").first.wait_for()
        check_names(page, 20)
