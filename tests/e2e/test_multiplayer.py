"""Several browsers in one game, lost connections, languages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from e2e.page_objects.helpers import opened
from e2e.page_objects.limes_board import LimesTable
from e2e.page_objects.limit_board import TABLE, step_by_mouse
from support import ROOT
from support.server.clients import send_request
from support.server.matches import new_match, play_until
from support.server.server_process import free_port, running_server, server_address

ME = {"kind": "person", "name": "Ada"}
PATIENCE = 60_000
"""A server that was killed has to start, and the page tries to reach it more and more rarely."""
LEVELS = {"en": "Novice", "de": "Neuling", "fr": "Novice"}
WORDS = {"en": ("Play Limes", "Undo"), "de": ("Limes spielen", "Rückgängig"), "fr": ("Jouer à Limes", "Annuler")}


def test_two_play_by_a_link_and_a_third_watches(address: str, browser: Browser) -> None:
    with opened(browser, address) as ada, opened(browser, address) as ben, opened(browser, address) as eve:
        ada.get_by_label("Invite a friend").check()
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
        first, second = LimesTable(ada), LimesTable(ben)
        first.turn_by_mouse(1)
        expect(ada.get_by_text("Waiting for the other players")).to_be_visible()
        for other in (ben, eve):  # hidden till all have moved
            expect(other.locator("[data-worker]")).to_have_count(0)
        second.turn_by_mouse(1)
        first.is_round(2)
        second.is_round(2)
        expect(eve.locator("[data-worker]").first).to_be_visible()
        expect(eve.locator("[data-cell]")).to_have_count(0)
        ben.goto(f"{address}/games")
        expect(ben.get_by_role("link", name="It’s your turn")).to_have_count(1)


def test_a_link_takes_a_seat_to_another_device_and_a_false_one_takes_none_away(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limes", [ME])
    false = f"{address}/m/{match}#0.{'A' * 32}"
    with opened(browser, false, keys={match: keys}) as ada, opened(browser, false) as eve:
        LimesTable(ada).turn_by_mouse(1)
        assert json.loads(ada.evaluate("localStorage['limina.keys']"))[match] == keys
        expect(eve.get_by_text("You are watching")).to_be_visible()
        assert eve.evaluate("localStorage['limina.keys']") is None
    with opened(browser, f"{address}/m/{match}#0.{keys['0']}") as elsewhere:
        LimesTable(elsewhere).turn_by_mouse(2)
        assert "#" not in elsewhere.url


def test_without_spectators_only_the_players_see_the_game(address: str, browser: Browser) -> None:
    with opened(browser, address) as ada, opened(browser, address) as ben, opened(browser, address) as eve:
        ada.get_by_label("Invite a friend").check()
        ada.get_by_text("Options").click()
        ada.get_by_label("Allow spectators").uncheck()
        ada.get_by_test_id("create-match").click()
        link = ada.get_by_label("Link to the game").input_value()
        for invited in (ben, eve):  # as long as a seat is free, whoever has the link may take it
            invited.goto(link)
            expect(invited.get_by_test_id("join")).to_be_visible()
        ben.get_by_test_id("join").click()
        for refused in ("when the last seat is taken", "when the link is opened afterwards"):
            expect(eve.get_by_text("This game is private. Only its players can see it.")).to_be_visible()
            expect(eve.get_by_role("main"), refused).not_to_contain_text("Guest")
            eve.goto(link)
        LimesTable(ada).turn_by_mouse(1)
        LimesTable(ben).turn_by_mouse(1)
        LimesTable(ada).is_round(2)
        ada.get_by_text("Share").click()
        expect(ada.get_by_text("This game is private. Only its players can see it.")).to_be_visible()


def test_players_save_the_record_of_a_game_that_is_theirs_alone(address: str, browser: Browser) -> None:
    wanted = {"game": "limit", "seats": [ME, {"kind": "person"}], "options": {"size": 4}, "allow_spectators": False}
    created = send_request(address, "/matches", wanted)
    match, keys = (
        created["state"]["match_id"],
        {str(held["seat_index"]): held["seat_token"] for held in created["seat_tokens"]},
    )
    play_until(address, match, keys, lambda state: False)
    with opened(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        with page.expect_download() as saved:
            page.get_by_role("link", name="Download the game").click()
        assert saved.value.suggested_filename == f"limit-{match}.json"
        assert json.loads(Path(saved.value.path()).read_text())["turns"]
        page.get_by_role("link", name="Replay").last.click()
        expect(page.get_by_role("slider")).to_be_visible()


def test_a_reload_in_mid_turn_loses_nothing(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limes", [ME])
    with opened(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        table = LimesTable(page)
        total = table.turn_by_mouse(1)
        table.is_round(2)
        table.cells.first.click()
        page.locator(".laid .right").click()
        table.confirm.click()
        offer = table.offers.last
        action = offer.get_attribute("data-offer") or ""
        offer.click(position={"x": 5, "y": 5})
        expect(table.main).to_have_attribute("aria-disabled", "false")
        promised = table.totals()[1]
        page.reload()
        # Even the turn that was half made goes on, and its steps can be undone.
        expect(table.main).to_have_attribute("aria-disabled", "false")
        assert table.totals() == (total, promised)
        table.undo.click()
        expect(page.locator(f"[data-offer='{action}']")).to_be_visible()
        for _ in range(3):
            table.undo.click()
        table.turn_by_mouse(2)
        table.is_round(3)


def test_two_tabs_of_one_seat_agree(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limes", [ME])
    with opened(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        second = page.context.new_page()
        second.goto(page.url)
        here, there = LimesTable(page), LimesTable(second)
        there.is_round(1)
        there.cells.first.click()
        there.main.click()
        expect(there.offers.first).to_be_visible()
        here.turn_by_mouse(1)
        # What was half made there was for a turn that is over.
        there.is_round(2)
        expect(there.undo).to_have_attribute("aria-disabled", "true")
        there.turn_by_mouse(2)
        here.is_round(3)


def test_back_and_forward_in_mid_turn_lose_nothing(address: str, browser: Browser) -> None:
    with opened(browser, address) as page:
        page.get_by_test_id("play-now").click()
        table = LimesTable(page)
        table.is_round(1)
        table.cells.first.click()
        page.locator(".laid .right").click()
        page.go_back()
        expect(page.get_by_test_id("play-now")).to_be_visible()
        page.go_forward()
        expect(table.confirm).to_be_visible()
        table.main.click()
        table.end_without_worker()
        table.is_round(2)
        match = page.url.rsplit("/", 1)[1]
        assert [
            step["text"] for step in send_request(address, f"/matches/{match}")["steps"] if step["player"] == 0
        ] == ["d4r1"]


def test_a_server_that_goes_away_in_mid_turn_loses_nothing(browser: Browser, tmp_path: Path) -> None:
    with ExitStack() as servers:
        server = servers.enter_context(running_server(tmp_path, port=str(free_port())))
        address = server.address
        match, keys = new_match(address, "limes", [ME, {"kind": "person", "name": "Ben"}])
        with opened(browser, f"{address}/m/{match}", keys={match: {"0": keys["0"]}}) as page:
            table = LimesTable(page)
            table.is_round(1)
            table.cells.first.click()
            page.locator(".laid .right").click()
            server.kill()
            expect(page.get_by_test_id("lost")).to_be_visible()
            servers.enter_context(running_server(tmp_path, port=server.port))
            # Somebody else moves meanwhile: what comes back is not what was there.
            body = {"idempotency_key": "a", "seat_index": 1, "turn_index": 0, "turn": "d4r1 +se"}
            send_request(address, f"/matches/{match}/turns", body, [keys["1"]])
            expect(page.get_by_test_id("lost")).to_have_count(0, timeout=PATIENCE)
            expect(table.confirm).to_be_visible()
            table.confirm.click()
            table.end_without_worker()
            table.is_round(2)
            played = [step for step in send_request(address, f"/matches/{match}")["steps"] if step["player"] == 0]
            assert [step["text"][2:] for step in played] == ["r1"]


def test_a_turn_made_while_the_server_is_away_arrives_once(browser: Browser, tmp_path: Path) -> None:
    with ExitStack() as servers:
        server = servers.enter_context(running_server(tmp_path, port=str(free_port())))
        address = server.address
        match, keys = new_match(address, "limes", [ME])
        with opened(browser, f"{address}/m/{match}", keys={match: keys}) as page:
            table = LimesTable(page)
            table.turn_by_mouse(1)
            table.is_round(2)
            server.kill()
            expect(page.get_by_test_id("lost")).to_be_visible()
            table.cells.first.click()
            table.confirm.click()
            table.end_without_worker()
            again = servers.enter_context(running_server(tmp_path, port=server.port))
            assert again.address == address
            expect(page.get_by_test_id("lost")).to_have_count(0, timeout=PATIENCE)
            table.is_round(3)
            assert (
                len([step for step in send_request(address, f"/matches/{match}")["steps"] if step["player"] == 0]) == 2
            )


@pytest.fixture(scope="module")
def hosting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server whose host brought a bot."""
    bot = f"careful={ROOT / 'examples' / 'careful.py'}:Careful"
    with server_address(tmp_path_factory.mktemp("data"), "--bot", bot, "--bot-timeout", "120") as address:
        yield address


@pytest.mark.parametrize("game", ["Limes", "Limit"])
def test_a_bot_of_the_host_is_chosen_on_the_start_page_and_plays(browser: Browser, hosting: str, game: str) -> None:
    with opened(browser, hosting) as page:
        page.get_by_role("radio", name=game).check()
        page.get_by_label("Against the computer").check()
        page.get_by_label("Level").select_option(label="careful")
        page.get_by_test_id("create-match").click()
        seats = page.get_by_role("list", name="Players")
        expect(seats).to_contain_text(", careful")
        page.locator("[data-cell], [data-stage=pawn]").first.wait_for()
        match = page.url.rsplit("/", 1)[1]
        if game == "Limes":
            LimesTable(page).turn_by_mouse(1)
            LimesTable(page).is_round(2)
        else:
            turn = int(page.locator(TABLE).get_attribute("data-turn") or 0)  # the bot may have begun
            for now in ("pawn", "target", "removal", "ready"):
                step_by_mouse(page, now)
            expect(page.locator(f"[data-turn='{turn + 2}'][data-stage=pawn]")).to_be_visible()
        state = send_request(hosting, f"/matches/{match}")
        seat = next(seat for seat in state["seats"] if seat["kind"] == "bot")
        assert (seat["bot"], seat["failed_bot"]) == ("careful", None)
        assert seat["turn_count"] >= 1
        expect(seats).not_to_contain_text("plays on")


@pytest.mark.parametrize("language", WORDS)
def test_every_language(address: str, browser: Browser, language: str) -> None:
    now, undo = WORDS[language]
    with opened(browser, address, language=language) as page:
        expect(page.locator("html")).to_have_attribute("lang", language)
        levels = page.get_by_test_id("level").locator("option")
        expect(levels.filter(has_text=LEVELS[language])).to_have_count(1)
        assert [level for level in levels.all_inner_texts() if not level[0].isupper()] == []
        page.get_by_role("button", name=now).click()
        table = LimesTable(page)
        table.turn_by_mouse(1)
        table.is_round(2)
        expect(page.get_by_role("button", name=undo)).to_be_visible()
        other = "fr" if language != "fr" else "de"
        page.get_by_role("banner").get_by_role("combobox").first.select_option(other)
        expect(page.get_by_role("button", name=WORDS[other][1])).to_be_visible()
        page.reload()
        expect(page.locator("html")).to_have_attribute("lang", other)
