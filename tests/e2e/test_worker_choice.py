"""Placing and moving workers of Limes: offers on the board, lost connections, touch targets."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Browser, Page, expect

from e2e.page_objects.helpers import open_page
from e2e.page_objects.limes_board import LimesBoard
from support.network.proxies import proxy
from support.server.clients import send_request
from support.server.matches import new_match, play_until

ADA = {"kind": "person", "name": "Ada"}
PHONE: dict[str, Any] = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}


def match_after(address: str, *turns: str) -> tuple[str, dict[str, str]]:
    """Create a match alone and play these turns; return its id and seat tokens."""
    match, keys = new_match(address, "limes", [ADA])
    for number, turn in enumerate(turns):
        body = {"idempotency_key": str(number), "seat_index": 0, "turn_index": number, "turn": turn}
        send_request(address, f"/matches/{match}/turns", body, [keys["0"]])
    return match, keys


def test_each_zone_of_a_confirmed_card_shows_its_worker_and_the_total(address: str, browser: Browser) -> None:
    match, keys = match_after(address, "d4r0 +nw")
    totals = send_request(address, f"/matches/{match}", seat_tokens=list(keys.values()))["legal"]["0"]["turns"]["e4r0"]
    with open_page(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        board = LimesBoard(page)
        frame = page.locator(".board rect[stroke='var(--frame)']").first
        assert frame.evaluate("frame => getComputedStyle(frame).stroke") == "rgb(179, 38, 30)"
        page.locator("[data-cell=e4]").click()
        board.main.click()
        for quarter in ("nw", "ne", "sw", "se"):
            offer = page.locator(f"[data-action='+{quarter}']")
            expect(offer.locator("svg use").first).to_be_visible()
            expect(offer.locator(".total")).to_have_text(str(totals[f"+{quarter}"]))
            style = offer.evaluate(
                "offer => [getComputedStyle(offer).borderColor, getComputedStyle(offer).backgroundColor]"
            )
            assert style == ["rgb(179, 38, 30)", "rgba(0, 0, 0, 0)"]
        expect(page.locator("[data-worker='d4.nw'] .moves")).to_be_visible()
        # "No worker" is a choice that can be undone.
        board.none.click()
        assert board.totals()[1] == totals[""]
        expect(board.main).to_have_attribute("aria-disabled", "false")
        board.undo.click()
        expect(board.main).to_have_attribute("aria-disabled", "true")


def test_a_confirmed_card_stays_while_the_server_is_unavailable(address: str, browser: Browser) -> None:
    match, keys = match_after(address, "d4r0 +nw")
    with (
        proxy(address) as slow_proxy,
        open_page(browser, f"{slow_proxy.address}/m/{match}", keys={match: keys}) as page,
    ):
        board = LimesBoard(page)
        board.expect_round(2)
        slow_proxy.delay = 0.4
        for cell in ("e4", "c4"):
            page.locator(f"[data-cell={cell}]").click()
            check_card_is_shown(page, cell)
        board.main.click()
        check_card_is_shown(page, "c4")
        page.locator("[data-action='+se']").click()
        expect(page.locator(":is([data-chosen='c4.se'], [data-worker='c4.se'])")).to_have_count(1)
        slow_proxy.cut()
        expect(page.get_by_test_id("lost")).to_be_visible()
        board.undo.click()
        page.locator("[data-action='+nw']").click()
        check_card_is_shown(page, "c4")
        expect(page.locator(":is([data-chosen='c4.nw'], [data-worker='c4.nw']) svg").first).to_be_visible()
        board.main.click()
        check_card_is_shown(page, "c4")
        expect(page.locator("p.hint")).to_have_text("Saving your turn…")
        slow_proxy.mend()
        slow_proxy.delay = 0
        board.expect_round(3)
        played = [step["text"] for step in send_request(address, f"/matches/{match}")["steps"] if step["player"] == 0]
        assert played == ["d4r0 +nw", "c4r0 +nw"]


def check_card_is_shown(page: Page, cell: str) -> None:
    """Check that the board shows a card in a cell now, without waiting."""
    assert f"{cell} " in (page.locator(".middle .board > svg").get_attribute("aria-label") or "")


def test_every_zone_can_be_tapped_on_a_phone_also_under_a_worker(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limes", [ADA])
    play_until(address, match, keys, lambda state: state["view"]["round"] >= 12)
    with open_page(browser, f"{address}/m/{match}", keys={match: keys}, **PHONE) as page:
        board = LimesBoard(page)
        board.expect_round(13)
        expect(page.locator("kbd:visible")).to_have_count(0)
        board.cells.first.tap()
        board.main.tap()
        next_worker = page.get_by_test_id("next-worker")
        expect(next_worker).to_be_visible()
        expect(page.locator("p.hint")).to_have_text(re.compile("tap a worker|move a worker"))
        for _ in range(2):
            for target in page.locator("[data-action], [data-worker], .quarter, .next").all():
                box = target.bounding_box()
                assert box is not None
                assert min(box["width"], box["height"]) >= 44, target
            next_worker.tap()
        for offer in board.offers.all():
            assert offer.evaluate(
                """offer => { const { x, y, width, height } = offer.getBoundingClientRect();
                    return document.elementFromPoint(x + width / 2, y + height / 2)?.closest("button") === offer; }"""
            )


def test_a_falling_total_is_red(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limes", [ADA])
    state = play_until(address, match, keys, lambda state: losing_move(state) is not None)
    placement, action = losing_move(state) or ("", "")
    with open_page(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        draft: list[dict[str, Any]] = [{"turning": 0, "cell": None, "confirmed": False, "picked": None, "action": None}]
        draft.append({**draft[0], "turning": int(placement[3]), "cell": placement[:2], "confirmed": True})
        draft.append({**draft[1], "picked": action.split(">")[0], "action": action})
        stored = json.dumps({"turn": state["seats"][0]["turn_count"], "draft": draft})
        page.evaluate(f"stored => sessionStorage.setItem('limina.draft.{match}.0', stored)", stored)
        page.reload()
        preview = page.locator(".would")
        expect(preview).to_have_class(re.compile("down"))
        assert preview.evaluate("total => getComputedStyle(total).color") == "rgb(156, 31, 20)"


def losing_move(state: Any) -> tuple[str, str] | None:
    """Return a placement of the card and a move of a worker that loses points; None if there is none."""
    turns = state["legal"].get("0", {}).get("turns", {})
    for placement, actions in turns.items():
        for action, total in actions.items():
            if ">" in action and total < state["view"]["displays"][0]["total"]:
                return placement, action
    return None


def test_dragging_selects_no_text(address: str, browser: Browser) -> None:
    match, keys = match_after(address, "d4r0 +nw")
    with open_page(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        page.get_by_test_id("tutorial-invite").wait_for()  # then the layout is complete
        face, hint = page.locator(".hand .face").bounding_box(), page.locator("p.hint").bounding_box()
        assert face is not None
        assert hint is not None
        page.mouse.move(face["x"] + 40, face["y"] + 40)
        page.mouse.down()
        page.mouse.move(hint["x"] + 150, hint["y"] + 30, steps=5)
        page.mouse.move(40, 400, steps=5)
        assert page.evaluate("String(getSelection())") == ""
        page.mouse.up()
