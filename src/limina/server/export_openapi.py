"""Writes the description of the wire: `python -m limina.server.export_openapi FILE`.

The page's types are made from that file, and a test keeps it true.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from limina.server.api.openapi import describe
from limina.server.app import App
from limina.server.settings import ServerSettings


def text() -> str:
    """The document as it stands in the tree."""
    return json.dumps(describe(App(ServerSettings()).http), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).parent.mkdir(parents=True, exist_ok=True)
    Path(sys.argv[1]).write_text(text(), encoding="utf-8")
