"""Write tests/fixtures/water.json, the drawing of the water around a few tiles of Limit: `make docs-images`.

Python's tests and the page's tests draw the same water and compare, so that both draw the same pictures.
"""

import json
from pathlib import Path

from limina.limit.draw.geometry import ViewBox, hexagon_path, wave_path

FIXTURE_FILE = Path(__file__).parents[2] / "tests" / "fixtures" / "water.json"

VISIBLE = ViewBox(-260.5, -190.25, 640, 537.6)
LAND = ((1, 1), (2, 1), (2, 2), (0, 3))


def fixture_text() -> str:
    """Return the fixture as JSON. It depends only on the drawing code."""
    fixture = {
        "visible": {"x": VISIBLE.x, "y": VISIBLE.y, "width": VISIBLE.width, "height": VISIBLE.height},
        "land": [f"{'abc'[q]}{r}" for q, r in LAND],
        "hexagons": [hexagon_path(place) for place in LAND],
        "waves": wave_path(VISIBLE, LAND),
    }
    return json.dumps(fixture, indent=1) + "\n"


if __name__ == "__main__":
    FIXTURE_FILE.write_text(fixture_text(), "utf-8")
