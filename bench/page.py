"""The page in Chromium: the first load, and the time from a click to its effect on the screen.

The mouse plays whole games of Limes alone and turns of Limit. The page measures the time from the time stamp of a
click until the frame with the expected change of the document has been drawn. For clicks that end a turn and clicks
that move a pawn, this includes the server's answer. BENCH_PAGE_GAMES and BENCH_PAGE_LOADS are the numbers of games and
loads.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bench.figure import Figure, PartSkipped, figure, number_setting
from bench.server_load import server_on_core
from support.chromium import CHROMIUM, chromium
from support.requirements import REQUIREMENTS

ROUNDS = 16

# After every change of the document it checks for the effect and then waits for the next frame. The callback of the
# frame runs before the frame is drawn, and a message that the callback sends arrives after that.
MEASURE_CLICKS = """() => {
  window.one = (selector) => document.querySelector(selector);
  let since = null, effect = null, resolveTime = null;
  window.expectEffect = (expected) => {
    since = null;
    effect = expected;
    window.effectTime = new Promise((resolve, reject) => {
      resolveTime = resolve;
      setTimeout(() => reject(new Error(`no effect: ${expected}`)), 20000);
    });
  };
  const check = () => {
    if (effect === null || since === null || !effect()) return;
    effect = null;
    requestAnimationFrame(() => {
      const drawn = new MessageChannel();
      drawn.port1.onmessage = () => resolveTime(performance.now() - since);
      drawn.port2.postMessage(0);
    });
  };
  document.addEventListener('click', (event) => { since ??= event.timeStamp; }, true);
  new MutationObserver(check).observe(document.documentElement,
    { subtree: true, childList: true, attributes: true, characterData: true });
}"""

# The placed card has changed.
CARD_TURNED = """(() => {
  const before = one('.placed-card').outerHTML;
  return () => one('.placed-card') && one('.placed-card').outerHTML !== before;
})()"""

# The time when the first button of the start page is enabled and drawn.
MEASURE_LOAD = """() => {
  window.interactive = new Promise((resolve) => {
    const check = () => {
      const button = document.querySelector('[data-testid=play-now]');
      if (button && !button.disabled) requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    };
    new MutationObserver(check).observe(document, { subtree: true, childList: true, attributes: true });
  });
}"""


def figures() -> Iterator[Figure]:
    """Yield the figures of first loads, then of clicks."""
    if CHROMIUM is None:
        raise PartSkipped(REQUIREMENTS["chromium"].describe_missing())
    with server_on_core() as (address, _), chromium() as browser:
        yield from first_load_figures(browser, address)
        yield from click_figures(browser, address)


def first_load_figures(browser: Any, address: str) -> Iterator[Figure]:
    """Load the start page with an empty cache; measure the transferred bytes and the time until it is interactive."""
    sizes, times = [], []
    for _ in range(int(number_setting("PAGE_LOADS", 7))):
        context = browser.new_context(viewport={"width": 1200, "height": 900})
        page = context.new_page()
        cdp = context.new_cdp_session(page)
        received: list[float] = []
        cdp.on("Network.loadingFinished", lambda event, received=received: received.append(event["encodedDataLength"]))
        cdp.send("Network.enable")
        page.add_init_script(f"({MEASURE_LOAD})()")
        page.goto(address)
        times.append(page.evaluate("() => window.interactive"))
        page.wait_for_load_state("networkidle")
        sizes.append(sum(received) / 1000)
        context.close()
    yield figure("first load, transferred", sizes, "kB", "compressed, with headers; aim: under 120")
    yield figure("first load, interactive after", times, "ms", "aim: within 1,000")


def click_figures(browser: Any, address: str) -> Iterator[Figure]:
    """Play whole games of Limes alone, and turns of Limit for two at one screen, and measure the clicks."""
    times_by_click: dict[str, list[float]] = defaultdict(list)
    for _ in range(int(number_setting("PAGE_GAMES", 2))):
        with new_match_page(browser, address, "[data-testid=play-now]") as page:
            page.locator("[data-cell]").first.wait_for()
            for round_number in range(1, ROUNDS + 1):
                for click, milliseconds in limes_turn(page, round_number):
                    times_by_click[click].append(milliseconds)
        choices = ("input[name=game][value=limit]", "input[name=mode][value=screen]", "[data-testid=create-match]")
        with new_match_page(browser, address, *choices) as page:
            for turn_index in range(ROUNDS):
                for click, milliseconds in limit_turn(page, turn_index):
                    times_by_click[click].append(milliseconds)
    all_times = [milliseconds for times in times_by_click.values() for milliseconds in times]
    yield figure(
        "a click, all kinds", all_times, "ms", f"{len(all_times)} clicks; highest is the worst; aim: under 100"
    )
    for click, times in times_by_click.items():
        worst = sorted(times)[len(times) * 95 // 100] if len(times) > 20 else max(times)
        yield figure(f"a click that {click}", times, "ms", f"{len(times)} clicks, 95% within {worst:.0f}")


@contextmanager
def new_match_page(browser: Any, address: str, *choices: str) -> Iterator[Any]:
    """Open a page, create a match by these clicks, and start to measure clicks."""
    context = browser.new_context(viewport={"width": 1200, "height": 900}, locale="en", reduced_motion="reduce")
    page = context.new_page()
    page.goto(address)
    for choice in choices:
        page.locator(choice).click()
    page.wait_for_url("**/m/*")
    page.evaluate(f"({MEASURE_CLICKS})()")
    yield page
    context.close()


def limes_turn(page: Any, round_number: int) -> Iterator[tuple[str, float]]:
    """Place the card, turn it in every second round, confirm, choose a worker if there is one, and end the turn."""
    cells, actions = page.locator("[data-cell]"), page.locator("[data-action]")
    confirm = page.locator(".placed-card .confirm")
    is_placed = "() => one('.placed-card .confirm')"
    is_confirmed = "() => !one('.placed-card .confirm')"
    cells.first.wait_for()
    yield "lays the card", timed_click(page, cells.nth(round_number * 5 % cells.count()), is_placed)
    if round_number % 2:
        yield "turns the card", timed_click(page, page.locator(".placed-card .right"), CARD_TURNED)
    yield "confirms its place", timed_click(page, confirm, is_confirmed)
    has_ended = "() => one('[data-testid=end]')"
    if round_number < ROUNDS:
        has_ended = f"() => one('.round')?.textContent.match(/\\d+/)?.[0] === '{round_number + 1}'"
    if actions.count():
        action = actions.nth(round_number * 7 % actions.count())
        is_chosen = "() => one('[data-testid=main]')?.ariaDisabled === 'false'"
        yield "places a worker", timed_click(page, action, is_chosen, position={"x": 5, "y": 5})
    else:
        page.get_by_test_id("none").click()
    yield "ends the turn", timed_click(page, page.get_by_test_id("main"), has_ended)


def limit_turn(page: Any, turn_index: int) -> Iterator[tuple[str, float]]:
    """Select a pawn, move it, remove a tile if there is one to remove, and end the turn."""
    page.locator("[data-stage=pawn]").wait_for()
    offered = page.locator("[data-tile]:not([aria-disabled])")
    targets = page.locator("[data-tile]:not([aria-disabled]):not(.drag)")
    stage = "() => one('[data-stage]')?.dataset.stage"
    yield "picks a pawn", timed_click(page, offered.nth(turn_index % offered.count()), f"{stage} === 'target'")
    moved = f"{stage} === 'ready' || one('use[href=\"#limit-removable\"]')"
    yield "moves a pawn", timed_click(page, targets.nth(turn_index % targets.count()), moved)
    if page.locator("[data-stage=removal]").count():
        yield "removes a tile", timed_click(page, offered.nth(turn_index % offered.count()), f"{stage} === 'ready'")
    has_ended = f"() => one('[data-turn=\"{turn_index + 1}\"]') && one('[data-stage]').dataset.stage !== 'watch'"
    yield "ends the turn of Limit", timed_click(page, page.locator(".actions .main"), has_ended)


def timed_click(page: Any, target: Any, effect: str, **options: Any) -> float:
    """Click and return the milliseconds until the effect was drawn."""
    page.evaluate(f"() => expectEffect({effect})")
    target.click(**options)
    milliseconds: float = page.evaluate("() => window.effectTime")
    return milliseconds
