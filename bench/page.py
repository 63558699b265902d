"""The page in a real Chromium: from a click to its effect on the screen, and the first load.

A whole game of Limes alone and many turns of Limit are played by mouse, and the page itself measures: from the click's
own time stamp, through the change of the document that is waited for, to the moment after the next frame was drawn.
Clicks that end a turn, and those that move a pawn, include the server's answer. BENCH_PAGE_GAMES and BENCH_PAGE_LOADS
say how many games are played and how often the page is loaded anew.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bench.measure import Figure, Skipped, of, setting
from bench.server_load import server_on_core
from support.chromium import CHROMIUM, chromium
from support.requirements import REQUIREMENTS

ROUNDS = 16

# The effect is looked for after every change of the document, and once it is there, the frame after it is waited for:
# in that frame's callback nothing is drawn yet, in a message sent from it all is.
WATCH = """() => {
  window.one = (selector) => document.querySelector(selector);
  let since = null, effect = null, found = null;
  window.expectEffect = (wanted) => {
    since = null;
    effect = wanted;
    window.taken = new Promise((resolve, reject) => {
      found = resolve;
      setTimeout(() => reject(new Error(`no effect: ${wanted}`)), 20000);
    });
  };
  const look = () => {
    if (effect === null || since === null || !effect()) return;
    effect = null;
    requestAnimationFrame(() => {
      const drawn = new MessageChannel();
      drawn.port1.onmessage = () => found(performance.now() - since);
      drawn.port2.postMessage(0);
    });
  };
  document.addEventListener('click', (event) => { since ??= event.timeStamp; }, true);
  new MutationObserver(look).observe(document.documentElement,
    { subtree: true, childList: true, attributes: true, characterData: true });
}"""

# The card that is laid but not confirmed looks different from before.
TURNED = """(() => {
  const before = one('.laid').outerHTML;
  return () => one('.laid') && one('.laid').outerHTML !== before;
})()"""

# When the start page can be used: its first button is drawn and enabled.
READY = """() => {
  window.interactive = new Promise((resolve) => {
    const look = () => {
      const button = document.querySelector('[data-testid=play-now]');
      if (button && !button.disabled) requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    };
    new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
  });
}"""


def figures() -> Iterator[Figure]:
    """First loads, then clicks."""
    if CHROMIUM is None:
        raise Skipped(REQUIREMENTS["chromium"].describe_missing())
    with server_on_core() as (address, _), chromium() as browser:
        yield from first_loads(browser, address)
        yield from clicks(browser, address)


def first_loads(browser: Any, address: str) -> Iterator[Figure]:
    """The start page with an empty cache: what comes over the wire, and when it can be used."""
    sizes, times = [], []
    for _ in range(int(setting("PAGE_LOADS", 7))):
        context = browser.new_context(viewport={"width": 1200, "height": 900})
        page = context.new_page()
        wire = context.new_cdp_session(page)
        received: list[float] = []
        wire.on("Network.loadingFinished", lambda event, received=received: received.append(event["encodedDataLength"]))
        wire.send("Network.enable")
        page.add_init_script(f"({READY})()")
        page.goto(address)
        times.append(page.evaluate("() => window.interactive"))
        page.wait_for_load_state("networkidle")
        sizes.append(sum(received) / 1000)
        context.close()
    yield of("first load, transferred", sizes, "kB", "compressed, with headers; aim: under 120")
    yield of("first load, interactive after", times, "ms", "aim: within 1,000")


def clicks(browser: Any, address: str) -> Iterator[Figure]:
    """Whole games of Limes alone, and turns of Limit at one screen, by mouse."""
    found: dict[str, list[float]] = defaultdict(list)
    for _ in range(int(setting("PAGE_GAMES", 2))):
        with table(browser, address, "[data-testid=play-now]") as page:
            page.locator("[data-cell]").first.wait_for()
            for number in range(1, ROUNDS + 1):
                for what, taken in one_turn(page, number):
                    found[what].append(taken)
        choices = ("input[name=game][value=limit]", "input[name=mode][value=screen]", "[data-testid=create-match]")
        with table(browser, address, *choices) as page:
            for number in range(ROUNDS):
                for what, taken in one_pawn_turn(page, number):
                    found[what].append(taken)
    everything = [taken for each in found.values() for taken in each]
    yield of("a click, all kinds", everything, "ms", f"{len(everything)} clicks; highest is the worst; aim: under 100")
    for what, times in found.items():
        worst = sorted(times)[len(times) * 95 // 100] if len(times) > 20 else max(times)
        yield of(f"a click that {what}", times, "ms", f"{len(times)} clicks, 95% within {worst:.0f}")


@contextmanager
def table(browser: Any, address: str, *choices: str) -> Iterator[Any]:
    """A page on which a new game was begun, watching its own clicks."""
    context = browser.new_context(viewport={"width": 1200, "height": 900}, locale="en", reduced_motion="reduce")
    page = context.new_page()
    page.goto(address)
    for choice in choices:
        page.locator(choice).click()
    page.wait_for_url("**/m/*")
    page.evaluate(f"({WATCH})()")
    yield page
    context.close()


def one_turn(page: Any, number: int) -> Iterator[tuple[str, float]]:
    """Lay the card, turn it, confirm, choose a worker if one is offered, end the turn; each click with its time."""
    cells, offers = page.locator("[data-cell]"), page.locator("[data-offer]")
    cells.first.wait_for()
    yield "lays the card", timed(page, cells.nth(number * 5 % cells.count()), "() => one('.laid .confirm')")
    if number % 2:
        yield "turns the card", timed(page, page.locator(".laid .right"), TURNED)
    yield "confirms its place", timed(page, page.locator(".laid .confirm"), "() => !one('.laid .confirm')")
    ended = "() => one('[data-testid=end]')"
    if number < ROUNDS:
        ended = f"() => one('.round')?.textContent.match(/\\d+/)?.[0] === '{number + 1}'"
    if offers.count():
        offer = offers.nth(number * 7 % offers.count())
        chosen = "() => one('[data-testid=main]')?.ariaDisabled === 'false'"
        yield "places a worker", timed(page, offer, chosen, position={"x": 5, "y": 5})
    else:
        page.get_by_test_id("none").click()
    yield "ends the turn", timed(page, page.get_by_test_id("main"), ended)


def one_pawn_turn(page: Any, number: int) -> Iterator[tuple[str, float]]:
    """Pick a pawn, move it, remove a tile if there is one to remove, end the turn; each click with its time."""
    page.locator("[data-stage=pawn]").wait_for()
    offered = page.locator("[data-spot]:not([aria-disabled])")
    targets = page.locator("[data-spot]:not([aria-disabled]):not(.drag)")
    at = "() => one('[data-stage]')?.dataset.stage"
    yield "picks a pawn", timed(page, offered.nth(number % offered.count()), f"{at} === 'target'")
    shown = f"{at} === 'ready' || one('use[href=\"#limit-removable\"]')"
    yield "moves a pawn", timed(page, targets.nth(number % targets.count()), shown)
    if page.locator("[data-stage=removal]").count():
        yield "removes a tile", timed(page, offered.nth(number % offered.count()), f"{at} === 'ready'")
    ended = f"() => one('[data-turn=\"{number + 1}\"]') && one('[data-stage]').dataset.stage !== 'watch'"
    yield "ends the turn of Limit", timed(page, page.locator(".actions .main"), ended)


def timed(page: Any, target: Any, effect: str, **how: Any) -> float:
    """Click and let the page say how long the effect took to be drawn, in ms."""
    page.evaluate(f"() => expectEffect({effect})")
    target.click(**how)
    taken: float = page.evaluate("() => window.taken")
    return taken
