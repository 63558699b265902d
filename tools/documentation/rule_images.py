"""Draw the pictures of the documentation again, all of them from true games: `make docs-images`."""

import re
from importlib import import_module
from pathlib import Path

from limina.core import registry

IMAGES_FOLDER = Path(__file__).parents[2] / "docs" / "img"


def simplify_svg(svg: str) -> str:
    """Leave out what only a page with several drawings needs, and what is too small to be seen."""
    svg = re.sub(r"\bl[0-9a-f]{8}-", "", svg)
    svg = re.sub(r' data-(?:part|landscape)="[^"]*"', "", svg)
    svg = svg.replace(' stroke-opacity="1"', "").replace("scale(1)", "").replace("&#x27;DejaVu Serif&#x27;,", "")
    svg = re.sub(r'(?<=[("])0\.(?=\d)', ".", svg)
    return re.sub(r"\b\d{3,}\.\d+", lambda found: str(round(float(found[0]))), svg)


def main() -> None:
    """Write every game's pictures; the same games always give the same files."""
    IMAGES_FOLDER.mkdir(parents=True, exist_ok=True)
    for name in registry.OURS:
        for title, svg in import_module(f"limina.{name}.rule_examples").pictures().items():
            (IMAGES_FOLDER / f"{title}.svg").write_text(simplify_svg(svg), "utf-8")


if __name__ == "__main__":
    main()
