"""Tutorials by mouse, touch and keyboard in every language; the side panel; examples of the rules to play."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from e2e.page_objects.helpers import axe_violations, fits_window, open_page
from e2e.page_objects.tutorial import LessonPlayer, fetch_lessons, load_tutorial_text
from support.server.clients import send_request
from support.server.matches import new_match

ADA = {"kind": "person", "name": "Ada"}
PHONE: dict[str, Any] = {"width": 390, "height": 844, "has_touch": True}
VARIANTS = [
    ("limes", "en", "mouse", {}),
    ("limes", "de", "keys", {"width": 1280, "height": 720}),
    ("limes", "fr", "touch", PHONE),
    ("limit", "de", "mouse", {"width": 1280, "height": 720}),
    ("limit", "fr", "keys", {}),
    ("limit", "en", "touch", PHONE),
]
SMALL_TARGETS = """() => [...document.querySelectorAll("a, button, summary, select, input, label:has(input)")]
    .filter(element => !element.closest("[inert], .visually-hidden, .skip"))
    .filter(element => !element.matches("label input, [data-worker], [data-action]"))
    .map(element => [element, element.getBoundingClientRect()])
    .filter(([element, { width, height }]) => width && height && (width < 43.5 || height < 43.5))
    .map(([element, { width, height }]) => `${element.outerHTML.slice(0, 90)}: ${width} x ${height}`)"""


def feedback_pattern(text: str, values: dict[str, Any]) -> re.Pattern[str]:
    """Return a pattern for feedback with these values, which matches both forms of a plural."""
    parts = re.split(r"\{(\w+)(\|[^}]*)?\}", text)
    pattern = ""
    for fixed, name, plural in zip(parts[::3], [*parts[1::3], None], [*parts[2::3], None], strict=True):
        pattern += re.escape(fixed)
        if name is not None:
            value = str(values.get(name, ""))
            pattern += ".+?" if plural or value.startswith(":") else re.escape(value)
    return re.compile(f"^{pattern}$")


@pytest.mark.parametrize(("game", "language", "device", "window"), VARIANTS)
def test_a_tutorial_is_played_from_the_first_lesson_to_a_match(
    address: str, browser: Browser, game: str, language: str, device: str, window: dict[str, Any]
) -> None:
    tutorial_text = load_tutorial_text(game, language)
    with open_page(browser, f"{address}/learn/{game}", language=language, **window) as page:
        lesson_player = LessonPlayer(page, device)
        for lesson in fetch_lessons(address, game):
            text = tutorial_text["lessons"][lesson["id"]]
            expect(page.get_by_role("heading", level=1)).to_have_text(text["title"])
            expect(page.locator(".task")).to_contain_text(text["task"])
            if device == "touch":
                assert fits_window(page)
                assert page.evaluate(SMALL_TARGETS) == []
            if device == "mouse":
                try_something_wrong(page, lesson_player, game, lesson, tutorial_text)
            lesson_player.play(game, lesson["good"][-1], ends=not lesson["accepts_partial"])
            expect(page.get_by_test_id("coach")).to_contain_text(text["done"])
            expect(page.get_by_test_id("next")).to_be_focused()
            if device == "keys":
                page.keyboard.press("Enter")
            else:
                page.get_by_test_id("next").click()
        expect(page.get_by_role("heading", level=1)).to_have_text(tutorial_text["finale"]["title"])
        if game == "limes":
            play_finale(page, lesson_player)
            assert page.evaluate("localStorage['limina.learn.limes']") == "done"
        page.get_by_test_id("play-match").click()
        page.wait_for_url(re.compile("/m/"))
        state = send_request(address, f"/matches/{page.url.rsplit('/', 1)[1]}")
        assert state["game"] == game
        if game == "limit":
            assert state["options"]["size"] == 4
            assert [seat["bot"] for seat in state["seats"] if seat["kind"] == "bot"] == ["novice"]


def try_something_wrong(
    page: Page, lesson_player: LessonPlayer, game: str, lesson: dict[str, Any], tutorial_text: dict[str, Any]
) -> None:
    """Play a wrong turn, which is undone with feedback, and try an illegal tile."""
    wrong = {turn: feedback for turn, feedback in lesson["wrong"].items() if " " in turn or lesson["accepts_partial"]}
    for turn, feedback in list((lesson["wrong_prefixes"] or wrong).items())[:1]:
        lesson_player.play(game, turn, ends=False)
        expect(page.get_by_test_id("coach")).to_have_text(
            feedback_pattern(tutorial_text["feedback"][feedback["key"]], feedback["values"])
        )
        lesson_player.press(*["u"] * 5)
    refused = [(tile, feedback) for tile, feedback in lesson["refused"].items() if len(tile) == 2]
    for tile, feedback in refused[:1]:
        page.locator(f"[data-tile={tile}]").click(force=True)
        expect(page.get_by_test_id("coach")).to_have_text(
            feedback_pattern(tutorial_text["feedback"][feedback["key"]], feedback["values"])
        )


def play_finale(page: Page, lesson_player: LessonPlayer) -> None:
    for number in range(1, 6):
        expect(page.locator(".round")).to_have_text(re.compile(rf"\b{number}\b.*\b5$"))
        lesson_player.board.cells.last.click()
        lesson_player.board.confirm.click()
        lesson_player.board.offers.first.click(position={"x": 5, "y": 5})
        lesson_player.board.main.click()
        expect(page.get_by_test_id("coach")).to_contain_text(re.compile(r"\d"))
    expect(page.get_by_test_id("play-match")).to_be_focused()
    # The finale is over: there is no button for a turn and no hint.
    expect(lesson_player.board.main).to_have_count(0)
    expect(page.locator("p.hint")).to_be_empty()


def test_a_tutorial_continues_after_a_reload_and_lessons_can_be_skipped(address: str, browser: Browser) -> None:
    titles = [lesson["title"] for lesson in load_tutorial_text("limit", "en")["lessons"].values()]
    with open_page(browser, f"{address}/learn/limit") as page:
        for title in titles[:3]:
            expect(page.get_by_role("heading", level=1)).to_have_text(title)
            page.get_by_role("button", name="Skip this step").click()
        page.reload()
        expect(page.get_by_role("heading", level=1)).to_have_text(titles[3])
        page.get_by_role("button", name="Previous step").click()
        expect(page.get_by_role("heading", level=1)).to_have_text(titles[2])
        page.get_by_role("combobox").first.select_option("fr")
        expect(page.get_by_role("heading", level=1)).to_have_text("Capturer en déplaçant")


def test_the_tutorial_is_offered_once_in_the_first_match_of_a_game(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limes", [ADA])
    with open_page(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        page.get_by_test_id("tutorial-invite").get_by_role("link", name="Learn Limes").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Lay and turn a card")
        page.get_by_role("link", name="Back to your game").click()
        expect(page.locator("[data-cell]").first).to_be_visible()
        expect(page.get_by_test_id("tutorial-invite")).to_have_count(0)
    with open_page(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        page.get_by_test_id("tutorial-invite").get_by_role("button", name="No thanks").click()
        page.reload()
        expect(page.locator("[data-cell]").first).to_be_visible()
        expect(page.get_by_test_id("tutorial-invite")).to_have_count(0)


def test_an_invited_player_can_open_the_tutorial_first(address: str, browser: Browser) -> None:
    match, _ = new_match(address, "limit", [ADA, {"kind": "open"}])
    with open_page(browser, f"{address}/m/{match}") as page:
        page.get_by_role("link", name="Learn Limit").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Move a pawn")
        page.get_by_role("link", name="Back to your game").click()
        expect(page.get_by_test_id("join")).to_be_visible()


@pytest.mark.parametrize("game", ["limes", "limit"])
def test_legend_and_rules_open_beside_the_board(address: str, browser: Browser, game: str) -> None:
    match, keys = new_match(address, game, [ADA, {"kind": "person", "name": "Ben"}])
    with open_page(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        first = page.locator("[data-cell], [data-tile]:not([aria-disabled])").first
        first.click()
        legend = page.get_by_role("complementary", name="Legend")
        page.keyboard.press("l")
        expect(legend.get_by_role("listitem")).to_have_count(4 if game == "limes" else 3)
        page.keyboard.press("Escape")
        expect(legend).to_have_count(0)
        # Escape closed the legend and undid no step.
        expect(page.locator(".placed-card, [data-stage=target]").first).to_be_visible()
        page.get_by_role("button", name="Legend").click()
        expect(legend).to_be_visible()
        page.get_by_role("button", name="Legend").click()
        page.get_by_role("navigation").get_by_role("link", name="Rules").click()
        section = "Laying the card" if game == "limes" else "First part: move a pawn"
        expect(page.get_by_role("dialog").get_by_role("heading", name=section)).to_be_focused()
        expect(page.get_by_role("dialog").get_by_role("heading", name=section)).to_be_in_viewport()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        assert page.url.endswith(f"/m/{match}")
        expect(page.locator(".placed-card, [data-stage=target]").first).to_be_visible()


def test_the_rules_summarize_both_games_and_examples_can_be_played(address: str, browser: Browser) -> None:
    with open_page(browser, address) as page:
        page.get_by_role("navigation").get_by_role("link", name="Rules").click()
        for title in ("The rules of Limes", "The rules of Limit"):
            expect(page.get_by_role("heading", name=title)).to_be_visible()
        # The summary leaves out the variants.
        expect(page.get_by_text("corner to corner")).to_have_count(0)
        page.get_by_role("link", name="The rules of Limit").click()
        page.locator("#capture-by-move").get_by_role("link", name="Try it yourself").click()
        lesson_player = LessonPlayer(page, "mouse")
        lesson_player.play("limit", "c2-d3 xc6")
        expect(page.get_by_test_id("again")).to_be_focused()
        page.get_by_test_id("again").click()
        expect(page.locator("[data-stage=pawn]")).to_be_visible()
        page.get_by_role("link", name="Back to the rules").click()
        expect(page.get_by_role("heading", name="Capture by moving")).to_be_in_viewport()


def test_a_summary_of_the_rules_fits_on_two_screens_of_a_phone(address: str, browser: Browser) -> None:
    with open_page(browser, f"{address}/rules/limit", **PHONE) as page:
        page.get_by_role("radio", name="Summary only").check()
        for language in ("en", "de", "fr"):
            for game in ("limes", "limit"):
                page.evaluate(f"localStorage['limina.language'] = '{language}'")
                page.goto(f"{address}/rules/{game}")
                expect(page.locator(".short")).to_be_visible()
                assert page.evaluate("document.documentElement.scrollHeight") <= 2 * PHONE["height"], (language, game)
                assert page.evaluate(SMALL_TARGETS) == []


def test_axe_accepts_tutorials_side_panel_and_examples(address: str, browser: Browser) -> None:
    with open_page(browser, f"{address}/learn/limes") as page:
        lesson_player = LessonPlayer(page, "mouse")
        first = fetch_lessons(address, "limes")[0]
        lesson_player.play("limes", next(iter(first["wrong"])), ends=False)
        expect(page.get_by_test_id("coach")).not_to_be_empty()
        page.keyboard.press("l")
        page.get_by_role("complementary", name="Legend").get_by_role("listitem").first.wait_for()
        assert axe_violations(page, without_pictures=True) == []
        page.reload()
        page.get_by_role("navigation").get_by_role("link", name="Rules").click()
        page.get_by_role("dialog").locator("figure svg").first.wait_for()
        assert axe_violations(page, without_pictures=True) == []
        for path, ready in (
            ("/learn/limit", "[data-tile]"),
            ("/rules", "main svg"),
            ("/try/limit/reach", "[data-tile]"),
        ):
            page.goto(f"{address}{path}")
            page.locator(ready).first.wait_for()
            assert axe_violations(page, without_pictures=True) == []
