"""Playing the lessons of a tutorial by mouse, touch or keyboard."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Page, expect

from e2e.page_objects.limes_board import LimesBoard
from support import ROOT
from support.server.clients import send_request


def fetch_lessons(address: str, game: str) -> list[dict[str, Any]]:
    """Return the lessons of a game from the server."""
    lessons: list[dict[str, Any]] = send_request(address, f"/games/{game}/lessons")
    return lessons


def load_tutorial_text(game: str, language: str) -> dict[str, Any]:
    """Return the texts of a tutorial."""
    path = ROOT / "web" / "src" / "learn" / f"{game}.{language}.json"
    text: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return text


def split_limit_turn(turn: str) -> list[str]:
    """Return the tiles to select for a turn of Limit, in order."""
    return re.split(r"[- x]+", turn)


class LessonPlayer:
    """Plays turns with an input device: mouse, touch or keys."""

    def __init__(self, page: Page, device: str) -> None:
        self.page, self.device = page, device
        self.board = LimesBoard(page)

    def press(self, *keys: str) -> None:
        """Press keys one after another."""
        for key in keys:
            self.page.keyboard.press(key)

    def point(self, selector: str) -> None:
        """Click or tap an element; a zone at its corner, because a worker may cover its middle."""
        element = self.page.locator(selector)
        options: Any = {"position": {"x": 5, "y": 5}} if "data-action" in selector else {}
        if self.device == "touch":
            element.tap(**options)
        else:
            element.click(**options)

    def play(self, game: str, turn: str, *, ends: bool = True) -> None:
        """Play a turn or a part of one; end it unless `ends` is False."""
        if game == "limes":
            self._play_limes(turn)
        else:
            self._play_limit(turn)
        if ends and self.device == "keys":
            self.press("e")
        elif ends:
            self.page.locator("button.main[aria-disabled=false]").click()

    # --- Limes

    def _play_limes(self, turn: str) -> None:
        placement, _, action = turn.partition(" ")
        cell, turning = placement.split("r")
        if self.device == "keys":
            self._carry_card(cell)
            self.press(*["r"] * int(turning), "Enter")
        else:
            self.point(f"[data-cell={cell}]")
            for _ in range(int(turning)):
                self.point(".placed-card .right")
            self.point(".placed-card .confirm")
        if action.startswith("+") and self.device == "keys":
            self.press(str(("nw", "ne", "sw", "se").index(action[1:]) + 1))
        elif action.startswith("+"):
            self.point(f"[data-action='{action}']")
        elif action:
            self._move_worker(action)

    def _carry_card(self, cell: str) -> None:
        expect(self.board.cells.first).to_be_visible()
        all_cells = self._cells()
        self.press("Enter")
        visited = set()
        for _ in range(8):
            (current,) = all_cells - self._cells()
            if current == cell:
                return
            dx, dy = ord(cell[0]) - ord(current[0]), int(cell[1]) - int(current[1])
            # A second visit means a cycle: take the other direction.
            horizontal = (abs(dx) >= abs(dy)) != (current in visited)
            visited.add(current)
            self.press(
                ("ArrowRight" if dx > 0 else "ArrowLeft") if horizontal else ("ArrowDown" if dy > 0 else "ArrowUp")
            )
        raise AssertionError(f"the keys do not lead to {cell}")

    def _cells(self) -> set[str]:
        return set(self.board.cells.evaluate_all("cells => cells.map(cell => cell.dataset.cell)"))

    def _move_worker(self, action: str) -> None:
        if self.device != "keys":
            self.point(f"[data-worker='{action.split('>')[0]}']")
            self.point(f"[data-action='{action}']")
            return
        self.press("w", "ArrowDown")
        for _ in range(40):
            if self.page.locator(f"[data-action='{action}']:focus").count():
                self.press("Enter")
                return
            self.press("Tab")
        raise AssertionError(f"the keys do not lead to {action}")

    # --- Limit

    def _play_limit(self, turn: str) -> None:
        for tile in split_limit_turn(turn):
            if self.device != "keys":
                self.page.locator(f"[data-tile={tile}]:not([aria-disabled])").wait_for()
                self.point(f"[data-tile={tile}]")
                continue
            self.page.locator(f"[data-tile={tile}]:not([aria-disabled])").wait_for()
            for _ in range(20):
                if self.page.locator(f"[data-tile={tile}]:focus").count():
                    break
                self.press("n")
            self.press("Enter")
