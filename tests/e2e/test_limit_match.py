"""Whole games of Limit in a real browser: by mouse against a bot, by keyboard alone, by dragging, on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, Page, expect

from e2e.page_objects.helpers import fits, in_each_language, opened
from e2e.page_objects.limit_board import OFFERED, TABLE, stage, step_by_mouse, targets
from support.network.proxies import proxy
from support.server.clients import send_request
from support.server.matches import finished_match, new_match, play_until

ME = {"kind": "person", "name": "Ada"}
YOU = {"kind": "person", "name": "Ben"}
BOT = {"kind": "bot", "bot": "novice"}


def play_to_the_end(page: Page, step: Callable[[Page, str], None]) -> None:
    for _ in range(400):
        now = stage(page)
        if now == "over":
            break
        step(page, now)
    expect(page.locator(TABLE)).to_have_attribute("data-phase", "over")


def test_a_whole_game_against_a_bot_by_mouse(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limit", [ME, BOT], size=4)
    with opened(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        play_to_the_end(page, step_by_mouse)
        assert page.locator("main").inner_text().count("wins") >= 1
        assert send_request(address, f"/matches/{match}")["phase"] == "over"


def played(address: str, match: str) -> list[str]:
    """What the players have done; the tiles were laid by chance."""
    return [step["text"] for step in send_request(address, f"/matches/{match}")["steps"] if step["player"] is not None]


def test_a_turn_is_undone_step_by_step_until_it_is_ended(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limit", [ME, YOU])
    with opened(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        table = page.locator(TABLE)
        seen = []
        for _ in range(3):
            seen.append(stage(page))
            step_by_mouse(page, seen[-1])
        assert seen == ["pawn", "target", "removal"]
        for before in ("removal", "target", "pawn"):
            page.get_by_role("button", name="Undo").click()
            expect(table).to_have_attribute("data-stage", before)
        expect(page.get_by_role("button", name="Undo")).to_be_disabled()
        expect(page.get_by_role("button", name="End turn")).to_be_disabled()
        assert played(address, match) == []


def step_by_keys(page: Page, now: str) -> None:
    """The same with keys only, wherever the focus was left."""
    turn = page.locator(TABLE).get_attribute("data-turn") or ""
    if now == "ready":
        page.keyboard.press("e")
        expect(page.locator(TABLE)).not_to_have_attribute("data-turn", turn)
        return
    expect(page.locator(OFFERED).first).to_be_attached()
    wanted = set(targets(page)) if now == "target" else None
    for _ in range(60):
        page.keyboard.press("n")
        here = page.locator(f"{OFFERED}:focus")
        if here.count() and (wanted is None or here.get_attribute("data-spot") in wanted):
            break
    page.keyboard.press("Enter")
    expect(page.locator(TABLE)).not_to_have_attribute("data-stage", now)


def test_a_whole_game_against_a_bot_by_keyboard_alone(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limit", [ME, BOT], size=4)
    with opened(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        play_to_the_end(page, step_by_keys)
        assert send_request(address, f"/matches/{match}")["phase"] == "over"


def test_a_turn_by_keyboard_is_heard_and_keeps_the_focus(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limit", [ME, YOU])
    with opened(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        table = page.locator(TABLE)
        step_by_keys(page, stage(page))
        page.keyboard.press("u")
        expect(table).to_have_attribute("data-stage", "pawn")
        page.keyboard.press("Enter")
        expect(table).to_have_attribute("data-stage", "target")
        step_by_keys(page, "target")
        expect(table).to_have_attribute("data-stage", "removal")
        step_by_keys(page, "removal")
        step_by_keys(page, stage(page))
        expect(page.locator("[aria-live]").filter(has_text="Ada moved a pawn")).to_have_count(1)
        # The tile that had the focus is gone, and the focus is on the board still.
        page.wait_for_function("() => document.activeElement.matches('[data-spot]')")


def test_a_reload_in_mid_turn_goes_on_where_it_was_left(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limit", [ME, YOU])
    with opened(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        table = page.locator(TABLE)
        for expected in ("pawn", "target", "removal"):
            assert stage(page) == expected
            step_by_mouse(page, expected)
        page.reload()
        expect(table).to_have_attribute("data-stage", "ready")
        page.get_by_role("button", name="Undo").click()
        expect(table).to_have_attribute("data-stage", "removal")
        page.reload()
        expect(table).to_have_attribute("data-stage", "removal")
        step_by_mouse(page, "removal")
        step_by_mouse(page, "ready")


def test_a_tile_chosen_while_a_turn_is_saved_is_for_the_next_one(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limit", [ME, YOU])
    pawns = send_request(address, f"/matches/{match}")["view"]["pawns"][1]
    with opened(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        for expected in ("pawn", "target", "removal"):
            assert stage(page) == expected
            step_by_mouse(page, expected)
        # All in one go, quicker than any answer from the server: the turn is ended, the next player takes a pawn.
        page.evaluate(
            """pawns => {
                document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "e", bubbles: true }));
                for (const pawn of pawns) document.querySelector(`[data-spot=${pawn}]`).click();
            }""",
            pawns,
        )
        expect(page.locator("[data-turn='1'][data-stage=target]")).to_be_visible()
        expect(page.locator("[data-spot][aria-pressed=true]")).to_have_count(1)
        assert len(played(address, match)) == 1


def test_a_screen_reader_hears_what_happened_and_what_is_to_be_done_now(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limit", [ME, YOU])
    with opened(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        said = page.locator("[aria-live=polite]")
        for expected, words in (
            ("pawn", "Move it to one of the marked tiles."),
            ("target", "Now sink one of the marked tiles."),
            ("removal", "End your turn, or undo."),
            (
                "ready",
                re.compile(r"Ada moved a pawn from \w+ to \w+ and .* Ben: Pick one of your pawns\."),
            ),
        ):
            assert stage(page) == expected
            step_by_mouse(page, expected)
            expect(said.filter(has_text=words)).to_have_count(1)


def test_nothing_useless_is_left_beside_a_finished_game(address: str, browser: Browser) -> None:
    with opened(browser, f"{address}/m/{finished_match(address)}") as page:
        expect(page.locator(TABLE)).to_have_attribute("data-phase", "over")
        result = page.get_by_test_id("result").inner_text()
        assert "win" in result
        expect(page.get_by_text(result)).to_have_count(1)
        for words in ("Mark groups in danger", "Keyboard shortcuts", "Undo", "End turn"):
            expect(page.get_by_text(words)).to_have_count(0)


def test_a_pawn_is_dragged_to_where_it_goes(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limit", [ME, YOU])
    legal = send_request(address, f"/matches/{match}", keys=keys.values())["legal"]["0"]["moves"]
    source, target = next((pawn, next(iter(there))) for pawn, there in legal.items())
    with opened(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        stage(page)
        page.locator(f"[data-spot={source}]").drag_to(page.locator(f"[data-spot={target}]"))
        expect(page.locator(TABLE)).to_have_attribute("data-stage", "removal")
        page.keyboard.press("u")
        expect(page.locator(TABLE)).to_have_attribute("data-stage", "target")


def biting(state: Any) -> list[tuple[str, str, list[Any]]]:
    """Moves that capture: from where, to where, what."""
    legal = state["legal"].get(str(state["to_move"][0])) if state["to_move"] else None
    moves = legal["moves"] if legal else {}
    return [(pawn, tile, taken) for pawn, there in moves.items() for tile, taken in there.items() if taken]


def a_game_where(address: str, wanted: Callable[[Any], Any]) -> tuple[str, dict[str, str], Any]:
    """A game, and a moment of it, that shows something; most deals do, and the first one that does will do."""
    for _ in range(20):
        match, keys = new_match(address, "limit", [ME, YOU], size=4)
        state = play_until(address, match, keys, lambda state: bool(wanted(state)))
        if state["phase"] == "playing":
            return match, keys, state
    raise AssertionError("twenty games, and it never came to that")


def test_what_a_move_captures_is_shown_before_it_is_final(address: str, browser: Browser) -> None:
    match, keys, state = a_game_where(address, biting)
    source, target, taken = biting(state)[0]
    with opened(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        stage(page)
        page.locator(f"[data-spot={source}]").click()
        spot = page.locator(f"[data-spot={target}]")
        spot.hover()
        expect(page.locator(".fallen")).to_have_count(len(taken))
        for tile, _ in taken:
            assert tile in (spot.get_attribute("aria-label") or "")
        assert send_request(address, f"/matches/{match}")["version"] == state["version"]


def test_on_a_phone_nothing_scrolls_sideways_and_every_tile_can_be_hit(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limit", [ME, YOU, BOT], size=16)
    with opened(browser, f"{address}/m/{match}", keys={match: keys}, width=320, height=640, has_touch=True) as page:
        stage(page)
        for _ in in_each_language(page):
            assert fits(page)
        boxes = page.locator("[data-spot]").evaluate_all(
            "all => all.map(each => { const { width, height } = each.getBoundingClientRect(); return [width, height] })"
        )
        assert min(side for box in boxes for side in box) >= 24
        page.locator(OFFERED).first.tap()
        expect(page.locator(TABLE)).to_have_attribute("data-stage", "target")


def test_groups_in_danger_are_marked_until_that_is_switched_off(address: str, browser: Browser) -> None:
    match, keys, state = a_game_where(address, lambda state: state["view"]["danger"])
    pawns = {pawn for group in state["view"]["danger"] for pawn in group["pawns"]}
    with opened(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        stage(page)
        rings = page.locator("use[href='#limit-danger']")
        expect(rings).to_have_count(len(pawns))
        # They follow the turn as it is made.
        source, there = next(iter(state["legal"][str(state["to_move"][0])]["moves"].items()))
        half = f"{source}-{next(iter(there))}"
        body = {"seat_index": state["to_move"][0], "turn": half}
        preview = send_request(address, f"/matches/{match}/preview", body, keys.values())["preview"]
        page.locator(f"[data-spot={source}]").click()
        page.locator(f"[data-spot={half.split('-')[1]}]").click()
        expect(rings).to_have_count(sum(len(group["pawns"]) for group in preview["danger"]))
        for removed, done in list(preview["removals"].items())[:5]:
            page.locator(f"[data-spot={removed}]").hover()
            expect(rings).to_have_count(sum(len(group["pawns"]) for group in done["danger"]))
        page.mouse.move(2, 2)
        page.keyboard.press("u")
        page.keyboard.press("u")
        expect(rings).to_have_count(len(pawns))
        page.get_by_label("Mark groups in danger").uncheck()
        expect(rings).to_have_count(0)
        page.reload()
        stage(page)
        expect(rings).to_have_count(0)


def test_a_turn_stays_on_the_board_while_the_server_is_slow_or_away(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limit", [ME, YOU])
    moves = send_request(address, f"/matches/{match}", keys=keys.values())["legal"]["0"]["moves"]
    source, there = next((pawn, list(there)) for pawn, there in moves.items() if len(there) > 1)
    with (
        proxy(address) as between,
        opened(browser, f"{between.address}/m/{match}", keys={match: keys}) as page,
    ):
        table, undo = page.locator(TABLE), page.get_by_role("button", name="Undo")
        stage(page)
        between.delay = 2
        page.locator(f"[data-spot={source}]").click()
        page.locator(f"[data-spot={there[0]}]").click()
        # It has moved before the server has said anything, and nothing is offered that is not known to be allowed.
        assert table.get_attribute("data-stage") == "removal"
        assert "your pawn is here now" in (page.locator(f"[data-spot={there[0]}]").get_attribute("aria-label") or "")
        assert page.locator(OFFERED).count() == 0
        expect(page.locator(OFFERED).first).to_be_attached()
        between.cut()
        expect(page.get_by_test_id("lost")).to_be_visible()
        in_view_on_a_phone(page)
        # What is not known yet cannot be shown: that is said, and the turn goes on from before it.
        undo.click()
        page.locator(f"[data-spot={there[1]}]").click()
        expect(page.locator(".outlook.error")).to_contain_text("Cannot reach the server")
        expect(table).to_have_attribute("data-stage", "target")
        # What is known can be done, and is saved once, when the server is back.
        page.locator(f"[data-spot={there[0]}]").click()
        removed = page.locator(OFFERED).first.get_attribute("data-spot")
        page.locator(OFFERED).first.click()
        page.get_by_role("button", name="End turn").click()
        expect(page.get_by_test_id("stage")).to_contain_text("Saving your turn…")
        assert "your pawn is here now" in (page.locator(f"[data-spot={there[0]}]").get_attribute("aria-label") or "")
        between.mend()
        between.delay = 0
        expect(table).to_have_attribute("data-turn", "1")
        assert played(address, match) == [f"{source}-{there[0]} x{removed}"]
        # A page that cannot be had says so, and comes once it can.
        between.cut()
        expect(page.get_by_test_id("lost")).to_be_visible()
        page.get_by_role("navigation").get_by_role("link", name="Replay").click()
        page.get_by_test_id("retry").click()
        expect(page.get_by_test_id("retry")).to_have_attribute("aria-disabled", "false")
        between.mend()
        page.get_by_test_id("retry").click()
        expect(page.get_by_role("heading", name="Replay")).to_be_visible()


def in_view_on_a_phone(page: Page) -> None:
    """What is said of the connection is below the header, and the legend stands on the lower edge."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.keyboard.press("l")
    page.locator("#legend").wait_for()
    header, lost, legend = (page.locator(each).bounding_box() for each in ("header", "[data-testid=lost]", "#legend"))
    assert header
    assert lost
    assert legend
    assert lost["y"] >= header["y"] + header["height"] - 1
    assert legend["y"] + legend["height"] == 844
    page.keyboard.press("l")
    page.set_viewport_size({"width": 1200, "height": 900})
