"""Choosing a worker at the table of Limes: what is offered is seen at once, and every zone can be hit."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Browser, Page, expect

from e2e.page_objects.helpers import opened
from e2e.page_objects.limes_board import LimesTable
from support.network.proxies import proxy
from support.server.clients import send_request
from support.server.matches import new_match, play_until

ME = {"kind": "person", "name": "Ada"}
PHONE: dict[str, Any] = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}


def begun(address: str, *turns: str) -> tuple[str, dict[str, str]]:
    """A match alone in which these turns were played already."""
    match, keys = new_match(address, "limes", [ME])
    for number, turn in enumerate(turns):
        body = {"idempotency_key": str(number), "seat_index": 0, "turn_index": number, "turn": turn}
        send_request(address, f"/matches/{match}/turns", body, [keys["0"]])
    return match, keys


def test_after_the_card_is_confirmed_every_zone_shows_who_could_work_there_and_the_total(
    address: str, browser: Browser
) -> None:
    match, keys = begun(address, "d4r0 +nw")
    promised = send_request(address, f"/matches/{match}", keys=list(keys.values()))["legal"]["0"]["turns"]["e4r0"]
    with opened(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        table = LimesTable(page)
        frame = page.locator(".board rect[stroke='var(--frame)']").first
        assert frame.evaluate("each => getComputedStyle(each).stroke") == "rgb(179, 38, 30)"
        page.locator("[data-cell=e4]").click()
        table.main.click()
        for quarter in ("nw", "ne", "sw", "se"):
            offer = page.locator(f"[data-offer='+{quarter}']")
            expect(offer.locator("svg use").first).to_be_visible()
            expect(offer.locator(".total")).to_have_text(str(promised[f"+{quarter}"]))
            style = offer.evaluate(
                "each => [getComputedStyle(each).borderColor, getComputedStyle(each).backgroundColor]"
            )
            assert style == ["rgb(179, 38, 30)", "rgba(0, 0, 0, 0)"]
        expect(page.locator("[data-worker='d4.nw'] .moves")).to_be_visible()
        # No worker is chosen like everything else, and undone.
        table.none.click()
        assert table.totals()[1] == promised[""]
        expect(table.main).to_have_attribute("aria-disabled", "false")
        table.undo.click()
        expect(table.main).to_have_attribute("aria-disabled", "true")


def test_a_confirmed_card_stays_while_the_server_is_slow_or_away(address: str, browser: Browser) -> None:
    match, keys = begun(address, "d4r0 +nw")
    with (
        proxy(address) as between,
        opened(browser, f"{between.address}/m/{match}", keys={match: keys}) as page,
    ):
        table = LimesTable(page)
        table.is_round(2)
        between.delay = 0.4
        for cell in ("e4", "c4"):
            page.locator(f"[data-cell={cell}]").click()
            on_the_board(page, cell)
        table.main.click()
        on_the_board(page, "c4")
        page.locator("[data-offer='+se']").click()
        expect(page.locator(":is([data-chosen='c4.se'], [data-worker='c4.se'])")).to_have_count(1)
        between.cut()
        expect(page.get_by_test_id("lost")).to_be_visible()
        table.undo.click()
        page.locator("[data-offer='+nw']").click()
        on_the_board(page, "c4")
        expect(page.locator(":is([data-chosen='c4.nw'], [data-worker='c4.nw']) svg").first).to_be_visible()
        table.main.click()
        on_the_board(page, "c4")
        expect(page.locator("p.hint")).to_have_text("Saving your turn…")
        between.mend()
        between.delay = 0
        table.is_round(3)
        played = [step["text"] for step in send_request(address, f"/matches/{match}")["steps"] if step["player"] == 0]
        assert played == ["d4r0 +nw", "c4r0 +nw"]


def on_the_board(page: Page, cell: str) -> None:
    """The picture has the card now, without waiting for anything."""
    assert f"{cell} " in (page.locator(".middle .board > svg").get_attribute("aria-label") or "")


def test_on_a_phone_every_zone_can_be_hit_and_a_frame_is_above_who_stands_in_it(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limes", [ME])
    play_until(address, match, keys, lambda state: state["view"]["round"] >= 12)
    with opened(browser, f"{address}/m/{match}", keys={match: keys}, **PHONE) as page:
        table = LimesTable(page)
        table.is_round(13)
        expect(page.locator("kbd:visible")).to_have_count(0)
        table.cells.first.tap()
        table.main.tap()
        following = page.get_by_test_id("next-worker")
        expect(following).to_be_visible()
        expect(page.locator("p.hint")).to_have_text(re.compile("tap a worker|move a worker"))
        for _ in range(2):
            for target in page.locator("[data-offer], [data-worker], .quarter, .next").all():
                box = target.bounding_box()
                assert box is not None
                assert min(box["width"], box["height"]) >= 44, target
            following.tap()
        for offer in table.offers.all():
            assert offer.evaluate(
                """each => { const { x, y, width, height } = each.getBoundingClientRect();
                    return document.elementFromPoint(x + width / 2, y + height / 2)?.closest("button") === each; }"""
            )


def test_a_total_that_falls_is_not_green(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limes", [ME])
    state = play_until(address, match, keys, lambda state: falling(state) is not None)
    laid, action = falling(state) or ("", "")
    with opened(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        draft: list[dict[str, Any]] = [{"turning": 0, "cell": None, "confirmed": False, "picked": None, "action": None}]
        draft.append({**draft[0], "turning": int(laid[3]), "cell": laid[:2], "confirmed": True})
        draft.append({**draft[1], "picked": action.split(">")[0], "action": action})
        stored = json.dumps({"turn": state["seats"][0]["turn_count"], "draft": draft})
        page.evaluate(f"stored => sessionStorage.setItem('limina.draft.{match}.0', stored)", stored)
        page.reload()
        would = page.locator(".would")
        expect(would).to_have_class(re.compile("down"))
        assert would.evaluate("each => getComputedStyle(each).color") == "rgb(156, 31, 20)"


def falling(state: Any) -> tuple[str, str] | None:
    """A card as it may be laid, and a move of a worker that loses points."""
    turns = state["legal"].get("0", {}).get("turns", {})
    for laid, actions in turns.items():
        for action, total in actions.items():
            if ">" in action and total < state["view"]["displays"][0]["total"]:
                return laid, action
    return None


def test_dragging_selects_no_text(address: str, browser: Browser) -> None:
    match, keys = begun(address, "d4r0 +nw")
    with opened(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        page.get_by_test_id("offer").wait_for()  # from then on nothing moves
        face, hint = page.locator(".hand .face").bounding_box(), page.locator("p.hint").bounding_box()
        assert face is not None
        assert hint is not None
        page.mouse.move(face["x"] + 40, face["y"] + 40)
        page.mouse.down()
        page.mouse.move(hint["x"] + 150, hint["y"] + 30, steps=5)
        page.mouse.move(40, 400, steps=5)
        assert page.evaluate("String(getSelection())") == ""
        page.mouse.up()
