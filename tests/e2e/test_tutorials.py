"""Both games are learned by doing, in every language and every way; legend and rules come to the table."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from e2e.page_objects.helpers import fits, opened, violations
from e2e.page_objects.tutorial import Hand, lessons, words
from support.server.clients import send_request
from support.server.matches import new_match

ME = {"kind": "person", "name": "Ada"}
PHONE: dict[str, Any] = {"width": 390, "height": 844, "has_touch": True}
WAYS = [
    ("limes", "en", "mouse", {}),
    ("limes", "de", "keys", {"width": 1280, "height": 720}),
    ("limes", "fr", "touch", PHONE),
    ("limit", "de", "mouse", {"width": 1280, "height": 720}),
    ("limit", "fr", "keys", {}),
    ("limit", "en", "touch", PHONE),
]
SMALL = """() => [...document.querySelectorAll("a, button, summary, select, input, label:has(input)")]
    .filter(each => !each.closest("[inert], .unseen, .skip"))
    .filter(each => !each.matches("label input, [data-worker], [data-offer]"))
    .map(each => [each, each.getBoundingClientRect()])
    .filter(([each, { width, height }]) => width && height && (width < 43.5 || height < 43.5))
    .map(([each, { width, height }]) => `${each.outerHTML.slice(0, 90)}: ${width} x ${height}`)"""


def coach(page: Page) -> str:
    return page.get_by_test_id("coach").inner_text().strip()


def sentence(text: str, values: dict[str, Any]) -> re.Pattern[str]:
    """A sentence of the coach, whatever word its numbers make of it."""
    parts = re.split(r"\{(\w+)(\|[^}]*)?\}", text)
    written = ""
    for fixed, name, plural in zip(parts[::3], [*parts[1::3], None], [*parts[2::3], None], strict=True):
        written += re.escape(fixed)
        if name is not None:
            known = str(values.get(name, ""))
            written += ".+?" if plural or known.startswith(":") else re.escape(known)
    return re.compile(f"^{written}$")


@pytest.mark.parametrize(("game", "language", "way", "window"), WAYS)
def test_a_game_is_learned_from_the_first_step_to_a_game_of_ones_own(
    address: str, browser: Browser, game: str, language: str, way: str, window: dict[str, Any]
) -> None:
    said = words(game, language)
    with opened(browser, f"{address}/learn/{game}", language=language, **window) as page:
        hand = Hand(page, way)
        for lesson in lessons(address, game):
            text = said["lessons"][lesson["id"]]
            expect(page.get_by_role("heading", level=1)).to_have_text(text["title"])
            expect(page.locator(".task")).to_contain_text(text["task"])
            if way == "touch":
                assert fits(page)
                assert page.evaluate(SMALL) == []
            if way == "mouse":
                try_something_wrong(page, hand, game, lesson, said)
            hand.play(game, lesson["good"][-1], ends=not lesson["accepts_partial"])
            expect(page.get_by_test_id("coach")).to_contain_text(text["done"])
            # Whoever uses keys goes on with the one that is under the finger.
            expect(page.get_by_test_id("next")).to_be_focused()
            if way == "keys":
                page.keyboard.press("Enter")
            else:
                page.get_by_test_id("next").click()
        expect(page.get_by_role("heading", level=1)).to_have_text(said["finale"]["title"])
        if game == "limes":
            five_rounds(page, hand)
            assert page.evaluate("localStorage['limina.learn.limes']") == "done"
        page.get_by_test_id("whole").click()
        page.wait_for_url(re.compile("/m/"))
        state = send_request(address, f"/matches/{page.url.rsplit('/', 1)[1]}")
        assert state["game"] == game
        if game == "limit":
            assert state["options"]["size"] == 4
            assert [seat["bot"] for seat in state["seats"] if seat["kind"] == "bot"] == ["novice"]


def try_something_wrong(page: Page, hand: Hand, game: str, lesson: dict[str, Any], said: dict[str, Any]) -> None:
    """It is taken back, and the reason comes from the rules."""
    wrong = {turn: why for turn, why in lesson["wrong"].items() if " " in turn or lesson["accepts_partial"]}
    for turn, why in list((lesson["wrong_prefixes"] or wrong).items())[:1]:
        hand.play(game, turn, ends=False)
        expect(page.get_by_test_id("coach")).to_have_text(sentence(said["why"][why["key"]], why["values"]))
        hand.press(*["u"] * 5)
    refused = [(tile, why) for tile, why in lesson["refused"].items() if len(tile) == 2]
    for tile, why in refused[:1]:
        page.locator(f"[data-spot={tile}]").click(force=True)
        expect(page.get_by_test_id("coach")).to_have_text(sentence(said["why"][why["key"]], why["values"]))


def five_rounds(page: Page, hand: Hand) -> None:
    for number in range(1, 6):
        expect(page.locator(".round")).to_have_text(re.compile(rf"\b{number}\b.*\b5$"))
        hand.table.cells.last.click()
        hand.table.confirm.click()
        hand.table.offers.first.click(position={"x": 5, "y": 5})
        hand.table.main.click()
        expect(page.get_by_test_id("coach")).to_contain_text(re.compile(r"\d"))
    expect(page.get_by_test_id("whole")).to_be_focused()
    # Nobody is waited for.
    expect(hand.table.main).to_have_count(0)
    expect(page.locator("p.hint")).to_be_empty()


def test_the_tutorial_goes_on_where_it_was_left_and_steps_can_be_skipped(address: str, browser: Browser) -> None:
    titles = [each["title"] for each in words("limit", "en")["lessons"].values()]
    with opened(browser, f"{address}/learn/limit") as page:
        for title in titles[:3]:
            expect(page.get_by_role("heading", level=1)).to_have_text(title)
            page.get_by_role("button", name="Skip this step").click()
        page.reload()
        expect(page.get_by_role("heading", level=1)).to_have_text(titles[3])
        page.get_by_role("button", name="Previous step").click()
        expect(page.get_by_role("heading", level=1)).to_have_text(titles[2])
        page.get_by_role("combobox").first.select_option("fr")
        expect(page.get_by_role("heading", level=1)).to_have_text("Capturer en déplaçant")


def test_it_is_offered_at_the_first_table_of_a_game_and_once_only(address: str, browser: Browser) -> None:
    match, keys = new_match(address, "limes", [ME])
    with opened(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        page.get_by_test_id("offer").get_by_role("link", name="Learn Limes").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Lay and turn a card")
        page.get_by_role("link", name="Back to your game").click()
        expect(page.locator("[data-cell]").first).to_be_visible()
        expect(page.get_by_test_id("offer")).to_have_count(0)
    with opened(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        page.get_by_test_id("offer").get_by_role("button", name="No thanks").click()
        page.reload()
        expect(page.locator("[data-cell]").first).to_be_visible()
        expect(page.get_by_test_id("offer")).to_have_count(0)


def test_whoever_is_invited_can_learn_first(address: str, browser: Browser) -> None:
    match, _ = new_match(address, "limit", [ME, {"kind": "open"}])
    with opened(browser, f"{address}/m/{match}") as page:
        page.get_by_role("link", name="Learn Limit").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Move a pawn")
        page.get_by_role("link", name="Back to your game").click()
        expect(page.get_by_test_id("join")).to_be_visible()


@pytest.mark.parametrize("game", ["limes", "limit"])
def test_legend_and_rules_come_to_the_table(address: str, browser: Browser, game: str) -> None:
    match, keys = new_match(address, game, [ME, {"kind": "person", "name": "Ben"}])
    with opened(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        first = page.locator("[data-cell], [data-spot]:not([aria-disabled])").first
        first.click()
        legend = page.get_by_role("complementary", name="Legend")
        page.keyboard.press("l")
        expect(legend.get_by_role("listitem")).to_have_count(4 if game == "limes" else 3)
        page.keyboard.press("Escape")
        expect(legend).to_have_count(0)
        # Escape closed the legend and took nothing back.
        expect(page.locator(".laid, [data-stage=target]").first).to_be_visible()
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
        expect(page.locator(".laid, [data-stage=target]").first).to_be_visible()


def test_rules_alone_show_both_games_and_an_example_is_played_with(address: str, browser: Browser) -> None:
    with opened(browser, address) as page:
        page.get_by_role("navigation").get_by_role("link", name="Rules").click()
        for title in ("The rules of Limes", "The rules of Limit"):
            expect(page.get_by_role("heading", name=title)).to_be_visible()
        # In short there are only the rules that always hold.
        expect(page.get_by_text("corner to corner")).to_have_count(0)
        page.get_by_role("link", name="The rules of Limit").click()
        page.locator("#capture-by-move").get_by_role("link", name="Try it yourself").click()
        hand = Hand(page, "mouse")
        hand.play("limit", "c2-d3 xc6")
        expect(page.get_by_test_id("again")).to_be_focused()
        page.get_by_test_id("again").click()
        expect(page.locator("[data-stage=pawn]")).to_be_visible()
        page.get_by_role("link", name="Back to the rules").click()
        expect(page.get_by_role("heading", name="Capture by moving")).to_be_in_viewport()


def test_a_summary_of_the_rules_fits_on_two_screens_of_a_phone(address: str, browser: Browser) -> None:
    with opened(browser, f"{address}/rules/limit", **PHONE) as page:
        page.get_by_role("radio", name="Summary only").check()
        for language in ("en", "de", "fr"):
            for game in ("limes", "limit"):
                page.evaluate(f"localStorage['limina.language'] = '{language}'")
                page.goto(f"{address}/rules/{game}")
                expect(page.locator(".short")).to_be_visible()
                assert page.evaluate("document.documentElement.scrollHeight") <= 2 * PHONE["height"], (language, game)
                assert page.evaluate(SMALL) == []


def test_axe_finds_nothing_wrong(address: str, browser: Browser) -> None:
    with opened(browser, f"{address}/learn/limes") as page:
        hand = Hand(page, "mouse")
        first = lessons(address, "limes")[0]
        hand.play("limes", next(iter(first["wrong"])), ends=False)
        expect(page.get_by_test_id("coach")).not_to_be_empty()
        page.keyboard.press("l")
        page.get_by_role("complementary", name="Legend").get_by_role("listitem").first.wait_for()
        assert violations(page, bare=True) == []
        page.reload()
        page.get_by_role("navigation").get_by_role("link", name="Rules").click()
        page.get_by_role("dialog").locator("figure svg").first.wait_for()
        assert violations(page, bare=True) == []
        for path, ready in (
            ("/learn/limit", "[data-spot]"),
            ("/rules", "main svg"),
            ("/try/limit/reach", "[data-spot]"),
        ):
            page.goto(f"{address}{path}")
            page.locator(ready).first.wait_for()
            assert violations(page, bare=True) == []
