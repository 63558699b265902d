"""The start page: cards of the games, size of the first load, installation and link previews."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from e2e.page_objects.helpers import fits_window, open_page
from support import ROOT
from support.network import http

WEB = ROOT / "web" / "src"

WINDOWS: list[dict[str, Any]] = [
    {"width": 1280, "height": 720},
    {"width": 390, "height": 844, "has_touch": True, "is_mobile": True},
]


@pytest.mark.parametrize("window", WINDOWS, ids=["wide", "phone"])
def test_each_game_has_its_author_a_board_and_links_to_play_and_learn(
    address: str, browser: Browser, window: dict[str, Any]
) -> None:
    with open_page(browser, address, **window) as page:
        for name, title, author in (("limes", "Limes", "Martyn F"), ("limit", "Limit", "Cameron Browne")):
            card = page.get_by_role("article").filter(has=page.get_by_role("heading", name=title))
            expect(card).to_contain_text(f"by {author}")
            expect(card.locator(".picture svg").first).to_be_visible()
            expect(card.get_by_role("link", name=f"Learn {title}")).to_have_attribute("href", f"/learn/{name}")
        assert fits_window(page)
        # The first load has no code of other pages, and messages of one namespace and language only.
        resources = "performance.getEntriesByType('resource')"
        loaded = page.evaluate(f"{resources}.map(({{ name, encodedBodySize }}) => [name, encodedBodySize])")
        scripts = [re.sub(r".*/|-.{8}\.js$", "", name) for name, _ in loaded if name.endswith(".js")]
        messages = {file.stem for file in (WEB / "messages" / "en").glob("*.json")}
        assert [name for name in scripts if name in messages] == ["page"]
        components = {file.stem for folder in ("pages", "games") for file in (WEB / folder).rglob("*.svelte")}
        assert components & set(scripts) <= {"Slideshow", "LimesBoard", "LimitBoard", "LimitTiles"}
        assert sum(size for name, size in loaded if "/assets/" in name) < 80_000
        for title, selector in (("Limit", "[data-stage=pawn]"), ("Limes", "[data-cell]")):
            page.get_by_role("button", name=f"Play {title}").click()
            expect(page.locator(selector).first).to_be_visible()
            page.go_back()


def test_the_boards_are_animated_unless_motion_is_reduced(address: str, browser: Browser) -> None:
    with open_page(browser, address) as page:
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
    with open_page(browser, address) as page:
        paths = [page.locator("[property='og:image']").get_attribute("content") or ""]
        for link in page.locator(":is([rel=icon], [rel=apple-touch-icon], [rel=manifest])").all():
            paths.append(link.get_attribute("href") or "")
        assert page.locator("meta[name=description]").get_attribute("content")
    manifest = http.get(f"{address}/limina.webmanifest").raise_for_status()
    assert manifest.headers["content-type"] == "application/manifest+json"
    paths += [icon["src"] for icon in manifest.json()["icons"]]
    for path in paths:
        content_type = http.get(address + path).raise_for_status().headers["content-type"]
        assert content_type.startswith(("image/png", "image/svg+xml", "application/manifest+json"))
