"""Matches of Limit in the browser: by mouse, by keyboard, by dragging, on a phone, and with a lost connection."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, Page, expect

from e2e.page_objects.helpers import fits_window, in_each_language, open_page
from e2e.page_objects.limit_board import BOARD, SELECTABLE_TILES, step_by_mouse, target_tiles, wait_for_stage
from support.network.proxies import proxy
from support.server.clients import send_request
from support.server.matches import finished_match, new_match, play_until

ADA = {"kind": "person", "name": "Ada"}
BEN = {"kind": "person", "name": "Ben"}
BOT = {"kind": "bot", "bot": "novice"}


def play_to_the_end(page: Page, take_step: Callable[[Page, str], None]) -> None:
    """Play until the game is over."""
    for _ in range(400):
        step = wait_for_stage(page)
        if step == "over":
            break
        take_step(page, step)
    expect(page.locator(BOARD)).to_have_attribute("data-phase", "over")


def test_a_game_against_a_bot_is_played_by_mouse(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limit", [ADA, BOT], size=4)
    with open_page(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        play_to_the_end(page, step_by_mouse)
        assert page.locator("main").inner_text().count("wins") >= 1
        assert send_request(address, f"/matches/{match}")["phase"] == "over"


def played_turns(address: str, match: str) -> list[str]:
    """Return the turns of a match, without the layout."""
    return [step["text"] for step in send_request(address, f"/matches/{match}")["steps"] if step["player"] is not None]


def test_every_step_of_a_turn_can_be_undone(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limit", [ADA, BEN])
    with open_page(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        board = page.locator(BOARD)
        steps = []
        for _ in range(3):
            steps.append(wait_for_stage(page))
            step_by_mouse(page, steps[-1])
        assert steps == ["pawn", "target", "removal"]
        for before in ("removal", "target", "pawn"):
            page.get_by_role("button", name="Undo").click()
            expect(board).to_have_attribute("data-stage", before)
        expect(page.get_by_role("button", name="Undo")).to_be_disabled()
        expect(page.get_by_role("button", name="End turn")).to_be_disabled()
        assert played_turns(address, match) == []


def step_by_keyboard(page: Page, step: str) -> None:
    """Take a step of a turn with keys only, wherever the focus is."""
    turn = page.locator(BOARD).get_attribute("data-turn") or ""
    if step == "ready":
        page.keyboard.press("e")
        expect(page.locator(BOARD)).not_to_have_attribute("data-turn", turn)
        return
    expect(page.locator(SELECTABLE_TILES).first).to_be_attached()
    targets = set(target_tiles(page)) if step == "target" else None
    for _ in range(60):
        page.keyboard.press("n")
        focused = page.locator(f"{SELECTABLE_TILES}:focus")
        if focused.count() and (targets is None or focused.get_attribute("data-tile") in targets):
            break
    page.keyboard.press("Enter")
    expect(page.locator(BOARD)).not_to_have_attribute("data-stage", step)


def test_a_game_against_a_bot_is_played_by_keyboard(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limit", [ADA, BOT], size=4)
    with open_page(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        play_to_the_end(page, step_by_keyboard)
        assert send_request(address, f"/matches/{match}")["phase"] == "over"


def test_a_turn_by_keyboard_is_announced_and_keeps_the_focus(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limit", [ADA, BEN])
    with open_page(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        board = page.locator(BOARD)
        step_by_keyboard(page, wait_for_stage(page))
        page.keyboard.press("u")
        expect(board).to_have_attribute("data-stage", "pawn")
        page.keyboard.press("Enter")
        expect(board).to_have_attribute("data-stage", "target")
        step_by_keyboard(page, "target")
        expect(board).to_have_attribute("data-stage", "removal")
        step_by_keyboard(page, "removal")
        step_by_keyboard(page, wait_for_stage(page))
        expect(page.locator("[aria-live]").filter(has_text="Ada moved a pawn")).to_have_count(1)
        # The focused tile is removed; the focus stays on the board.
        page.wait_for_function("() => document.activeElement.matches('[data-tile]')")


def test_a_reload_restores_the_draft(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limit", [ADA, BEN])
    with open_page(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        board = page.locator(BOARD)
        for expected in ("pawn", "target", "removal"):
            assert wait_for_stage(page) == expected
            step_by_mouse(page, expected)
        page.reload()
        expect(board).to_have_attribute("data-stage", "ready")
        page.get_by_role("button", name="Undo").click()
        expect(board).to_have_attribute("data-stage", "removal")
        page.reload()
        expect(board).to_have_attribute("data-stage", "removal")
        step_by_mouse(page, "removal")
        step_by_mouse(page, "ready")


def test_a_tile_selected_during_a_save_applies_to_the_next_turn(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limit", [ADA, BEN])
    pawns = send_request(address, f"/matches/{match}")["view"]["pawns"][1]
    with open_page(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        for expected in ("pawn", "target", "removal"):
            assert wait_for_stage(page) == expected
            step_by_mouse(page, expected)
        # All at once, before the server can answer: end the turn, and select a pawn of the next player.
        page.evaluate(
            """pawns => {
                document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "e", bubbles: true }));
                for (const pawn of pawns) document.querySelector(`[data-tile=${pawn}]`).click();
            }""",
            pawns,
        )
        expect(page.locator("[data-turn='1'][data-stage=target]")).to_be_visible()
        expect(page.locator("[data-tile][aria-pressed=true]")).to_have_count(1)
        assert len(played_turns(address, match)) == 1


def test_a_screen_reader_hears_turns_and_the_next_step(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limit", [ADA, BEN])
    with open_page(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        announcement = page.locator("[aria-live=polite]")
        for expected, text in (
            ("pawn", "Move it to one of the marked tiles."),
            ("target", "Now sink one of the marked tiles."),
            ("removal", "End your turn, or undo."),
            (
                "ready",
                re.compile(r"Ada moved a pawn from \w+ to \w+ and .* Ben: Pick one of your pawns\."),
            ),
        ):
            assert wait_for_stage(page) == expected
            step_by_mouse(page, expected)
            expect(announcement.filter(has_text=text)).to_have_count(1)


def test_a_finished_game_shows_no_controls_of_a_turn(address: str, browser: Browser) -> None:
    with open_page(browser, f"{address}/m/{finished_match(address)}") as page:
        expect(page.locator(BOARD)).to_have_attribute("data-phase", "over")
        result = page.get_by_test_id("result").inner_text()
        assert "win" in result
        expect(page.get_by_text(result)).to_have_count(1)
        for label in ("Mark groups in danger", "Keyboard shortcuts", "Undo", "End turn"):
            expect(page.get_by_text(label)).to_have_count(0)


def test_a_pawn_is_moved_by_dragging(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limit", [ADA, BEN])
    legal = send_request(address, f"/matches/{match}", seat_tokens=keys.values())["legal"]["0"]["moves"]
    source, target = next((pawn, next(iter(targets))) for pawn, targets in legal.items())
    with open_page(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        wait_for_stage(page)
        page.locator(f"[data-tile={source}]").drag_to(page.locator(f"[data-tile={target}]"))
        expect(page.locator(BOARD)).to_have_attribute("data-stage", "removal")
        page.keyboard.press("u")
        expect(page.locator(BOARD)).to_have_attribute("data-stage", "target")


def capturing_moves(state: Any) -> list[tuple[str, str, list[Any]]]:
    """Return the legal moves that capture: source, target, captured pawns."""
    legal = state["legal"].get(str(state["to_move"][0])) if state["to_move"] else None
    moves = legal["moves"] if legal else {}
    return [(pawn, tile, captured) for pawn, targets in moves.items() for tile, captured in targets.items() if captured]


def match_with_state(address: str, condition: Callable[[Any], Any]) -> tuple[str, dict[str, str], Any]:
    """Play random matches until the condition holds for a state; return the match, its seat tokens and the state."""
    for _ in range(20):
        match, keys = new_match(address, "limit", [ADA, BEN], size=4)
        state = play_until(address, match, keys, lambda state: bool(condition(state)))
        if state["phase"] == "playing":
            return match, keys, state
    raise AssertionError("the condition holds in none of twenty matches")


def test_a_captured_group_is_shown_before_the_turn_ends(address: str, browser: Browser) -> None:
    match, keys, state = match_with_state(address, capturing_moves)
    source, target, captured = capturing_moves(state)[0]
    with open_page(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        wait_for_stage(page)
        page.locator(f"[data-tile={source}]").click()
        spot = page.locator(f"[data-tile={target}]")
        spot.hover()
        expect(page.locator(".captured")).to_have_count(len(captured))
        for tile, _ in captured:
            assert tile in (spot.get_attribute("aria-label") or "")
        assert send_request(address, f"/matches/{match}")["version"] == state["version"]


def test_a_phone_shows_large_tiles_without_scrolling_sideways(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limit", [ADA, BEN, BOT], size=16)
    with open_page(browser, f"{address}/m/{match}", keys={match: keys}, width=320, height=640, has_touch=True) as page:
        wait_for_stage(page)
        for _ in in_each_language(page):
            assert fits_window(page)
        boxes = page.locator("[data-tile]").evaluate_all(
            "all => all.map(tile => { const { width, height } = tile.getBoundingClientRect(); return [width, height] })"
        )
        assert min(side for box in boxes for side in box) >= 24
        page.locator(SELECTABLE_TILES).first.tap()
        expect(page.locator(BOARD)).to_have_attribute("data-stage", "target")


def test_groups_in_danger_are_marked_unless_switched_off(address: str, browser: Browser) -> None:
    match, keys, state = match_with_state(address, lambda state: state["view"]["danger"])
    pawns = {pawn for group in state["view"]["danger"] for pawn in group["pawns"]}
    with open_page(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        wait_for_stage(page)
        rings = page.locator("use[href='#limit-danger']")
        expect(rings).to_have_count(len(pawns))
        # The marks follow the draft.
        source, targets = next(iter(state["legal"][str(state["to_move"][0])]["moves"].items()))
        move = f"{source}-{next(iter(targets))}"
        body = {"seat_index": state["to_move"][0], "turn": move}
        preview = send_request(address, f"/matches/{match}/preview", body, keys.values())["preview"]
        page.locator(f"[data-tile={source}]").click()
        page.locator(f"[data-tile={move.split('-')[1]}]").click()
        expect(rings).to_have_count(sum(len(group["pawns"]) for group in preview["danger"]))
        for removed, after in list(preview["removals"].items())[:5]:
            page.locator(f"[data-tile={removed}]").hover()
            expect(rings).to_have_count(sum(len(group["pawns"]) for group in after["danger"]))
        page.mouse.move(2, 2)
        page.keyboard.press("u")
        page.keyboard.press("u")
        expect(rings).to_have_count(len(pawns))
        page.get_by_label("Mark groups in danger").uncheck()
        expect(rings).to_have_count(0)
        page.reload()
        wait_for_stage(page)
        expect(rings).to_have_count(0)


def test_a_turn_stays_on_the_board_while_the_server_is_unavailable(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limit", [ADA, BEN])
    moves = send_request(address, f"/matches/{match}", seat_tokens=keys.values())["legal"]["0"]["moves"]
    source, targets = next((pawn, list(targets)) for pawn, targets in moves.items() if len(targets) > 1)
    with (
        proxy(address) as slow_proxy,
        open_page(browser, f"{slow_proxy.address}/m/{match}", keys={match: keys}) as page,
    ):
        board, undo = page.locator(BOARD), page.get_by_role("button", name="Undo")
        wait_for_stage(page)
        slow_proxy.delay = 2
        page.locator(f"[data-tile={source}]").click()
        page.locator(f"[data-tile={targets[0]}]").click()
        # The pawn moves before the server answers. No tile can be selected until the legal removals are known.
        assert board.get_attribute("data-stage") == "removal"
        assert "your pawn is here now" in (page.locator(f"[data-tile={targets[0]}]").get_attribute("aria-label") or "")
        assert page.locator(SELECTABLE_TILES).count() == 0
        expect(page.locator(SELECTABLE_TILES).first).to_be_attached()
        slow_proxy.cut()
        expect(page.get_by_test_id("lost")).to_be_visible()
        check_phone_layout(page)
        # Without a preview the move is not shown: an error appears, and the turn stays at the step before.
        undo.click()
        page.locator(f"[data-tile={targets[1]}]").click()
        expect(page.locator(".turn-effect.error")).to_contain_text("Cannot reach the server")
        expect(board).to_have_attribute("data-stage", "target")
        # A move with a known preview can be made. The turn is saved once, when the server is back.
        page.locator(f"[data-tile={targets[0]}]").click()
        removed = page.locator(SELECTABLE_TILES).first.get_attribute("data-tile")
        page.locator(SELECTABLE_TILES).first.click()
        page.get_by_role("button", name="End turn").click()
        expect(page.get_by_test_id("stage")).to_contain_text("Saving your turn…")
        assert "your pawn is here now" in (page.locator(f"[data-tile={targets[0]}]").get_attribute("aria-label") or "")
        slow_proxy.mend()
        slow_proxy.delay = 0
        expect(board).to_have_attribute("data-turn", "1")
        assert played_turns(address, match) == [f"{source}-{targets[0]} x{removed}"]
        # A page that cannot be loaded shows an error, and loads on retry.
        slow_proxy.cut()
        expect(page.get_by_test_id("lost")).to_be_visible()
        page.get_by_role("navigation").get_by_role("link", name="Replay").click()
        page.get_by_test_id("retry").click()
        expect(page.get_by_test_id("retry")).to_have_attribute("aria-disabled", "false")
        slow_proxy.mend()
        page.get_by_test_id("retry").click()
        expect(page.get_by_role("heading", name="Replay")).to_be_visible()


def check_phone_layout(page: Page) -> None:
    """Check that the connection banner is below the header, and the legend at the lower edge."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.keyboard.press("l")
    page.locator("#legend").wait_for()
    header, lost, legend = (
        page.locator(selector).bounding_box() for selector in ("header", "[data-testid=lost]", "#legend")
    )
    assert header
    assert lost
    assert legend
    assert lost["y"] >= header["y"] + header["height"] - 1
    assert legend["y"] + legend["height"] == 844
    page.keyboard.press("l")
    page.set_viewport_size({"width": 1200, "height": 900})
