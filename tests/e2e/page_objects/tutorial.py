"""Learning a game as a person does: each lesson's turn by mouse, by touch, by keyboard."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Page, expect

from e2e.page_objects.limes_board import LimesTable
from support import ROOT
from support.server.clients import send_request


def lessons(address: str, game: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = send_request(address, f"/games/{game}/lessons")
    return found


def words(game: str, language: str) -> dict[str, Any]:
    path = ROOT / "web" / "src" / "learn" / f"{game}.{language}.json"
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def parts(turn: str) -> list[str]:
    """What is clicked one after the other in a turn of Limit."""
    return re.split(r"[- x]+", turn)


class Hand:
    """Does what a lesson asks for; `way` is mouse, touch or keys."""

    def __init__(self, page: Page, way: str) -> None:
        self.page, self.way = page, way
        self.table = LimesTable(page)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def point(self, selector: str) -> None:
        """Click or tap it; a zone at its corner, since a worker may stand in its middle."""
        found = self.page.locator(selector)
        where: Any = {"position": {"x": 5, "y": 5}} if "offer" in selector else {}
        if self.way == "touch":
            found.tap(**where)
        else:
            found.click(**where)

    def play(self, game: str, turn: str, *, ends: bool = True) -> None:
        """Make the turn, or a part of one, and end it."""
        if game == "limes":
            self._limes(turn)
        else:
            self._limit(turn)
        if ends and self.way == "keys":
            self.press("e")
        elif ends:
            self.page.locator("button.main[aria-disabled=false]").click()

    # --- Limes

    def _limes(self, turn: str) -> None:
        laid, _, action = turn.partition(" ")
        cell, turning = laid.split("r")
        if self.way == "keys":
            self._carry(cell)
            self.press(*["r"] * int(turning), "Enter")
        else:
            self.point(f"[data-cell={cell}]")
            for _ in range(int(turning)):
                self.point(".laid .right")
            self.point(".laid .confirm")
        if action.startswith("+") and self.way == "keys":
            self.press(str(("nw", "ne", "sw", "se").index(action[1:]) + 1))
        elif action.startswith("+"):
            self.point(f"[data-offer='{action}']")
        elif action:
            self._move(action)

    def _carry(self, cell: str) -> None:
        expect(self.table.cells.first).to_be_visible()
        every = self._cells()
        self.press("Enter")
        seen = set()
        for _ in range(8):
            (here,) = every - self._cells()
            if here == cell:
                return
            aside, down = ord(cell[0]) - ord(here[0]), int(cell[1]) - int(here[1])
            # The other way where this one went in a circle.
            sideways = (abs(aside) >= abs(down)) != (here in seen)
            seen.add(here)
            self.press(
                ("ArrowRight" if aside > 0 else "ArrowLeft") if sideways else ("ArrowDown" if down > 0 else "ArrowUp")
            )
        raise AssertionError(f"the keys do not lead to {cell}")

    def _cells(self) -> set[str]:
        return set(self.table.cells.evaluate_all("all => all.map(each => each.dataset.cell)"))

    def _move(self, action: str) -> None:
        if self.way != "keys":
            self.point(f"[data-worker='{action.split('>')[0]}']")
            self.point(f"[data-offer='{action}']")
            return
        self.press("w", "ArrowDown")
        for _ in range(40):
            if self.page.locator(f"[data-offer='{action}']:focus").count():
                self.press("Enter")
                return
            self.press("Tab")
        raise AssertionError(f"the keys do not lead to {action}")

    # --- Limit

    def _limit(self, turn: str) -> None:
        for tile in parts(turn):
            if self.way != "keys":
                self.page.locator(f"[data-spot={tile}]:not([aria-disabled])").wait_for()
                self.point(f"[data-spot={tile}]")
                continue
            self.page.locator(f"[data-spot={tile}]:not([aria-disabled])").wait_for()
            for _ in range(20):
                if self.page.locator(f"[data-spot={tile}]:focus").count():
                    break
                self.press("n")
            self.press("Enter")
