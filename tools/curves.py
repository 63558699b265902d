"""What the examples in examples/rl have learned, as pictures in docs/img: one for each kind of learner.

The curves are those that the examples write (`--out`), kept in docs/data/learning.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tools.charts import Goal, Line, chart

ROOT = Path(__file__).parent.parent
KEPT = ROOT / "docs" / "data" / "learning"
PICTURES = ROOT / "docs" / "img"
TITLES = {"ppo": "Masked PPO, click by click", "td": "Temporal differences on afterstates, turn by turn"}
GOALS = {
    "ppo": [Goal("the aim, 34", 34), Goal("random clicks", 16.7)],
    "td": [Goal("the aim, 43", 43), Goal("what gains most at once", 39.5)],
}


def curves() -> list[dict[str, Any]]:
    """All curves that are kept."""
    return [json.loads(path.read_text("utf-8")) for path in sorted(KEPT.glob("*.json"))]


def pictures() -> dict[str, str]:
    """Every picture by the name of its file."""
    made = {}
    for learner, title in TITLES.items():
        found = [curve for curve in curves() if curve["learner"] == learner]
        lines = [
            Line(f"seed {curve['seed']}", [(each["seconds"], each["points"]) for each in curve["curve"]])
            for curve in found
        ]
        if lines:
            across = "seconds of one core"
            made[f"learning-{learner}"] = chart(
                f"{title}: points in Limes alone", lines, across=across, goals=GOALS[learner]
            )
    return made


def main() -> None:
    """Write them."""
    for name, picture in pictures().items():
        (PICTURES / f"{name}.svg").write_text(picture, "utf-8")


if __name__ == "__main__":
    main()
