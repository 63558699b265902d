"""Matches of Limes in the browser: by mouse, by keyboard, by dragging, and on a phone."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect

from e2e.page_objects.helpers import axe_violations, fits_window, open_page
from e2e.page_objects.limes_board import ROUNDS, LimesBoard
from support.server.clients import send_request
from support.server.matches import finished_match, new_match

ADA = {"kind": "person", "name": "Ada"}
BEN = {"kind": "person", "name": "Ben"}


def test_a_game_alone_is_played_by_mouse(address: str, browser: Browser) -> None:
    with open_page(browser, address) as page:
        page.get_by_test_id("play-now").click()
        board = LimesBoard(page)
        total = 0
        for number in range(1, ROUNDS + 1):
            board.expect_round(number)
            assert board.totals()[0] == total
            total = board.play_turn_by_mouse(number)
        expect(page.get_by_test_id("result")).to_contain_text(f"{total} point")
        sums = [int(sum_) for sum_ in page.locator("tbody td strong").all_inner_texts()]
        assert sum(sums) == total
        expect(page.get_by_text("Rating:")).to_be_visible()
        page.get_by_text("Fair shuffle").click()
        expect(page.get_by_test_id("commitment")).to_have_text(re.compile("exactly that order"))
        with page.expect_download() as saved:
            page.get_by_role("link", name="Download the game").click()
        record = json.loads(Path(saved.value.path()).read_text())
        assert send_request(address, "/replay", record)["frames"][-1]["scores"] == [total]
        old = page.url
        page.get_by_test_id("rematch").click()
        board.expect_round(1)
        assert page.url != old


def test_a_game_alone_is_played_by_keyboard(address: str, browser: Browser) -> None:
    with open_page(browser, address) as page:
        expect(page.get_by_test_id("play-now")).to_be_enabled()
        for _ in range(20):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.dataset.testid") == "play-now":
                break
        page.keyboard.press("Enter")
        board = LimesBoard(page)
        total = 0
        for number in range(1, ROUNDS + 1):
            total = board.play_turn_by_keyboard(number)
        expect(page.get_by_test_id("result")).to_contain_text(f"{total} point")


def start_match(page: Page, address: str, turns: list[str]) -> LimesBoard:
    """Open a match alone after these turns."""
    match, keys = new_match(address, "limes", [ADA])
    for number, turn in enumerate(turns):
        body = {"idempotency_key": str(number), "seat_index": 0, "turn_index": number, "turn": turn}
        send_request(address, f"/matches/{match}/turns", body, [keys["0"]])
    page.evaluate("keys => localStorage.setItem('limina.keys', keys)", json.dumps({match: keys}))
    page.goto(f"{address}/m/{match}")
    board = LimesBoard(page)
    board.expect_round(len(turns) + 1)
    return board


def test_every_step_of_a_turn_can_be_undone(address: str, browser: Browser) -> None:
    with open_page(browser, address) as page:
        board = start_match(page, address, ["d4r0 +nw"])
        start = board.totals()
        page.locator("[data-cell=e4]").click()
        after = board.totals()
        page.locator(".placed-card .left").click()
        page.locator("[data-cell=c4]").click()
        board.confirm.click()
        page.locator("[data-action='+ne']").click()
        chosen = board.totals()
        assert chosen[1] is not None
        expect(page.locator("[data-worker='c4.ne']")).to_be_visible()
        board.undo.click()
        expect(page.locator("[data-worker='c4.ne']")).to_have_count(0)
        page.locator("[data-worker='d4.nw']").click()
        expect(page.locator("[data-worker='d4.nw']")).to_have_attribute("aria-pressed", "true")
        for _ in range(3):  # the worker, the confirmation, the new cell
            board.undo.click()
        expect(page.locator("[data-cell=c4]")).to_be_visible()
        board.undo.click()
        assert board.totals() == after
        board.undo.click()
        assert board.totals() == start
        expect(board.undo).to_have_attribute("aria-disabled", "true")
        page.locator("[data-cell=e4]").click()
        board.confirm.click()
        board.end_without_worker()
        board.expect_round(3)
        expect(board.undo).to_have_attribute("aria-disabled", "true")


def test_cards_and_workers_are_dragged(address: str, browser: Browser) -> None:
    with open_page(browser, address) as page:
        board = start_match(page, address, ["d4r0 +nw"])
        page.locator(".hand .face").drag_to(page.locator("[data-cell=d5]"))
        expect(board.confirm).to_be_visible()
        page.locator(".placed-card").drag_to(page.locator("[data-cell=d3]"), source_position={"x": 12, "y": 150})
        board.confirm.click()
        expect(page.locator("[data-action='+se']")).to_be_visible()
        worker = page.locator("[data-worker='d4.nw']")
        start = worker.bounding_box()
        assert start is not None
        page.mouse.move(start["x"] + 10, start["y"] + 10)
        page.mouse.down()
        page.mouse.move(start["x"] + 30, start["y"] + 30, steps=3)
        target = page.locator("[data-action*='>']").first
        end = target.bounding_box()
        assert end is not None
        zone = target.get_attribute("data-action").split(">")[1]  # type: ignore[union-attr]
        page.mouse.move(end["x"] + 8, end["y"] + 8, steps=4)
        page.mouse.up()
        expect(page.locator(f"[data-worker='{zone}']")).to_be_visible()
        expect(worker).to_have_count(0)


def test_a_card_and_a_worker_are_dragged_by_touch(address: str, browser: Browser) -> None:
    with open_page(browser, address, width=360, height=740, has_touch=True, is_mobile=True) as page:
        board = start_match(page, address, ["d4r0 +nw"])
        devtools = page.context.new_cdp_session(page)

        def center(element: Locator) -> dict[str, float]:
            box = element.bounding_box()
            assert box is not None
            return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}

        def touch(kind: str, *points: dict[str, float]) -> None:
            devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

        def carry(source: Locator, target: Locator) -> None:
            start = center(source)
            touch("touchStart", start)
            touch("touchMove", {"x": start["x"] + 9, "y": start["y"] + 9})
            for _ in range(2):  # the drop targets appear only now
                touch("touchMove", center(target))
            touch("touchEnd")

        # A browser may delay timers during a touch: dragging must not depend on them.
        page.clock.install()
        page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))
        carry(page.locator(".hand .face"), page.locator("[data-cell=d5]"))
        expect(board.confirm).to_be_visible()
        # The touch starts on the button in the middle of the card, which must not be pressed.
        carry(page.locator(".placed-card"), page.locator("[data-cell=e4]"))
        expect(page.locator("[data-cell=d5]")).to_be_visible()
        expect(page.locator("[data-cell=e4]")).to_have_count(0)
        expect(board.confirm).to_be_visible()
        board.main.click()  # not tap(), which a busy machine takes for a long press
        worker = page.locator("[data-worker='d4.nw']")
        expect(worker).to_have_class(re.compile("movable"))
        carry(worker, page.locator("[data-action^='d4.nw>']").first)
        expect(worker).to_have_count(0)


def test_hovering_over_a_worker_highlights_and_explains_its_points(address: str, browser: Browser) -> None:
    with open_page(browser, address) as page:
        start_match(page, address, ["d4r0 +nw"])
        plain = page.locator(".board svg").first.inner_html()
        page.locator("[data-worker='d4.nw']").hover()
        expect(page.locator(".explanation")).to_contain_text("the northwest of d4")
        assert page.locator(".board svg").first.inner_html() != plain
        page.mouse.move(2, 2)
        expect(page.locator(".explanation")).to_contain_text("Hover over a worker")


def test_a_phone_shows_large_targets_and_enlarged_zones(address: str, browser: Browser) -> None:
    with open_page(browser, address, width=320, height=600, has_touch=True, is_mobile=True) as page:
        assert fits_window(page)
        page.get_by_test_id("play-now").tap()
        board = LimesBoard(page)
        for number in range(1, 5):
            board.expect_round(number)
            assert fits_window(page)
            board.cells.nth(number % board.cells.count()).tap()
            expect(board.confirm).to_be_visible()
            for button in page.locator(".placed-card button").all():
                box = button.bounding_box()
                assert box is not None
                assert min(box["width"], box["height"]) >= 24
            expect(board.main).to_be_in_viewport()
            board.main.tap()
            page.locator(".quarter").nth(number % 4).tap()  # the enlarged zones of the card
            expect(board.main).to_have_attribute("aria-disabled", "false")
            board.main.tap()
        board.expect_round(5)
        board.workers.first.tap()
        expect(page.locator(".explanation")).to_contain_text(re.compile("One point for each|scores nothing"))


def test_a_screen_reader_hears_turns_and_steps(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limes", [ADA, BEN])
    with open_page(browser, f"{address}/m/{match}", keys={match: {"0": keys["0"]}}) as page:
        board = LimesBoard(page)
        board.expect_round(1)
        send_request(
            address,
            f"/matches/{match}/turns",
            {"idempotency_key": "a", "seat_index": 1, "turn_index": 0, "turn": "d4r1 +se"},
            [keys["1"]],
        )
        expect(page.locator("[aria-live=polite]", has_text="Ben lays the card on d4")).to_have_count(1)
        assert page.locator("[data-cell=d4]").get_attribute("aria-label") == "Lay the card on d4"
        announcement = page.locator("[aria-live=polite]")
        for key, text in (
            ("r", "The card: "),
            ("ArrowRight", "Lay the card on d4, turned right, without a worker: total 0."),
            ("Enter", "Place a worker on the card"),
            ("4", "on its southeast zone: total"),
            ("u", "without a worker: total 0."),
        ):
            page.keyboard.press(key)
            expect(announcement.filter(has_text=text)).to_have_count(1)


def test_enter_places_the_card_on_the_first_cell(address: str, browser: Browser) -> None:
    with open_page(browser, address) as page:
        board = start_match(page, address, [])
        # A focused element handles the key itself.
        keys = page.locator("details", has_text="choose a cell or a zone")
        keys.locator("summary").focus()
        page.keyboard.press("Enter")
        expect(keys).to_have_attribute("open", "")
        expect(board.confirm).to_have_count(0)
        page.evaluate("document.activeElement.blur()")
        for number in (1, 2):  # in the second round the main button has the focus
            board.expect_round(number)
            page.keyboard.press("Enter")
            expect(board.confirm).to_be_visible()
            page.keyboard.press("Enter")
            expect(board.confirm).to_have_count(0)
            page.keyboard.press("1")
            expect(board.main).to_have_attribute("aria-disabled", "false")
            page.keyboard.press("Enter")
        board.expect_round(3)


def test_keys_pressed_during_a_save_apply_to_the_next_turn(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limes", [ADA])
    with open_page(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        board = LimesBoard(page)
        board.expect_round(1)
        # All keys at once, before the server can answer.
        page.evaluate(
            """keys => keys.forEach(key => document.body.dispatchEvent(
                new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })))""",
            ["ArrowRight", "Enter", "1", "Enter", "ArrowRight", "r", "Enter"],
        )
        board.expect_round_number(2)
        expect(board.offers.first).to_be_visible()
        board.end_without_worker()
        board.expect_round(3)
        played = [step["text"] for step in send_request(address, f"/matches/{match}")["steps"] if step["player"] == 0]
        assert played[0] == "d4r0 +nw"
        assert played[1].endswith("r1")


def test_players_at_one_screen_take_turns(address: str, browser: Browser) -> None:
    with open_page(browser, address) as page:
        page.get_by_label("Together on this device").check()
        page.get_by_test_id("seats").select_option("3")
        page.get_by_label("Player 2").fill("Ben")
        page.get_by_test_id("create-match").click()
        board = LimesBoard(page)
        for number in (1, 2):
            for name in ("Player 1", "Ben", "Player 3"):
                expect(page.locator(".who")).to_have_text(f"{name} is to move")
                board.play_turn_by_mouse(number)
        board.expect_round(3)
        page.locator("[data-display='1']").click()
        expect(page.get_by_role("region", name="Display of Ben")).to_be_visible()
        expect(board.cells).to_have_count(0)
        page.get_by_role("button", name="Back to my display").click()
        expect(board.cells).not_to_have_count(0)


def test_axe_accepts_limes_at_every_step_of_a_turn(address: str, browser: Browser) -> None:
    def check_widths() -> None:
        for width in (1200, 360):
            page.set_viewport_size({"width": width, "height": 900})
            assert axe_violations(page) == []

    with open_page(browser, address) as page:
        board = start_match(page, address, ["d4r0 +nw"])
        check_widths()
        page.locator("[data-cell=e4]").click()
        check_widths()
        board.main.click()
        page.locator("[data-action='+ne']").click(position={"x": 4, "y": 4})
        expect(board.main).to_have_attribute("aria-disabled", "false")
        check_widths()
        page.goto(f"{address}/m/{finished_match(address, 'limes')}")
        expect(page.get_by_test_id("end")).to_be_visible()
        check_widths()
