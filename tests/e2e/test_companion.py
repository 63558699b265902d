"""A phone beside the real cards: displays are entered by taps and counted, cards are drawn for the table."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from e2e.page_helpers import AXE, fits, opened, violations
from e2e.test_targets import check as check_targets
from kit.commands import limina
from kit.records import example_record

PHONE: dict[str, Any] = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}


def judged(page: Page) -> None:
    """Wait until the server has counted everything that was entered."""
    expect(page.get_by_test_id("companion")).to_have_attribute("data-judged", "true")


def lay(page: Page, cell: str, card: int, turning: int) -> None:
    """Enter a card by taps: its cell, its number, and its turnings."""
    page.locator(f"[data-open={cell}]").tap()
    page.locator(f"[data-number='{card}']").tap()
    for _ in range(turning):
        page.locator(f"[data-cell={cell}]").tap()


def test_a_printed_games_cards_are_entered_and_scored_as_the_replay_does(
    address: str, browser: Browser, tmp_path: Any
) -> None:
    record = example_record("limes")
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record))
    summary = json.loads(limina("replay", str(file), "--json").stdout)
    with opened(browser, f"{address}/companion/limes", **PHONE) as page:
        for seat, name in enumerate(record["players"]):
            page.get_by_label(f"Name of player {seat + 1}").fill(name)
        for seat in range(2, len(record["players"]), -1):
            page.get_by_role("button", name=f"Remove Player {seat}").tap()
        for seat, player in enumerate(summary["players"]):
            if len(summary["players"]) > 1:
                page.locator(f"[data-player='{seat}']").tap()
            for card, turns in zip(record["draws"], record["turns"], strict=True):
                laid = turns[seat].split()[0]
                lay(page, laid[:2], card, int(laid[3]))
            page.get_by_test_id("workers").tap()
            for worker in player["workers"]:
                spot = page.locator(f"[data-zone='{worker['zone']}']")
                if spot.get_attribute("aria-pressed") == "true":  # one stands here already
                    page.get_by_role("button", name="One more here").tap()
                else:
                    spot.tap()
            judged(page)
            expect(page.get_by_test_id("total")).to_have_text(str(player["total"]))
            points = page.locator("[data-points]").evaluate_all("all => all.map(each => Number(each.dataset.points))")
            assert sorted(points) == sorted(w["points"] if w["scored"] else 0 for w in player["workers"])
        assert fits(page)
        check_targets(page)
        expect(page.get_by_test_id("end")).to_be_visible()
        page.reload()  # nothing is lost
        judged(page)
        if AXE.exists():
            assert violations(page, bare=True) == []
        page.reload()
        page.get_by_test_id("replay").tap()
        expect(page.get_by_role("slider")).to_have_value("16")
        expect(page.locator(".scores")).to_contain_text(f"{record['players'][0]}: {summary['players'][0]['total']}")


@pytest.mark.parametrize("language", ["de", "fr"])
def test_cards_are_drawn_for_the_table_said_aloud_and_laid_by_keyboard(
    address: str, browser: Browser, language: str
) -> None:
    said = "() => { window.said = []; speechSynthesis.speak = words => said.push([words.text, words.lang]); }"
    with opened(browser, f"{address}/companion/limes", language=language, theme="dark") as page:
        page.get_by_test_id("draw").wait_for()
        page.evaluate(said)
        page.get_by_test_id("draw").press("Enter")
        number = page.get_by_test_id("drawn").get_attribute("data-number")
        word = {"de": "Karte", "fr": "Carte"}[language]
        assert page.evaluate("said") == [[f"{word} {number}", language]]
        page.locator("[data-open=d4]").press("Enter")  # what was drawn is what is laid
        expect(page.locator("[data-cell=d4]")).to_have_attribute("data-card", number or "")
        page.keyboard.press("r")
        expect(page.locator("[data-cell=d4]")).to_have_attribute("data-turning", "1")
        page.get_by_test_id("workers").press("Enter")
        page.locator("[data-zone='d4.nw']").press("Space")
        judged(page)
        expect(page.locator("[data-points]")).to_have_count(1)
        if AXE.exists():
            assert violations(page) == []
        page.get_by_role("checkbox", name={"de": "laut", "fr": "voix haute"}[language]).uncheck()
        page.get_by_test_id("draw").click()
        page.reload()
        expect(page.get_by_test_id("drawn")).not_to_have_attribute("data-number", number or "")
        page.locator("[data-open]").first.click()
        expect(page.locator("[data-card]")).to_have_count(2)
