"""The files of the page and their headers."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response

from limina.server.page.static_files import PageFiles
from support.server.clients import Client


@pytest.fixture
def page(tmp_path: Path) -> PageFiles:
    folder = tmp_path / "web"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>page</title>" + "x" * 1000)
    (folder / "assets" / "app-1a2b3c.js").write_text("let x = 1;" * 100)
    (tmp_path / "secret.txt").write_text("secret")
    return PageFiles(folder)


def get(page: PageFiles, path: str, **headers: str) -> Response:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": raw}
    return page.respond(Request({**scope, "server": ("localhost", 80), "scheme": "http"}))


def test_paths_of_the_page_get_index_html(page: PageFiles) -> None:
    for path in ("/", "/match/abc", "/rules"):
        answer = get(page, path)
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "no-cache"
        assert answer.media_type == "text/html"
    again = get(page, "/", if_none_match=get(page, "/").headers["etag"])
    assert again.status_code == 304


def test_the_preview_picture_has_an_absolute_url_if_the_origin_is_known(page: PageFiles, tmp_path: Path) -> None:
    picture = '<meta property="og:image" content="{}/preview.png" />'
    folder = tmp_path / "web"
    (folder / "index.html").write_text(picture.format(""))
    assert get(page, "/").body == picture.format("").encode()
    known = PageFiles(folder, "https://games.example.org/")
    assert get(known, "/m/abc").body == picture.format("https://games.example.org").encode()


def test_hashed_files_are_compressed_and_cached_for_ever(page: PageFiles) -> None:
    answer = get(page, "/assets/app-1a2b3c.js", accept_encoding="br, gzip")
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-encoding"] == "gzip"
    assert len(answer.body) < 200
    assert answer.media_type == "text/javascript"
    assert get(page, "/assets/gone-1.js").status_code == 404


@pytest.mark.parametrize("path", ["/../secret.txt", "/assets/../../secret.txt", "/..%2fsecret.txt", "/\0.txt"])
def test_files_outside_the_folder_are_not_served(page: PageFiles, path: str) -> None:
    assert b"secret" not in get(page, path).body


@pytest.mark.parametrize("path", ["/assets/./{}", "/assets//{}", "/./assets/{}", "/../assets/{}"])
def test_a_file_has_only_one_path(page: PageFiles, path: str) -> None:
    assert get(page, path.format("app-1a2b3c.js")).status_code == 404


def test_a_missing_page_is_reported(tmp_path: Path) -> None:
    answer = get(PageFiles(tmp_path / "nothing"), "/")
    assert answer.status_code == 503
    assert b"was not built" in answer.body


def test_every_response_has_security_headers(ada: Client) -> None:
    for path in ("/", "/api/games", "/api/nowhere"):
        headers = ada.http.get(path).headers
        assert "script-src" not in headers["content-security-policy"]  # so that default-src 'self' holds for scripts
        assert "default-src 'self'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in headers
    large = ada.http.post("/api/matches", content=b"x" * 100_000)
    assert large.status_code == 413
    assert large.json()["code"] == "too_large"
