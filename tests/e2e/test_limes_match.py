"""Whole games of Limes in a real browser: by mouse, by keyboard alone, by dragging, on a phone."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect

from e2e.page_objects.helpers import fits, opened, violations
from e2e.page_objects.limes_board import ROUNDS, LimesTable
from support.server.clients import send_request
from support.server.matches import finished_match, new_match

ME = {"kind": "person", "name": "Ada"}
YOU = {"kind": "person", "name": "Ben"}


def test_a_whole_game_alone_by_mouse(address: str, browser: Browser) -> None:
    with opened(browser, address) as page:
        page.get_by_test_id("play-now").click()
        table = LimesTable(page)
        total = 0
        for number in range(1, ROUNDS + 1):
            table.is_round(number)
            assert table.totals()[0] == total
            total = table.turn_by_mouse(number)
        expect(page.get_by_test_id("result")).to_contain_text(f"{total} point")
        sums = [int(sum_) for sum_ in page.locator("tbody td strong").all_inner_texts()]
        assert sum(sums) == total
        expect(page.get_by_text("Rating:")).to_be_visible()
        page.get_by_text("Fair shuffle").click()
        expect(page.get_by_test_id("fair")).to_have_text(re.compile("exactly that order"))
        with page.expect_download() as saved:
            page.get_by_role("link", name="Download the game").click()
        record = json.loads(Path(saved.value.path()).read_text())
        assert send_request(address, "/replay", record)["frames"][-1]["scores"] == [total]
        old = page.url
        page.get_by_test_id("rematch").click()
        table.is_round(1)
        assert page.url != old


def test_a_whole_game_by_keyboard_alone(address: str, browser: Browser) -> None:
    with opened(browser, address) as page:
        expect(page.get_by_test_id("play-now")).to_be_enabled()
        for _ in range(20):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.dataset.testid") == "play-now":
                break
        page.keyboard.press("Enter")
        table = LimesTable(page)
        total = 0
        for number in range(1, ROUNDS + 1):
            total = table.turn_by_keys(number)
        expect(page.get_by_test_id("result")).to_contain_text(f"{total} point")


def laid(page: Page, address: str, turns: list[str]) -> LimesTable:
    """A match alone in which these turns were played already."""
    match, keys = new_match(address, "limes", [ME])
    for number, turn in enumerate(turns):
        body = {"idempotency_key": str(number), "seat_index": 0, "turn_index": number, "turn": turn}
        send_request(address, f"/matches/{match}/turns", body, [keys["0"]])
    page.evaluate("keys => localStorage.setItem('limina.keys', keys)", json.dumps({match: keys}))
    page.goto(f"{address}/m/{match}")
    table = LimesTable(page)
    table.is_round(len(turns) + 1)
    return table


def test_every_step_is_undone_until_the_turn_is_ended(address: str, browser: Browser) -> None:
    with opened(browser, address) as page:
        table = laid(page, address, ["d4r0 +nw"])
        start = table.totals()
        page.locator("[data-cell=e4]").click()
        after = table.totals()
        page.locator(".laid .left").click()
        page.locator("[data-cell=c4]").click()
        table.confirm.click()
        page.locator("[data-offer='+ne']").click()
        chosen = table.totals()
        assert chosen[1] is not None
        expect(page.locator("[data-worker='c4.ne']")).to_be_visible()
        table.undo.click()
        expect(page.locator("[data-worker='c4.ne']")).to_have_count(0)
        page.locator("[data-worker='d4.nw']").click()
        expect(page.locator("[data-worker='d4.nw']")).to_have_attribute("aria-pressed", "true")
        for _ in range(3):  # the worker, the confirmation, the carrying
            table.undo.click()
        expect(page.locator("[data-cell=c4]")).to_be_visible()
        table.undo.click()
        assert table.totals() == after
        table.undo.click()
        assert table.totals() == start
        expect(table.undo).to_have_attribute("aria-disabled", "true")
        page.locator("[data-cell=e4]").click()
        table.confirm.click()
        table.end_without_worker()
        table.is_round(3)
        expect(table.undo).to_have_attribute("aria-disabled", "true")


def test_cards_and_workers_are_dragged(address: str, browser: Browser) -> None:
    with opened(browser, address) as page:
        table = laid(page, address, ["d4r0 +nw"])
        page.locator(".hand .face").drag_to(page.locator("[data-cell=d5]"))
        expect(table.confirm).to_be_visible()
        page.locator(".laid").drag_to(page.locator("[data-cell=d3]"), source_position={"x": 12, "y": 150})
        table.confirm.click()
        expect(page.locator("[data-offer='+se']")).to_be_visible()
        worker = page.locator("[data-worker='d4.nw']")
        place = worker.bounding_box()
        assert place is not None
        page.mouse.move(place["x"] + 10, place["y"] + 10)
        page.mouse.down()
        page.mouse.move(place["x"] + 30, place["y"] + 30, steps=3)
        target = page.locator("[data-offer*='>']").first
        goal = target.bounding_box()
        assert goal is not None
        zone = target.get_attribute("data-offer").split(">")[1]  # type: ignore[union-attr]
        page.mouse.move(goal["x"] + 8, goal["y"] + 8, steps=4)
        page.mouse.up()
        expect(page.locator(f"[data-worker='{zone}']")).to_be_visible()
        expect(worker).to_have_count(0)


def test_a_card_and_a_worker_are_dragged_by_touch(address: str, browser: Browser) -> None:
    with opened(browser, address, width=360, height=740, has_touch=True, is_mobile=True) as page:
        table = laid(page, address, ["d4r0 +nw"])
        wire = page.context.new_cdp_session(page)

        def middle(found: Locator) -> dict[str, float]:
            box = found.bounding_box()
            assert box is not None
            return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}

        def touch(kind: str, *points: dict[str, float]) -> None:
            wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

        def carry(source: Locator, target: Locator) -> None:
            start = middle(source)
            touch("touchStart", start)
            touch("touchMove", {"x": start["x"] + 9, "y": start["y"] + 9})
            for _ in range(2):  # what may be dropped on appears only now
                touch("touchMove", middle(target))
            touch("touchEnd")

        # A browser may put off its timers while fingers are at work; what is tapped next counts all the same.
        page.clock.install()
        page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))
        carry(page.locator(".hand .face"), page.locator("[data-cell=d5]"))
        expect(table.confirm).to_be_visible()
        # By the button in its middle, which is not pressed.
        carry(page.locator(".laid"), page.locator("[data-cell=e4]"))
        expect(page.locator("[data-cell=d5]")).to_be_visible()
        expect(page.locator("[data-cell=e4]")).to_have_count(0)
        expect(table.confirm).to_be_visible()
        table.main.click()  # no tap: a busy machine takes one for a long press
        worker = page.locator("[data-worker='d4.nw']")
        expect(worker).to_have_class(re.compile("movable"))
        carry(worker, page.locator("[data-offer^='d4.nw>']").first)
        expect(worker).to_have_count(0)


def test_what_a_worker_counts_is_lit_and_said(address: str, browser: Browser) -> None:
    with opened(browser, address) as page:
        laid(page, address, ["d4r0 +nw"])
        plain = page.locator(".board svg").first.inner_html()
        page.locator("[data-worker='d4.nw']").hover()
        expect(page.locator(".why")).to_contain_text("the north-west of d4")
        assert page.locator(".board svg").first.inner_html() != plain
        page.mouse.move(2, 2)
        expect(page.locator(".why")).to_contain_text("Hover over a worker")


def test_a_phone(address: str, browser: Browser) -> None:
    with opened(browser, address, width=320, height=600, has_touch=True, is_mobile=True) as page:
        assert fits(page)
        page.get_by_test_id("play-now").tap()
        table = LimesTable(page)
        for number in range(1, 5):
            table.is_round(number)
            assert fits(page)
            table.cells.nth(number % table.cells.count()).tap()
            expect(table.confirm).to_be_visible()
            for button in page.locator(".laid button").all():
                box = button.bounding_box()
                assert box is not None
                assert min(box["width"], box["height"]) >= 24
            expect(table.main).to_be_in_viewport()
            table.main.tap()
            page.locator(".quarter").nth(number % 4).tap()  # the zones of the card, enlarged
            expect(table.main).to_have_attribute("aria-disabled", "false")
            table.main.tap()
        table.is_round(5)
        table.workers.first.tap()
        expect(page.locator(".why")).to_contain_text(re.compile("One point for each|nothing for him"))


def test_a_screen_reader_hears_what_happened(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limes", [ME, YOU])
    with opened(browser, f"{address}/m/{match}", keys={match: {"0": keys["0"]}}) as page:
        table = LimesTable(page)
        table.is_round(1)
        send_request(
            address,
            f"/matches/{match}/turns",
            {"idempotency_key": "a", "seat_index": 1, "turn_index": 0, "turn": "d4r1 +se"},
            [keys["1"]],
        )
        expect(page.locator("[aria-live=polite]", has_text="Ben lays the card on d4")).to_have_count(1)
        assert page.locator("[data-cell=d4]").get_attribute("aria-label") == "Lay the card on d4"
        said = page.locator("[aria-live=polite]")
        for key, words in (
            ("r", "The card: "),
            ("ArrowRight", "Lay the card on d4, turned right, and no worker: total 0."),
            ("Enter", "Place a worker on the card"),
            ("4", "in its south-east: total"),
            ("u", "no worker: total 0."),
        ):
            page.keyboard.press(key)
            expect(said.filter(has_text=words)).to_have_count(1)


def test_enter_lays_the_card_where_nothing_was_chosen_yet(address: str, browser: Browser) -> None:
    with opened(browser, address) as page:
        table = laid(page, address, [])
        # What has the focus keeps the key to itself.
        keys = page.locator("details", has_text="choose a cell or a zone")
        keys.locator("summary").focus()
        page.keyboard.press("Enter")
        expect(keys).to_have_attribute("open", "")
        expect(table.confirm).to_have_count(0)
        page.evaluate("document.activeElement.blur()")
        for number in (1, 2):  # in the second round the main button has the focus
            table.is_round(number)
            page.keyboard.press("Enter")
            expect(table.confirm).to_be_visible()
            page.keyboard.press("Enter")
            expect(table.confirm).to_have_count(0)
            page.keyboard.press("1")
            expect(table.main).to_have_attribute("aria-disabled", "false")
            page.keyboard.press("Enter")
        table.is_round(3)


def test_keys_pressed_while_a_turn_is_saved_are_for_the_next_one(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limes", [ME])
    with opened(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        table = LimesTable(page)
        table.is_round(1)
        # All in one go, quicker than any answer from the server.
        page.evaluate(
            """keys => keys.forEach(key => document.body.dispatchEvent(
                new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })))""",
            ["ArrowRight", "Enter", "1", "Enter", "ArrowRight", "r", "Enter"],
        )
        table.is_round_number(2)
        expect(table.offers.first).to_be_visible()
        table.end_without_worker()
        table.is_round(3)
        played = [step["text"] for step in send_request(address, f"/matches/{match}")["steps"] if step["player"] == 0]
        assert played[0] == "d4r0 +nw"
        assert played[1].endswith("r1")


def test_players_at_one_screen_take_turns(address: str, browser: Browser) -> None:
    with opened(browser, address) as page:
        page.get_by_label("Together on this device").check()
        page.get_by_test_id("seats").select_option("3")
        page.get_by_label("Player 2").fill("Ben")
        page.get_by_test_id("create-match").click()
        table = LimesTable(page)
        for number in (1, 2):
            for name in ("Player 1", "Ben", "Player 3"):
                expect(page.locator(".who")).to_have_text(f"{name} is to move")
                table.turn_by_mouse(number)
        table.is_round(3)
        page.locator("[data-display='1']").click()
        expect(page.get_by_role("region", name="Display of Ben")).to_be_visible()
        expect(table.cells).to_have_count(0)
        page.get_by_role("button", name="Back to my display").click()
        expect(table.cells).not_to_have_count(0)


def test_axe_finds_nothing_at_any_step_in_a_wide_and_a_narrow_window(address: str, browser: Browser) -> None:
    def nothing_is_wrong() -> None:
        for width in (1200, 360):
            page.set_viewport_size({"width": width, "height": 900})
            assert violations(page) == []

    with opened(browser, address) as page:
        table = laid(page, address, ["d4r0 +nw"])
        nothing_is_wrong()
        page.locator("[data-cell=e4]").click()
        nothing_is_wrong()
        table.main.click()
        page.locator("[data-offer='+ne']").click(position={"x": 4, "y": 4})
        expect(table.main).to_have_attribute("aria-disabled", "false")
        nothing_is_wrong()
        page.goto(f"{address}/m/{finished_match(address, 'limes')}")
        expect(page.get_by_test_id("end")).to_be_visible()
        nothing_is_wrong()
