"""The reference implementation of Limes in positions that were worked out by hand."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from reference import limes

BARREN = "R R R R"


def limes_game(
    faces: Sequence[str], turns: Sequence[str], diagonal: bool = False, ferryman: bool = False
) -> limes.State:
    """Return a solitaire game in which the cards 1, 2, ... are drawn, one for each face."""
    deck = [*faces, *[BARREN] * (24 - len(faces))]
    state = limes.start(1, deck, diagonal, ferryman)
    for card in range(1, len(faces) + 1):
        state = limes.draw(state, card)
        if card <= len(turns):
            state = limes.play(state, 0, turns[card - 1])
    return state


def points_by_zone(state: limes.State) -> dict[str, tuple[str, int]]:
    return {worker.zone: (worker.profession, worker.points) for worker in limes.workers(state, 0)}


def actions_of(state: limes.State, card_part: str) -> list[str]:
    """Return the worker actions of the legal turns with this cell and turning."""
    return [text.removeprefix(card_part).strip() for text in limes.legal(state, 0) if text.startswith(card_part)]


def test_turning_is_clockwise() -> None:
    face = limes.read_face("F* W T R")
    assert limes.turned(face, 0) == (("F", True), ("W", False), ("T", False), ("R", False))
    assert limes.turned(face, 1) == (("T", False), ("F", True), ("R", False), ("W", False))
    assert limes.turned(face, 3) == (("W", False), ("R", False), ("F", True), ("T", False))


@pytest.mark.parametrize("face", ["F W T", "F W T W*", "F  W T R", "f W T R", "F W T X", "F W T R**"])
def test_invalid_faces_are_rejected(face: str) -> None:
    with pytest.raises(ValueError, match="face"):
        limes.start(1, [face] * 24)


def test_farmer_counts_the_field_and_one_farmer_scores() -> None:
    # F F | F W
    # T R | F W
    state = limes_game(["F F T R", "F W F W"], ["d4r0 +nw", "e4r0 +sw"])
    assert points_by_zone(state) == {"d4.nw": ("farmer", 4), "e4.sw": ("farmer", 4)}
    assert [worker.scored for worker in limes.workers(state, 0)] == [True, False]
    assert limes.total(state, 0) == 4
    farmer = limes.workers(state, 0)[0]
    assert farmer.territory == {"d4.nw", "d4.ne", "e4.nw", "e4.sw"}
    assert sorted(map(list, farmer.counted)) == [["d4.ne"], ["d4.nw"], ["e4.nw"], ["e4.sw"]]


def test_two_workers_on_one_zone_score_once() -> None:
    # A watchman on d5.nw, below the farmer's only field d4.sw, moves to that field.
    state = limes_game(["R R F R", "R F R R", BARREN, BARREN], ["d4r0 +sw", "d5r0 +nw", "e4r0 d5.nw>d4.sw", "e5r0"])
    assert state.seats[0].workers == ("d4.sw", "d4.sw")
    assert state.seats[0].supply == 5
    assert [worker.scored for worker in limes.workers(state, 0)] == [True, False]
    assert limes.total(state, 0) == 1


def test_fisherman_counts_huts_on_the_shore() -> None:
    # W  W  | R* F      the hut on e4.sw touches no water
    # F* T* | R* F
    state = limes_game(["W W F* T*", "R* F R* F"], ["d4r0 +ne", "e4r0"])
    assert points_by_zone(state) == {"d4.ne": ("fisherman", 3)}
    assert limes.workers(state, 0)[0].counted == [{"d4.se"}, {"d4.sw"}, {"e4.nw"}]


def test_a_hut_counts_once_a_water_and_for_several_waters() -> None:
    assert limes.total(limes_game(["W W W F*"], ["d4r0 +nw"]), 0) == 1
    # W F*      two waters on one hut; the second fisherman comes from the tower below
    # F W
    state = limes_game(["W F* F W", BARREN, BARREN], ["d4r0 +nw", "d5r0 +ne", "e4r0 d5.ne>d4.se"])
    assert points_by_zone(state) == {"d4.nw": ("fisherman", 1), "d4.se": ("fisherman", 1)}
    assert limes.total(state, 0) == 2


def test_woodcutter_counts_each_neighboring_territory_once() -> None:
    assert limes.total(limes_game(["F F F T"], ["d4r0 +se"]), 0) == 1
    # T F | T W
    # R T | R T        every tower is a territory of its own
    state = limes_game(["T F R T", "T W R T"], ["d4r0 +se", "e4r0"])
    assert points_by_zone(state) == {"d4.se": ("woodcutter", 3)}
    assert limes.workers(state, 0)[0].counted == [{"d4.ne"}, {"d4.sw"}, {"e4.sw"}]
    # T R      touching towers count as two
    # R R
    assert limes.total(limes_game(["T R R R"], ["d4r0 +nw"]), 0) == 2


def test_watchman_sees_up_to_the_next_tower() -> None:
    # R T | T R | T T
    # T F | T T | T T
    state = limes_game(["R T T F", "T R T T", "T T T T"], ["d4r0 +nw", "e4r0", "f4r0"])
    assert points_by_zone(state) == {"d4.nw": ("watchman", 3)}
    assert limes.workers(state, 0)[0].counted == [{"d4.ne"}, {"d4.sw"}, {"e4.nw"}]


def test_empty_zones_do_not_block_sight() -> None:
    # Row 4 holds only d4 and f4; the watchman on d4.ne looks over the gap at f4.nw and f4.ne, and down at d5.ne, d5.se.
    faces = ["F R F F", "F T F T", "F F F F", "F F F F", "T T W W"]
    state = limes_game(faces, ["d4r0 +ne", "d5r0", "e5r0", "f5r0", "f4r0"])
    assert points_by_zone(state) == {"d4.ne": ("watchman", 4)}


def test_cells_touch_a_side_or_in_the_variant_a_corner() -> None:
    for diagonal, expected in (
        (False, ["c4", "d3", "d5", "e4"]),
        (True, ["c3", "c4", "c5", "d3", "d5", "e3", "e4", "e5"]),
    ):
        state = limes_game([BARREN, BARREN], ["d4r0"], diagonal=diagonal)
        assert sorted({text[:2] for text in limes.legal(state, 0)}) == expected


def test_the_display_never_spans_more_than_four_cells() -> None:
    state = limes_game([BARREN] * 5, ["d4r0", "e4r0", "c4r0", "f4r0"])
    rows = {text[:2] for text in limes.legal(state, 0)}
    assert rows == {"c3", "d3", "e3", "f3", "c5", "d5", "e5", "f5"}


def test_first_card_lies_on_d4_in_every_turning() -> None:
    state = limes_game([BARREN], [])
    # Four turnings that all look the same, each alone or with a worker on one of four zones.
    assert len(limes.legal(state, 0)) == len(set(limes.legal(state, 0))) == 20
    assert {text[:2] for text in limes.legal(state, 0)} == {"d4"}


def test_worker_moves_to_any_zone_of_an_adjacent_territory() -> None:
    # F W | F F
    # T R | R T
    state = limes_game(["F W T R", "F F R T"], ["d4r0 +ne"])
    assert actions_of(state, "e4r0") == [
        *["", "+nw", "+ne", "+sw", "+se"],
        *["d4.ne>d4.nw", "d4.ne>d4.se", "d4.ne>e4.ne", "d4.ne>e4.nw"],
    ]
    with pytest.raises(ValueError, match="worker"):
        limes.play(state, 0, "e4r0 d4.ne>d4.sw")


def test_ferryman_crosses_a_water_with_a_worker() -> None:
    # R R |
    # R R |
    # F W | F F      the farmer on e4.nw beside the fisherman on d4.ne; d3 is the last card
    # T R | R T
    faces, turns = ["F W T R", "F F R T", BARREN], ["d4r0 +ne", "e4r0 +nw"]
    walks = ["e4.nw>d4.ne", "e4.nw>e4.se", "e4.nw>e4.sw"]
    plain = actions_of(limes_game(faces, turns), "d3r0")
    assert [action for action in plain if action.startswith("e4.nw>")] == walks
    ferried = actions_of(limes_game(faces, turns, ferryman=True), "d3r0")
    across = ["e4.nw>d3.se", "e4.nw>d4.nw", "e4.nw>d4.se"]
    assert [action for action in ferried if action.startswith("e4.nw>")] == sorted(walks + across)
    # The fisherman cannot cross: no water is adjacent to the fisherman's.
    assert [action for action in ferried if action.startswith("d4.ne>")] == [
        *["d4.ne>d3.se", "d4.ne>d4.nw", "d4.ne>d4.se", "d4.ne>e4.ne", "d4.ne>e4.nw"],
    ]
    # Without the fisherman there is no ferry.
    alone = actions_of(limes_game(faces, ["d4r0", "e4r0 +nw"], ferryman=True), "d3r0")
    assert [action for action in alone if action.startswith("e4.nw>")] == walks


def test_ferryman_never_chains() -> None:
    # R F | F W | F W | F R      both waters have a fisherman; from the first field the third is out of reach
    # R F | F W | F W | F R
    faces = ["F W F W", "F W F W", "R F R F", "F R F R"]
    state = limes_game(faces, ["d4r0 +ne", "e4r0 +ne", "c4r0 +ne"], ferryman=True)
    targets = [action[6:] for action in actions_of(state, "f4r0") if action.startswith("c4.ne>")]
    assert targets == ["c4.nw", "c4.sw", "d4.ne", "d4.se", "e4.nw", "e4.sw"]
    # A watchman on c4.nw has no adjacent water, only an adjacent field that has one.
    state = limes_game(faces, ["d4r0 +ne", "e4r0 +ne", "c4r0 +nw"], ferryman=True)
    targets = [action[6:] for action in actions_of(state, "f4r0") if action.startswith("c4.nw>")]
    assert targets == ["c4.ne", "c4.se", "c4.sw", "d4.nw", "d4.sw"]


def test_supply_ends_after_seven_workers() -> None:
    cells = ["d4", "e4", "f4", "g4", "d5", "e5", "f5", "g5"]
    state = limes_game([BARREN] * 8, [f"{cell}r0 +nw" for cell in cells[:7]])
    assert state.seats[0].supply == 0
    assert not any("+" in text for text in limes.legal(state, 0))


def test_draws_and_turns_keep_their_order() -> None:
    state = limes.start(2, [BARREN] * 24)
    assert limes.legal(state, 0) == []
    state = limes.draw(state, 5)
    with pytest.raises(ValueError, match="open"):
        limes.draw(state, 6)
    state = limes.play(state, 1, "d4r3")
    assert limes.legal(state, 1) == []
    with pytest.raises(ValueError, match="no card"):
        limes.play(state, 1, "e4r0")
    state = limes.play(state, 0, "d4r0 +se")
    for card, reason in ((5, "before"), (0, "no card"), (25, "no card")):
        with pytest.raises(ValueError, match=reason):
            limes.draw(state, card)
    for text, reason in (
        ("f4r0", "lie"),
        ("d4r0", "lie"),
        ("e4r4", "not a turn"),
        ("e4r0 +n", "worker"),
        ("e4r0 ", "not"),
    ):
        with pytest.raises(ValueError, match=reason):
            limes.play(limes.draw(state, 6), 0, text)


def two_player_end(first: dict[str, str], second: dict[str, str]) -> limes.State:
    """Return a whole game on d4-g7: three fields on d4, and one isolated field on each other card; actions by cell."""
    state = limes.start(2, ["F F F R", *["R R R F"] * 23])
    cells = [column + row for row in "4567" for column in "defg"]
    for card, cell in enumerate(cells, 1):
        state = limes.draw(state, card)
        for player, actions in enumerate((first, second)):
            state = limes.play(state, player, f"{cell}r0 {actions.get(cell, '')}".strip())
    return state


def test_winners_and_the_tie_break() -> None:
    three_singles = {"e4": "+se", "f4": "+se", "g4": "+se"}
    tied = two_player_end({"d4": "+nw"}, three_singles)
    assert [limes.total(tied, player) for player in (0, 1)] == [3, 3]
    assert limes.winners(tied) == [0]
    assert limes.winners(two_player_end({"d4": "+nw"}, {**three_singles, "g7": "+se"})) == [1]
    assert limes.winners(two_player_end(three_singles, {"e5": "+se", "f5": "+se", "g5": "+se"})) == [0, 1]
    # A second worker in the same field does not score, so it does not break a tie either.
    assert limes.winners(two_player_end({"d4": "+nw"}, {"d4": "+ne", "e4": "+nw"})) == [0, 1]
    assert limes.legal(tied, 0) == []
    with pytest.raises(ValueError, match="16"):
        limes.draw(tied, 17)


def test_ratings() -> None:
    bounds = {
        27: "capable of improvement",
        28: "OK",
        34: "OK",
        35: "good",
        41: "good",
        42: "very good",
        48: "very good",
    }
    assert {total: limes.rating(total) for total in bounds} == bounds
    assert (limes.rating(49), limes.rating(0)) == ("excellent", "capable of improvement")


def test_limes_summary() -> None:
    state = limes_game(["F F T R", "F W F W"], ["d4r0 +nw", "e4r0 +sw"])
    assert limes.summary(state, ["Ada"]) == {
        "game": "limes",
        "over": False,
        "round": 2,
        "winners": [],
        "players": [
            {
                "name": "Ada",
                "total": 4,
                "supply": 5,
                "rating": None,
                "workers": [
                    {"zone": "d4.nw", "profession": "farmer", "points": 4, "scored": True},
                    {"zone": "e4.sw", "profession": "farmer", "points": 4, "scored": False},
                ],
            }
        ],
    }


MIXED = ["W R F R*", "F T* R* W", "F* W R* F", "W T* T* R", "T F T* F*", "T* W F T", "W F W R", "R F T* F*"] * 3


@pytest.mark.parametrize("diagonal", [False, True])
@pytest.mark.parametrize("ferryman", [False, True])
def test_limes_playouts_finish(diagonal: bool, ferryman: bool) -> None:
    chance = random.Random(1)
    for _ in range(5):
        state = limes.playout(limes.start(2, MIXED, diagonal, ferryman), chance)
        assert limes.is_over(state)
        assert len(set(state.draws)) == 16
        assert limes.winners(state)
        for player, seat in enumerate(state.seats):
            assert len({cell[0] for cell in seat.display}) == len({cell[1] for cell in seat.display}) == 4
            assert len(seat.display) == 16
            assert len(seat.workers) + seat.supply == 7
            men = limes.workers(state, player)
            assert sorted(man.zone for man in men if man.scored) == sorted(
                min(man.zone for man in men if man.territory == land) for land in {man.territory for man in men}
            )
            assert limes.total(state, player) == sum(man.points for man in men if man.scored)


def test_solitaire_summary_has_a_rating_at_the_end() -> None:
    state = limes.playout(limes.start(1, MIXED), random.Random(2))
    summary = limes.summary(state, ["Ada"])
    assert (summary["over"], summary["winners"], summary["round"]) == (True, [0], 16)
    assert summary["players"][0]["rating"] == limes.rating(limes.total(state, 0))


def test_play_accepts_exactly_the_legal_turns() -> None:
    state = limes_game(MIXED[:3], ["d4r0 +nw", "e4r1 +se"], ferryman=True)
    zones = [f"{cell}.{corner}" for cell in ("d4", "e4", "d5", "e3") for corner in limes.CORNERS]
    doings = ["", *[f" +{corner}" for corner in limes.CORNERS], *[f" {a}>{b}" for a in zones for b in zones]]
    taken = set()
    for text in [
        f"{cell}r{turning}{doing}" for cell in ("d4", "d5", "e3", "f5") for turning in range(4) for doing in doings
    ]:
        try:
            limes.play(state, 0, text)
        except ValueError:
            continue
        taken.add(text)
    turns = [text for text in limes.legal(state, 0) if text[:2] in ("d5", "e3")]
    assert len(turns) == len(set(turns))
    assert taken == set(turns)
