"""Sounds: off by default with reduced motion, and switched by a button."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, expect

from e2e.page_objects.helpers import open_page
from e2e.page_objects.limes_board import LimesBoard
from support.server.matches import new_match

COUNT_SOUNDS = """
window.sounds = 0;
const startScheduled = AudioScheduledSourceNode.prototype.start;
AudioScheduledSourceNode.prototype.start = function (...when) {
    window.sounds++;
    return startScheduled.apply(this, when);
};
const startBuffer = AudioBufferSourceNode.prototype.start;
AudioBufferSourceNode.prototype.start = function (...when) {
    window.sounds++;
    return startBuffer.apply(this, when);
};
"""


def sound_count(page: Page) -> int:
    """Return how many sounds the page has played."""
    count: int = page.evaluate("window.sounds")
    return count


def test_sound_is_off_with_reduced_motion_and_switched_by_a_button(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limes", [{"kind": "person", "name": "Ada"}])
    with open_page(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        page.context.add_init_script(COUNT_SOUNDS)
        page.reload()
        board = LimesBoard(page)
        board.play_turn_by_mouse(1)
        board.expect_round(2)
        assert sound_count(page) == 0
        page.get_by_role("button", name="Sound off").click()
        expect(page.get_by_role("button", name="Sound on")).to_have_attribute("aria-pressed", "true")
        before = sound_count(page)
        assert before > 0
        board.play_turn_by_mouse(2)
        board.expect_round(3)
        assert sound_count(page) > before
        page.get_by_role("button", name="Sound on").click()
        page.reload()
        expect(page.get_by_role("button", name="Sound off")).to_be_visible()
        page.emulate_media(reduced_motion="no-preference")
        expect(page.get_by_role("button", name="Sound off")).to_be_visible()
