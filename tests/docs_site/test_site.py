"""The documentation site as `make docs` built it: all links lead somewhere, and nobody else is asked for anything."""

from __future__ import annotations

from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from support import ROOT

SITE = ROOT / "build" / "site"
PAGES = sorted(SITE.rglob("*.html"))
# What a browser fetches by itself.
FETCHED = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src", "object": "data"}


class Page(HTMLParser):
    """Where a page leads to, what it fetches, and the places on it that can be led to."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.places = {""}
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.places |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag in FETCHED and FETCHED[tag] in found and found.get("rel") != "canonical":
            self.fetched.append(found[FETCHED[tag]])


page = cache(Page)


def file_of(path: Path, address: str) -> Path:
    """The file that an address on a page leads to."""
    return (SITE / address[1:] if address.startswith("/") else path.parent / unquote(address)).resolve()


def test_there_is_a_site() -> None:
    assert len(PAGES) > 20, "run `make docs`"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(SITE)))
def test_every_link_leads_to_a_page_and_a_place_that_are_there(path: Path) -> None:
    for link in page(path).links:
        parts = urlsplit(link)
        if parts.scheme or link.startswith("//"):
            continue
        target = file_of(path, parts.path) if parts.path else path
        assert target.is_file(), f"{link} leads nowhere"
        if target.suffix == ".html":
            assert unquote(parts.fragment) in page(target).places, f"{link}: there is no such place"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(SITE)))
def test_a_page_fetches_nothing_from_elsewhere(path: Path) -> None:
    for address in page(path).fetched:
        if address.startswith("data:"):
            continue
        parts = urlsplit(address)
        assert not parts.scheme, address
        assert not parts.netloc, address
        assert file_of(path, parts.path).is_file(), address


def test_styles_fetch_nothing_from_elsewhere() -> None:
    for path in SITE.rglob("*.css"):
        text = path.read_text("utf-8")
        assert "url(http" not in text
        assert "url(//" not in text
        assert "@import" not in text


def test_the_reference_has_what_a_program_begins_with() -> None:
    places = page(SITE / "reference" / "games.html").places
    assert {"limina.game", "limina.Record.read", "limina.Position.legal_turns"} <= places


def test_examples_in_docstrings_are_shown_as_code() -> None:
    for path in (SITE / "reference").glob("*.html"):
        assert "<blockquote>" not in path.read_text("utf-8"), path
    assert "language-pycon" in (SITE / "reference" / "games.html").read_text("utf-8")


@pytest.mark.parametrize("game", ["limes", "limit"])
@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_the_rules_are_there_in_each_language(game: str, language: str) -> None:
    text = (SITE / "rules" / f"{game}.{language}.html").read_text("utf-8")
    assert text.count("<img") > 5
