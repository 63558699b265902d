"""Replays in the browser: of finished matches and of record files."""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import limina
from e2e.page_objects.helpers import fits_window, open_page
from limina.isolated.record import MAX_NAME_CHARACTERS
from support.games.records import example_record, random_record
from support.server.clients import send_request
from support.server.matches import finished_match

DROP_FILE = """async text => {
    const data = new DataTransfer();
    data.items.add(new File([text], "game.json", { type: "application/json" }));
    for (const type of ["dragover", "drop"]) {
        document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
    }
}"""


def expect_moment(page: Page, progress: int) -> None:
    """Wait until the slider and the address show a moment."""
    expect(page.get_by_role("slider")).to_have_value(str(progress))
    expect(page).to_have_url(re.compile(f"#{progress}$"))


@pytest.mark.parametrize("game", ["limes", "limit"])
def test_a_finished_match_is_replayed_by_keyboard_and_shared_by_link(address: str, browser: Browser, game: str) -> None:
    match = finished_match(address, game)
    frames = send_request(address, f"/matches/{match}/replay")["frames"]
    last = frames[-1]["progress"]
    with open_page(browser, f"{address}/replay/{match}") as page:
        # It opens at the end of the game, with the result.
        expect(page.get_by_role("slider")).to_have_value(str(last))
        expect(page.locator(".outcome")).to_contain_text("win")
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        expect_moment(page, 2)
        page.keyboard.press("ArrowLeft")
        expect_moment(page, 1)
        page.keyboard.press("End")
        expect_moment(page, last)
        for name, score in zip(("Ada", "Ben"), frames[-1]["scores"], strict=True):
            expect(page.locator(".scores")).to_contain_text(f"{name}: {score}")
        expect(page.locator(".outcome")).to_contain_text("win")
        page.keyboard.press("Home")
        expect_moment(page, 0)
        if game == "limit":  # the start shows the layout
            expect(page.get_by_role("img", name="16 tiles")).to_be_visible()
        page.get_by_role("slider").fill("3")
        expect_moment(page, 3)
        shared = page.url
    with open_page(browser, shared) as page:
        expect_moment(page, 3)


def test_a_replay_plays_by_itself_until_paused(address: str, browser: Browser) -> None:
    match = finished_match(address)
    with open_page(browser, address) as page:
        page.clock.install()
        page.goto(f"{address}/replay/{match}")
        page.get_by_role("button", name="Play").wait_for()
        page.clock.pause_at(datetime.now() + timedelta(hours=1))  # from here on the test controls the time
        page.get_by_role("button", name="Play").click()
        for step in ("1", "2"):
            page.clock.run_for(1000)
            expect(page.get_by_role("slider")).to_have_value(step)
        page.get_by_role("button", name="Pause").click()
        expect(page.get_by_role("button", name="Play")).to_be_visible()
        page.clock.run_for(5000)
        expect(page.get_by_role("slider")).to_have_value("2")


def test_the_display_of_one_player_can_be_shown_alone(address: str, browser: Browser) -> None:
    match = finished_match(address, "limes")
    with open_page(browser, f"{address}/replay/{match}#16", width=320) as page:
        expect(page.locator("figure")).to_have_count(2)
        page.get_by_role("radio", name="Ben").check()
        expect(page.locator("figure")).to_have_count(1)
        expect(page.locator("figure")).to_contain_text("Ben")
        assert fits_window(page)
        # The controls stay visible, however high the boards are.
        for name in ("Start", "Back", "Play", "Forward", "End"):
            expect(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
        # The page shows that the server has honored its commitment.
        expect(page.get_by_text("The cards came in the order")).to_be_visible()


@pytest.mark.parametrize("game", ["limes", "limit"])
def test_a_record_file_dropped_on_the_page_is_replayed(address: str, browser: Browser, game: str) -> None:
    record = example_record(game)
    with open_page(browser, f"{address}/replay") as page:
        page.get_by_label("Saved game").wait_for()
        page.evaluate(DROP_FILE, json.dumps(record))
        expect(page.get_by_role("slider")).to_be_visible()
        expect(page.get_by_role("heading", level=1)).to_contain_text(record["players"][0])
        page.keyboard.press("Home")
        page.keyboard.press("End")
        expect_moment(page, 16 if game == "limes" else len(record["turns"]))


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize(("game", "prefix"), [("limes", ""), ("limit", ""), ("limit", "bot:")])
def test_the_longest_names_do_not_widen_the_page(
    address: str, browser: Browser, game: str, prefix: str, width: int
) -> None:
    names = [prefix + letter * (MAX_NAME_CHARACTERS - len(prefix)) for letter in "WM"]
    record = random_record(limina.game(game), 5, players=2).to_json() | {"players": names}
    with open_page(browser, f"{address}/replay", width=width) as page:
        page.get_by_label("Saved game").wait_for()
        page.evaluate(DROP_FILE, json.dumps(record))
        expect(page.get_by_role("heading", level=1)).to_contain_text("WWW…")
        page.get_by_text("Show as a table").click()
        assert fits_window(page)
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        expect_moment(page, 1)
        assert fits_window(page)
        if game == "limes":
            page.get_by_role("radio").nth(1).check()
            expect(page.locator("figure")).to_have_count(1)
            assert fits_window(page)
        page.get_by_role("button", name="Review this game").click()
        expect(page.locator(".accuracy")).to_be_visible()
        expect(page.locator(".current article").first).to_be_visible()
        assert fits_window(page)


def test_bots_of_a_record_have_names_in_the_language_of_the_page(address: str, browser: Browser) -> None:
    record = example_record("limit")
    record["players"][0] = "bot:skilled"
    with open_page(browser, f"{address}/replay") as page:
        page.get_by_label("Saved game").wait_for()
        page.evaluate(DROP_FILE, json.dumps(record))
        title = page.get_by_role("heading", level=1)
        expect(title).to_contain_text("Quintus (skilled)")
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        page.get_by_label("Language").select_option("de")
        expect(title).to_contain_text("Quintus (Könner)")
        expect_moment(page, 1)


def test_a_file_that_is_not_a_record_is_refused_with_a_message(address: str, browser: Browser, tmp_path: Path) -> None:
    with open_page(browser, f"{address}/replay") as page:
        for content, message in (("no json", "not a saved game"), ('{"format": "limina/1"}', "could not be read")):
            file = tmp_path / "game.json"
            file.write_text(content)
            page.get_by_label("Saved game").set_input_files(file)
            expect(page.get_by_role("alert")).to_contain_text(message)
        page.get_by_label("Saved game").set_input_files(
            {"name": "g.json", "mimeType": "application/json", "buffer": json.dumps(example_record("limit")).encode()}
        )
        expect(page.get_by_role("slider")).to_be_visible()
        expect(page.get_by_role("alert")).to_have_count(0)
