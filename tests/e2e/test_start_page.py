"""The start page: two games to look at, to play and to learn; and what others show of it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from e2e.page_objects.helpers import fits, opened
from support import ROOT
from support.network import http

WEB = ROOT / "web" / "src"

WINDOWS: list[dict[str, Any]] = [
    {"width": 1280, "height": 720},
    {"width": 390, "height": 844, "has_touch": True, "is_mobile": True},
]


@pytest.mark.parametrize("window", WINDOWS, ids=["wide", "phone"])
def test_each_game_has_its_author_a_board_and_two_ways_in(
    address: str, browser: Browser, window: dict[str, Any]
) -> None:
    with opened(browser, address, **window) as page:
        for name, title, author in (("limes", "Limes", "Martyn F"), ("limit", "Limit", "Cameron Browne")):
            card = page.get_by_role("article").filter(has=page.get_by_role("heading", name=title))
            expect(card).to_contain_text(f"by {author}")
            expect(card.locator(".picture svg").first).to_be_visible()
            expect(card.get_by_role("link", name=f"Learn {title}")).to_have_attribute("href", f"/learn/{name}")
        assert fits(page)
        # What is waited for first holds nothing of other pages, and of words only one's own language's.
        resources = "performance.getEntriesByType('resource')"
        loaded = page.evaluate(f"{resources}.map(({{ name, encodedBodySize }}) => [name, encodedBodySize])")
        scripts = [re.sub(r".*/|-.{8}\.js$", "", name) for name, _ in loaded if name.endswith(".js")]
        messages = {file.stem for file in (WEB / "messages" / "en").glob("*.json")}
        assert [name for name in scripts if name in messages] == ["page"]
        components = {file.stem for folder in ("pages", "games") for file in (WEB / folder).rglob("*.svelte")}
        assert components & set(scripts) <= {"Slideshow", "LimesBoard", "LimitBoard", "LimitTiles"}
        assert sum(size for name, size in loaded if "/assets/" in name) < 80_000
        for title, table in (("Limit", "[data-stage=pawn]"), ("Limes", "[data-cell]")):
            page.get_by_role("button", name=f"Play {title}").click()
            expect(page.locator(table).first).to_be_visible()
            page.go_back()


def test_the_little_boards_live_unless_no_motion_is_wanted(address: str, browser: Browser) -> None:
    with opened(browser, address) as page:
        page.clock.install()
        page.goto(address)
        boards = page.locator(".picture svg").first
        boards.wait_for()
        before = boards.inner_html()
        page.clock.run_for(5000)
        assert boards.inner_html() == before
        page.emulate_media(reduced_motion="no-preference")
        page.clock.run_for(5000)
        expect(boards).not_to_have_js_property("innerHTML", before)


def test_the_page_can_be_installed_and_shown_in_previews(address: str, browser: Browser) -> None:
    with opened(browser, address) as page:
        wanted = [page.locator("[property='og:image']").get_attribute("content") or ""]
        for link in page.locator(":is([rel=icon], [rel=apple-touch-icon], [rel=manifest])").all():
            wanted.append(link.get_attribute("href") or "")
        assert page.locator("meta[name=description]").get_attribute("content")
    manifest = http.get(f"{address}/limina.webmanifest").raise_for_status()
    assert manifest.headers["content-type"] == "application/manifest+json"
    wanted += [icon["src"] for icon in manifest.json()["icons"]]
    for path in wanted:
        kind = http.get(address + path).raise_for_status().headers["content-type"]
        assert kind.startswith(("image/png", "image/svg+xml", "application/manifest+json"))
