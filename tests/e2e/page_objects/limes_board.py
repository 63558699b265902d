"""Playing Limes in the browser by mouse or keyboard."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

ROUNDS = 16


class LimesBoard:
    """The match view of Limes on a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.cells = page.locator("[data-cell]")
        self.offers = page.locator("[data-action]")
        self.workers = page.locator("[data-worker]")
        self.main = page.get_by_test_id("main")
        self.undo = page.get_by_test_id("undo")
        self.none = page.get_by_test_id("none")
        self.confirm = page.locator(".placed-card .confirm")

    def totals(self) -> tuple[int, int | None]:
        """Return the total, and the total after the turn if the page shows one."""
        match = re.fullmatch(r"\D+(\d+)\s*(?:\((\d+)\))?", self.page.get_by_test_id("total").inner_text().strip())
        assert match is not None
        return int(match[1]), None if match[2] is None else int(match[2])

    def expect_round_number(self, round_number: int) -> None:
        """Wait for a round, at any step of the turn."""
        expect(self.page.locator(".round")).to_have_text(re.compile(rf"\b{round_number}\b.*\b{ROUNDS}$"))

    def expect_round(self, round_number: int) -> None:
        """Wait for the start of a round."""
        self.expect_round_number(round_number)
        expect(self.cells.first).to_be_visible()

    def end_without_worker(self) -> None:
        """End the turn without placing or moving a worker."""
        self.none.click()
        expect(self.none).to_have_attribute("aria-pressed", "true")
        self.main.click()

    def play_turn_by_mouse(self, round_number: int) -> int:
        """Play a turn that depends on the round; return the total that the page showed before the end of the turn."""
        self.expect_round(round_number)
        self.cells.nth(round_number * 5 % self.cells.count()).click()
        if round_number % 2:
            self.page.locator(".placed-card .right").click()
        self.confirm.click()
        expect(self.confirm).to_have_count(0)
        if not self.offers.count() and round_number % 3:
            choose(self.workers, round_number).click()
        total = self.totals()[1]
        if self.offers.count():
            choose(self.offers, round_number).click(position={"x": 5, "y": 5})
            expect(self.main).to_have_attribute("aria-disabled", "false")
            total = self.totals()[1]
            self.main.click()
        else:
            self.end_without_worker()
        assert total is not None
        return total

    def play_turn_by_keyboard(self, round_number: int) -> int:
        """Do the same with keys only."""
        press = self.page.keyboard.press
        self.expect_round(round_number)
        for key in ("ArrowRight", "ArrowDown", "ArrowLeft")[: round_number % 4]:
            press(key)
        if self.confirm.count() == 0:
            press("ArrowUp")
        press("r" if round_number % 2 else "Shift+R")
        expect(self.confirm).to_be_visible()
        press("Enter")
        expect(self.confirm).to_have_count(0)
        if round_number > 7:
            press("w")
            press("ArrowRight")
            if self.page.locator("[data-action]:focus").count():
                press("Enter")
        else:
            press(str(round_number % 4 + 1))
        total = self.totals()[1]
        assert total is not None
        if self.main.get_attribute("aria-disabled") == "true":
            press("n")
        press("Enter")
        return total


def choose(elements: Locator, round_number: int) -> Locator:
    """Return an element that depends on the round."""
    return elements.nth(round_number * 7 % elements.count())
