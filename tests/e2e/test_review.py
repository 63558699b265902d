"""The review of a finished game and hints at the table, in a real browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from e2e.page_objects.helpers import fits, opened, violations
from e2e.page_objects.limes_board import LimesTable
from e2e.test_replay import DROP, is_at
from limina.core import registry
from support.games.records import example_record, play_on, start_record
from support.server.clients import send_request
from support.server.matches import finished_match, new_match

PATIENCE = 120_000
"""A review thinks; on a busy machine it lets everything else go first."""


def review(page: Page) -> None:
    page.get_by_role("button", name="Review this game").click()
    expect(page.locator(".review .status")).to_have_attribute("data-phase", "done", timeout=PATIENCE)


def test_a_finished_match_is_reviewed_and_a_click_goes_to_the_turn(address: str, browser: Browser) -> None:
    match = finished_match(address)
    frames = send_request(address, f"/matches/{match}/replay")["frames"]
    steps = [frame["step"] for frame in frames if frame["step"] and frame["step"]["player"] is not None]
    with opened(browser, f"{address}/replay/{match}") as page:
        review(page)
        turns = page.locator(".review li button")
        expect(turns).to_have_count(len(steps))
        turns.nth(2).click()
        is_at(page, 3)
        expect(turns.nth(2)).to_have_attribute("aria-current", "step")
        expect(page.locator(".review article")).to_contain_text("Chance to win before")
        expect(page.locator(".review td").first).to_contain_text("%")
        assert violations(page) == []


def test_board_graph_and_list_are_in_view_together_and_one_steps_from_mistake_to_mistake(
    address: str, browser: Browser
) -> None:
    # Not any game: there are some without a mistake.
    played = play_on(start_record(registry.game("limit"), ["Ada", "Ben"], Random(3), size=4), Random(4))
    with opened(browser, f"{address}/replay", width=1280, height=720) as page:
        page.locator("input[type=file]").wait_for()
        page.evaluate(DROP, json.dumps(played.to_json()))
        review(page)
        page.locator(".review").scroll_into_view_if_needed()
        page.locator(".review h2").evaluate("each => each.scrollIntoView()")
        for part in (".shown .limit-board", ".review .whole svg", ".review ol"):
            expect(page.locator(part)).to_be_in_viewport(ratio=0.95)
        page.keyboard.press("Home")
        marks = page.locator(".review li:has(.mark[data-mark^='?']) .number").all_inner_texts()
        assert marks
        for number in dict.fromkeys(marks):
            page.get_by_role("button", name="Next mistake").click()
            is_at(page, int(number))
            expect(page.locator(".review ol [aria-current]").first).to_be_in_viewport()
        expect(page.get_by_role("button", name="Next mistake")).to_have_attribute("aria-disabled", "true")


@pytest.mark.parametrize(("language", "begin"), [("de", "Partie analysieren"), ("fr", "Analyser cette partie")])
def test_a_dropped_record_is_reviewed_in_the_pages_language_on_a_phone(
    address: str, browser: Browser, language: str, begin: str
) -> None:
    record = send_request(address, f"/matches/{finished_match(address)}/record")
    with opened(browser, f"{address}/replay", width=320, language=language) as page:
        page.locator("input[type=file]").wait_for()
        page.evaluate(DROP, json.dumps(record))
        page.get_by_role("button", name=begin).click()
        expect(page.locator(".review .status")).to_have_attribute("data-phase", "done", timeout=PATIENCE)
        marked = page.locator(".review li button:has(.mark:not([data-mark='']))")
        for number in range(marked.count()):
            marked.nth(number).click()
            expect(page.locator(".review article")).not_to_contain_text("review.")
            for english in ("leaves", "captures", "freedom"):
                expect(page.locator(".review article")).not_to_contain_text(english)
        assert fits(page)
        assert violations(page) == []


@pytest.mark.parametrize(("width", "lines"), [(1280, 2), (320, 2)])
def test_turns_are_listed_in_words_that_do_not_break(address: str, browser: Browser, width: int, lines: int) -> None:
    record = example_record("limes")
    with opened(browser, f"{address}/replay", width=width) as page:
        page.locator("input[type=file]").wait_for()
        page.evaluate(DROP, json.dumps(record))
        review(page)
        expect(
            page.locator(".played").filter(has_text=re.compile("Card on .., .* to the neighboring")).first
        ).to_be_visible()
        assert not [each for each in page.locator(".played").all_inner_texts() if re.search(r"r\d|\+[ns]|>", each)]
        measured = page.locator(".played").evaluate_all(
            """all => all.map(each => {
                const high = parseFloat(getComputedStyle(each).lineHeight);
                return [each.scrollWidth - each.clientWidth, Math.round(each.getBoundingClientRect().height / high)];
            })"""
        )
        assert all(beyond <= 0 and high <= lines for beyond, high in measured), measured


def test_a_running_game_offers_no_review(address: str, browser: Browser) -> None:
    match, _ = new_match(address, "limes", [{"kind": "person", "name": "Ada"}])
    with opened(browser, f"{address}/replay/{match}") as page:
        expect(page.get_by_text("This game is not over yet.")).to_be_visible()
        expect(page.locator(".review")).to_have_count(0)


IN_WORDS = {
    "limes": r"^Lay the card on .., .*, and (place a (farmer|fisherman|woodcutter|watchman) in its|no worker)",
    "limit": r"^Move the pawn in the [\w-]+ \(\w+\) to \w+ and sink the (red|blue|yellow|black) tile \w+\.",
}


@pytest.mark.parametrize("game", ["limes", "limit"])
def test_a_hint_against_a_bot_can_be_laid_on_the_board_and_played(address: str, browser: Browser, game: str) -> None:
    seats = [{"kind": "person", "name": "Ada"}, {"kind": "bot", "bot": "random"}]
    match, keys = new_match(address, game, seats)
    with opened(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        page.get_by_text("Hint", exact=True).click()
        page.get_by_role("button", name="What would a strong bot play?").click()
        expect(page.get_by_test_id("hint")).to_be_visible(timeout=PATIENCE)
        said = page.get_by_test_id("hint").inner_text()
        page.get_by_text("Notation").click()
        written = page.locator("details.hint code").inner_text()
        page.get_by_role("button", name="Show it on the board").click()
        page.get_by_role("button", name=re.compile("^End")).first.click()
        expect(page.get_by_test_id("hint")).to_have_count(0)
        played = [step["text"] for step in send_request(address, f"/matches/{match}")["steps"] if step["player"] == 0]
        assert len(played) == 1
        assert played[0] == written
        assert played[0] not in said
        assert re.search(IN_WORDS[game], said), said


def test_no_hint_against_people(address: str, browser: Browser) -> None:
    people = [{"kind": "person", "name": name} for name in ("Ada", "Ben")]
    match, keys = new_match(address, "limit", people)
    with opened(browser, f"{address}/m/{match}", keys={match: {"0": keys["0"]}}) as page:
        page.locator(".match").wait_for()
        expect(page.get_by_text("Hint", exact=True)).to_have_count(0)


LOST = {game: example_record(game) for game in ("limes", "limit")}
"""Whole games in which something was given away."""
UNKNOWN = {"limes": "e2r0", "limit": "h3-g4 xg1"}
"""Turns at the first mistakes of these that a review does not think of."""


def make(page: Page, game: str, turn: str) -> None:
    """Play a turn at the table, in place of whatever was played before."""
    undo = page.locator("[data-testid=undo], .actions button[aria-keyshortcuts=U]").first
    while undo.get_attribute("aria-disabled") == "false":
        undo.click()
    if game == "limit":
        for spot in re.findall(r"[a-z]\d+", turn):
            page.locator(f"[data-spot={spot}]:not([aria-disabled])").click()
        page.get_by_role("button", name="End turn").click()
        return
    laid, action = (*turn.split(" "), "")[:2]
    page.locator(f"[data-cell={laid[:2]}]").click()
    for _ in range(int(laid[3])):
        page.locator(".laid .right").click()
    page.get_by_test_id("main").click()
    table = LimesTable(page)
    if not action:
        table.end_without_worker()
        return
    if ">" in action:
        page.locator(f"[data-worker='{action.split('>')[0]}']").first.click()
    page.locator(f"[data-offer='{action}']").click(position={"x": 5, "y": 5})
    table.main.click()


@contextmanager
def at_first_mistake(browser: Browser, address: str, game: str, width: int, height: int) -> Iterator[Page]:
    """The review of a dropped record, at the first turn that gave something away."""
    with opened(browser, f"{address}/replay", width=width, height=height) as page:
        page.locator("input[type=file]").wait_for()
        page.evaluate(DROP, json.dumps(LOST[game]))
        review(page)
        page.keyboard.press("Home")
        page.get_by_role("button", name="Next mistake").click()
        page.locator(".review article").first.wait_for()
        yield page


def written(article: Locator) -> tuple[str, str]:
    """The turn played and the better one, as they are written for whoever asks."""
    article.get_by_text("Notation").click()
    played, best = article.locator("code").all_inner_texts()
    return played, best


@pytest.mark.parametrize("game", ["limes", "limit"])
def test_the_turn_played_and_the_better_one_are_both_shown_on_the_board_and_no_notation_is_read(
    address: str, browser: Browser, game: str
) -> None:
    with at_first_mistake(browser, address, game, 1280, 720) as page:
        article = page.locator(".review article").first
        played, best = written(article)
        article.get_by_role("button", name="Show both on the board").click()
        for each in ("played", "better"):
            expect(page.locator(f".shown [data-compared={each}]")).to_be_visible()
        for turn in (played, best):
            expect(article.locator("ul")).not_to_contain_text(turn)
        expect(article.locator("ul")).to_contain_text("he better turn")
        assert violations(page, bare=True) == []


@pytest.mark.parametrize("game", ["limes", "limit"])
def test_the_better_turn_is_looked_for_on_the_board_before_it_is_told(
    address: str, browser: Browser, game: str
) -> None:
    with at_first_mistake(browser, address, game, 1280, 900) as page:
        article, verdict = page.locator(".review article").first, page.locator(".try .verdict")
        played, best = written(article)
        page.get_by_role("button", name="Try it yourself").click()
        expect(article).not_to_contain_text("Better")
        for turn, said in ((played, "That is the turn that was played."), (best, "Yes!")):
            make(page, game, turn)
            expect(verdict).to_contain_text(said)
        expect(article).not_to_contain_text("Better")
        make(page, game, UNKNOWN[game])
        expect(verdict).to_have_text(re.compile("costs|Just as good"), timeout=PATIENCE)
        page.get_by_role("button", name="Show the answer").click()
        expect(article).to_contain_text("Better")
        expect(page.locator(".shown [data-compared=better]")).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(390, 844), (320, 640)])
@pytest.mark.parametrize("game", ["limes", "limit"])
def test_on_a_phone_the_board_stays_on_top_of_what_is_read(
    address: str, browser: Browser, game: str, width: int, height: int
) -> None:
    with at_first_mistake(browser, address, game, width, height) as page:
        page.get_by_role("button", name="Show both on the board").first.click()
        notation = page.locator(".review article summary").first
        notation.evaluate("each => each.scrollIntoView({ block: 'nearest' })")
        expect(page.locator(".shown svg").first).to_be_in_viewport(ratio=0.9)
        shown = page.locator(".shown").bounding_box()
        assert shown is not None
        assert shown["height"] <= 0.66 * height
        notation.click()  # nothing lies over it
        assert fits(page)
