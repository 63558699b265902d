"""The documentation site that `make docs` built: its links lead to existing targets, and it loads no external files."""

from __future__ import annotations

from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from support import ROOT

SITE = ROOT / "build" / "site"
PAGES = sorted(SITE.rglob("*.html"))
# The attributes with files that a browser loads with the page, by tag.
LOADED = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src", "object": "data"}


class Page(HTMLParser):
    """The links, loaded files and anchors of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors = {""}
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.anchors |= {attributes[name] for name in ("id", "name") if name in attributes}
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
        if tag in LOADED and LOADED[tag] in attributes and attributes.get("rel") != "canonical":
            self.loaded.append(attributes[LOADED[tag]])


page = cache(Page)


def file_of(path: Path, address: str) -> Path:
    """Return the file to which an address on a page leads."""
    return (SITE / address[1:] if address.startswith("/") else path.parent / unquote(address)).resolve()


def test_the_site_is_built() -> None:
    assert len(PAGES) > 20, "run `make docs`"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(SITE)))
def test_links_lead_to_existing_pages_and_anchors(path: Path) -> None:
    for link in page(path).links:
        parts = urlsplit(link)
        if parts.scheme or link.startswith("//"):
            continue
        target = file_of(path, parts.path) if parts.path else path
        assert target.is_file(), f"{link} leads nowhere"
        if target.suffix == ".html":
            assert unquote(parts.fragment) in page(target).anchors, f"{link}: there is no such anchor"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(SITE)))
def test_a_page_loads_no_external_files(path: Path) -> None:
    for address in page(path).loaded:
        if address.startswith("data:"):
            continue
        parts = urlsplit(address)
        assert not parts.scheme, address
        assert not parts.netloc, address
        assert file_of(path, parts.path).is_file(), address


def test_styles_load_no_external_files() -> None:
    for path in SITE.rglob("*.css"):
        text = path.read_text("utf-8")
        assert "url(http" not in text
        assert "url(//" not in text
        assert "@import" not in text


def test_the_reference_contains_the_main_functions() -> None:
    anchors = page(SITE / "reference" / "games.html").anchors
    assert {"limina.game", "limina.Record.from_json_text", "limina.Position.legal_turns"} <= anchors


def test_examples_in_docstrings_are_shown_as_code() -> None:
    for path in (SITE / "reference").glob("*.html"):
        assert "<blockquote>" not in path.read_text("utf-8"), path
    assert "language-pycon" in (SITE / "reference" / "games.html").read_text("utf-8")


@pytest.mark.parametrize("game", ["limes", "limit"])
@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_the_rules_are_available_in_each_language(game: str, language: str) -> None:
    text = (SITE / "rules" / f"{game}.{language}.html").read_text("utf-8")
    assert text.count("<img") > 5
