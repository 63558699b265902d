"""Games without their own board on the page: a drawing, and turns by notation.

`Pig` is a third-party package on a real server. `Heap` is a server that the test fakes, with a hostile drawing.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, WebSocketRoute, expect

from e2e.page_objects.helpers import axe_violations, fits_window, open_page

MATCH = "some-match"
WORDS = {"en": ("End turn", "Undo"), "de": ("Zug beenden", "Rückgängig"), "fr": ("Terminer le coup", "Annuler")}


class Heap:
    """A fake server with a match of a game: take one to three of twelve stones; the last stone wins."""

    name = "heap"

    def __init__(self, page: Page) -> None:
        self.turns: list[int] = []
        self.creation_request: dict[str, Any] = {}
        page.route("**/api/**", self.answer)
        page.route_web_socket("**/api/matches/*/live", self.connect)

    @property
    def stones(self) -> int:
        return 12 - sum(self.turns)

    @property
    def over(self) -> bool:
        return self.stones == 0

    def drawing(self, stones: int) -> dict[str, str]:
        """Return a drawing for each theme. The width tells the theme, the height the number of stones."""
        return {
            theme: f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{10 + stones}">'
            '<script>document.title = "broken"</script></svg>'
            for theme, width in (("light", 100), ("dark", 200))
        }

    def state(self) -> dict[str, Any]:
        seat = len(self.turns) % 2
        seats = [
            {"kind": "person", "name": name, "bot": None, "turn_count": len(self.turns[i::2]), "failed_bot": None}
            for i, name in enumerate(("Ada", "Ben"))
        ]
        return {
            "match_id": MATCH,
            "game": self.name,
            "version": len(self.turns),
            "phase": "over" if self.over else "playing",
            "options": {},
            "hidden_turns": False,
            "allow_spectators": True,
            "seats": seats,
            "my_seats": [0, 1],
            "to_move": [] if self.over else [seat],
            "commitment": None,
            "reveal": None,
            "rematch_id": None,
            "created_at": 0,
            "steps": [{"player": i % 2, "text": f"take {n}"} for i, n in enumerate(self.turns)],
            "view": {**self.drawing(self.stones), "text": "o" * self.stones},
            "outcome": {"winners": [1 - seat], "reason": "the heap is empty"} if self.over else None,
            "legal": {}
            if self.over
            else {str(seat): {"turns": [f"take {n}" for n in range(1, 4) if n <= self.stones]}},
        }

    def connect(self, socket: WebSocketRoute) -> None:
        def on_message(raw: str | bytes) -> None:
            message = json.loads(raw)
            if message["type"] == "hello":
                socket.send(json.dumps({"type": "state", "state": self.state()}))
            elif message["type"] == "preview":
                left = self.stones - int(message["turn"][-1])
                preview = {"turn": message["turn"], **self.drawing(left)}
                socket.send(
                    json.dumps(
                        {"type": "preview", "request_id": message["request_id"], "version": 0, "preview": preview}
                    )
                )
            elif message["type"] == "turn":
                self.turns.append(int(message["turn"][-1]))
                state = self.state()
                update = {
                    name: state[name] for name in ("version", "phase", "to_move", "view", "outcome", "reveal", "legal")
                }
                update |= {
                    "turn_counts": [seat["turn_count"] for seat in state["seats"]],
                    "unchanged_steps": len(self.turns) - 1,
                }
                socket.send(json.dumps({"type": "update", "steps": state["steps"][-1:], **update}))
                key = message["idempotency_key"]
                socket.send(json.dumps({"type": "played", "idempotency_key": key, "version": len(self.turns)}))

        socket.on_message(on_message)

    def answer(self, route: Route) -> None:
        path = route.request.url.split("/api", 1)[1]
        if path == "/games":
            option = {
                "name": "stones",
                "type": "number",
                "default": 12,
                "min": None,
                "max": None,
                "help": "How many stones.",
            }
            letters = {
                "name": "letters",
                "type": "list",
                "default": None,
                "min": None,
                "max": None,
                "help": "An option without an editor.",
            }
            heap = {
                "name": self.name,
                "title": "Heap",
                "summary": "Take the last stone.",
                "unit": "turn",
                "simultaneous": False,
            }
            route.fulfill(json=[{**heap, "min_seats": 2, "max_seats": 2, "bots": [], "options": [option, letters]}])
        elif path == "/matches":
            self.creation_request = json.loads(route.request.post_data or "{}")
            keys = [{"seat_index": seat, "seat_token": "k" * 32} for seat in (0, 1)]
            route.fulfill(status=201, json={"seat_tokens": keys, "state": self.state()})
        elif path == "/me/matches":
            state = self.state()
            shown = ("match_id", "game", "phase", "seats", "my_seats", "to_move", "created_at")
            route.fulfill(
                json=[{**{name: state[name] for name in shown}, "updated_at": 0, "winners": [], "version": 0}]
            )
        elif path.endswith("/replay"):
            frames = []
            played, self.turns = self.turns, []
            for turn in [None, *played]:
                self.turns += [] if turn is None else [turn]
                state = self.state()
                step = None if turn is None else state["steps"][-1]
                frames.append({"step": step, "progress": len(self.turns), "scores": [], "view": state["view"]})
            names = ["Ada", "Ben"]
            replay = {"game": self.name, "names": names, "frames": frames, "outcome": state["outcome"], "options": {}}
            route.fulfill(json=replay | {"commitment": None, "reveal": None, "commitment_honored": None})
        else:
            route.fulfill(status=404, json={"code": "not_found", "error": "there is nothing here"})


def open_heap(page: Page, address: str) -> Heap:
    """Open a match of Heap for two players at one screen."""
    heap = Heap(page)
    page.goto(f"{address}/m/{MATCH}")
    expect(page.get_by_role("button", name="take 1")).to_be_visible()
    return heap


def drawing_size(page: Page) -> tuple[int, int]:
    """Return the size of the drawing."""
    page.wait_for_function("() => document.querySelector('figure img').complete")
    size: list[int] = page.locator("figure img").evaluate("img => [img.naturalWidth, img.naturalHeight]")
    return size[0], size[1]


def expect_drawing(page: Page, width: int, height: int) -> None:
    """Wait for a drawing of this size."""
    page.wait_for_function(
        """([width, height]) => {
            const { naturalWidth, naturalHeight } = document.querySelector("figure img");
            return naturalWidth === width && naturalHeight === height;
        }""",
        arg=[width, height],
    )


def test_a_game_without_its_own_board_is_played_listed_and_replayed(address: str, browser: Browser) -> None:
    with open_page(browser, f"{address}/nothing") as page:
        heap = Heap(page)
        page.goto(address)
        expect(page.get_by_role("radio", name="Heap")).to_be_checked()
        expect(page.get_by_text("Take the last stone.")).to_be_visible()
        expect(page.get_by_label("Against the computer")).to_have_count(0)
        page.get_by_text("Options").click()
        page.get_by_label("stones").fill("12")
        expect(page.get_by_text("letters")).to_have_count(0)
        with page.expect_response("**/api/matches"):
            page.get_by_test_id("create-match").click()
        assert (heap.creation_request["game"], heap.creation_request["options"]) == ("heap", {})
        for number, stones in enumerate((3, 3, 3, 3)):
            expect(page.get_by_test_id("stage")).to_contain_text(("Ada:", "Ben:")[number % 2])
            page.get_by_role("button", name=f"take {stones}").click()
            expect_drawing(page, 100, 10 + 12 - sum(heap.turns) - stones)
            page.get_by_role("button", name="End turn").click()
        expect(page.get_by_test_id("stage")).to_have_text("Ben has won")
        expect(page.locator("ol li")).to_have_text(["Ada take 3", "Ben take 3"] * 2)
        assert page.title() != "broken"
        page.goto(f"{address}/games")
        expect(page.get_by_role("link", name="Heap")).to_be_visible()
        page.goto(f"{address}/replay/{MATCH}")
        expect(page.get_by_role("heading", name="Heap: Ada and Ben")).to_be_visible()
        page.keyboard.press("End")
        expect(page.get_by_text("Turn 4 of 4")).to_be_visible()
        expect(page.get_by_text("Ben: take 3.")).to_be_visible()
        expect_drawing(page, 100, 10)
        page.goto(f"{address}/rules/heap")
        expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_a_game_without_its_own_board_is_played_by_keyboard(address: str, browser: Browser) -> None:
    with open_page(browser, f"{address}/nothing") as page:
        heap = open_heap(page, address)
        announcement = page.locator("[aria-live=polite]")
        page.get_by_test_id("turn").focus()
        page.keyboard.type("TAKE 2")
        expect(page.get_by_role("button", name="take 1")).to_have_count(0)
        page.keyboard.press("Enter")
        expect(announcement.filter(has_text="The board shows take 2")).to_have_count(1)
        assert heap.turns == []
        page.keyboard.press("Enter")  # on the button that ends the turn
        expect(announcement.filter(has_text="Ada: take 2.")).to_have_count(1)
        page.get_by_test_id("turn").focus()
        for key in ("ArrowDown", "ArrowDown", "ArrowDown", "Enter"):
            page.keyboard.press(key)
        expect(page.locator("[data-chosen='take 3']")).to_be_visible()
        page.keyboard.press("u")
        expect(page.locator("[data-chosen]")).to_have_count(0)
        page.get_by_test_id("turn").fill("nothing like it")
        expect(page.get_by_text("No legal turn begins like this.")).to_be_visible()
        page.get_by_test_id("turn").fill("1")
        page.keyboard.press("Enter")
        page.reload()
        expect(page.locator("[data-chosen='take 1']")).to_be_visible()
        page.keyboard.press("e")
        expect(announcement.filter(has_text="Ben: take 1.")).to_have_count(1)
        assert heap.turns == [2, 1]


@pytest.mark.parametrize("language", WORDS)
def test_a_drawing_fits_a_phone_in_every_language_and_theme(address: str, browser: Browser, language: str) -> None:
    with open_page(browser, f"{address}/nothing", width=320, height=640, theme="dark", language=language) as page:
        open_heap(page, address)
        assert drawing_size(page) == (200, 22)
        page.emulate_media(color_scheme="light")
        expect_drawing(page, 100, 22)
        page.get_by_role("button", name="take 1").click()
        for name in WORDS[language]:
            expect(page.get_by_role("button", name=name)).to_be_enabled()
        page.locator("figure summary").click()
        expect(page.locator("figure pre")).to_have_text("o" * 12)
        assert fits_window(page)
        assert axe_violations(page) == []


def test_a_third_party_game_is_played_replayed_and_reviewed(address: str, browser: Browser) -> None:
    with open_page(browser, address) as page:
        page.get_by_role("radio", name="Pig").check()
        page.get_by_label("Against the computer").check()
        page.get_by_label("Your name").fill("Ada")
        page.get_by_text("Options").click()
        expect(page.get_by_text("points to win")).to_be_visible()
        # More points than a bot can reach in its first turn.
        page.get_by_label("goal").select_option("40")
        page.get_by_test_id("create-match").click()
        expect(page.get_by_role("heading", name="Pig")).to_be_visible()
        match_view = page.locator(".match")
        end_button = page.get_by_role("button", name="End turn")
        page.get_by_text("Hint", exact=True).click()
        page.locator(".turns button").first.wait_for()
        page.get_by_role("button", name="What would a strong bot play?").click()
        page.get_by_role("button", name="Show it on the board").click()
        expect(page.locator("[data-chosen=roll]")).to_be_visible()
        end_button.click()
        while True:
            page.wait_for_function(
                """() => document.querySelector(".match[data-phase=over]")
                    || document.querySelector("[data-testid=stage]")?.textContent.includes("Choose a turn")"""
            )
            if match_view.get_attribute("data-phase") == "over":
                break
            # The first turn in the list is to hold if that is legal, so the game ends soon.
            steps = page.locator("ol li").count()
            page.locator(".turns button").first.click()
            end_button.click()
            expect(page.locator("ol li")).not_to_have_count(steps)
        expect(page.get_by_test_id("stage")).to_contain_text("has won")
        assert axe_violations(page) == []
        page.get_by_role("link", name="Replay").last.click()
        expect(page.get_by_role("heading", name=re.compile(r"^Pig: .*patient"))).to_be_visible()
        page.keyboard.press("End")
        expect(page.get_by_text("has won")).to_be_visible()
        page.get_by_role("button", name="Review this game").click()
        expect(page.locator(".review .status")).to_have_attribute("data-phase", "done", timeout=120_000)
        page.locator(".review li button").first.click()
        expect(page.locator(".review article")).to_contain_text("roll")
        expect(page.locator("main")).not_to_contain_text("review.")
        assert axe_violations(page) == []
