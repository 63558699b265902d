"""What the tests of the Limit table, replay and rules share: matches by the API, pages that hold their keys."""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Page

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


def call(address: str, path: str, body: Any = None, keys: str = "") -> Any:
    """Ask the server."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{address}/api{path}", data)
    request.add_header("Content-Type", "application/json")
    if keys:
        request.add_header("Limina-Keys", keys)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def new_match(address: str, game: str, seats: list[dict[str, Any]], **options: Any) -> tuple[str, dict[str, str]]:
    """A match and the keys of its seats, as the page keeps them."""
    created = call(address, "/matches", {"game": game, "seats": seats, "options": options})
    return created["state"]["match"], {str(held["seat"]): held["key"] for held in created["keys"]}


def example_record(game: str, name: str = "full-game") -> dict[str, Any]:
    """A whole game, from the examples of the rules."""
    found: dict[str, Any] = import_module(f"limina.{game}.examples").example(name).record
    return found


def play_until(address: str, match: str, keys: dict[str, str], done: Callable[[Any], bool]) -> Any:
    """Play first legal turn after first legal turn until the state is as wanted, or the game is over."""
    every = ",".join(keys.values())
    while True:
        state = call(address, f"/matches/{match}", keys=every)
        if state["phase"] == "over" or done(state):
            return state
        seat = state["to_move"][0]
        number = state["seats"][seat]["turns"]
        turn = first_turn(address, match, every, seat, state["legal"][str(seat)])
        body = {"key": f"{seat}-{number}", "seat": seat, "number": number, "turn": turn}
        call(address, f"/matches/{match}/turns", body, every)


def finished_match(address: str, game: str = "limit") -> str:
    """A match of two people that was played to its end."""
    people = [{"kind": "person", "name": name} for name in ("Ada", "Ben")]
    match, keys = new_match(address, game, people, **({"size": 4} if game == "limit" else {}))
    play_until(address, match, keys, lambda state: False)
    return match


def first_turn(address: str, match: str, keys: str, seat: int, legal: dict[str, Any]) -> str:
    """A legal turn of either game."""
    if "turns" in legal:
        laid, actions = next(iter(legal["turns"].items()))
        action = next((each for each in actions if each.startswith("+")), "")
        return f"{laid} {action}".strip()
    if not legal["moves"]:
        return str(legal["alone"][0])
    source, targets = next(iter(legal["moves"].items()))
    half = f"{source}-{next(iter(targets))}"
    preview = call(address, f"/matches/{match}/preview", {"seat": seat, "turn": half}, keys)["preview"]
    return half if preview["complete"] else f"{half} x{next(iter(preview['removals']))}"


@contextmanager
def opened(
    browser: Browser,
    url: str,
    *,
    keys: dict[str, dict[str, str]] | None = None,
    width: int = 1200,
    height: int = 900,
    theme: Any = "light",
    language: str = "en",
    **options: Any,
) -> Iterator[Page]:
    """A page in a browser of its own; whatever it complains of in its console fails the test."""
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=theme,
        locale=language,
        reduced_motion="reduce",
        **options,
    )
    context.set_default_timeout(30_000)
    if keys:
        stored = json.dumps(json.dumps(keys))
        context.add_init_script(f"if (!localStorage['limina.keys']) localStorage['limina.keys'] = {stored}")
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if complains(said) else None)
    try:
        page.goto(url)
        yield page
    finally:
        context.close()
    assert not wrong, wrong


def complains(said: ConsoleMessage) -> bool:
    """Whether it is more than what a browser says by itself where a server is gone or says no."""
    return said.type in ("error", "warning") and not re.match("Failed to load resource|WebSocket connection", said.text)


def violations(page: Page, *, bare: bool = False) -> list[str]:
    """What axe finds wrong, with the elements it is about.

    Bare empties the pictures first, each of which is one thing with one name: thousands of strokes in a few of them
    would take axe many seconds. The page cannot be used afterwards.
    """
    if bare:
        page.evaluate("document.querySelectorAll('svg[role=img][aria-label]').forEach(each => each.replaceChildren())")
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{each['id']}: {each['help']}: " + "; ".join(node["html"][:160] for node in each["nodes"][:3])
        for each in found["violations"]
    ]


def fits(page: Page) -> bool:
    """Whether nothing has to be scrolled sideways, and no word or button reaches out of the window."""
    fitting: bool = page.evaluate(
        """() => {
            const root = document.documentElement;
            const out = [...document.querySelectorAll("main :is(p, a, button, label, li, h1, h2)")]
                .filter(each => each.getBoundingClientRect().right > root.clientWidth + 1);
            return root.scrollWidth <= root.clientWidth && out.length === 0;
        }"""
    )
    return fitting
