"""Reviews of finished games and hints in matches, in the browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from e2e.page_objects.helpers import axe_violations, fits_window, open_page
from e2e.page_objects.limes_board import LimesBoard
from e2e.test_replay import DROP_FILE, expect_moment
from limina.core import registry
from support.games.records import example_record, play_on, start_record
from support.server.clients import send_request
from support.server.matches import finished_match, new_match

TIMEOUT_MILLISECONDS = 120_000
"""Long enough for a review on a busy machine, where it runs at a low priority."""


def run_review(page: Page) -> None:
    """Start the review and wait for its end."""
    page.get_by_role("button", name="Review this game").click()
    expect(page.locator(".review .status")).to_have_attribute("data-phase", "done", timeout=TIMEOUT_MILLISECONDS)


def test_a_click_in_a_review_selects_the_turn(address: str, browser: Browser) -> None:
    match = finished_match(address)
    frames = send_request(address, f"/matches/{match}/replay")["frames"]
    steps = [frame["step"] for frame in frames if frame["step"] and frame["step"]["player"] is not None]
    with open_page(browser, f"{address}/replay/{match}") as page:
        run_review(page)
        turns = page.locator(".review li button")
        expect(turns).to_have_count(len(steps))
        turns.nth(2).click()
        expect_moment(page, 3)
        expect(turns.nth(2)).to_have_attribute("aria-current", "step")
        expect(page.locator(".review article")).to_contain_text("Chance of winning before")
        expect(page.locator(".review td").first).to_contain_text("%")
        assert axe_violations(page) == []


def test_board_graph_and_list_stay_visible_from_mistake_to_mistake(address: str, browser: Browser) -> None:
    # This game has mistakes.
    played = play_on(start_record(registry.game("limit"), ["Ada", "Ben"], Random(3), size=4), Random(4))
    with open_page(browser, f"{address}/replay", width=1280, height=720) as page:
        page.locator("input[type=file]").wait_for()
        page.evaluate(DROP_FILE, json.dumps(played.to_json()))
        run_review(page)
        page.locator(".review").scroll_into_view_if_needed()
        page.locator(".review h2").evaluate("heading => heading.scrollIntoView()")
        for part in (".shown .limit-board", ".review .overview svg", ".review ol"):
            expect(page.locator(part)).to_be_in_viewport(ratio=0.95)
        page.keyboard.press("Home")
        marks = page.locator(".review li:has(.mark[data-mark^='?']) .number").all_inner_texts()
        assert marks
        for number in dict.fromkeys(marks):
            page.get_by_role("button", name="Next mistake").click()
            expect_moment(page, int(number))
            expect(page.locator(".review ol [aria-current]").first).to_be_in_viewport()
        expect(page.get_by_role("button", name="Next mistake")).to_have_attribute("aria-disabled", "true")


@pytest.mark.parametrize(("language", "start_label"), [("de", "Spiel analysieren"), ("fr", "Analyser cette partie")])
def test_a_review_on_a_phone_is_in_the_language_of_the_page(
    address: str, browser: Browser, language: str, start_label: str
) -> None:
    record = send_request(address, f"/matches/{finished_match(address)}/record")
    with open_page(browser, f"{address}/replay", width=320, language=language) as page:
        page.locator("input[type=file]").wait_for()
        page.evaluate(DROP_FILE, json.dumps(record))
        page.get_by_role("button", name=start_label).click()
        expect(page.locator(".review .status")).to_have_attribute("data-phase", "done", timeout=TIMEOUT_MILLISECONDS)
        marked = page.locator(".review li button:has(.mark:not([data-mark='']))")
        for number in range(marked.count()):
            marked.nth(number).click()
            expect(page.locator(".review article")).not_to_contain_text("review.")
            for english in ("leaves", "captures", "freedom"):
                expect(page.locator(".review article")).not_to_contain_text(english)
        assert fits_window(page)
        assert axe_violations(page) == []


@pytest.mark.parametrize(("width", "lines"), [(1280, 2), (320, 2)])
def test_listed_turns_are_described_in_at_most_two_lines(
    address: str, browser: Browser, width: int, lines: int
) -> None:
    record = example_record("limes")
    with open_page(browser, f"{address}/replay", width=width) as page:
        page.locator("input[type=file]").wait_for()
        page.evaluate(DROP_FILE, json.dumps(record))
        run_review(page)
        expect(
            page.locator(".played").filter(has_text=re.compile("Card on .., .* to the neighboring")).first
        ).to_be_visible()
        assert not [text for text in page.locator(".played").all_inner_texts() if re.search(r"r\d|\+[ns]|>", text)]
        measured = page.locator(".played").evaluate_all(
            """all => all.map(turn => {
                const lineHeight = parseFloat(getComputedStyle(turn).lineHeight);
                const { height } = turn.getBoundingClientRect();
                return [turn.scrollWidth - turn.clientWidth, Math.round(height / lineHeight)];
            })"""
        )
        assert all(overflow <= 0 and line_count <= lines for overflow, line_count in measured), measured


def test_a_running_match_has_no_review(address: str, browser: Browser) -> None:
    match, _ = new_match(address, "limes", [{"kind": "person", "name": "Ada"}])
    with open_page(browser, f"{address}/replay/{match}") as page:
        expect(page.get_by_text("This game is not over yet.")).to_be_visible()
        expect(page.locator(".review")).to_have_count(0)


DESCRIPTION = {
    "limes": r"^Lay the card on .., .*, (and place a (farmer|fisherman|woodcutter|watchman) on its|without a worker)",
    "limit": r"^Move the pawn in the [\w-]+ \(\w+\) to \w+ and sink the (red|blue|yellow|black) tile \w+\.",
}


@pytest.mark.parametrize("game", ["limes", "limit"])
def test_a_hint_against_a_bot_is_shown_on_the_board_and_played(address: str, browser: Browser, game: str) -> None:
    seats = [{"kind": "person", "name": "Ada"}, {"kind": "bot", "bot": "random"}]
    match, keys = new_match(address, game, seats)
    with open_page(browser, f"{address}/m/{match}", keys={match: keys}) as page:
        page.get_by_text("Hint", exact=True).click()
        page.get_by_role("button", name="What would a strong bot play?").click()
        expect(page.get_by_test_id("hint")).to_be_visible(timeout=TIMEOUT_MILLISECONDS)
        hint = page.get_by_test_id("hint").inner_text()
        page.get_by_text("Notation").click()
        notation = page.locator("details.hint code").inner_text()
        page.get_by_role("button", name="Show it on the board").click()
        page.get_by_role("button", name=re.compile("^End")).first.click()
        expect(page.get_by_test_id("hint")).to_have_count(0)
        played = [step["text"] for step in send_request(address, f"/matches/{match}")["steps"] if step["player"] == 0]
        assert len(played) == 1
        assert played[0] == notation
        assert played[0] not in hint
        assert re.search(DESCRIPTION[game], hint), hint


def test_a_match_against_people_has_no_hints(address: str, browser: Browser) -> None:
    people = [{"kind": "person", "name": name} for name in ("Ada", "Ben")]
    match, keys = new_match(address, "limit", people)
    with open_page(browser, f"{address}/m/{match}", keys={match: {"0": keys["0"]}}) as page:
        page.locator(".match").wait_for()
        expect(page.get_by_text("Hint", exact=True)).to_have_count(0)


GAMES_WITH_MISTAKES = {game: example_record(game) for game in ("limes", "limit")}
UNREVIEWED_TURNS = {"limes": "e2r0", "limit": "h3-g4 xg1"}
"""Turns at the first mistakes of these games that the review does not list."""


def play_turn(page: Page, game: str, turn: str) -> None:
    """Play a turn on the board, after undoing the draft."""
    undo = page.locator("[data-testid=undo], .actions button[aria-keyshortcuts=U]").first
    while undo.get_attribute("aria-disabled") == "false":
        undo.click()
    if game == "limit":
        for spot in re.findall(r"[a-z]\d+", turn):
            page.locator(f"[data-tile={spot}]:not([aria-disabled])").click()
        page.get_by_role("button", name="End turn").click()
        return
    placement, action = (*turn.split(" "), "")[:2]
    page.locator(f"[data-cell={placement[:2]}]").click()
    for _ in range(int(placement[3])):
        page.locator(".placed-card .right").click()
    page.get_by_test_id("main").click()
    board = LimesBoard(page)
    if not action:
        board.end_without_worker()
        return
    if ">" in action:
        page.locator(f"[data-worker='{action.split('>')[0]}']").first.click()
    page.locator(f"[data-action='{action}']").click(position={"x": 5, "y": 5})
    board.main.click()


@contextmanager
def at_first_mistake(browser: Browser, address: str, game: str, width: int, height: int) -> Iterator[Page]:
    """Open the review of a record at its first mistake."""
    with open_page(browser, f"{address}/replay", width=width, height=height) as page:
        page.locator("input[type=file]").wait_for()
        page.evaluate(DROP_FILE, json.dumps(GAMES_WITH_MISTAKES[game]))
        run_review(page)
        page.keyboard.press("Home")
        page.get_by_role("button", name="Next mistake").click()
        page.locator(".review article").first.wait_for()
        yield page


def turn_notations(article: Locator) -> tuple[str, str]:
    """Return the notations of the played turn and of the best turn."""
    article.get_by_text("Notation").click()
    played, best = article.locator("code").all_inner_texts()
    return played, best


@pytest.mark.parametrize("game", ["limes", "limit"])
def test_the_played_and_the_better_turn_are_shown_on_the_board(address: str, browser: Browser, game: str) -> None:
    with at_first_mistake(browser, address, game, 1280, 720) as page:
        article = page.locator(".review article").first
        played, best = turn_notations(article)
        article.get_by_role("button", name="Show both on the board").click()
        for kind in ("played", "better"):
            expect(page.locator(f".shown [data-compared={kind}]")).to_be_visible()
        for turn in (played, best):
            expect(article.locator("ul")).not_to_contain_text(turn)
        expect(article.locator("ul")).to_contain_text("he better turn")
        assert axe_violations(page, without_pictures=True) == []


@pytest.mark.parametrize("game", ["limes", "limit"])
def test_a_player_can_try_to_find_the_better_turn(address: str, browser: Browser, game: str) -> None:
    with at_first_mistake(browser, address, game, 1280, 900) as page:
        article, verdict = page.locator(".review article").first, page.locator(".retry .verdict")
        played, best = turn_notations(article)
        page.get_by_role("button", name="Try it yourself").click()
        expect(article).not_to_contain_text("Better")
        for turn, message in ((played, "That is the turn that was played."), (best, "Yes!")):
            play_turn(page, game, turn)
            expect(verdict).to_contain_text(message)
        expect(article).not_to_contain_text("Better")
        play_turn(page, game, UNREVIEWED_TURNS[game])
        expect(verdict).to_have_text(re.compile("costs|gives away|Just as good"), timeout=TIMEOUT_MILLISECONDS)
        page.get_by_role("button", name="Show the answer").click()
        expect(article).to_contain_text("Better")
        expect(page.locator(".shown [data-compared=better]")).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(390, 844), (320, 640)])
@pytest.mark.parametrize("game", ["limes", "limit"])
def test_a_phone_keeps_the_board_above_the_review(
    address: str, browser: Browser, game: str, width: int, height: int
) -> None:
    with at_first_mistake(browser, address, game, width, height) as page:
        page.get_by_role("button", name="Show both on the board").first.click()
        notation = page.locator(".review article summary").first
        notation.evaluate("summary => summary.scrollIntoView({ block: 'nearest' })")
        expect(page.locator(".shown svg").first).to_be_in_viewport(ratio=0.9)
        shown = page.locator(".shown").bounding_box()
        assert shown is not None
        assert shown["height"] <= 0.66 * height
        notation.click()  # nothing covers it
        assert fits_window(page)
