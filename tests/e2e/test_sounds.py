"""Sounds: few, off by one tap and remembered, none for those who want no motion unless they ask."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, expect

from e2e.page_objects.helpers import opened
from e2e.page_objects.limes_board import LimesTable
from support.server.matches import new_match

COUNT = """
window.sounds = 0;
const start = AudioScheduledSourceNode.prototype.start;
AudioScheduledSourceNode.prototype.start = function (...when) { window.sounds++; return start.apply(this, when); };
const again = AudioBufferSourceNode.prototype.start;
AudioBufferSourceNode.prototype.start = function (...when) { window.sounds++; return again.apply(this, when); };
"""


def heard(page: Page) -> int:
    found: int = page.evaluate("window.sounds")
    return found


def test_sound_is_off_without_motion_and_on_and_off_by_one_tap(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limes", [{"kind": "person", "name": "Ada"}])
    with opened(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        page.context.add_init_script(COUNT)
        page.reload()
        table = LimesTable(page)
        table.turn_by_mouse(1)
        table.is_round(2)
        assert heard(page) == 0
        page.get_by_role("button", name="Sound off").click()
        expect(page.get_by_role("button", name="Sound on")).to_have_attribute("aria-pressed", "true")
        before = heard(page)
        assert before > 0
        table.turn_by_mouse(2)
        table.is_round(3)
        assert heard(page) > before
        page.get_by_role("button", name="Sound on").click()
        page.reload()
        expect(page.get_by_role("button", name="Sound off")).to_be_visible()
        page.emulate_media(reduced_motion="no-preference")
        expect(page.get_by_role("button", name="Sound off")).to_be_visible()
