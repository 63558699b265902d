"""Matches with several browsers, lost connections, hosted bots, and languages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from e2e.page_objects.helpers import open_page
from e2e.page_objects.limes_board import LimesBoard
from e2e.page_objects.limit_board import BOARD, step_by_mouse
from support import ROOT
from support.server.clients import send_request
from support.server.matches import new_match, play_until
from support.server.server_process import free_port, running_server, server_address

ADA = {"kind": "person", "name": "Ada"}
TIMEOUT_MILLISECONDS = 60_000
"""Long enough for a server to start and for the page's longest reconnect delay."""
LEVELS = {"en": "Novice", "de": "Anfänger", "fr": "Débutant"}
BUTTONS = {"en": ("Play Limes", "Undo"), "de": ("Limes spielen", "Rückgängig"), "fr": ("Jouer à Limes", "Annuler")}


def test_two_players_join_by_a_link_and_a_third_person_watches(address: str, browser: Browser) -> None:
    with open_page(browser, address) as ada, open_page(browser, address) as ben, open_page(browser, address) as eve:
        ada.get_by_label("Invite friends").check()
        ada.get_by_label("Your name").fill("Ada")
        ada.get_by_text("Options").click()
        ada.get_by_label("Hidden turns").check()
        ada.get_by_test_id("create-match").click()
        link = ada.get_by_label("Link to the game").input_value()
        ben.goto(link)
        ben.get_by_label("Your name").fill("Ben")
        ben.get_by_test_id("join").click()
        eve.goto(link)
        expect(eve.get_by_text("You are watching")).to_be_visible()
        first, second = LimesBoard(ada), LimesBoard(ben)
        first.play_turn_by_mouse(1)
        expect(ada.get_by_text("Waiting for the other players")).to_be_visible()
        for other in (ben, eve):  # hidden until both have moved
            expect(other.locator("[data-worker]")).to_have_count(0)
        second.play_turn_by_mouse(1)
        first.expect_round(2)
        second.expect_round(2)
        expect(eve.locator("[data-worker]").first).to_be_visible()
        expect(eve.locator("[data-cell]")).to_have_count(0)
        ben.goto(f"{address}/games")
        expect(ben.get_by_role("link", name="It’s your turn")).to_have_count(1)


def test_a_link_moves_a_seat_to_another_device_if_it_is_valid(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limes", [ADA])
    bad_link = f"{address}/m/{match}#0.{'A' * 32}"
    with open_page(browser, bad_link, keys={match: keys}) as ada, open_page(browser, bad_link) as eve:
        LimesBoard(ada).play_turn_by_mouse(1)
        assert json.loads(ada.evaluate("localStorage['limina.keys']"))[match] == keys
        expect(eve.get_by_text("You are watching")).to_be_visible()
        assert eve.evaluate("localStorage['limina.keys']") is None
    with open_page(browser, f"{address}/m/{match}#0.{keys['0']}") as other_device:
        LimesBoard(other_device).play_turn_by_mouse(2)
        assert "#" not in other_device.url


def test_without_spectators_only_the_players_see_the_match(address: str, browser: Browser) -> None:
    with open_page(browser, address) as ada, open_page(browser, address) as ben, open_page(browser, address) as eve:
        ada.get_by_label("Invite friends").check()
        ada.get_by_text("Options").click()
        ada.get_by_label("Allow spectators").uncheck()
        ada.get_by_test_id("create-match").click()
        link = ada.get_by_label("Link to the game").input_value()
        for invited in (ben, eve):  # while a seat is open, the link lets anyone join
            invited.goto(link)
            expect(invited.get_by_test_id("join")).to_be_visible()
        ben.get_by_test_id("join").click()
        for moment in ("when the last seat is taken", "when the link is opened again"):
            expect(eve.get_by_text("This game is private. Only its players can see it.")).to_be_visible()
            expect(eve.get_by_role("main"), moment).not_to_contain_text("Guest")
            eve.goto(link)
        LimesBoard(ada).play_turn_by_mouse(1)
        LimesBoard(ben).play_turn_by_mouse(1)
        LimesBoard(ada).expect_round(2)
        ada.get_by_text("Share").click()
        expect(ada.get_by_text("This game is private. Only its players can see it.")).to_be_visible()


def test_players_download_the_record_of_a_private_match(address: str, browser: Browser) -> None:
    request = {"game": "limit", "seats": [ADA, {"kind": "person"}], "options": {"size": 4}, "allow_spectators": False}
    created = send_request(address, "/matches", request)
    match, keys = (
        created["state"]["match_id"],
        {str(held["seat_index"]): held["seat_token"] for held in created["seat_tokens"]},
    )
    play_until(address, match, keys, lambda state: False)
    with open_page(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        with page.expect_download() as saved:
            page.get_by_role("link", name="Download the game").click()
        assert saved.value.suggested_filename == f"limit-{match}.json"
        assert json.loads(Path(saved.value.path()).read_text())["turns"]
        page.get_by_role("link", name="Replay").last.click()
        expect(page.get_by_role("slider")).to_be_visible()


def test_a_reload_keeps_the_draft(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limes", [ADA])
    with open_page(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        board = LimesBoard(page)
        total = board.play_turn_by_mouse(1)
        board.expect_round(2)
        board.cells.first.click()
        page.locator(".placed-card .right").click()
        board.confirm.click()
        offer = board.offers.last
        action = offer.get_attribute("data-action") or ""
        offer.click(position={"x": 5, "y": 5})
        expect(board.main).to_have_attribute("aria-disabled", "false")
        total_after = board.totals()[1]
        page.reload()
        # The draft is restored, and its steps can be undone.
        expect(board.main).to_have_attribute("aria-disabled", "false")
        assert board.totals() == (total, total_after)
        board.undo.click()
        expect(page.locator(f"[data-action='{action}']")).to_be_visible()
        for _ in range(3):
            board.undo.click()
        board.play_turn_by_mouse(2)
        board.expect_round(3)


def test_two_tabs_with_one_seat_show_the_same_match(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limes", [ADA])
    with open_page(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        second = page.context.new_page()
        second.goto(page.url)
        first_board, second_board = LimesBoard(page), LimesBoard(second)
        second_board.expect_round(1)
        second_board.cells.first.click()
        second_board.main.click()
        expect(second_board.offers.first).to_be_visible()
        first_board.play_turn_by_mouse(1)
        # The draft in the second tab is dropped, because its turn is over.
        second_board.expect_round(2)
        expect(second_board.undo).to_have_attribute("aria-disabled", "true")
        second_board.play_turn_by_mouse(2)
        first_board.expect_round(3)


def test_back_and_forward_keep_the_draft(address: str, browser: Browser) -> None:
    with open_page(browser, address) as page:
        page.get_by_test_id("play-now").click()
        board = LimesBoard(page)
        board.expect_round(1)
        board.cells.first.click()
        page.locator(".placed-card .right").click()
        page.go_back()
        expect(page.get_by_test_id("play-now")).to_be_visible()
        page.go_forward()
        expect(board.confirm).to_be_visible()
        board.main.click()
        board.end_without_worker()
        board.expect_round(2)
        match = page.url.rsplit("/", 1)[1]
        assert [
            step["text"] for step in send_request(address, f"/matches/{match}")["steps"] if step["player"] == 0
        ] == ["d4r1"]


def test_a_restart_of_the_server_keeps_the_draft(browser: Browser, tmp_path: Path) -> None:
    with ExitStack() as servers:
        server = servers.enter_context(running_server(tmp_path, port=str(free_port())))
        address = server.address
        match, keys = new_match(address, "limes", [ADA, {"kind": "person", "name": "Ben"}])
        with open_page(browser, f"{address}/m/{match}", keys={match: {"0": keys["0"]}}) as page:
            board = LimesBoard(page)
            board.expect_round(1)
            board.cells.first.click()
            page.locator(".placed-card .right").click()
            server.kill()
            expect(page.get_by_test_id("lost")).to_be_visible()
            servers.enter_context(running_server(tmp_path, port=server.port))
            # The opponent moves before the page reconnects.
            body = {"idempotency_key": "a", "seat_index": 1, "turn_index": 0, "turn": "d4r1 +se"}
            send_request(address, f"/matches/{match}/turns", body, [keys["1"]])
            expect(page.get_by_test_id("lost")).to_have_count(0, timeout=TIMEOUT_MILLISECONDS)
            expect(board.confirm).to_be_visible()
            board.confirm.click()
            board.end_without_worker()
            board.expect_round(2)
            played = [step for step in send_request(address, f"/matches/{match}")["steps"] if step["player"] == 0]
            assert [step["text"][2:] for step in played] == ["r1"]


def test_a_turn_made_while_the_server_is_down_is_played_once(browser: Browser, tmp_path: Path) -> None:
    with ExitStack() as servers:
        server = servers.enter_context(running_server(tmp_path, port=str(free_port())))
        address = server.address
        match, keys = new_match(address, "limes", [ADA])
        with open_page(browser, f"{address}/m/{match}", keys={match: keys}) as page:
            board = LimesBoard(page)
            board.play_turn_by_mouse(1)
            board.expect_round(2)
            server.kill()
            expect(page.get_by_test_id("lost")).to_be_visible()
            board.cells.first.click()
            board.confirm.click()
            board.end_without_worker()
            restarted = servers.enter_context(running_server(tmp_path, port=server.port))
            assert restarted.address == address
            expect(page.get_by_test_id("lost")).to_have_count(0, timeout=TIMEOUT_MILLISECONDS)
            board.expect_round(3)
            assert (
                len([step for step in send_request(address, f"/matches/{match}")["steps"] if step["player"] == 0]) == 2
            )


@pytest.fixture(scope="module")
def hosting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run a server with a hosted bot."""
    bot = f"careful={ROOT / 'examples' / 'careful.py'}:Careful"
    with server_address(tmp_path_factory.mktemp("data"), "--bot", bot, "--bot-timeout", "120") as address:
        yield address


@pytest.mark.parametrize("game", ["Limes", "Limit"])
def test_a_hosted_bot_is_chosen_on_the_start_page_and_plays(browser: Browser, hosting: str, game: str) -> None:
    with open_page(browser, hosting) as page:
        page.get_by_role("radio", name=game).check()
        page.get_by_label("Against the computer").check()
        page.get_by_label("Level").select_option(label="careful")
        page.get_by_test_id("create-match").click()
        seats = page.get_by_role("list", name="Players")
        expect(seats).to_contain_text("(careful)")
        page.locator("[data-cell], [data-stage=pawn]").first.wait_for()
        match = page.url.rsplit("/", 1)[1]
        if game == "Limes":
            LimesBoard(page).play_turn_by_mouse(1)
            LimesBoard(page).expect_round(2)
        else:
            turn = int(page.locator(BOARD).get_attribute("data-turn") or 0)  # the bot may have begun
            for step in ("pawn", "target", "removal", "ready"):
                step_by_mouse(page, step)
            expect(page.locator(f"[data-turn='{turn + 2}'][data-stage=pawn]")).to_be_visible()
        state = send_request(hosting, f"/matches/{match}")
        seat = next(seat for seat in state["seats"] if seat["kind"] == "bot")
        assert (seat["bot"], seat["failed_bot"]) == ("careful", None)
        assert seat["turn_count"] >= 1
        expect(seats).not_to_contain_text("has taken over")


@pytest.mark.parametrize("language", BUTTONS)
def test_the_page_speaks_every_language(address: str, browser: Browser, language: str) -> None:
    play, undo = BUTTONS[language]
    with open_page(browser, address, language=language) as page:
        expect(page.locator("html")).to_have_attribute("lang", language)
        levels = page.get_by_test_id("level").locator("option")
        expect(levels.filter(has_text=LEVELS[language])).to_have_count(1)
        assert [level for level in levels.all_inner_texts() if not level[0].isupper()] == []
        page.get_by_role("button", name=play).click()
        board = LimesBoard(page)
        board.play_turn_by_mouse(1)
        board.expect_round(2)
        expect(page.get_by_role("button", name=undo)).to_be_visible()
        other = "fr" if language != "fr" else "de"
        page.get_by_role("banner").get_by_role("combobox").first.select_option(other)
        expect(page.get_by_role("button", name=BUTTONS[other][1])).to_be_visible()
        page.reload()
        expect(page.locator("html")).to_have_attribute("lang", other)
