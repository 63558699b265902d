"""Each example of the rules is a record that can be replayed and agrees with the claims about it."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any
from xml.etree import ElementTree

import pytest

from limina import limes, limit
from limina._kernel import limit as kernel
from limina.core.position import Step
from limina.core.record import Record
from limina.errors import IllegalTurnError
from limina.limes import rule_examples as limes_examples
from limina.limes.display import WorkerScore
from limina.limit import rule_examples as limit_examples
from limina.limit.notation import Turn
from support import ROOT

PICTURES_FOLDER = ROOT / "docs" / "img"


def record(example: limes_examples.Example | limit_examples.Example) -> Record:
    """Return the record of an example."""
    return Record.from_json(example.record)


LIMES = {example.id: example for example in limes_examples.examples()}
LIMIT = {example.id: example for example in limit_examples.examples()}


def highlighted_worker(example: limes_examples.Example) -> WorkerScore:
    """Return the score of the highlighted worker."""
    (score,) = [w for w in example.position.display(example.player).scores if w.zone == example.highlight]
    return score


def position_before(example: limes_examples.Example) -> limes.Position:
    """Return the position before the last step."""
    position = record(example).without_last().position
    assert isinstance(position, limes.Position)
    return position


def without_variants(example: limes_examples.Example) -> limes.Position:
    """Replay the game without its variants up to the last turn."""
    position = limes.Position.start(deck=position_before(example).deck)
    for step in record(example).steps[:-1]:
        position = position.apply(step)
    return position


def test_no_example_is_missing() -> None:
    assert list(LIMES) == [
        "farmer-5", "fisherman-6", "woodcutter-5", "watchman-5", "two-in-one-territory", "moving", "ferryman",
        "diagonal", "tie-break", "full-game", "halfway", "card", "laying", "placing", "territories", "notation",
        "legend-farmer", "legend-fisherman", "legend-woodcutter", "legend-watchman",
    ]  # fmt: skip
    assert list(LIMIT) == [
        "reach", "capture-by-move", "capture-by-removal", "own-capture", "isolation", "forbidden-split", "first-move",
        "full-game", "setup", "groups", "remove", "both-parts", "last-turn", "notation",
    ]  # fmt: skip


@pytest.mark.parametrize("game", ["limes", "limit"])
def test_stored_records_equal_the_serialized_ones(game: str) -> None:
    data: list[dict[str, Any]] = json.loads((files(f"limina.{game}") / "rule_examples.json").read_text("utf-8"))
    examples = LIMES if game == "limes" else LIMIT
    serialized = {name: record(example).to_json() for name, example in examples.items()}
    assert {entry["id"]: entry["record"] for entry in data} == serialized


EXPLAINED = {name: example for name, example in LIMES.items() if example.highlight is not None}


@pytest.mark.parametrize("example", EXPLAINED.values(), ids=list(EXPLAINED))
def test_a_highlighted_worker_scores_as_claimed(example: limes_examples.Example) -> None:
    score = highlighted_worker(example)
    assert (score.profession, score.points, score.scored) == (
        example.claims["profession"],
        example.claims["points"],
        True,
    )


def test_the_professions_score_as_in_the_rule_book() -> None:
    points = {name: highlighted_worker(LIMES[name]).points for name in list(LIMES)[:4]}
    assert points == {"farmer-5": 5, "fisherman-6": 6, "woodcutter-5": 5, "watchman-5": 5}


def test_a_farmer_does_not_count_fields_at_a_corner() -> None:
    display, score = LIMES["farmer-5"].position.display(), highlighted_worker(LIMES["farmer-5"])
    assert {zone for (zone,) in score.counted} == set(score.territory)
    assert "c4.nw" not in score.territory
    assert display.ground["c4.nw"].landscape == "F"


def test_towers_side_by_side_count_one_by_one_for_the_woodcutter() -> None:
    counted = highlighted_worker(LIMES["woodcutter-5"]).counted
    assert ("e5.nw",) in counted
    assert ("e5.ne",) in counted


def test_a_tower_hides_forest_from_the_watchman_and_water_does_not() -> None:
    example = LIMES["watchman-5"]
    ground, counted = example.position.display().ground, {zone for (zone,) in highlighted_worker(example).counted}
    assert (ground["e4.nw"].landscape, ground["e4.ne"].landscape) == ("R", "T")
    assert "d4.ne" in counted
    assert "e4.ne" not in counted
    assert ground["d5.nw"].landscape == "W"
    assert "d5.sw" in counted


def test_of_two_workers_in_one_territory_one_scores() -> None:
    example = LIMES["two-in-one-territory"]
    idle = next(w for w in example.position.display().scores if w.zone == example.claims["idle"])
    assert not idle.scored
    assert idle.points == example.claims["points"]
    assert set(idle.territory) == set(highlighted_worker(example).territory)
    assert example.position.display().total == example.claims["total"] == example.claims["points"]


@pytest.mark.parametrize("name", ["moving", "ferryman"])
def test_the_moved_worker_had_fewer_points(name: str) -> None:
    example = LIMES[name]
    claim = example.claims["was"]
    (score,) = [w for w in position_before(example).display().scores if w.zone == claim["zone"]]
    assert record(example).steps[-1].text == example.claims["turn"]
    assert (score.profession, score.points) == (claim["profession"], claim["points"])
    assert score.points < example.claims["points"]


@pytest.mark.parametrize("name", ["ferryman", "diagonal"])
def test_a_variant_allows_a_turn_that_is_illegal_without_it(name: str) -> None:
    example = LIMES[name]
    assert record(example).steps[-1].text == example.claims["turn"]
    with pytest.raises(IllegalTurnError):
        without_variants(example).play(example.claims["turn"])


def test_the_tie_is_broken_by_the_best_workers() -> None:
    example = LIMES["tie-break"]
    boards = example.position.boards
    assert [board.total() for board in boards] == example.claims["totals"] == [39, 39]
    assert [board.tie_break_points() for board in boards] == example.claims["rankings"]
    assert example.position.outcome is not None
    assert list(example.position.outcome.winners) == example.claims["winners"] == [0]


def test_a_picture_without_a_highlight_agrees_with_its_claims() -> None:
    half, card = LIMES["halfway"].position.display(), LIMES["card"].position.display()
    assert {"total": half.total, "workers": len(half.workers)} == LIMES["halfway"].claims
    assert [ground.landscape + "*" * ground.hut for ground in card.ground.values()] == LIMES["card"].claims["zones"]
    assert list(LIMES["laying"].position.display().open_cells) == LIMES["laying"].claims["frames"]
    assert len(LIMES["territories"].position.display().territories) == LIMES["territories"].claims["territories"]


@pytest.mark.parametrize("example", [*LIMES.values(), *LIMIT.values()], ids=[*LIMES, *LIMIT])
def test_an_example_can_be_tried_from_the_position_before_it(
    example: limes_examples.Example | limit_examples.Example,
) -> None:
    play = example.to_json()["play"]
    before = Record.from_json(play["record"])
    assert play["player"] in before.position.to_move
    if isinstance(example, limes_examples.Example):
        turn = next(s.text for s in reversed(record(example).steps) if s.player == play["player"])
        assert example.round < 16 or before.play(turn, play["player"]).position == example.position
    elif example.highlight["kind"] == "turn":
        assert before.play(example.highlight["text"]).position == example.position


def test_the_full_game_is_rated() -> None:
    example = LIMES["full-game"]
    assert example.position.display().total == example.claims["total"]
    assert example.position.rating == example.claims["rating"]


def turn_effects(example: limit_examples.Example) -> dict[str, list[str]]:
    """Return the tiles of captured pawns, by kind of capture, and the sunk tiles of the highlighted turn."""
    start = record(example).start
    assert isinstance(start, limit.Position)
    for step in record(example).steps[: example.turn]:  # the layout and the turns before
        start = start.apply(step)
    names = [tile[:-1] for tile in start.layout]
    code = start.legal_turns().index(Turn.read(example.highlight["text"]))
    assert record(example).steps[example.turn] == Step(start.to_move[0], example.highlight["text"])
    played = start.board.play(start.board.legal_turns()[code])
    assert isinstance(played, kernel.PlayedTurn)
    captured = {
        "by_move": played.captured_by_move,
        "by_removal": played.captured_enemies,
        "own": played.captured_friends,
    }
    tiles = {kind: sorted(names[tile] for tile, _ in pawns) for kind, pawns in captured.items()}
    return tiles | {"sunk": sorted(names[tile] for tile in played.sunk)}


@pytest.mark.parametrize(
    "name", ["capture-by-move", "capture-by-removal", "own-capture", "isolation", "both-parts", "notation"]
)
def test_a_turn_captures_and_sinks_exactly_what_is_claimed(name: str) -> None:
    example = LIMIT[name]
    effects = turn_effects(example)
    removed = Turn.read(example.highlight["text"]).removed
    assert effects == {"by_move": [], "by_removal": [], "own": [], "sunk": [removed]} | example.claims


def test_isolation_sinks_more_than_one_tile() -> None:
    assert len(LIMIT["isolation"].claims["sunk"]) > 1


def test_a_pawn_reaches_the_claimed_tiles_and_not_all_empty_ones() -> None:
    example = LIMIT["reach"]
    position, pawn = example.position, example.highlight["text"]
    assert pawn in position.pawns(position.to_move[0])
    assert sorted(position.reachable_tiles(pawn)) == example.claims["reach"]
    occupied = {pawn for player in range(2) for pawn in position.pawns(player)}
    assert set(position.tiles) - occupied - set(position.reachable_tiles(pawn))


def test_groups_in_danger_and_removable_tiles_are_marked_as_claimed() -> None:
    groups, remove = LIMIT["groups"], LIMIT["remove"]
    assert groups.to_json()["danger"] == groups.claims["danger"]
    assert groups.to_json()["freedoms"] == groups.claims["freedoms"]
    assert remove.to_json()["removable"] == remove.claims["removable"]
    assert len(LIMIT["setup"].to_json()["tiles"]) == LIMIT["setup"].claims["tiles"]


@pytest.mark.parametrize("name", ["forbidden-split", "first-move"])
def test_an_illegal_turn_is_refused_for_the_claimed_reason(name: str) -> None:
    example = LIMIT[name]
    with pytest.raises(IllegalTurnError, match=example.claims["refused"]):
        example.position.play(example.highlight["text"])


@pytest.mark.parametrize("name", ["full-game", "last-turn"])
def test_a_game_ends_as_claimed(name: str) -> None:
    example = LIMIT[name]
    outcome = record(example).position.outcome
    assert outcome is not None
    assert list(outcome.winners) == example.claims["winners"]


def test_pictures_of_the_documentation_are_up_to_date_and_small() -> None:
    drawn = limes_examples.pictures() | limit_examples.pictures()
    assert {path.stem for path in PICTURES_FOLDER.glob("*.svg")} >= set(drawn)
    for name, expected in drawn.items():
        stored = (PICTURES_FOLDER / f"{name}.svg").read_text("utf-8")
        assert len(stored.encode()) < 120_000, name
        # The description of a picture names everything that it shows.
        tag = "{http://www.w3.org/2000/svg}desc"
        assert ElementTree.fromstring(stored).findtext(tag) == ElementTree.fromstring(expected).findtext(tag), name
