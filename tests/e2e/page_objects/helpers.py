"""Pages in a browser with the seat tokens of matches, and checks for every page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from support.requirements import AXE, require


@contextmanager
def open_page(
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
    """Open a page in a new browser context; fail on an uncaught error or a warning in its console.

    `keys` are the seat tokens by match and seat, as the page stores them.
    """
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
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text) if is_problem(message) else None)
    try:
        page.goto(url)
        yield page
    finally:
        context.close()
    assert not problems, problems


def in_each_language(page: Page) -> Iterator[str]:
    """Yield each language after choosing it in the header, English last. On a phone the menu stays closed."""
    for language in ("de", "fr", "en"):
        page.locator("header select").first.select_option(language, force=True)
        expect(page.locator("html")).to_have_attribute("lang", language)
        yield language


def is_problem(message: ConsoleMessage) -> bool:
    """Return True for errors and warnings, except for those of the browser on failed requests."""
    network_error = re.match("Failed to load resource|WebSocket connection", message.text)
    return message.type in ("error", "warning") and not network_error


def axe_violations(page: Page, *, without_pictures: bool = False) -> list[str]:
    """Return the violations that axe reports, with their elements: of all rules, and of contrast in the dark theme.

    `without_pictures` empties the pictures first, because axe takes many seconds for their thousands of elements. The
    page cannot be used afterwards.
    """
    require("axe")
    if without_pictures:
        page.evaluate("document.querySelectorAll('svg[role=img][aria-label]').forEach(svg => svg.replaceChildren())")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    violations = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")["violations"]
    page.emulate_media(color_scheme="dark")
    dark = "axe.run(document, { resultTypes: ['violations'], runOnly: ['color-contrast'] })"
    violations += page.evaluate(dark)["violations"]
    page.emulate_media(color_scheme="light")
    return [
        f"{violation['id']}: {violation['help']}: " + "; ".join(node["html"][:160] for node in violation["nodes"][:3])
        for violation in violations
    ]


def fits_window(page: Page) -> bool:
    """Return True if the page does not scroll sideways and no text or button extends beyond the window."""
    fits: bool = page.evaluate(
        """() => {
            const root = document.documentElement;
            const outside = [...document.querySelectorAll("main :is(p, a, button, label, li, h1, h2)")]
                .filter(element => element.getBoundingClientRect().right > root.clientWidth + 1);
            return root.scrollWidth <= root.clientWidth && outside.length === 0;
        }"""
    )
    return fits
