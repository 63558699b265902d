"""Write the OpenAPI document to a file: `python -m limina.server.export_openapi FILE`.

The types of the page are generated from the file. A test checks that it is up to date.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from limina.server.api.openapi import build_document
from limina.server.app import App
from limina.server.settings import ServerSettings


def document_text() -> str:
    """Return the document as it is stored in the repository."""
    return json.dumps(build_document(App(ServerSettings()).http), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).parent.mkdir(parents=True, exist_ok=True)
    Path(sys.argv[1]).write_text(document_text(), encoding="utf-8")
