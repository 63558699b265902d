"""Draw the pictures of the documentation again, all of them from true games: `make pictures`."""

import re
from importlib import import_module
from pathlib import Path

from limina.core import registry

HERE = Path(__file__).parent.parent / "docs" / "img"


def slim(drawn: str) -> str:
    """Leave out what only a page with several drawings needs, and what is too small to be seen."""
    drawn = re.sub(r"\bl[0-9a-f]{8}-", "", drawn)
    drawn = re.sub(r' data-(?:part|landscape)="[^"]*"', "", drawn)
    drawn = drawn.replace(' stroke-opacity="1"', "").replace("scale(1)", "").replace("&#x27;DejaVu Serif&#x27;,", "")
    drawn = re.sub(r'(?<=[("])0\.(?=\d)', ".", drawn)
    return re.sub(r"\b\d{3,}\.\d+", lambda found: str(round(float(found[0]))), drawn)


def main() -> None:
    """Write every game's pictures; the same games always give the same files."""
    HERE.mkdir(parents=True, exist_ok=True)
    for name in registry.OURS:
        for title, drawn in import_module(f"limina.{name}.rule_examples").pictures().items():
            (HERE / f"{title}.svg").write_text(slim(drawn), "utf-8")


if __name__ == "__main__":
    main()
