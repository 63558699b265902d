"""Draw the learning curves of the examples in examples/rl as charts in docs/img, one for each kind of learner.

The examples write the curves with `--out`; they are in docs/data/learning.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tools.documentation.line_chart import Goal, Line, draw_lines

ROOT = Path(__file__).parents[2]
CURVES_FOLDER = ROOT / "docs" / "data" / "learning"
IMAGES_FOLDER = ROOT / "docs" / "img"
TITLES = {"ppo": "Masked PPO, click by click", "td": "Temporal differences on afterstates, turn by turn"}
GOALS = {
    "ppo": [Goal("the aim, 34", 34), Goal("random clicks", 16.7)],
    "td": [Goal("the aim, 43", 43), Goal("what gains most at once", 39.5)],
}


def read_curves() -> list[dict[str, Any]]:
    """Return all curves in docs/data/learning."""
    return [json.loads(path.read_text("utf-8")) for path in sorted(CURVES_FOLDER.glob("*.json"))]


def draw_charts() -> dict[str, str]:
    """Return all charts as SVG, by file name without suffix."""
    charts = {}
    for learner, title in TITLES.items():
        curves = [curve for curve in read_curves() if curve["learner"] == learner]
        lines = [
            Line(f"seed {curve['seed']}", [(point["seconds"], point["points"]) for point in curve["curve"]])
            for curve in curves
        ]
        if lines:
            x_label = "seconds of one core"
            charts[f"learning-{learner}"] = draw_lines(
                f"{title}: points in Limes alone", lines, x_label=x_label, goals=GOALS[learner]
            )
    return charts


def main() -> None:
    """Write the charts."""
    for name, svg in draw_charts().items():
        (IMAGES_FOLDER / f"{name}.svg").write_text(svg, "utf-8")


if __name__ == "__main__":
    main()
