"""The companion for physical games: enter displays and boards, draw cards, print, save pictures."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from e2e.page_objects.helpers import axe_violations, fits_window, open_page
from e2e.test_touch_targets import check as check_targets
from support.games.records import example_record
from support.processes.cli_commands import limina
from support.server.matches import finished_match

PHONE: dict[str, Any] = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}


def wait_until_judged(page: Page) -> None:
    """Wait until the server has scored everything that was entered."""
    expect(page.get_by_test_id("companion")).to_have_attribute("data-scored", "true")


def enter_card(page: Page, cell: str, card: int, rotation: int) -> None:
    """Enter a card by taps: its cell, its number, and its rotation."""
    page.locator(f"[data-open={cell}]").tap()
    page.locator(f"[data-number='{card}']").tap()
    for _ in range(rotation):
        page.locator(f"[data-cell={cell}]").tap()


def test_entered_displays_score_like_the_replay(address: str, browser: Browser, tmp_path: Any) -> None:
    record = example_record("limes")
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record))
    summary = json.loads(limina("replay", str(file), "--json").stdout)
    with open_page(browser, f"{address}/companion/limes", **PHONE) as page:
        for seat, name in enumerate(record["players"]):
            page.get_by_label(f"Name of player {seat + 1}").fill(name)
        for seat in range(2, len(record["players"]), -1):
            page.get_by_role("button", name=f"Remove Player {seat}").tap()
        for seat, player in enumerate(summary["players"]):
            if len(summary["players"]) > 1:
                page.locator(f"[data-player='{seat}']").tap()
            for card, turns in zip(record["draws"], record["turns"], strict=True):
                placement = turns[seat].split()[0]
                enter_card(page, placement[:2], card, int(placement[3]))
            page.get_by_test_id("workers").tap()
            for worker in player["workers"]:
                spot = page.locator(f"[data-zone='{worker['zone']}']")
                if spot.get_attribute("aria-pressed") == "true":  # a worker is here already
                    page.get_by_role("button", name="Add one here").tap()
                else:
                    spot.tap()
            wait_until_judged(page)
            expect(page.get_by_test_id("total")).to_have_text(str(player["total"]))
            points = page.locator("[data-points]").evaluate_all(
                "workers => workers.map(worker => Number(worker.dataset.points))"
            )
            assert sorted(points) == sorted(w["points"] if w["scored"] else 0 for w in player["workers"])
        assert fits_window(page)
        check_targets(page)
        expect(page.get_by_test_id("end")).to_be_visible()
        # A tap on a worker explains its points.
        page.locator("[data-points]").first.tap()
        expect(page.locator("[data-points] small")).to_have_count(1)
        assert axe_violations(page, without_pictures=True) == []
        page.reload()  # the game is stored
        wait_until_judged(page)
        page.get_by_test_id("replay").tap()
        expect(page.get_by_role("slider")).to_have_value("16")
        expect(page.locator(".scores")).to_contain_text(f"{record['players'][0]}: {summary['players'][0]['total']}")


@pytest.mark.parametrize("language", ["de", "fr"])
def test_cards_are_drawn_spoken_and_placed_by_keyboard(address: str, browser: Browser, language: str) -> None:
    record_speech = (
        "() => { window.spoken = []; speechSynthesis.speak = ({ text, lang }) => spoken.push([text, lang]); }"
    )
    with open_page(browser, f"{address}/companion/limes", language=language, theme="dark") as page:
        page.get_by_test_id("draw").wait_for()
        page.evaluate(record_speech)
        page.get_by_test_id("draw").press("Enter")
        number = page.get_by_test_id("drawn").get_attribute("data-number")
        word = {"de": "Karte", "fr": "Carte"}[language]
        assert page.evaluate("spoken") == [[f"{word} {number}", language]]
        page.locator("[data-open=d4]").press("Enter")  # places the drawn card
        expect(page.locator("[data-cell=d4]")).to_have_attribute("data-card", number or "")
        page.keyboard.press("r")
        expect(page.locator("[data-cell=d4]")).to_have_attribute("data-turning", "1")
        page.get_by_test_id("workers").press("Enter")
        page.locator("[data-zone='d4.nw']").press("Space")
        wait_until_judged(page)
        expect(page.locator("[data-points]")).to_have_count(1)
        assert axe_violations(page) == []
        page.get_by_role("checkbox", name={"de": "laut", "fr": "voix haute"}[language]).uncheck()
        page.get_by_test_id("draw").click()
        page.reload()
        expect(page.get_by_test_id("drawn")).not_to_have_attribute("data-number", number or "")
        page.locator("[data-open]").first.click()
        expect(page.locator("[data-card]")).to_have_count(2)
        # In the next game cards are entered by typing their numbers, wherever the focus is.
        page.locator("summary").first.click()
        page.get_by_test_id("clear").click()
        page.get_by_test_id("clear-all").click()
        page.locator("#main").focus()
        page.keyboard.type("123")
        expect(page.locator("[data-card='12']")).to_have_count(1)
        expect(page.locator("[data-card='3']")).to_have_count(1)


def test_a_position_of_limit_is_entered_analyzed_and_printed(address: str, browser: Browser) -> None:
    with open_page(browser, f"{address}/companion/limit", **PHONE) as page:
        # A random layout is shown at once, with its tiles listed by color.
        companion = page.get_by_test_id("companion")
        expect(companion).to_have_attribute("data-problem", "none")
        assert len(page.locator("[data-color=R]").inner_text().split()) == 8
        page.get_by_test_id("size").select_option("4")
        expect(page.get_by_role("img", name="16 tiles")).to_be_visible()
        check_targets(page)
        page.get_by_test_id("clear").tap()
        tap(page, ["i8", "j8", "k8", "l8", "m8"])
        page.get_by_test_id("tool-0").tap()
        tap(page, ["i8"])
        expect(companion).to_have_attribute("data-problem", "one-player")
        page.get_by_test_id("tool-1").tap()
        tap(page, ["m8"])
        expect(companion).to_have_attribute("data-problem", "none")
        assert fits_window(page)
        page.reload()  # the position is stored
        page.get_by_role("radio", name="red").check()
        page.get_by_test_id("analyze").tap()
        best = page.get_by_test_id("best")
        # It captures blue's last pawn.
        expect(best).to_contain_text("(i8) to l8")
        expect(best).to_contain_text("100%")
        # The alternatives are sorted, best first.
        probabilities = [int(text.split("%")[0]) for text in page.locator(".advice li button").all_inner_texts()]
        assert probabilities[1:] == sorted(probabilities[1:], reverse=True)
        assert axe_violations(page) == []
        page.get_by_test_id("print").locator("summary").tap()
        page.get_by_test_id("paper").select_option("letter")
        with page.expect_download() as saved:
            page.get_by_test_id("print-save").tap()
        assert saved.value.suggested_filename == "limit.pdf"
        assert saved.value.path().read_bytes().startswith(b"%PDF")
        assert fits_window(page)
        check_targets(page)


def tap(page: Page, tiles: list[str]) -> None:
    """Tap tiles of the board in order. The neighbors of a tile appear after it."""
    for tile in tiles:
        page.locator(f"[data-tile={tile}]").tap()


def test_a_replay_is_saved_as_a_picture(address: str, browser: Browser) -> None:
    with open_page(browser, f"{address}/replay/{finished_match(address, 'limes')}#5", **PHONE) as page:
        page.get_by_test_id("save-picture").locator("summary").tap()
        check_targets(page)
        with page.expect_download() as saved:
            page.get_by_test_id("picture-save").tap()
        assert saved.value.suggested_filename == "limes.png"
        assert saved.value.path().read_bytes().startswith(b"\x89PNG")
        assert axe_violations(page, without_pictures=True) == []


def test_a_game_stored_by_an_earlier_version_is_continued(address: str, browser: Browser) -> None:
    player = {"name": "Ada", "cards": {"d4": [1, 0]}, "workers": ["d4.nw"], "course": [["d4.nw"]]}
    stored: dict[str, Any] = {"players": [player], "options": {}, "draws": [1], "pile": None}
    with open_page(browser, f"{address}/companion/limes", **PHONE) as page:
        page.evaluate("game => localStorage['limina.companion.limes'] = game", json.dumps(stored))
        page.reload()
        expect(page.locator("[data-cell=d4]")).to_be_visible()
        wait_until_judged(page)
