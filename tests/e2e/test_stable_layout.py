"""What stands beside the board stays where it is, whatever a turn says and however long names and words are."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from e2e.page_objects.helpers import fits, opened
from e2e.page_objects.limes_board import LimesTable
from e2e.page_objects.limit_board import stage, step_by_mouse
from support.server.clients import send_request
from support.server.matches import new_match, play_until

ME = {"kind": "person", "name": "Maximiliane-Donaudampfschifffahrtsgesell"}
YOU = {"kind": "person", "name": "Ben"}
# The longest words on the narrowest phone and beside the largest board.
WINDOWS = [("de", 320, 640), ("fr", 320, 640), ("de", 1400, 900), ("fr", 1400, 900)]
PLACES = """names => Object.fromEntries(names.map(name => {
    const { x, y, width, height } = document.querySelector(name).getBoundingClientRect();
    return [name, [x, y + scrollY, width, height].map(Math.round)];
}))"""


def places(page: Page, *names: str) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(PLACES, list(names))
    return found


@pytest.mark.parametrize(("language", "width", "height"), WINDOWS)
def test_nothing_jumps_during_a_turn_of_limes(
    address: str, browser: Browser, language: str, width: int, height: int
) -> None:
    match, keys = new_match(address, "limes", [ME, YOU])
    # Points of two digits and a smaller supply.
    play_until(address, match, keys, lambda state: state["view"]["round"] >= 8)
    where: dict[str, Any] = {"width": width, "height": height, "language": language}
    with opened(browser, f"{address}/m/{match}", keys={match: {"0": keys["0"]}}, **where) as page:
        table = LimesTable(page)
        table.is_round_number(9)
        expect(table.cells.first).to_be_visible()
        beside = (".square", ".facts", ".hand .card", ".actions", ".others", ".coming", ".margin ul")
        before = places(page, *beside)
        assert fits(page)
        table.cells.first.click()
        expect(table.confirm).to_be_visible()
        assert places(page, *beside) == before
        table.main.click()
        expect(table.confirm).to_have_count(0)
        assert places(page, *beside) == before
        table.end_without_worker()
        # Now it is the other's turn: the buttons wait where they are, and whoever used one is not sent to the top.
        expect(table.none).to_have_attribute("aria-disabled", "true")
        expect(page.locator("[data-cell], [data-offer]")).to_have_count(0)
        assert places(page, *beside) == before
        expect(table.main).to_be_focused()
        body = {"idempotency_key": "b", "seat_index": 1, "turn_index": 8, "turn": ""}
        legal = send_request(address, f"/matches/{match}", keys=[keys["1"]])["legal"]["1"]["turns"]
        send_request(address, f"/matches/{match}/turns", body | {"turn": next(iter(legal))}, [keys["1"]])
        table.is_round(10)
        expect(table.main).to_be_focused()


@pytest.mark.parametrize(("language", "width", "height"), WINDOWS)
def test_nothing_jumps_during_a_turn_of_limit(
    address: str, browser: Browser, language: str, width: int, height: int
) -> None:
    match, keys = new_match(address, "limit", [YOU, ME])
    where: dict[str, Any] = {"width": width, "height": height, "language": language}
    with opened(browser, f"{address}/m/{match}", keys={match: {"0": keys["0"]}}, **where) as page:
        stage(page)
        beside = (".table .board", ".actions", ".switch", ".margin ul")
        before = places(page, *beside)
        assert fits(page)
        for now in ("pawn", "target", "removal"):
            assert stage(page) == now
            step_by_mouse(page, now)
            assert places(page, *beside) == before, now


@pytest.mark.parametrize("players", [2, 8])
def test_the_final_scoring_shows_everybodys_points_in_any_window(address: str, browser: Browser, players: int) -> None:
    match, keys = new_match(address, "limes", [ME] * players)
    totals = play_until(address, match, keys, lambda state: False)["view"]["end"]["totals"]
    for width, height in ((320, 640), (1200, 900)):
        with opened(browser, f"{address}/m/{match}", width=width, height=height) as page:
            expect(page.get_by_test_id("end")).to_be_visible()
            assert fits(page)
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
def test_unbroken_names_fit_into_matches_lists_and_the_companion(address: str, browser: Browser, width: int) -> None:
    names = ["W" * 40, "M" * 40]
    people = [{"kind": "person", "name": name} for name in names]
    matches = {
        "playing": [new_match(address, game, people) for game in ("limes", "limit")],
        "over": [new_match(address, "limes", people), new_match(address, "limit", people, size=4)],
        "waiting": [new_match(address, "limes", [people[0], {"kind": "open"}])],
    }
    for match, keys in matches["over"]:
        play_until(address, match, keys, lambda state: False)
    # Of two people at two devices, so that one waits for the other.
    held = {match: {"1": keys["1"]} for match, keys in matches["playing"] + matches["over"]}
    held |= dict(matches["waiting"])
    with opened(browser, f"{address}/games", keys=held, width=width) as page:
        expect(page.get_by_role("link").filter(has_text=names[0])).to_have_count(len(held))
        assert fits(page)
        for match in held:
            page.goto(f"{address}/m/{match}")
            expect(page.get_by_role("list", name="Players").get_by_text(names[0])).to_be_visible()
            assert fits(page), match
        page.goto(f"{address}/companion/limes")
        for seat, name in enumerate(names, 1):
            page.get_by_label(f"Name of player {seat}").fill(name)
        page.locator("[data-open]").first.click()
        page.locator("[data-number='1']").click()
        expect(page.get_by_role("table").get_by_text(names[0])).to_be_visible()
        assert fits(page)
