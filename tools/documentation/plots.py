"""Draw the charts of the documentation with matplotlib: `make docs-images`.

plots.py [FOLDER]              bench figures over time, and learning curves (default folder: docs/img)
plots.py FILE.json OUT.svg     results of `limina arena ... --json`
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.rcsetup import cycler

from limina.limes.draw.palette import PLAYER_STYLES

ROOT = Path(__file__).parents[2]
MEASUREMENTS_FILE = ROOT / "docs" / "data" / "performance.jsonl"
CURVES_FOLDER = ROOT / "docs" / "data" / "learning"
PAPER, INK, MARK = "#f4e9d2", "#3b2f22", "#8f2a1d"
# The bench part, the title, and for each label a pattern of all names that the figure has had.
HISTORY_CHARTS = {
    "rules": (
        "Random games in the kernel: how many in the time of one in the plain reference",
        {"Limes": r"Limes playouts, .* to reference", "Limit": r"Limit playouts, .* to reference"},
    ),
    "server": (
        "The server's own work for a turn with 200 open games, in microseconds",
        {"": r"200 open games, the server's own work a turn"},
    ),
    "page": ("Kilobytes that the page transfers at its first load", {"": r"first load, transferred"}),
    "rl": (
        "Actions a second in batches, on one core",
        {
            "Limes, packed": r"limes, batch of 4,096: packed.*",
            "Limes": r"limes, batch of 4,096: planes.*",
            "Limit": r"limit, batch of 256: size 8, 8 layouts",
        },
    ),
}
# The learner, the title, and reference levels with their labels.
LEARNING_CHARTS = {
    "ppo": ("Masked PPO, action by action", {"aim": 34, "random actions": 16.7}),
    "td": ("Temporal differences on afterstates, turn by turn", {"aim": 43, "greedy turns": 39.5}),
}
mpl.rcParams.update(
    {
        "axes.edgecolor": INK,
        "axes.grid": True,
        "axes.grid.axis": "y",
        "axes.labelcolor": INK,
        "axes.prop_cycle": cycler(color=[player.color for player in PLAYER_STYLES]),
        "axes.spines.right": False,
        "axes.spines.top": False,
        "axes.titlelocation": "left",
        "axes.titlesize": 11,
        "figure.facecolor": PAPER,
        "axes.facecolor": PAPER,
        "font.family": "sans-serif",
        "grid.alpha": 0.2,
        "grid.color": INK,
        "svg.fonttype": "none",  # text stays text, so that the file does not depend on the installed fonts
        "svg.hashsalt": "limina",  # the same ids every time
        "text.color": INK,
        "xtick.color": INK,
        "ytick.color": INK,
    }
)


def new_chart(title: str, height: float) -> tuple[Figure, Axes]:
    """Return a figure of 10 inches width with one set of axes."""
    figure = Figure(figsize=(10, height), layout="constrained")
    axes = figure.add_subplot(title=title)
    axes.yaxis.set_major_formatter(mpl.ticker.EngFormatter(sep=""))
    return figure, axes


def history_chart(part: str, measurements: list[dict[str, Any]]) -> Figure:
    """Return a chart of the figures of one bench part. Lines join only measurements on one machine."""
    title, patterns = HISTORY_CHARTS[part]
    rows = [row for row in measurements if row["part"] == part]
    figure, axes = new_chart(title, 3.6)
    for index, (label, pattern) in enumerate(patterns.items()):
        for _, group in groupby(enumerate(rows), lambda row: row[1]["machine"]):
            # A machine has one figure for each ISA that it runs: the chart shows the highest.
            points = [
                (x, max(values))
                for x, row in group
                if (values := [value for name, value in row["figures"].items() if re.fullmatch(pattern, name)])
            ]
            axes.plot(*zip(*points, strict=True) if points else ([], []), "o-", color=f"C{index}", label=label)
            label = ""  # one entry in the legend
    axes.set_ylim(bottom=0)
    dates = [f"{row['measured_at'][:10]}\n{row['machine'].split()[0]}" for row in rows]
    axes.set_xticks(range(len(rows)), dates, fontsize=8)
    if len(patterns) > 1:
        axes.legend(frameon=False, ncols=len(patterns))
    return figure


def learning_chart(learner: str) -> Figure:
    """Return the learning curves of one learner of examples/rl, one for each seed."""
    title, levels = LEARNING_CHARTS[learner]
    figure, axes = new_chart(f"{title}: points in Limes alone", 5)
    for path in sorted(CURVES_FOLDER.glob(f"{learner}-*.json")):
        curve = json.loads(path.read_text("utf-8"))
        points = [(point["seconds"], point["points"]) for point in curve["curve"]]
        axes.plot(*zip(*points, strict=True), label=f"seed {curve['seed']}")
    for label, level in levels.items():
        axes.axhline(level, color=INK, linestyle="--", alpha=0.7)
        axes.annotate(label, (1, level), xycoords=("axes fraction", "data"), ha="right", va="bottom")
    axes.set_xlabel("seconds of one core")
    axes.legend(frameon=False, loc="lower right", ncols=3)
    return figure


def arena_rows(result: dict[str, Any]) -> Iterator[tuple[str, float, float, list[float]]]:
    """Yield for each bot that plays alone, or for each pair of bots: label, mean, half the 95% interval, points."""
    if result["players"] == 1:
        for bot in result["bots"]:
            points = [game["points"][0] for game in result["games"] if game["seats"] == [bot["name"]]]
            yield bot["name"], bot["points"]["mean"], bot["points"]["within"], points
        return
    for pair in result["pairs"]:
        if share := pair["share_difference"]:
            yield " - ".join(pair["bots"]), 50 + 50 * share["mean"], 50 * share["within"], []


def arena_chart(result: dict[str, Any]) -> Figure:
    """Return a chart with a row for each bot or pair. Where games count points, each game is a small stroke."""
    rows = list(arena_rows(result))
    figure, axes = new_chart("", 0.8 + 0.5 * len(rows))
    axes.grid(axis="x")
    for y, (_, mean, margin, points) in enumerate(rows):
        axes.plot(points, [y] * len(points), "|", color=INK, alpha=0.18, markersize=14)
        axes.errorbar(mean, y, xerr=margin, fmt="o", color=MARK, linewidth=3)
        axes.annotate(
            f"{mean:.1f} ± {margin:.1f}", (mean, y), (0, 8), textcoords="offset points", ha="center", color=MARK
        )
    axes.set_yticks(range(len(rows)), [label for label, *_ in rows])
    axes.set_ylim(len(rows) - 0.5, -0.7)
    if result["players"] == 1:
        axes.set_xlabel("points")
    else:
        axes.set_xlim(0, 100)
        axes.set_xlabel("% of the wins for the first")
    return figure


def save(figure: Figure, path: Path) -> None:
    """Write a figure as SVG, the same bytes every time."""
    figure.savefig(path, format="svg", metadata={"Date": None})


def main() -> None:
    """Write the charts of the documentation, or that of one file of arena results."""
    if len(sys.argv) > 2:
        save(arena_chart(json.loads(Path(sys.argv[1]).read_text("utf-8"))), Path(sys.argv[2]))
        return
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "img"
    measurements = [json.loads(line) for line in MEASUREMENTS_FILE.read_text("utf-8").splitlines()]
    for part in HISTORY_CHARTS:
        save(history_chart(part, measurements), folder / f"history-{part}.svg")
    for learner in LEARNING_CHARTS:
        save(learning_chart(learner), folder / f"learning-{learner}.svg")


if __name__ == "__main__":
    main()
