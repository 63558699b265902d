"""Taking back the last turn and the bot's turn after it, which matches against people do not allow."""

from __future__ import annotations

from contextlib import closing
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from e2e.page_objects.helpers import axe_violations, fits_window, in_each_language, open_page
from e2e.page_objects.limit_board import BOARD, step_by_mouse, wait_for_stage
from support.server.clients import Client, send_request
from support.server.matches import new_match, play_until

ADA = {"kind": "person", "name": "Ada"}
BOT = {"kind": "bot", "bot": "novice"}
LABELS = {"en": "Take back the last turn", "de": "Letzten Zug zurücknehmen", "fr": "Reprendre le dernier coup"}
PHONE: dict[str, Any] = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}


def play_a_turn(page: Page) -> None:
    """Play a turn and wait for the bot's turn."""
    turn = int(page.locator(BOARD).get_attribute("data-turn") or 0)
    for expected in ("pawn", "target", "removal", "ready"):
        assert wait_for_stage(page) == expected
        step_by_mouse(page, expected)
    expect(page.locator(BOARD)).to_have_attribute("data-turn", str(turn + 2))


@pytest.mark.parametrize("device", ["mouse", "keyboard"])
def test_a_turn_against_a_bot_is_taken_back_and_replaced(address: str, browser: Browser, device: str) -> None:
    match, keys = new_match(address, "limit", [ADA, BOT])
    with open_page(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        board, button = page.locator(BOARD), page.get_by_role("button", name=LABELS["en"])
        wait_for_stage(page)
        expect(button).to_be_disabled()
        page.keyboard.press("t")
        play_a_turn(page)
        before = send_request(address, f"/matches/{match}", seat_tokens=keys.values())
        step_by_mouse(page, wait_for_stage(page))  # a draft of the next turn, which is dropped
        button.click() if device == "mouse" else page.keyboard.press("t")
        expect(board).to_have_attribute("data-turn", "0")
        expect(board).to_have_attribute("data-stage", "pawn")
        expect(page.locator("[aria-live]").filter(has_text="The last turn was taken back.")).to_have_count(1)
        expect(button).to_be_disabled()
        after = send_request(address, f"/matches/{match}", seat_tokens=keys.values())
        assert (len(after["steps"]), after["version"]) == (1, before["version"] + 1)
        play_a_turn(page)
        page.reload()
        expect(board).to_have_attribute("data-turn", "2")


def test_a_finished_game_continues_after_its_last_turn_is_taken_back(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limit", [ADA, BOT], size=4)
    with closing(Client(address)) as client:
        client.seat_tokens[match] = list(keys.values())
        over = client.live(match).play_until(lambda state: state["phase"] == "over", Random(match))
    with open_page(browser, f"{address}/m/{match}", keys={match: keys}, **PHONE) as page:
        for language in in_each_language(page):
            button = page.get_by_role("button", name=LABELS[language])
            expect(button).to_be_visible()
            assert fits_window(page)
        assert axe_violations(page, without_pictures=True) == []
        page.reload()
        button.tap()
        expect(page.locator(BOARD)).to_have_attribute("data-phase", "playing")
        expect(page.get_by_test_id("result")).to_have_count(0)
        assert wait_for_stage(page) == "pawn"
        now = send_request(address, f"/matches/{match}")
        assert now["seats"][0]["turn_count"] == over["seats"][0]["turn_count"] - 1


def test_take_back_is_not_offered_against_people_or_with_hidden_cards(address: str, browser: Browser) -> None:
    ben = {"kind": "person", "name": "Ben"}
    for game, seats in (("limit", [ADA, ben]), ("limes", [ADA])):
        match, keys = new_match(address, game, seats)
        play_until(address, match, keys, lambda state: state["seats"][0]["turn_count"] == 1)
        with open_page(browser, f"{address}/m/{match}", keys={match: keys}) as page:
            page.locator("[data-cell], [data-stage=pawn]").first.wait_for()
            expect(page.get_by_role("button", name=LABELS["en"])).to_have_count(0)
            version = send_request(address, f"/matches/{match}")["version"]
            page.keyboard.press("t")
            expect(page.get_by_test_id("status")).to_be_visible()
            assert send_request(address, f"/matches/{match}")["version"] == version
