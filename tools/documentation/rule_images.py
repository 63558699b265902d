"""Draw the pictures of the documentation, from positions of played games: `make docs-images`."""

import re
from importlib import import_module
from pathlib import Path

from limina.core import registry

IMAGES_FOLDER = Path(__file__).parents[2] / "docs" / "img"


def simplify_svg(svg: str) -> str:
    """Remove ids and attributes that only the page needs, and digits that are too small to be seen."""
    svg = re.sub(r"\bl[0-9a-f]{8}-", "", svg)
    svg = re.sub(r' data-(?:part|landscape)="[^"]*"', "", svg)
    svg = svg.replace(' stroke-opacity="1"', "").replace("scale(1)", "").replace("&#x27;DejaVu Serif&#x27;,", "")
    svg = re.sub(r'(?<=[("])0\.(?=\d)', ".", svg)
    return re.sub(r"\b\d{3,}\.\d+", lambda match: str(round(float(match[0]))), svg)


def main() -> None:
    """Write the pictures of all games. The files depend only on the examples and the drawing code."""
    IMAGES_FOLDER.mkdir(parents=True, exist_ok=True)
    for name in registry.BUILTIN_GAMES:
        for title, svg in import_module(f"limina.{name}.rule_examples").pictures().items():
            (IMAGES_FOLDER / f"{title}.svg").write_text(simplify_svg(svg), "utf-8")


if __name__ == "__main__":
    main()
