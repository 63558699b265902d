"""The deck editor: enter a deck by taps or keys, save, share and play it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, Page, expect

from e2e.page_objects.helpers import axe_violations, fits_window, open_page
from e2e.test_touch_targets import PHONE
from e2e.test_touch_targets import check as check_targets
from limina.limes.decks.deck import Deck
from support.server.clients import send_request

ZONES = ["F", "F*", "W", "T", "T*", "R", "R*"]
DECK = Deck.random(Random(5), "Box of 2024")


def saved_decks(page: Page) -> dict[str, Any]:
    """Return the faces of the decks in local storage, by name."""
    decks = json.loads(page.evaluate("localStorage['limina.decks'] ?? '[]'"))
    return {deck["name"]: deck["faces"] for deck in decks}


def center(page: Page, selector: str) -> tuple[float, float]:
    """Return the center of an element."""
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def rename(page: Page, name: str) -> None:
    """Rename the open deck."""
    page.get_by_test_id("deck-name").fill(name)
    page.get_by_test_id("deck-name").press("Enter")


def test_a_deck_is_entered_by_taps_shared_and_played(address: str, browser: Browser) -> None:
    with open_page(browser, f"{address}/decks", **PHONE) as page:
        page.get_by_test_id("deck-empty").tap()
        palette = {zone: center(page, f"[data-enter='{zone}']") for zone in ZONES}
        for face in DECK.faces:
            for zone in face.split():
                page.touchscreen.tap(*palette[zone])
        expect(page.locator("#deck-card")).to_have_text("Card 24 of 24")
        expect(page.get_by_text("All 24 cards are entered: play")).to_be_in_viewport()
        assert saved_decks(page) == {"My deck": list(DECK.faces)}
        # A tap on a zone selects its next landscape.
        before = DECK.faces[23].split()
        page.locator("[data-zone=nw]").tap()
        after = [ZONES[(ZONES.index(before[0]) + 1) % len(ZONES)], *before[1:]]
        assert saved_decks(page)["My deck"][23] == " ".join(after)
        page.get_by_role("button", name="Undo").tap()
        assert saved_decks(page)["My deck"][23] == DECK.faces[23]
        page.get_by_role("button", name="Turn the card to the right").tap()
        assert saved_decks(page)["My deck"][23] == DECK.with_rotated(24).faces[23]
        page.get_by_role("button", name="Undo").tap()
        rename(page, DECK.name)
        assert fits_window(page)
        check_targets(page)
        page.get_by_test_id("deck-share").tap()
        link = page.get_by_test_id("deck-link").locator("input").input_value()
        assert link == f"{address}/decks/{DECK.id}#Box%20of%202024"
        page.get_by_test_id("deck-play").tap()
        page.locator("[data-cell]").first.wait_for()
        match = page.url.rpartition("/")[2]
        assert send_request(address, f"/matches/{match}/record")["deck"] == list(DECK.faces)
    # Another browser opens the link and saves a copy.
    with open_page(browser, link, **PHONE) as page:
        expect(page.get_by_role("heading", name=DECK.name)).to_be_visible()
        expect(page.get_by_role("img", name=re.compile("^Card 24: "))).to_be_visible()
        assert fits_window(page)
        check_targets(page)
        assert axe_violations(page, without_pictures=True) == []
        page.get_by_test_id("deck-save").tap()
        expect(page.get_by_test_id("deck-name")).to_have_value(DECK.name)
        assert saved_decks(page) == {DECK.name: list(DECK.faces)}
        page.go_back()
        page.get_by_role("button", name="Open my copy").wait_for()
        page.goto(f"{address}/decks/{'A' * 24}")
        expect(page.get_by_role("heading", name="This deck does not exist")).to_be_visible()


def test_a_deck_is_entered_by_keys_downloaded_and_chosen_by_name(
    address: str, browser: Browser, tmp_path: Path
) -> None:
    with open_page(browser, f"{address}/decks", accept_downloads=True) as page:
        page.get_by_test_id("deck-empty").click()
        expect(page.locator("#deck-card")).to_have_text("Card 1 of 24")
        # Huts as a star in the first half, as capital letters in the second.
        for number, face in enumerate(DECK.faces):
            keys = face.replace(" ", "") if number < 12 else re.sub(r"(\w)\*", r"^\1", face.replace(" ", ""))
            for before, key in zip(" " + keys, keys, strict=False):
                if key != "^":
                    page.keyboard.press(f"Shift+{key}" if before == "^" else key.lower())
        assert saved_decks(page) == {"My deck": list(DECK.faces)}
        expect(page.get_by_test_id("remarks")).to_have_text("All 24 cards are entered, and no two are the same.")
        for key in ("PageUp", "c", "PageDown", "v"):
            page.keyboard.press(key)
        expect(page.get_by_test_id("remarks")).to_have_text("Cards 23 and 24 are the same (turned or not).")
        page.keyboard.press("Control+z")
        rename(page, DECK.name)
        with page.expect_download() as downloading:
            page.get_by_test_id("deck-download").click()
        downloading.value.save_as(tmp_path / "mine.toml")
        assert downloading.value.suggested_filename == "Box-of-2024.toml"
        assert (tmp_path / "mine.toml").read_text() == DECK.to_toml()

        # Bots try the deck until the trial is stopped.
        trial = page.get_by_test_id("trial")
        page.get_by_test_id("trial-start").click()
        trial.locator("tbody td").first.wait_for()
        if trial.get_attribute("data-phase") == "working":
            page.get_by_test_id("trial-stop").click()
        expect(trial).to_have_attribute("data-phase", "done")
        expect(trial.locator("tbody th")).to_have_text(["Greedy", "Skilled", "Par"])

        # The file is imported under another name; the copy is deleted and restored.
        page.get_by_role("button", name="New deck").click()
        page.locator("input[type=file]").set_input_files(tmp_path / "mine.toml")
        expect(page.get_by_test_id("deck-name")).to_have_value("Box of 2024 2")
        page.get_by_test_id("deck-delete").click()
        assert set(saved_decks(page)) == {"Box of 2024"}
        page.get_by_test_id("deck-restore").click()
        expect(page.get_by_test_id("deck-name")).to_have_value("Box of 2024 2")
        assert saved_decks(page) == {"Box of 2024": list(DECK.faces), "Box of 2024 2": list(DECK.faces)}

        # An invalid deck is refused with the number of the wrong card.
        page.get_by_role("button", name="New deck").click()
        page.get_by_label("Or paste it, one card per line").fill(
            "\n".join([*DECK.faces[:6], "F W* T R", *DECK.faces[7:]])
        )
        page.get_by_role("button", name="Use these cards").click()
        expect(page.get_by_test_id("deck-error")).to_have_text("Card 7 has a hut on water.")
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            assert axe_violations(page) == []

        # The new match form offers the deck by its name.
        page.goto(address)
        page.get_by_text("Options").click()
        page.get_by_test_id("deck-choice").select_option(label="Box of 2024 2")
        expect(page.get_by_test_id("deck-choice")).to_have_value(re.compile(r"^\d+-\d+$"))
        page.goto(f"{address}/decks")
        page.get_by_test_id("deck-play-others").click()
        page.get_by_label("Together on this device").check()
        page.get_by_test_id("create-match").click()
        page.locator("[data-cell]").first.wait_for()
        match = page.url.rpartition("/")[2]
        assert send_request(address, f"/matches/{match}/record")["deck"] == list(DECK.faces)
