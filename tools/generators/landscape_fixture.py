"""Write tests/fixtures/landscape.json, the parts of the drawings of a few Limes displays and cards: `make docs-images`.

Python's tests and the page's tests draw the same displays and compare, so that both draw the same pictures.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from limina.gamekit.noise import fnv1a, noise
from limina.limes.draw import figures, ground, highlight, sheet
from limina.limes.draw.figures import zone_name
from limina.limes.draw.outline import hand_drawn_bend, territories
from limina.limes.draw.scene import ExplainedWorker, Figure, Ground, Zone

FIXTURE_FILE = Path(__file__).parents[2] / "tests" / "fixtures" / "landscape.json"

GroundByZone = Mapping[Zone, Ground]


def parse_ground(rows: Iterable[str], left: int, top: int) -> dict[Zone, Ground]:
    """Return the ground of rows such as `F* W T R`, by zone."""
    return {
        (left + x, top + y): Ground(cell[0], cell.endswith("*"))  # type: ignore[arg-type]
        for y, row in enumerate(rows)
        for x, cell in enumerate(row.split())
    }


def highlighted_worker(figure: Figure, territory: Iterable[Zone], counted: Iterable[Iterable[Zone]]) -> ExplainedWorker:
    """Return a highlighted worker with their territory and the zones that they count."""
    return ExplainedWorker(figure, tuple(map(frozenset, counted)), frozenset(territory))


# All four landscapes, huts on all of them and beside water, a worker of each profession, and four workers in one zone.
MIXED = parse_ground(["F* F W W", "T F W R*", "T R T* T", "W* R T F"], 6, 6)
MIXED_WORKERS = (
    highlighted_worker(Figure(6, 6, "farmer", 3, True, 0), [(6, 6), (7, 6), (7, 7)], [[(6, 6)], [(7, 6)], [(7, 7)]]),
    highlighted_worker(Figure(8, 6, "fisherman", 2, True, 0), [(8, 6), (9, 6), (8, 7)], [[(9, 7)], [(8, 8)]]),
    highlighted_worker(Figure(8, 8, "woodcutter", 4, True, 0), [(8, 8), (9, 8), (8, 9)],
        [[(8, 6), (9, 6), (8, 7)], [(9, 7)], [(7, 8)], [(7, 9)]]),
    highlighted_worker(Figure(9, 7, "watchman", 1, True, 0), [(9, 7)], [[(9, 8)]]),
    highlighted_worker(Figure(7, 7, "farmer", 3, False, 0), [(6, 6), (7, 6), (7, 7)], [[(6, 6)], [(7, 6)], [(7, 7)]]),
    *(highlighted_worker(Figure(6, 9, "fisherman", 1, i == 2, 0), [(6, 9)], [[(6, 8)]]) for i in range(4)),
)  # fmt: skip
# A territory with a hole, a territory that touches itself at a corner, and zone names with one digit and with two.
RINGS = parse_ground(["W W W F F F", "W T* W F R F", "W W W W F F*", "R F F* F T T"], 8, 10)
RINGS_WORKERS = (
    highlighted_worker(Figure(9, 11, "woodcutter", 1, True, 0), [(9, 11)],
        [[(8, 10), (9, 10), (10, 10), (8, 11), (10, 11), (8, 12), (9, 12), (10, 12), (11, 12)]]),
    highlighted_worker(Figure(10, 13, "farmer", 3, True, 0), [(9, 13), (10, 13), (11, 13)],
        [[(9, 13)], [(10, 13)], [(11, 13)]]),
    highlighted_worker(Figure(12, 11, "watchman", 2, True, 0), [(12, 11)], [[(9, 11)], [(12, 13)]]),
    highlighted_worker(Figure(9, 11, "woodcutter", 0, False, 0), [(9, 11)], []),
)  # fmt: skip
CARDS = (("F* W T R*", 0, 0), ("T T* T T", 8, 2), ("W W F* W", 92, 0), ("R R* R F", 4, 12))


def describe_display(ground_: GroundByZone, workers: Iterable[ExplainedWorker]) -> dict[str, Any]:
    """Return a display as the server sends it, with everything that is drawn of it."""
    people = [worker.figure for worker in workers]
    paper = sheet.Sheet.around({(x // 2, y // 2) for x, y in ground_}, labels=True)
    return {
        "zones": {zone_name(*zone): here.landscape + "*" * here.hut for zone, here in ground_.items()},
        "territories": [zone_names(zones) for zones in territories(ground_)],
        "workers": [
            {
                "zone": zone_name(worker.figure.x, worker.figure.y),
                "profession": worker.figure.profession,
                "points": worker.figure.points,
                "scored": worker.figure.scored,
                "territory": zone_names(worker.territory),
                "counted": [zone_names(zones) for zones in worker.counted],
            }
            for worker in workers
        ],
        "drawn": describe_drawing(ground_, people)
        | {
            "zone_workers": [
                {
                    "zone": zone_name(*group.zone),
                    "count": len(group.workers),
                    "figures": [[placed.x, placed.y, placed.scale] for placed in group.figures],
                }
                for group in figures.zone_workers(people, ground_)
            ],
            "highlights": [
                {
                    "shapes": highlight.shapes(worker, ground_),
                    "huts": highlight.hut_positions(worker, ground_),
                    "numbers": highlight.number_positions(worker, ground_),
                }
                for worker in workers
            ],
            "sheet": sheet.shapes(paper) | {"labels": sheet.label_positions(paper)},
        },
    }


def describe_card(face: str, x: int, y: int) -> dict[str, Any]:
    """Return a card with everything that is drawn of it."""
    nw, ne, sw, se = face.split()
    return {
        "face": face.split(),
        "x": x,
        "y": y,
        "drawn": describe_drawing(parse_ground([f"{nw} {ne}", f"{sw} {se}"], x, y), ()),
    }


def describe_drawing(ground_: GroundByZone, people: Iterable[Figure]) -> dict[str, Any]:
    """Return the shapes of the ground by territory, and the things on it by row."""
    occupied = {(figure.x, figure.y) for figure in people}
    bend = hand_drawn_bend(ground_)
    return {
        "ground": ground.base_shapes(ground_),
        "territories": [ground.territory_shapes(zones, ground_, bend) for zones in territories(ground_)],
        "rows": {
            str(y): [f"{thing.symbol} {thing.x:g} {thing.y:g} {thing.scale}" for thing in row]
            for y, row in ground.upright_rows(ground_, occupied).items()
        },
    }


def zone_names(zones: Iterable[Zone]) -> list[str]:
    """Return the sorted names of zones."""
    return [zone_name(*zone) for zone in sorted(zones)]


def fixture_text() -> str:
    """Return the fixture as JSON. It depends only on the drawing code."""
    keys: list[tuple[str, tuple[int, ...]]] = [("furrow", (3, -1)), ("bend", (6, 6, 7, 6)), ("hut", (10, 11))]
    fixture = {
        "hashes": {text: fnv1a(text.encode("latin-1")) for text in ("", "a", "foobar", "tuft\x9e12\x9e")},
        "chances": [{"what": what, "place": place, "is": noise(what, *place)} for what, place in keys],
        "displays": [describe_display(MIXED, MIXED_WORKERS), describe_display(RINGS, RINGS_WORKERS)],
        "cards": [describe_card(*card) for card in CARDS],
    }
    return format_json(fixture) + "\n"


def format_json(value: Any, depth: int = 0) -> str:
    """Return JSON in which a list or object is on one line if it fits, and otherwise has a line for each item."""
    one_line = json.dumps(value)
    if len(one_line) + depth <= 120 or not isinstance(value, dict | list | tuple):
        return one_line
    pairs = value.items() if isinstance(value, dict) else ((None, item) for item in value)
    inner = " " * (depth + 1)
    parts = [("" if key is None else f"{json.dumps(key)}: ") + format_json(item, depth + 1) for key, item in pairs]
    left, right = "{}" if isinstance(value, dict) else "[]"
    return f"{left}\n{inner}" + f",\n{inner}".join(parts) + f"\n{' ' * depth}{right}"


def main() -> None:
    """Write the fixture."""
    FIXTURE_FILE.write_text(fixture_text(), "utf-8")


if __name__ == "__main__":
    main()
