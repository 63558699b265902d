"""Take screenshots of every page in every window size and theme: `make screenshots`.

They are written to build/screenshots, named by scene, window and theme. A selection is also written to
docs/img/screenshots, with the page docs/screenshots.md.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page

from support.chromium import chromium
from support.server.matches import new_match, play_until
from support.server.server_process import server_address

ROOT = Path(__file__).parents[2]
ALL_FOLDER = ROOT / "build" / "screenshots"
DOCS_FOLDER = ROOT / "docs" / "img" / "screenshots"
WINDOWS = ((1440, 900), (1280, 720), (768, 1024), (390, 844), (320, 640))
THEMES = ("light", "dark")
#: Captions of the screenshots in the documentation, by file name.
DOCS_CAPTIONS = {
    "start-1440-light": "The start page",
    "start-390-dark": "The start page on a phone (dark theme)",
    "limes-card-1280-light": "Limes: place the card",
    "limes-worker-1280-light": "Limes: choose a zone for a worker",
    "limes-move-1280-dark": "Limes: move a worker (dark theme)",
    "limes-worker-390-light": "Limes on a phone",
    "limes-over-1280-light": "Limes: the final scoring",
    "limes-over-390-dark": "Limes: result and rematch on a phone",
    "limit-pawn-1280-light": "Limit: where a pawn can go",
    "limit-table-390-dark": "Limit on a phone (dark theme)",
    "limit-replay-1280-light": "Limit: a replay with the last turn marked",
    "limes-replay-1280-dark": "Limes: a replay of two players",
}
REVIEW_TIMEOUT_MILLISECONDS = 180_000
"""A review of a whole game takes minutes on a slow machine."""
PageAction = Callable[[Page], None]


def place_card(page: Page) -> None:
    """Place the card."""
    page.locator("[data-cell]").nth(1).click()


def confirm_placement(page: Page) -> None:
    """Confirm the place of the card."""
    page.get_by_test_id("main").click()


def select_worker(page: Page) -> None:
    """Select a worker."""
    page.get_by_test_id("next-worker").click()


def select_pawn(page: Page) -> None:
    """Select a pawn."""
    page.locator("[data-tile]:not([aria-disabled])").nth(2).click()


def show_hint(page: Page) -> None:
    """Ask for a hint and wait for it."""
    page.get_by_text("Hint", exact=True).click()
    page.get_by_role("button", name="What would a strong bot play?").click()
    page.get_by_test_id("hint").wait_for()


def show_review(page: Page) -> None:
    """Review the game and go to the first mistake."""
    page.get_by_role("button", name="Review this game").click()
    page.locator(".review .status[data-phase=done]").wait_for(timeout=REVIEW_TIMEOUT_MILLISECONDS)
    page.keyboard.press("Home")
    page.get_by_role("button", name="Next mistake").click()
    page.locator(".review article h4").first.evaluate("element => element.scrollIntoView({ block: 'center' })")


def show_comparison(page: Page) -> None:
    """Show the played turn and the better one on the board."""
    page.get_by_role("button", name="Show both on the board").first.click()
    page.locator("[data-compared=better] svg, g[data-compared=better]").first.wait_for()


def start_retry(page: Page) -> None:
    """Start to look for the better turn."""
    page.get_by_role("button", name="Try it yourself").click()
    page.locator(".retry svg").first.wait_for()


def open_rules(page: Page) -> None:
    """Open the rules as a dialog over the match."""
    if page.locator("header summary").is_visible():
        page.locator("header summary").click()
    page.locator("header nav a[aria-haspopup=dialog]").click()
    page.locator("dialog figure svg").first.wait_for()


def open_legend(page: Page) -> None:
    """Open the legend."""
    page.locator("header button.legend").click()
    page.locator("#legend li").first.wait_for()


class ScreenshotSession:
    """The address of a server and the ids of the matches that the scenes show."""

    def __init__(self, address: str) -> None:
        self.address = address
        people = [{"kind": "person", "name": name} for name in ("Ada", "Ben")]
        self.seat_tokens: dict[str, dict[str, str]] = {}
        self.limes = self.create_match("limes", people, lambda state: bool(state["view"]["round"] >= 9))
        self.limit = self.create_match("limit", people, lambda state: len(state["steps"]) >= 7)
        self.finished_limes = self.create_match("limes", people, lambda state: False)
        self.finished_limit = self.create_match("limit", people, lambda state: False)
        bots = [{"kind": "bot", "bot": "casual"} for _ in range(4)]
        self.five_player_limes, self.seat_tokens[self.five_player_limes] = new_match(
            address, "limes", [people[0], *bots]
        )
        self.limit_against_bot, self.seat_tokens[self.limit_against_bot] = new_match(
            address, "limit", [people[0], bots[0]]
        )
        self.limes_with_open_seat, self.seat_tokens[self.limes_with_open_seat] = new_match(
            address, "limes", [people[0], {"kind": "open"}]
        )
        self.limit_with_open_seat, _ = new_match(address, "limit", [people[0], {"kind": "open"}])

    def create_match(self, game: str, seats: list[dict[str, str]], reached: Callable[[dict], bool]) -> str:
        """Create a match, play random turns until `reached`, and return its id."""
        match_id, seat_tokens = new_match(self.address, game, list(seats))
        play_until(self.address, match_id, seat_tokens, reached)
        self.seat_tokens[match_id] = {"0": seat_tokens["0"]}
        return match_id

    def scenes(self) -> Iterator[tuple[str, str, str, tuple[PageAction, ...]]]:
        """Yield name and path of each scene, a selector that the page shows when it is ready, and the actions."""
        yield "start", "/", ".picture svg >> nth=1", ()
        yield "games", "/games", "main li", ()
        yield "open", "/replay", "input[type=file]", ()
        yield "missing", "/nowhere", "main h1", ()
        yield "waiting", f"/m/{self.limes_with_open_seat}", "main select", ()
        yield "invited", f"/m/{self.limit_with_open_seat}", "main form", ()
        yield "learn-limes", "/learn/limes", "main svg", ()
        yield "learn-limit", "/learn/limit", "main svg", ()
        yield "try-limes", "/try/limes/woodcutter-5", "main svg", ()
        yield "limes-table", f"/m/{self.limes}", "[data-cell]", ()
        yield "limes-card", f"/m/{self.limes}", "[data-cell]", (place_card,)
        yield "limes-worker", f"/m/{self.limes}", "[data-cell]", (place_card, confirm_placement)
        yield "limes-move", f"/m/{self.limes}", "[data-cell]", (place_card, confirm_placement, select_worker)
        yield "limes-over", f"/m/{self.finished_limes}", "[data-testid=end]", ()
        yield "limes-replay", f"/replay/{self.finished_limes}", ".replay svg", ()
        yield "limes-many", f"/m/{self.five_player_limes}", "[data-cell]", ()
        yield "limes-legend", f"/m/{self.limes}", "[data-cell]", (open_legend,)
        yield "limes-rules", f"/m/{self.limes}", "[data-cell]", (open_rules,)
        yield "limes-hint", f"/m/{self.five_player_limes}", "[data-cell]", (show_hint,)
        yield "limes-review", f"/replay/{self.finished_limes}", ".replay svg", (show_review, show_comparison)
        yield "limes-look-for", f"/replay/{self.finished_limes}", ".replay svg", (show_review, start_retry)
        yield "limit-hint", f"/m/{self.limit_against_bot}", "[data-stage=pawn]", (show_hint,)
        yield "limit-review", f"/replay/{self.finished_limit}", ".replay svg", (show_review, show_comparison)
        yield "limit-look-for", f"/replay/{self.finished_limit}", ".replay svg", (show_review, start_retry)
        yield "limit-table", f"/m/{self.limit}", "[data-stage=pawn], [data-stage=watch]", ()
        yield "limit-pawn", f"/m/{self.limit}", "[data-stage=pawn], [data-stage=watch]", (select_pawn,)
        yield "limit-over", f"/m/{self.finished_limit}", "[data-phase=over]", ()
        yield "limit-replay", f"/replay/{self.finished_limit}#9", ".replay svg", ()
        yield "limit-legend", f"/m/{self.limit}", "[data-stage=pawn], [data-stage=watch]", (open_legend,)
        yield "rules", "/rules", "main h1", ()
        yield "rules-limes", "/rules/limes", "main h1", ()
        yield "rules-limit", "/rules/limit", "main h1", ()


@contextmanager
def open_page(browser: Browser, session: ScreenshotSession, width: int, height: int, theme: str) -> Iterator[Page]:
    """Open a page of this size that has the seat tokens of all matches."""
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if theme == "dark" else "light",
        locale="en",
        reduced_motion="reduce",
        has_touch=width < 720,
        is_mobile=width < 720,
    )
    context.add_init_script(f"localStorage['limina.keys'] = {json.dumps(json.dumps(session.seat_tokens))}")
    yield context.new_page()
    context.close()


def take_screenshots(page: Page, session: ScreenshotSession, window: str, scene_names: tuple[str, ...]) -> None:
    """Take the screenshots of all scenes, or of the named ones, in one window."""
    for name, path, ready, actions in session.scenes():
        if scene_names and name not in scene_names:
            continue
        page.goto("about:blank")
        page.goto(session.address + path)
        page.evaluate("sessionStorage.clear()")
        page.reload()
        page.locator(ready).first.wait_for()
        for action in actions:
            action(page)
        page.wait_for_load_state("networkidle")
        page.evaluate("() => document.fonts.ready")
        title = f"{name}-{window}"
        page.screenshot(path=ALL_FOLDER / f"{title}.jpg", type="jpeg", quality=72)
        if title in DOCS_CAPTIONS:
            page.screenshot(path=DOCS_FOLDER / f"{title}.jpg", type="jpeg", quality=58)


def docs_page() -> str:
    """Return the text of docs/screenshots.md."""
    sections = [
        f"## {caption}\n\n![{caption}](img/screenshots/{name}.jpg)\n" for name, caption in DOCS_CAPTIONS.items()
    ]
    head = (
        "# Screenshots of the page\n\n"
        "For people who want to see the page before they start it: `make play` serves it at http://127.0.0.1:8000. "
        "The games were\nplayed at random; `make screenshots` takes these pictures.\n\n"
    )
    return head + "\n".join(sections)


def main() -> None:
    """Take all screenshots, or those of the named scenes."""
    ALL_FOLDER.mkdir(parents=True, exist_ok=True)
    DOCS_FOLDER.mkdir(parents=True, exist_ok=True)
    scene_names = tuple(sys.argv[1:])
    with tempfile.TemporaryDirectory() as data, server_address(Path(data)) as address, chromium() as browser:
        session = ScreenshotSession(address)
        for width, height in WINDOWS:
            for theme in THEMES:
                with open_page(browser, session, width, height, theme) as page:
                    take_screenshots(page, session, f"{width}-{theme}", scene_names)
    (ROOT / "docs" / "screenshots.md").write_text(docs_page(), "utf-8")


if __name__ == "__main__":
    main()
