"""Write the water around a few tiles of Limit as it is drawn, for both test suites: `make docs-images`.

The page's tests draw the same and compare, so the pictures of Python and those of the page are the same.
"""

import json
from pathlib import Path

from limina.limit.draw.geometry import ViewBox, hexagon, waves

FIXTURE_FILE = Path(__file__).parents[2] / "tests" / "fixtures" / "water.json"

VISIBLE = ViewBox(-260.5, -190.25, 640, 537.6)
LAND = ((1, 1), (2, 1), (2, 2), (0, 3))


def fixture_text() -> str:
    """Everything as JSON; the same drawing always gives the same text."""
    found = {
        "visible": {"x": VISIBLE.x, "y": VISIBLE.y, "width": VISIBLE.width, "height": VISIBLE.height},
        "land": [f"{'abc'[q]}{r}" for q, r in LAND],
        "hexagons": [hexagon(place) for place in LAND],
        "waves": waves(VISIBLE, LAND),
    }
    return json.dumps(found, indent=1) + "\n"


if __name__ == "__main__":
    FIXTURE_FILE.write_text(fixture_text(), "utf-8")
