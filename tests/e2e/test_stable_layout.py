"""The layout stays stable during a turn, and long names fit, in every language and window."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from e2e.page_objects.helpers import fits_window, open_page
from e2e.page_objects.limes_board import LimesBoard
from e2e.page_objects.limit_board import step_by_mouse, wait_for_stage
from support.server.clients import send_request
from support.server.matches import new_match, play_until

ADA = {"kind": "person", "name": "Maximiliane-Donaudampfschifffahrtsgesell"}
BEN = {"kind": "person", "name": "Ben"}
# The languages with the longest words, on the narrowest phone and beside the largest board.
WINDOWS = [("de", 320, 640), ("fr", 320, 640), ("de", 1400, 900), ("fr", 1400, 900)]
BOUNDING_BOXES = """selectors => Object.fromEntries(selectors.map(selector => {
    const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
    return [selector, [x, y + scrollY, width, height].map(Math.round)];
}))"""


def bounding_boxes(page: Page, *selectors: str) -> dict[str, Any]:
    """Return the bounding boxes of elements, relative to the page."""
    boxes: dict[str, Any] = page.evaluate(BOUNDING_BOXES, list(selectors))
    return boxes


@pytest.mark.parametrize(("language", "width", "height"), WINDOWS)
def test_the_layout_is_stable_during_a_turn_of_limes(
    address: str, browser: Browser, language: str, width: int, height: int
) -> None:
    match, keys = new_match(address, "limes", [ADA, BEN])
    # Points of two digits and a smaller supply.
    play_until(address, match, keys, lambda state: state["view"]["round"] >= 8)
    window: dict[str, Any] = {"width": width, "height": height, "language": language}
    with open_page(browser, f"{address}/m/{match}", keys={match: {"0": keys["0"]}}, **window) as page:
        board = LimesBoard(page)
        board.expect_round_number(9)
        expect(board.cells.first).to_be_visible()
        selectors = (".square", ".facts", ".hand .card", ".actions", ".others", ".extras", ".margin ul")
        before = bounding_boxes(page, *selectors)
        assert fits_window(page)
        board.cells.first.click()
        expect(board.confirm).to_be_visible()
        assert bounding_boxes(page, *selectors) == before
        board.main.click()
        expect(board.confirm).to_have_count(0)
        assert bounding_boxes(page, *selectors) == before
        board.end_without_worker()
        # During the opponent's turn the buttons stay, and so does the focus.
        expect(board.none).to_have_attribute("aria-disabled", "true")
        expect(page.locator("[data-cell], [data-action]")).to_have_count(0)
        assert bounding_boxes(page, *selectors) == before
        expect(board.main).to_be_focused()
        body = {"idempotency_key": "b", "seat_index": 1, "turn_index": 8, "turn": ""}
        legal = send_request(address, f"/matches/{match}", seat_tokens=[keys["1"]])["legal"]["1"]["turns"]
        send_request(address, f"/matches/{match}/turns", body | {"turn": next(iter(legal))}, [keys["1"]])
        board.expect_round(10)
        expect(board.main).to_be_focused()


@pytest.mark.parametrize(("language", "width", "height"), WINDOWS)
def test_the_layout_is_stable_during_a_turn_of_limit(
    address: str, browser: Browser, language: str, width: int, height: int
) -> None:
    match, keys = new_match(address, "limit", [BEN, ADA])
    window: dict[str, Any] = {"width": width, "height": height, "language": language}
    with open_page(browser, f"{address}/m/{match}", keys={match: {"0": keys["0"]}}, **window) as page:
        wait_for_stage(page)
        selectors = (".match-view .board", ".actions", ".switch", ".margin ul")
        before = bounding_boxes(page, *selectors)
        assert fits_window(page)
        for step in ("pawn", "target", "removal"):
            assert wait_for_stage(page) == step
            step_by_mouse(page, step)
            assert bounding_boxes(page, *selectors) == before, step


@pytest.mark.parametrize("players", [2, 8])
def test_the_final_scoring_shows_the_points_of_all_players(address: str, browser: Browser, players: int) -> None:
    match, keys = new_match(address, "limes", [ADA] * players)
    totals = play_until(address, match, keys, lambda state: False)["view"]["end"]["totals"]
    for width, height in ((320, 640), (1200, 900)):
        with open_page(browser, f"{address}/m/{match}", width=width, height=height) as page:
            expect(page.get_by_test_id("end")).to_be_visible()
            assert fits_window(page)
            table = page.get_by_role("region", name="Final scoring").get_by_role("table")
            sheet = page.get_by_role("region", name="Final scoring").bounding_box()
            assert sheet is not None
            cells = [cell for cell in table.locator("strong").all() if cell.inner_text() in map(str, totals)]
            assert len(cells) >= players
            for cell in cells:
                box = cell.bounding_box()
                assert box is not None
                assert box["x"] + box["width"] <= sheet["x"] + sheet["width"]


@pytest.mark.parametrize("width", [390, 1440])
def test_long_names_fit_into_matches_lists_and_the_companion(address: str, browser: Browser, width: int) -> None:
    names = ["W" * 40, "M" * 40]
    people = [{"kind": "person", "name": name} for name in names]
    matches = {
        "playing": [new_match(address, game, people) for game in ("limes", "limit")],
        "over": [new_match(address, "limes", people), new_match(address, "limit", people, size=4)],
        "waiting": [new_match(address, "limes", [people[0], {"kind": "open"}])],
    }
    for match, keys in matches["over"]:
        play_until(address, match, keys, lambda state: False)
    # The seat token of one player only, so that the status names the other.
    held = {match: {"1": keys["1"]} for match, keys in matches["playing"] + matches["over"]}
    held |= dict(matches["waiting"])
    with open_page(browser, f"{address}/games", keys=held, width=width) as page:
        expect(page.get_by_role("link").filter(has_text=names[0])).to_have_count(len(held))
        assert fits_window(page)
        for match in held:
            page.goto(f"{address}/m/{match}")
            expect(page.get_by_role("list", name="Players").get_by_text(names[0])).to_be_visible()
            assert fits_window(page), match
        page.goto(f"{address}/companion/limes")
        for seat, name in enumerate(names, 1):
            page.get_by_label(f"Name of player {seat}").fill(name)
        page.locator("[data-open]").first.click()
        page.locator("[data-number='1']").click()
        expect(page.get_by_role("table").get_by_text(names[0])).to_be_visible()
        assert fits_window(page)
