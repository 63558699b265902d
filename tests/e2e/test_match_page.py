"""The match page around the boards of both games: names, status, result, last turn, languages."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from e2e.page_objects.helpers import fits_window, open_page
from support.server.clients import send_request
from support.server.matches import finished_match, new_match, play_until

YOU = {"kind": "person", "name": "You"}
BEN = {"kind": "person", "name": "Ben"}
PHONE: dict[str, Any] = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}


def test_eight_players_have_different_names(address: str, browser: Browser) -> None:
    bots = [
        {"kind": "bot", "bot": level}
        for level in ("random", "novice", "random", "novice", "random", "random", "random")
    ]
    match, keys = new_match(address, "limes", [YOU, *bots])
    with open_page(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        names = page.locator(".margin li .name")
        expect(names).to_have_count(8)
        expect(names.nth(1)).to_contain_text("Livia (random)")
        expect(names.nth(2)).to_contain_text("Marcus (novice)")
        assert len({name.split("\n")[0] for name in names.all_inner_texts()}) == 8
        page.goto(f"{address}/replay/{match}")
        expect(page.locator("h1")).to_contain_text("You, Livia (random), Marcus (novice)")
        expect(page.locator(".players label")).to_have_text(
            ["All players", "You", "Livia", "Marcus", "Aelia", "Titus", "Julia", "Gaius", "Flavia"]
        )
        page.goto(f"{address}/games")
        expect(page.locator("main li").first).to_contain_text("You, Livia, Marcus")


SENTENCES = {
    "en": ("You win with", "wins with", "Your display", "It’s your turn"),
    "de": ("Du gewinnst mit", "gewinnt mit", "Deine Auslage", "Du bist am Zug"),
    "fr": ("Vous gagnez avec", "gagne avec", "Votre domaine", "C’est à vous"),
}


def test_sentences_address_a_player_without_a_name_in_each_language(address: str, browser: Browser) -> None:
    kind = ""
    while kind != "points":  # the sentence for a tie is different
        match, keys = new_match(address, "limes", [YOU, BEN])
        end = play_until(address, match, keys, lambda state: False)["view"]["end"]
        kind = end["kind"]
    running, running_keys = new_match(address, "limes", [{"kind": "person", "name": "Du"}, BEN])
    with open_page(browser, f"{address}/m/{running}", keys={match: keys, running: {"0": running_keys["0"]}}) as page:
        for language, (mine, theirs, display, turn) in SENTENCES.items():
            page.locator("header select").first.select_option(language)
            expect(page.get_by_test_id("status")).to_have_text(turn)
            expect(page.get_by_role("region", name=display)).to_be_visible()
            page.goto(f"{address}/m/{match}")
            expect(page.get_by_test_id("result")).to_contain_text(mine if end["winners"] == [0] else theirs)
            page.goto(f"{address}/m/{running}")


@pytest.mark.parametrize("game", ["limes", "limit"])
def test_a_phone_keeps_the_status_visible_and_shows_the_result_on_top(
    address: str, browser: Browser, game: str
) -> None:
    match, keys = new_match(address, game, [YOU, BEN])
    over = finished_match(address, game)
    with open_page(browser, f"{address}/m/{match}", keys={match: {"0": keys["0"]}}, **PHONE) as page:
        page.get_by_text("Share").wait_for()
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        expect(page.get_by_test_id("status")).to_have_text("It’s your turn")
        expect(page.get_by_test_id("status")).to_be_in_viewport(ratio=1)
        page.goto(f"{address}/m/{over}")
        result, board = page.get_by_test_id("result").bounding_box(), page.locator(".play svg").first.bounding_box()
        assert result is not None
        assert board is not None
        assert result["y"] < board["y"]
        assert fits_window(page)


@pytest.mark.parametrize(("game", "mark"), [("limes", ".marked"), ("limit", ".way")])
def test_the_last_turn_is_marked_unless_switched_off(address: str, browser: Browser, game: str, mark: str) -> None:
    match, keys = new_match(address, game, [YOU, BEN])
    play_until(address, match, keys, lambda state: state["seats"][0]["turn_count"] == 1 and state["to_move"] == [1])
    with open_page(browser, f"{address}/m/{match}", keys={match: {"0": keys["0"]}}) as page:
        marked = page.locator(f".play .board {mark}")
        expect(marked).to_have_count(1)
        page.get_by_label("Show the last turn").uncheck()
        expect(marked).to_have_count(0)
        page.goto(f"{address}/replay/{finished_match(address, game)}#2")
        page.locator(".replay svg").first.wait_for()
        expect(page.locator(f".shown {mark}")).to_have_count(0)
        page.get_by_label("Show the last turn").check()
        expect(page.locator(f".shown {mark}").first).to_be_visible()


def test_errors_of_the_server_appear_in_the_language_of_the_page(address: str, browser: Browser) -> None:
    record = send_request(address, f"/matches/{finished_match(address)}/record")
    record["turns"][0] = "nonsense"
    with open_page(browser, f"{address}/replay", language="de") as page:
        page.locator("input[type=file]").set_input_files(
            {"name": "game.json", "mimeType": "application/json", "buffer": json.dumps(record).encode()}
        )
        expect(page.get_by_role("alert")).to_have_text(
            "Das ließ sich nicht lesen. Bitte prüfe es und versuch es noch einmal."
        )
        # A visible error changes with the language.
        page.locator("header select").first.select_option("fr")
        expect(page.get_by_role("alert")).to_have_text("Lecture impossible. Vérifiez et réessayez.")
        page.locator("input[type=file]").set_input_files(
            {"name": "game.json", "mimeType": "application/json", "buffer": b"no record"}
        )
        expect(page.get_by_role("alert")).to_have_text("Ce fichier n’est pas une partie enregistrée.")
        page.locator("header select").first.select_option("en")
        expect(page.get_by_role("alert")).to_have_text("This file is not a saved game.")
