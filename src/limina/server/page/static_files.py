"""The built page, from the package's own data: small files kept in memory, compressed once."""

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
    kind: str
    etag: str
    immutable: bool


class PageFiles:
    """All files of the page; unknown addresses get its first file, which finds out what they mean."""

    def __init__(self, folder: Path | None = None, origin: str = "") -> None:
        self._folder = folder or Path(__file__).parents[2] / "web"
        self._preview = _PREVIEW.replace(b"/", origin.rstrip("/").encode() + b"/", 1)
        """With the address at which the page is reached, where that is known: previews of links ask for no less."""
        self._files: dict[str, _File] = {}

    def respond(self, request: Request) -> Response:
        """Whatever lies at the address that was asked for."""
        path = request.url.path.strip("/")
        found = self._find(path) if path else None
        if found is None and "." not in path.rpartition("/")[2]:
            found = self._find("index.html")
            if found is None:
                return Response(_NOT_BUILT, 503, media_type="text/html")
        if found is None:
            return Response("There is nothing at this address.", 404, media_type="text/plain")
        headers = {
            "Cache-Control": "public, max-age=31536000, immutable" if found.immutable else "no-cache",
            "ETag": found.etag,
            "Vary": "Accept-Encoding",
        }
        if request.headers.get("if-none-match") == found.etag:
            return Response(status_code=304, headers=headers)
        content = found.content
        if found.compressed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            content = found.compressed
            headers["Content-Encoding"] = "gzip"
        return Response(content, media_type=found.kind, headers=headers)

    def _find(self, path: str) -> _File | None:
        if path in self._files:
            return self._files[path]
        # Only what is really in the folder can be found, and by one spelling: each that is found is kept in memory.
        parts = path.split("/")
        if "\0" in path or "\\" in path or any(part in ("", ".", "..") for part in parts):
            return None
        wanted = self._folder.joinpath(*parts)
        try:
            if not wanted.is_file():
                return None
            if not wanted.resolve().is_relative_to(self._folder.resolve()):
                return None
            content = wanted.read_bytes()
            if wanted.suffix == ".html":
                content = content.replace(_PREVIEW, self._preview)
        except OSError:  # longer than any file's name
            return None
        kind = mimetypes.guess_type(wanted.name)[0] or "application/octet-stream"
        small = gzip.compress(content, 9, mtime=0) if kind.startswith(_COMPRESSIBLE) else None
        etag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
        found = _File(content, small, kind, etag, immutable="/assets/" in f"/{path}")
        self._files[path] = found
        return found
