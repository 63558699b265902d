"""Serve the files of the built page from memory, compressed once."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from pathlib import Path

from fastapi import Request, Response

_NOT_BUILT = (
    "<!doctype html><html lang=en><meta charset=utf-8><title>limina</title>"
    "<p>The server runs, but its page was not built: run <code>make play</code> in the project's folder.</p></html>"
)
_COMPRESSIBLE = ("text/", "application/javascript", "application/json", "image/svg+xml", "application/manifest+json")
_PREVIEW = b'property="og:image" content="/preview.png"'
mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("application/manifest+json", ".webmanifest")


@dataclass(frozen=True, slots=True)
class _File:
    content: bytes
    compressed: bytes | None
    media_type: str
    etag: str
    immutable: bool


class PageFiles:
    """The files of the page. Paths without a file get `index.html`, whose router shows the right page."""

    def __init__(self, folder: Path | None = None, origin: str = "") -> None:
        self._folder = folder or Path(__file__).parents[2] / "web"
        self._preview = _PREVIEW.replace(b"/", origin.rstrip("/").encode() + b"/", 1)
        """The tag of the preview picture with the page's origin if it is known: link previews need an absolute URL."""
        self._files: dict[str, _File] = {}

    def respond(self, request: Request) -> Response:
        """Return the response for the path of a request: a file, `index.html` or an error."""
        path = request.url.path.strip("/")
        file = self._find(path) if path else None
        if file is None and "." not in path.rpartition("/")[2]:
            file = self._find("index.html")
            if file is None:
                return Response(_NOT_BUILT, 503, media_type="text/html")
        if file is None:
            return Response("There is nothing at this address.", 404, media_type="text/plain")
        headers = {
            "Cache-Control": "public, max-age=31536000, immutable" if file.immutable else "no-cache",
            "ETag": file.etag,
            "Vary": "Accept-Encoding",
        }
        if request.headers.get("if-none-match") == file.etag:
            return Response(status_code=304, headers=headers)
        content = file.content
        if file.compressed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            content = file.compressed
            headers["Content-Encoding"] = "gzip"
        return Response(content, media_type=file.media_type, headers=headers)

    def _find(self, path: str) -> _File | None:
        if path in self._files:
            return self._files[path]
        # Accept one spelling of each path, because every file that is found stays in memory.
        parts = path.split("/")
        if "\0" in path or "\\" in path or any(part in ("", ".", "..") for part in parts):
            return None
        target = self._folder.joinpath(*parts)
        try:
            if not target.is_file() or not target.resolve().is_relative_to(self._folder.resolve()):
                return None
            content = target.read_bytes()
            if target.suffix == ".html":
                content = content.replace(_PREVIEW, self._preview)
        except OSError:  # a name that is too long
            return None
        media_type = mimetypes.guess_type(target.name)[0] or "application/octet-stream"
        compressed = gzip.compress(content, 9, mtime=0) if media_type.startswith(_COMPRESSIBLE) else None
        etag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
        file = _File(content, compressed, media_type, etag, immutable="/assets/" in f"/{path}")
        self._files[path] = file
        return file
