"""Playing Limes as a person does: by mouse, by touch, by keyboard."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

ROUNDS = 16


class LimesTable:
    """The table on a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.cells = page.locator("[data-cell]")
        self.offers = page.locator("[data-offer]")
        self.workers = page.locator("[data-worker]")
        self.main = page.get_by_test_id("main")
        self.undo = page.get_by_test_id("undo")
        self.none = page.get_by_test_id("none")
        self.confirm = page.locator(".laid .confirm")

    def totals(self) -> tuple[int, int | None]:
        """The total, and in brackets the one that the turn would lead to."""
        written = re.fullmatch(r"\D+(\d+)\s*(?:\((\d+)\))?", self.page.get_by_test_id("total").inner_text().strip())
        assert written is not None
        return int(written[1]), None if written[2] is None else int(written[2])

    def is_round_number(self, number: int) -> None:
        """Wait for a round, whatever was done in it already."""
        expect(self.page.locator(".round")).to_have_text(re.compile(rf"\b{number}\b.*\b{ROUNDS}$"))

    def is_round(self, number: int) -> None:
        """Wait for the beginning of a round."""
        self.is_round_number(number)
        expect(self.cells.first).to_be_visible()

    def end_without_worker(self) -> None:
        """Choose that no worker is placed or moved, and end the turn."""
        self.none.click()
        expect(self.none).to_have_attribute("aria-pressed", "true")
        self.main.click()

    def turn_by_mouse(self, number: int) -> int:
        """Lay the card somewhere, turn it, place or move a worker; the total that was promised."""
        self.is_round(number)
        self.cells.nth(number * 5 % self.cells.count()).click()
        if number % 2:
            self.page.locator(".laid .right").click()
        self.confirm.click()
        expect(self.confirm).to_have_count(0)
        if not self.offers.count() and number % 3:
            pick(self.workers, number).click()
        promised = self.totals()[1]
        if self.offers.count():
            pick(self.offers, number).click(position={"x": 5, "y": 5})
            expect(self.main).to_have_attribute("aria-disabled", "false")
            promised = self.totals()[1]
            self.main.click()
        else:
            self.end_without_worker()
        assert promised is not None
        return promised

    def turn_by_keys(self, number: int) -> int:
        """The same with keys only."""
        press = self.page.keyboard.press
        self.is_round(number)
        for key in ("ArrowRight", "ArrowDown", "ArrowLeft")[: number % 4]:
            press(key)
        if self.confirm.count() == 0:
            press("ArrowUp")
        press("r" if number % 2 else "Shift+R")
        expect(self.confirm).to_be_visible()
        press("Enter")
        expect(self.confirm).to_have_count(0)
        if number > 7:
            press("w")
            press("ArrowRight")
            if self.page.locator("[data-offer]:focus").count():
                press("Enter")
        else:
            press(str(number % 4 + 1))
        promised = self.totals()[1]
        assert promised is not None
        if self.main.get_attribute("aria-disabled") == "true":
            press("n")
        press("Enter")
        return promised


def pick(found: Locator, number: int) -> Locator:
    """One of them, not always the same."""
    return found.nth(number * 7 % found.count())
