"""The last turn is taken back, with the bot's answer: by mouse, by key, on a phone; not where somebody minds."""

from __future__ import annotations

from contextlib import closing
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from e2e.page_objects.helpers import fits, in_each_language, opened, violations
from e2e.page_objects.limit_board import TABLE, stage, step_by_mouse
from support.server.clients import Client, send_request
from support.server.matches import new_match, play_until

ME = {"kind": "person", "name": "Ada"}
BOT = {"kind": "bot", "bot": "novice"}
WORDS = {"en": "Take back the last turn", "de": "Letzten Zug zurücknehmen", "fr": "Annuler le dernier coup"}
PHONE: dict[str, Any] = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}


def play_a_turn(page: Page) -> None:
    """A turn of ours, until it is our turn again."""
    turn = int(page.locator(TABLE).get_attribute("data-turn") or 0)
    for expected in ("pawn", "target", "removal", "ready"):
        assert stage(page) == expected
        step_by_mouse(page, expected)
    expect(page.locator(TABLE)).to_have_attribute("data-turn", str(turn + 2))


@pytest.mark.parametrize("how", ["mouse", "key"])
def test_a_turn_and_its_answer_are_taken_back_and_another_is_played(address: str, browser: Browser, how: str) -> None:
    match, keys = new_match(address, "limit", [ME, BOT])
    with opened(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        table, button = page.locator(TABLE), page.get_by_role("button", name=WORDS["en"])
        stage(page)
        expect(button).to_be_disabled()
        page.keyboard.press("t")
        play_a_turn(page)
        before = send_request(address, f"/matches/{match}", keys=keys.values())
        step_by_mouse(page, stage(page))  # what was begun of the next turn is forgotten with it
        button.click() if how == "mouse" else page.keyboard.press("t")
        expect(table).to_have_attribute("data-turn", "0")
        expect(table).to_have_attribute("data-stage", "pawn")
        expect(page.locator("[aria-live]").filter(has_text="The last turn was taken back.")).to_have_count(1)
        expect(button).to_be_disabled()
        after = send_request(address, f"/matches/{match}", keys=keys.values())
        assert (len(after["steps"]), after["version"]) == (1, before["version"] + 1)
        play_a_turn(page)
        page.reload()
        expect(table).to_have_attribute("data-turn", "2")


def test_a_game_that_is_lost_goes_on_from_the_last_turn_on_a_phone(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limit", [ME, BOT], size=4)
    with closing(Client(address)) as client:
        client.keys[match] = list(keys.values())
        over = client.live(match).play_until(lambda state: state["phase"] == "over", Random(match))
    with opened(browser, f"{address}/m/{match}", keys={match: keys}, **PHONE) as page:
        for language in in_each_language(page):
            button = page.get_by_role("button", name=WORDS[language])
            expect(button).to_be_visible()
            assert fits(page)
        assert violations(page, bare=True) == []
        page.reload()
        button.tap()
        expect(page.locator(TABLE)).to_have_attribute("data-phase", "playing")
        expect(page.get_by_test_id("result")).to_have_count(0)
        assert stage(page) == "pawn"
        now = send_request(address, f"/matches/{match}")
        assert now["seats"][0]["turn_count"] == over["seats"][0]["turn_count"] - 1


def test_it_is_not_offered_where_somebody_or_the_next_card_would_mind(address: str, browser: Browser) -> None:
    ben = {"kind": "person", "name": "Ben"}
    for game, seats in (("limit", [ME, ben]), ("limes", [ME])):
        match, keys = new_match(address, game, seats)
        play_until(address, match, keys, lambda state: state["seats"][0]["turn_count"] == 1)
        with opened(browser, f"{address}/m/{match}", keys={match: keys}) as page:
            page.locator("[data-cell], [data-stage=pawn]").first.wait_for()
            expect(page.get_by_role("button", name=WORDS["en"])).to_have_count(0)
            version = send_request(address, f"/matches/{match}")["version"]
            page.keyboard.press("t")
            expect(page.get_by_test_id("status")).to_be_visible()
            assert send_request(address, f"/matches/{match}")["version"] == version
