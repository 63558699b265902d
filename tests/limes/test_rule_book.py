"""Examples of the printed rule book as positions: a farmer with 5 points, a fisherman with 6 and others."""

from __future__ import annotations

import pytest

from limina.limes import Deck, Position

FILLER = ["R R R R"] * 24


def build(cells: dict[str, str], actions: list[str]) -> Position:
    """Return the position after faces were laid unturned on these cells, each with a worker action."""
    faces = [*cells.values(), *FILLER][:24]
    position = Position.start(deck=Deck(faces))
    for number, (cell, action) in enumerate(zip(cells, actions, strict=True), 1):
        position = position.draw_card(number).play(f"{cell}r0 {action}".strip())
    return position


def only_worker(position: Position) -> tuple[str, int, int]:
    """Return the profession, points and territory size of the only worker."""
    (worker,) = position.display().scores
    assert worker.scored
    assert position.display().total == worker.points == len(worker.counted)
    return worker.profession, worker.points, len(worker.territory)


def test_a_farmer_with_five_points() -> None:
    # Five connected field zones, and a sixth that touches them at a corner only.
    position = build({"d4": "F F R F", "e4": "F F W W", "d5": "F R R R"}, ["+nw", "", ""])
    assert only_worker(position) == ("farmer", 5, 5)
    assert "d5.nw" not in position.display().scores[0].territory


def test_a_fisherman_with_six_points() -> None:
    # Water of three zones. A hut that touches it on two sides counts once, a hut at a corner does not count.
    position = build({"d4": "F* W R* W", "e4": "T* F* W F*", "d5": "F* R* F T*"}, ["+ne", "", ""])
    profession, points, size = only_worker(position)
    assert (profession, size) == ("fisherman", 3)
    assert {zones[0] for zones in position.display().scores[0].counted} == {
        "d4.nw", "d4.sw", "e4.nw", "d5.ne", "e4.se",
    }  # fmt: skip
    assert points == 5
    extended = position.draw_card(4).play("e5r0")
    assert extended.display().total == 5
    position = build({"d4": "F* W R* W", "e4": "T* F* W F*", "d5": "F* R* F T*", "e5": "R* F F F"}, ["+ne", "", "", ""])
    assert only_worker(position)[:2] == ("fisherman", 6)


def test_a_woodcutter_with_five_points() -> None:
    # A territory of two field zones counts once, and each tower counts.
    position = build({"d4": "F T R T", "e4": "R W R W"}, ["+ne", ""])
    profession, points, size = only_worker(position)
    assert (profession, points, size) == ("woodcutter", 4, 2)
    position = build({"d4": "F T R T", "e4": "R W R W", "d5": "R W F F"}, ["+ne", "", ""])
    assert only_worker(position) == ("woodcutter", 5, 2)


def test_a_watchman_with_five_points() -> None:
    # Forest in the west, east and south; the second tower in the row ends the view.
    position = build({"d4": "T R T T", "e4": "T T R T", "f4": "R T R R", "d5": "T T T T"}, ["+ne", "", "", ""])
    assert only_worker(position) == ("watchman", 6, 1)
    seen = {zones[0] for zones in position.display().scores[0].counted}
    assert seen == {"d4.nw", "e4.nw", "e4.ne", "d4.se", "d5.ne", "d5.se"}
    position = build({"d4": "T R T T", "e4": "T T R T", "f4": "R T R R", "d5": "T T T R"}, ["+ne", "", "", ""])
    assert only_worker(position)[:2] == ("watchman", 5)


def test_a_watchman_looks_over_empty_ground() -> None:
    cells = {"d4": "R W W W", "d5": "W W W W", "e5": "W W W W", "f5": "W W W W", "f4": "T T W W"}
    position = build(cells, ["+nw", "", "", "", ""])
    assert "e4" not in position.display().cells
    assert only_worker(position)[:2] == ("watchman", 2)


def test_one_of_two_workers_in_a_territory_scores() -> None:
    position = build({"d4": "F F F F", "e4": "F F R R"}, ["+nw", "+ne"])
    workers = position.display().scores
    assert [worker.points for worker in workers] == [6, 6]
    assert [worker.scored for worker in workers].count(True) == 1
    assert position.display().total == 6


@pytest.mark.parametrize(
    ("total", "rating"),
    [(0, "capable of improvement"), (27, "capable of improvement"), (28, "OK"), (34, "OK"), (35, "good"), (41, "good"),
     (42, "very good"), (48, "very good"), (49, "excellent"), (70, "excellent")],
)  # fmt: skip
def test_the_rating_of_a_lone_player(total: int, rating: str) -> None:
    from limina._kernel import limes

    assert limes.rating(total) == rating
