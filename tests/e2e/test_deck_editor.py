"""A deck of one's own: entered by taps and by keys, kept, and played."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, Page, expect

from e2e.page_objects.helpers import fits, opened, violations
from e2e.test_touch_targets import PHONE
from e2e.test_touch_targets import check as check_targets
from limina.limes.decks.deck import Deck
from support.server.clients import send_request

ZONES = ["F", "F*", "W", "T", "T*", "R", "R*"]
MINE = Deck.random(Random(5), "Box of 2024")


def kept(page: Page) -> dict[str, Any]:
    """What this browser keeps, by name."""
    found = json.loads(page.evaluate("localStorage['limina.decks'] ?? '[]'"))
    return {deck["name"]: deck["faces"] for deck in found}


def middle(page: Page, what: str) -> tuple[float, float]:
    """Where a finger meets it, without looking for it again each time."""
    box = page.locator(what).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def named(page: Page, name: str) -> None:
    page.get_by_test_id("deck-name").fill(name)
    page.get_by_test_id("deck-name").press("Enter")


def test_a_deck_is_entered_by_taps_on_a_phone_kept_and_played(address: str, browser: Browser) -> None:
    with opened(browser, f"{address}/decks", **PHONE) as page:
        page.get_by_test_id("deck-empty").tap()
        palette = {zone: middle(page, f"[data-enter='{zone}']") for zone in ZONES}
        for face in MINE.faces:
            for zone in face.split():
                page.touchscreen.tap(*palette[zone])
        expect(page.locator("#deck-card")).to_have_text("Card 24 of 24")
        expect(page.get_by_text("All 24 cards are entered: play")).to_be_in_viewport()
        assert kept(page) == {"My deck": list(MINE.faces)}
        # A zone goes through all that it can be, and there is a way back.
        before = MINE.faces[23].split()
        page.locator("[data-zone=nw]").tap()
        after = [ZONES[(ZONES.index(before[0]) + 1) % len(ZONES)], *before[1:]]
        assert kept(page)["My deck"][23] == " ".join(after)
        page.get_by_role("button", name="Undo").tap()
        assert kept(page)["My deck"][23] == MINE.faces[23]
        page.get_by_role("button", name="Turn the card to the right").tap()
        assert kept(page)["My deck"][23] == MINE.with_rotated(24).faces[23]
        page.get_by_role("button", name="Undo").tap()
        named(page, MINE.name)
        assert fits(page)
        check_targets(page)
        page.get_by_test_id("deck-share").tap()
        link = page.get_by_test_id("deck-link").locator("input").input_value()
        assert link == f"{address}/decks/{MINE.id}#Box%20of%202024"
        page.get_by_test_id("deck-play").tap()
        page.locator("[data-cell]").first.wait_for()
        match = page.url.rpartition("/")[2]
        assert send_request(address, f"/matches/{match}/record")["deck"] == list(MINE.faces)
    # Somebody else has it by the link, and keeps it.
    with opened(browser, link, **PHONE) as page:
        expect(page.get_by_role("heading", name=MINE.name)).to_be_visible()
        expect(page.get_by_role("img", name=re.compile("^Card 24: "))).to_be_visible()
        assert fits(page)
        check_targets(page)
        assert violations(page, bare=True) == []
        page.get_by_test_id("deck-keep").tap()
        expect(page.get_by_test_id("deck-name")).to_have_value(MINE.name)
        assert kept(page) == {MINE.name: list(MINE.faces)}
        page.go_back()
        page.get_by_role("button", name="Open my copy").wait_for()
        page.goto(f"{address}/decks/{'A' * 24}")
        expect(page.get_by_role("heading", name="This deck does not exist")).to_be_visible()


def test_a_deck_is_entered_by_keys_saved_as_a_file_and_chosen_by_its_name(
    address: str, browser: Browser, tmp_path: Path
) -> None:
    with opened(browser, f"{address}/decks", accept_downloads=True) as page:
        page.get_by_test_id("deck-empty").click()
        expect(page.locator("#deck-card")).to_have_text("Card 1 of 24")
        # As it is written; the second half with capitals for huts.
        for number, face in enumerate(MINE.faces):
            keys = face.replace(" ", "") if number < 12 else re.sub(r"(\w)\*", r"^\1", face.replace(" ", ""))
            for before, key in zip(" " + keys, keys, strict=False):
                if key != "^":
                    page.keyboard.press(f"Shift+{key}" if before == "^" else key.lower())
        assert kept(page) == {"My deck": list(MINE.faces)}
        expect(page.get_by_test_id("remarks")).to_have_text("All 24 cards are entered, and no two are the same.")
        for key in ("PageUp", "c", "PageDown", "v"):
            page.keyboard.press(key)
        expect(page.get_by_test_id("remarks")).to_have_text("Cards 23 and 24 are the same (turned or not).")
        page.keyboard.press("Control+z")
        named(page, MINE.name)
        with page.expect_download() as downloading:
            page.get_by_test_id("deck-download").click()
        downloading.value.save_as(tmp_path / "mine.toml")
        assert downloading.value.suggested_filename == "Box-of-2024.toml"
        assert (tmp_path / "mine.toml").read_text() == MINE.to_toml()

        # Bots play it until somebody has seen enough.
        trial = page.get_by_test_id("trial")
        page.get_by_test_id("trial-start").click()
        trial.locator("tbody td").first.wait_for()
        if trial.get_attribute("data-phase") == "working":
            page.get_by_test_id("trial-stop").click()
        expect(trial).to_have_attribute("data-phase", "done")
        expect(trial.locator("tbody th")).to_have_text(["Greedy", "Skilled", "Par"])

        # Read again under another name, deleted and brought back.
        page.get_by_role("button", name="New deck").click()
        page.locator("input[type=file]").set_input_files(tmp_path / "mine.toml")
        expect(page.get_by_test_id("deck-name")).to_have_value("Box of 2024 2")
        page.get_by_test_id("deck-delete").click()
        assert set(kept(page)) == {"Box of 2024"}
        page.get_by_test_id("deck-back").click()
        expect(page.get_by_test_id("deck-name")).to_have_value("Box of 2024 2")
        assert kept(page) == {"Box of 2024": list(MINE.faces), "Box of 2024 2": list(MINE.faces)}

        # One that is wrong is refused in a sentence that says which card.
        page.get_by_role("button", name="New deck").click()
        page.get_by_label("Or paste it, one card per line").fill(
            "\n".join([*MINE.faces[:6], "F W* T R", *MINE.faces[7:]])
        )
        page.get_by_role("button", name="Use these cards").click()
        expect(page.get_by_test_id("deck-error")).to_have_text("Card 7 has a hut on water.")
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            assert violations(page) == []

        # Chosen by its name, and kept for the rematch.
        page.goto(address)
        page.get_by_text("Options").click()
        page.get_by_test_id("deck-choice").select_option(label="Box of 2024 2")
        expect(page.get_by_test_id("deck-choice")).to_have_value(re.compile(r"^\d+-\d+$"))
        page.goto(f"{address}/decks")
        page.get_by_test_id("deck-others").click()
        page.get_by_label("Together on this device").check()
        page.get_by_test_id("create-match").click()
        page.locator("[data-cell]").first.wait_for()
        match = page.url.rpartition("/")[2]
        assert send_request(address, f"/matches/{match}/record")["deck"] == list(MINE.faces)
