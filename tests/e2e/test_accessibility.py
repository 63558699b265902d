"""axe finds nothing wrong on any page, in either theme."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Browser, Page, expect

from e2e.page_objects.helpers import fits, in_each_language, opened, violations
from support.server.matches import finished_match, new_match, play_until

ME = {"kind": "person", "name": "Ada"}
YOU = {"kind": "person", "name": "Ben"}


def check(page: Page, ready: str, *, bare: bool = False) -> None:
    page.locator(ready).first.wait_for()
    found = violations(page, bare=bare)
    assert found == [], "\n".join(found)


def test_the_start_and_the_list_of_games(address: str, browser: Browser) -> None:
    with opened(browser, address) as page:
        page.get_by_test_id("play-now").hover()
        check(page, "main h1")
        page.get_by_test_id("create-match").hover()
        page.get_by_text("Options").click()
        page.get_by_label("Invite a friend").check()
        check(page, "main [data-testid=deck-choice]")
        for path in ("/games", "/nowhere", "/m/no-such-match"):
            page.goto(f"{address}{path}")
            check(page, "main h1")


def test_waiting_and_joining(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limes", [ME, {"kind": "open"}])
    for held in ({match: keys}, None):
        with opened(browser, f"{address}/m/{match}", keys=held) as page:
            page.get_by_text("Share").first.click()
            check(page, "main form" if held is None else "main select")


def test_the_table_of_limit_at_every_step(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limit", [ME, YOU])
    with opened(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        check(page, "[data-stage=pawn]")
        page.locator("[data-spot]:not([aria-disabled])").first.click()
        check(page, "[data-stage=target]")
        page.locator("[data-spot]:not([aria-disabled]):not(.drag)").first.click()
        page.locator("[data-stage=removal] [data-spot]:not([aria-disabled])").first.click()
        check(page, "[data-stage=ready]")
        page.goto(f"{address}/m/{finished_match(address)}")
        check(page, "[data-phase=over]")


def test_replays(address: str, browser: Browser) -> None:
    for game in ("limes", "limit"):
        with opened(browser, f"{address}/replay/{finished_match(address, game)}#3") as page:
            page.get_by_text("Show as a table").click()
            check(page, "table", bare=True)
    with opened(browser, f"{address}/replay") as page:
        check(page, "input[type=file]")


def test_rules(address: str, browser: Browser) -> None:
    for game in ("limes", "limit"):
        with opened(browser, f"{address}/rules/{game}") as page:
            check(page, "figure svg", bare=True)


STRAY = re.compile(r"\.\.|\. \.|, ,|[;,]\.|[●▬▲✚•↺↻|]|undefined|\?\?|\b\w\d\.[ns][ew]\b|\b(\w{3,}) \1\b", re.IGNORECASE)
"""Marks that nobody says, zones as they are written, and words that are said twice."""
NAMED = re.compile(r'(?:button|link|img|heading|group|region)\b[^"]*"(.*?)"')
UNNAMED = re.compile(r"(button|link|checkbox|radio|slider|combobox|textbox)( \[.*\])?:?")


def names(page: Page) -> list[str]:
    """What a screen reader calls everything that can be used or has a name of its own; nothing is without one."""
    snapshot = page.locator("main").aria_snapshot()
    lines = [line.strip().removeprefix("- ").strip("'") for line in snapshot.splitlines()]
    assert [line for line in lines if UNNAMED.fullmatch(line)] == []
    return [found[1] for line in lines if (found := NAMED.match(line))]


def sound(page: Page, least: int) -> None:
    for language in in_each_language(page):
        assert fits(page), language
        said = names(page)
        assert len(said) >= least
        assert [name for name in said if STRAY.search(name)] == [], language


def test_names_for_screen_readers_have_no_stray_marks_and_all_fits_in_any_language(
    address: str, browser: Browser
) -> None:
    match, keys = new_match(address, "limes", [ME])
    play_until(address, match, keys, lambda state: state["view"]["round"] >= 6)
    # No narrower window has all links in one row.
    with opened(browser, f"{address}/m/{match}", keys={match: keys}, width=1100) as page:
        page.locator("[data-cell]").first.click()
        page.get_by_test_id("main").click()
        page.locator("[data-offer]").first.wait_for()
        sound(page, 12)
        other, held = new_match(address, "limit", [ME, YOU], size=4)
        page.evaluate("keys => localStorage['limina.keys'] = keys", json.dumps({other: held}))
        for path, ready, least in (
            (f"/m/{other}", "[data-stage=pawn]", 16),
            (f"/m/{finished_match(address, 'limes')}", "[data-testid=end]", 8),
            (f"/replay/{finished_match(address, 'limes')}#5", ".replay figure svg", 8),
            ("/learn/limit", "[data-spot]", 16),
            ("/", ".picture svg", 6),
            (f"/replay/{finished_match(address)}#3", ".replay svg", 8),
        ):
            page.goto(f"{address}{path}")
            page.locator(ready).first.wait_for()
            sound(page, least)
        page.locator(".review button.main").click()
        expect(page.locator(".review .status")).to_have_attribute("data-phase", "done", timeout=120_000)
        page.locator(".review li button").first.click()
        page.locator(".review article").first.wait_for()
        sound(page, 20)
