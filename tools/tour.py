"""Look at every page and table in every window, by day and by night: `make tour`; the best of it in docs/tour.md.

The pictures lie in build/tour, named after what they show. Those of the documentation are written anew as well.
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
from support.server.server_process import server

ROOT = Path(__file__).parent.parent
ALL = ROOT / "build" / "tour"
BEST = ROOT / "docs" / "img" / "tour"
WINDOWS = ((1440, 900), (1280, 720), (768, 1024), (390, 844), (320, 640))
THEMES = ("light", "dark")
#: What the documentation shows, by the names of the pictures, and what it is called there.
CHOSEN = {
    "start-1440-light": "The start page",
    "start-390-dark": "On a phone, by night",
    "limes-card-1280-light": "Limes: the card lies where it would go",
    "limes-worker-1280-light": "Every zone shows who could work there, and the total",
    "limes-move-1280-dark": "A worker is moved, by night",
    "limes-worker-390-light": "The same on a phone",
    "limes-over-1280-light": "The final scoring",
    "limes-over-390-dark": "Result and rematch are on top",
    "limit-pawn-1280-light": "Limit: where a pawn can go",
    "limit-table-390-dark": "On a phone, by night",
    "limit-replay-1280-light": "A replay, with the last turn marked",
    "limes-replay-1280-dark": "Two displays side by side",
}
PATIENCE = 180_000
"""A review thinks."""
Step = Callable[[Page], None]


def lay(page: Page) -> None:
    """Lay the card."""
    page.locator("[data-cell]").nth(1).click()


def confirm(page: Page) -> None:
    """Confirm where it lies."""
    page.get_by_test_id("main").click()


def pick(page: Page) -> None:
    """Pick a worker."""
    page.get_by_test_id("next-worker").click()


def lift(page: Page) -> None:
    """Pick a pawn."""
    page.locator("[data-spot]:not([aria-disabled])").nth(2).click()


def hint(page: Page) -> None:
    """Ask for a hint, and have it shown."""
    page.get_by_text("Hint", exact=True).click()
    page.get_by_role("button", name="What would a strong bot play?").click()
    page.get_by_test_id("hint").wait_for()


def review(page: Page) -> None:
    """Look back at the game, up to the first mistake."""
    page.get_by_role("button", name="Review this game").click()
    page.locator(".review .status[data-phase=done]").wait_for(timeout=PATIENCE)
    page.keyboard.press("Home")
    page.get_by_role("button", name="Next mistake").click()
    page.locator(".review article h4").first.evaluate("each => each.scrollIntoView({ block: 'center' })")


def compare(page: Page) -> None:
    """Show the turn played and the better one."""
    page.get_by_role("button", name="Show both on the board").first.click()
    page.locator("[data-compared=better] svg, g[data-compared=better]").first.wait_for()


def look_for(page: Page) -> None:
    """Look for the better turn oneself."""
    page.get_by_role("button", name="Try it yourself").click()
    page.locator(".try svg").first.wait_for()


def rules(page: Page) -> None:
    """Open the rules over the table."""
    if page.locator("header summary").is_visible():
        page.locator("header summary").click()
    page.locator("header nav a[aria-haspopup=dialog]").click()
    page.locator("dialog figure svg").first.wait_for()


def legend(page: Page) -> None:
    """Open the legend."""
    page.locator("header button.legend").click()
    page.locator("#legend li").first.wait_for()


class Tour:
    """Pages at an address, and the matches that they show."""

    def __init__(self, address: str) -> None:
        self.address = address
        people = [{"kind": "person", "name": name} for name in ("Ada", "Ben")]
        self.keys: dict[str, dict[str, str]] = {}
        self.limes = self.match("limes", people, lambda state: bool(state["view"]["round"] >= 9))
        self.limit = self.match("limit", people, lambda state: len(state["steps"]) >= 7)
        self.limes_over = self.match("limes", people, lambda state: False)
        self.limit_over = self.match("limit", people, lambda state: False)
        bots = [{"kind": "bot", "bot": "casual"} for _ in range(4)]
        self.many, self.keys[self.many] = new_match(address, "limes", [people[0], *bots])
        self.alone, self.keys[self.alone] = new_match(address, "limit", [people[0], bots[0]])
        self.waiting, self.keys[self.waiting] = new_match(address, "limes", [people[0], {"kind": "open"}])
        self.invited, _ = new_match(address, "limit", [people[0], {"kind": "open"}])

    def match(self, game: str, seats: list[dict[str, str]], done: Callable[[dict], bool]) -> str:
        """A match that was played for a while."""
        match, keys = new_match(self.address, game, list(seats))
        play_until(self.address, match, keys, done)
        self.keys[match] = {"0": keys["0"]}
        return match

    def stops(self) -> Iterator[tuple[str, str, str, tuple[Step, ...]]]:
        """Names, addresses, what is there when they are drawn, and what is done then."""
        yield "start", "/", ".picture svg >> nth=1", ()
        yield "games", "/games", "main li", ()
        yield "open", "/replay", "input[type=file]", ()
        yield "missing", "/nowhere", "main h1", ()
        yield "waiting", f"/m/{self.waiting}", "main select", ()
        yield "invited", f"/m/{self.invited}", "main form", ()
        yield "learn-limes", "/learn/limes", "main svg", ()
        yield "learn-limit", "/learn/limit", "main svg", ()
        yield "try-limes", "/try/limes/woodcutter-5", "main svg", ()
        yield "limes-table", f"/m/{self.limes}", "[data-cell]", ()
        yield "limes-card", f"/m/{self.limes}", "[data-cell]", (lay,)
        yield "limes-worker", f"/m/{self.limes}", "[data-cell]", (lay, confirm)
        yield "limes-move", f"/m/{self.limes}", "[data-cell]", (lay, confirm, pick)
        yield "limes-over", f"/m/{self.limes_over}", "[data-testid=end]", ()
        yield "limes-replay", f"/replay/{self.limes_over}", ".replay svg", ()
        yield "limes-many", f"/m/{self.many}", "[data-cell]", ()
        yield "limes-legend", f"/m/{self.limes}", "[data-cell]", (legend,)
        yield "limes-rules", f"/m/{self.limes}", "[data-cell]", (rules,)
        yield "limes-hint", f"/m/{self.many}", "[data-cell]", (hint,)
        yield "limes-review", f"/replay/{self.limes_over}", ".replay svg", (review, compare)
        yield "limes-look-for", f"/replay/{self.limes_over}", ".replay svg", (review, look_for)
        yield "limit-hint", f"/m/{self.alone}", "[data-stage=pawn]", (hint,)
        yield "limit-review", f"/replay/{self.limit_over}", ".replay svg", (review, compare)
        yield "limit-look-for", f"/replay/{self.limit_over}", ".replay svg", (review, look_for)
        yield "limit-table", f"/m/{self.limit}", "[data-stage=pawn], [data-stage=watch]", ()
        yield "limit-pawn", f"/m/{self.limit}", "[data-stage=pawn], [data-stage=watch]", (lift,)
        yield "limit-over", f"/m/{self.limit_over}", "[data-phase=over]", ()
        yield "limit-replay", f"/replay/{self.limit_over}#9", ".replay svg", ()
        yield "limit-legend", f"/m/{self.limit}", "[data-stage=pawn], [data-stage=watch]", (legend,)
        yield "rules", "/rules", "main h1", ()
        yield "rules-limes", "/rules/limes", "main h1", ()
        yield "rules-limit", "/rules/limit", "main h1", ()


@contextmanager
def opened(browser: Browser, tour: Tour, width: int, height: int, theme: str) -> Iterator[Page]:
    """A page of that size that sits at the tables."""
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if theme == "dark" else "light",
        locale="en",
        reduced_motion="reduce",
        has_touch=width < 720,
        is_mobile=width < 720,
    )
    context.add_init_script(f"localStorage['limina.keys'] = {json.dumps(json.dumps(tour.keys))}")
    yield context.new_page()
    context.close()


def shoot(page: Page, tour: Tour, window: str, wanted: tuple[str, ...]) -> None:
    """Every stop in one window."""
    for name, path, ready, steps in tour.stops():
        if wanted and name not in wanted:
            continue
        page.goto("about:blank")
        page.goto(tour.address + path)
        page.evaluate("sessionStorage.clear()")
        page.reload()
        page.locator(ready).first.wait_for()
        for step in steps:
            step(page)
        page.wait_for_load_state("networkidle")
        page.evaluate("() => document.fonts.ready")
        title = f"{name}-{window}"
        page.screenshot(path=ALL / f"{title}.jpg", type="jpeg", quality=72)
        if title in CHOSEN:
            page.screenshot(path=BEST / f"{title}.jpg", type="jpeg", quality=58)


def describe() -> str:
    """The page of the documentation."""
    shown = [f"## {words}\n\n![{words}](img/tour/{name}.jpg)\n" for name, words in CHOSEN.items()]
    return "# A tour of the page\n\nMade by `make tour`, from games played at random.\n\n" + "\n".join(shown)


def main() -> None:
    """Draw everything, or only the stops that are named."""
    ALL.mkdir(parents=True, exist_ok=True)
    BEST.mkdir(parents=True, exist_ok=True)
    wanted = tuple(sys.argv[1:])
    with tempfile.TemporaryDirectory() as data, server(Path(data)) as address, chromium() as browser:
        tour = Tour(address)
        for width, height in WINDOWS:
            for theme in THEMES:
                with opened(browser, tour, width, height, theme) as page:
                    shoot(page, tour, f"{width}-{theme}", wanted)
    (ROOT / "docs" / "tour.md").write_text(describe(), "utf-8")


if __name__ == "__main__":
    main()
