"""What the tests in a browser share: pages that hold the keys of matches, and what is asked of every page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from support.requirements import AXE, require


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


def in_each_language(page: Page) -> Iterator[str]:
    """The page in one language after the other, as chosen in its header (a phone's menu stays closed); English last."""
    for language in ("de", "fr", "en"):
        page.locator("header select").first.select_option(language, force=True)
        expect(page.locator("html")).to_have_attribute("lang", language)
        yield language


def complains(said: ConsoleMessage) -> bool:
    """Whether it is more than what a browser says by itself where a server is gone or says no."""
    return said.type in ("error", "warning") and not re.match("Failed to load resource|WebSocket connection", said.text)


def violations(page: Page, *, bare: bool = False) -> list[str]:
    """What axe finds wrong, with the elements it is about: all of its rules, then contrast once more in the dark.

    Bare empties the pictures first, each of which is one thing with one name: thousands of strokes in a few of them
    would take axe many seconds. The page cannot be used afterwards.
    """
    require("axe")
    if bare:
        page.evaluate("document.querySelectorAll('svg[role=img][aria-label]').forEach(each => each.replaceChildren())")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")["violations"]
    page.emulate_media(color_scheme="dark")
    dark = "axe.run(document, { resultTypes: ['violations'], runOnly: ['color-contrast'] })"
    found += page.evaluate(dark)["violations"]
    page.emulate_media(color_scheme="light")
    return [
        f"{each['id']}: {each['help']}: " + "; ".join(node["html"][:160] for node in each["nodes"][:3])
        for each in found
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
