"""The plain rules against positions worked out by hand from the specification."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from reference import limes, limit

# --- Limes ------------------------------------------------------------------------------------------------------

BARREN = "R R R R"


def limes_game(
    faces: Sequence[str], turns: Sequence[str], diagonal: bool = False, ferryman: bool = False
) -> limes.State:
    """A lone player's game in which card 1, 2, ... are drawn; one card more than turns leaves the last round open."""
    deck = [*faces, *[BARREN] * (24 - len(faces))]
    state = limes.start(1, deck, diagonal, ferryman)
    for number in range(1, len(faces) + 1):
        state = limes.draw(state, number)
        if number <= len(turns):
            state = limes.play(state, 0, turns[number - 1])
    return state


def worth(state: limes.State) -> dict[str, tuple[str, int]]:
    return {worker.zone: (worker.profession, worker.points) for worker in limes.workers(state, 0)}


def actions_of(state: limes.State, lay: str) -> list[str]:
    """What may follow the laying of the card, without the leading cell and turning."""
    return [text.removeprefix(lay).strip() for text in limes.legal(state, 0) if text.startswith(lay)]


def test_turning_is_clockwise() -> None:
    face = limes.read_face("F* W T R")
    assert limes.turned(face, 0) == (("F", True), ("W", False), ("T", False), ("R", False))
    assert limes.turned(face, 1) == (("T", False), ("F", True), ("R", False), ("W", False))
    assert limes.turned(face, 3) == (("W", False), ("R", False), ("F", True), ("T", False))


@pytest.mark.parametrize("face", ["F W T", "F W T W*", "F  W T R", "f W T R", "F W T X", "F W T R**"])
def test_bad_faces_are_refused(face: str) -> None:
    with pytest.raises(ValueError, match="face"):
        limes.start(1, [face] * 24)


def test_farmer_counts_his_field_and_one_farmer_scores() -> None:
    # F F | F W
    # T R | F W
    state = limes_game(["F F T R", "F W F W"], ["d4r0 +nw", "e4r0 +sw"])
    assert worth(state) == {"d4.nw": ("farmer", 4), "e4.sw": ("farmer", 4)}
    assert [worker.scored for worker in limes.workers(state, 0)] == [True, False]
    assert limes.total(state, 0) == 4
    farmer = limes.workers(state, 0)[0]
    assert farmer.territory == {"d4.nw", "d4.ne", "e4.nw", "e4.sw"}
    assert sorted(map(list, farmer.counted)) == [["d4.ne"], ["d4.nw"], ["e4.nw"], ["e4.sw"]]


def test_two_workers_on_one_zone_score_once() -> None:
    # A watchman on d5.nw, below the farmer's only field d4.sw, comes over to him.
    state = limes_game(["R R F R", "R F R R", BARREN, BARREN], ["d4r0 +sw", "d5r0 +nw", "e4r0 d5.nw>d4.sw", "e5r0"])
    assert state.seats[0].workers == ("d4.sw", "d4.sw")
    assert state.seats[0].supply == 5
    assert [worker.scored for worker in limes.workers(state, 0)] == [True, False]
    assert limes.total(state, 0) == 1


def test_fisherman_counts_huts_on_the_shore() -> None:
    # W  W  | R* F      the hut on e4.sw touches no water
    # F* T* | R* F
    state = limes_game(["W W F* T*", "R* F R* F"], ["d4r0 +ne", "e4r0"])
    assert worth(state) == {"d4.ne": ("fisherman", 3)}
    assert limes.workers(state, 0)[0].counted == [{"d4.se"}, {"d4.sw"}, {"e4.nw"}]


def test_a_hut_counts_once_a_water_and_for_several_waters() -> None:
    assert limes.total(limes_game(["W W W F*"], ["d4r0 +nw"]), 0) == 1
    # W F*      two waters on one hut; the second fisherman comes from the tower below
    # F W
    state = limes_game(["W F* F W", BARREN, BARREN], ["d4r0 +nw", "d5r0 +ne", "e4r0 d5.ne>d4.se"])
    assert worth(state) == {"d4.nw": ("fisherman", 1), "d4.se": ("fisherman", 1)}
    assert limes.total(state, 0) == 2


def test_woodcutter_counts_each_neighbouring_territory_once() -> None:
    assert limes.total(limes_game(["F F F T"], ["d4r0 +se"]), 0) == 1
    # T F | T W
    # R T | R T        every tower is a territory of its own
    state = limes_game(["T F R T", "T W R T"], ["d4r0 +se", "e4r0"])
    assert worth(state) == {"d4.se": ("woodcutter", 3)}
    assert limes.workers(state, 0)[0].counted == [{"d4.ne"}, {"d4.sw"}, {"e4.sw"}]
    # T R      touching towers count as two
    # R R
    assert limes.total(limes_game(["T R R R"], ["d4r0 +nw"]), 0) == 2


def test_watchman_sees_up_to_the_next_tower() -> None:
    # R T | T R | T T
    # T F | T T | T T
    state = limes_game(["R T T F", "T R T T", "T T T T"], ["d4r0 +nw", "e4r0", "f4r0"])
    assert worth(state) == {"d4.nw": ("watchman", 3)}
    assert limes.workers(state, 0)[0].counted == [{"d4.ne"}, {"d4.sw"}, {"e4.nw"}]


def test_empty_ground_does_not_block_the_view() -> None:
    # Row 4 holds only d4 and f4; the watchman on d4.ne looks over the gap at f4.nw and f4.ne, and down at d5.ne, d5.se.
    faces = ["F R F F", "F T F T", "F F F F", "F F F F", "T T W W"]
    state = limes_game(faces, ["d4r0 +ne", "d5r0", "e5r0", "f5r0", "f4r0"])
    assert worth(state) == {"d4.ne": ("watchman", 4)}


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
    # F W | F F      the farmer on e4.nw beside the fisherman on d4.ne; d3 is the card just laid
    # T R | R T
    faces, turns = ["F W T R", "F F R T", BARREN], ["d4r0 +ne", "e4r0 +nw"]
    walks = ["e4.nw>d4.ne", "e4.nw>e4.se", "e4.nw>e4.sw"]
    plain = actions_of(limes_game(faces, turns), "d3r0")
    assert [action for action in plain if action.startswith("e4.nw>")] == walks
    ferried = actions_of(limes_game(faces, turns, ferryman=True), "d3r0")
    across = ["e4.nw>d3.se", "e4.nw>d4.nw", "e4.nw>d4.se"]
    assert [action for action in ferried if action.startswith("e4.nw>")] == sorted(walks + across)
    # The fisherman himself crosses nothing: no water is adjacent to his.
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
    # A watchman on c4.nw has no water beside him, only a field that has.
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
    """A whole game on d4-g7: three fields on d4, else one field a card that touches no other; actions by cell."""
    state = limes.start(2, ["F F F R", *["R R R F"] * 23])
    cells = [column + row for row in "4567" for column in "defg"]
    for card, cell in enumerate(cells, 1):
        state = limes.draw(state, card)
        for player, actions in enumerate((first, second)):
            state = limes.play(state, player, f"{cell}r0 {actions.get(cell, '')}".strip())
    return state


def test_winners_and_the_comparison_of_best_workers() -> None:
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
def test_limes_playouts_end_properly(diagonal: bool, ferryman: bool) -> None:
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


def test_lone_summary_has_a_rating_at_the_end() -> None:
    state = limes.playout(limes.start(1, MIXED), random.Random(2))
    summary = limes.summary(state, ["Ada"])
    assert (summary["over"], summary["winners"], summary["round"]) == (True, [0], 16)
    assert summary["players"][0]["rating"] == limes.rating(limes.total(state, 0))


def test_play_takes_exactly_the_legal_turns() -> None:
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


# --- Limit ------------------------------------------------------------------------------------------------------


def board(red: str, blue: str, yellow: str = "", empty: str = "", to_move: int = 0, turn: int = 9) -> limit.State:
    """A position past the first turns; colours of tiles do not matter after the set-up."""
    owners = [red.split(), blue.split(), yellow.split()]
    pawns = {tile: player for player, tiles in enumerate(owners) for tile in tiles}
    tiles = dict.fromkeys([*pawns, *empty.split()], "K")
    return limit.State(3 if yellow else 2, 8, tiles, pawns, to_move, turn)


def standing(state: limit.State) -> tuple[str, str]:
    """The tiles and the pawns, as text."""
    pawns = sorted(f"{tile}{limit.COLOURS[owner]}" for tile, owner in state.pawns.items())
    return " ".join(sorted(state.tiles)), " ".join(pawns)


RHOMBUS = ["a1R", "b1K", "a2Y", "b2B"]


def test_six_tiles_touch() -> None:
    assert set(limit.touching("c4")) == {"b4", "d4", "c3", "c5", "d3", "b5"}
    assert set(limit.touching("a0")) == {"b0", "a1"}


@pytest.mark.parametrize(
    ("layout", "players", "size", "reason"),
    [
        (RHOMBUS, 4, 1, "two or three"),
        (RHOMBUS, 2, 2, "4 tiles instead of 8"),
        (["a1R", "b1K", "a2Y", "b2R"], 2, 1, "colour"),
        (["a1R", "b1K", "a2Y", "a1B"], 2, 1, "twice"),
        (["a01R", "b1K", "a2Y", "b2B"], 2, 1, "not a tile"),
        (["a1R", "b1K", "a2Y", "b2B\n"], 2, 1, "not a tile"),
        (["a1R", "b1K", "c1Y", "d1B"], 2, 1, "fewer than two"),
        ([*RHOMBUS, "h1R", "i1K", "h2Y", "i2B"], 2, 2, "not connected"),
        ([*RHOMBUS, "c1B", "c2K", "d1R", "d2Y"], 2, 2, "own colour"),
        # The only empty tile a1 touches b1 and a2, but not b2.
        (["a1K", "b1R", "a2Y", "b2B"], 3, 1, "no empty tile"),
    ],
)
def test_layouts_that_break_the_rules(layout: list[str], players: int, size: int, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        limit.start(layout, players, size)


def test_move_captures_and_removals_must_not_split_pawns() -> None:
    # A line B . R . B: whichever neighbour Red moves to, he takes a pawn there and only its tile may go.
    state = board(red="c1", blue="a1 e1", empty="b1 d1")
    assert limit.legal(state) == ["c1-b1 xa1", "c1-d1 xe1"]
    state = limit.play(state, "c1-b1 xa1")
    assert standing(state) == ("b1 c1 d1 e1", "b1R e1B")
    assert (state.to_move, state.turn, state.result) == (1, 10, None)
    assert limit.legal(state) == ["e1-c1 xb1", "e1-c1 xd1", "e1-c1 xe1", "e1-d1 xe1"]
    # d1 leaves and takes e1, which holds nobody, with it.
    state = limit.play(state, "e1-c1 xd1")
    assert standing(state) == ("b1 c1", "c1B")
    assert limit.winners(state) == [1]
    assert limit.legal(state) == []


def test_pawns_walk_over_empty_tiles_only() -> None:
    # R . . B . in a line: Red does not get past Blue.
    state = board(red="a1", blue="d1", empty="b1 c1 e1")
    assert limit.pawn_moves(state) == [("a1", "b1"), ("a1", "c1")]


def test_tile_without_a_free_edge_stays() -> None:
    # c3 in the middle of six tiles is empty but enclosed.
    state = board(red="b3", blue="d3", empty="c3 c2 c4 d2 b4")
    removed = {text.split(" x")[1] for text in limit.legal(state)}
    assert "c3" not in removed
    assert {"c2", "c4", "d2", "b4"} <= removed


def test_enemies_are_taken_before_friends() -> None:
    # After c1-b2 xb1 Blue on a2 and Red on a1 have no freedom; taking Blue gives a1 its freedom back.
    state = limit.play(board(red="a1 c1", blue="a2", empty="b1 b2"), "c1-b2 xb1")
    assert standing(state) == ("a1 a2 b2 c1", "a1R b2R")
    assert limit.winners(state) == [0]


def test_friends_without_freedom_are_taken_too() -> None:
    # The same with a3 beside Blue: he keeps his freedom, and a1 is lost.
    state = limit.play(board(red="a1 c1", blue="a2", empty="b1 b2 a3"), "c1-b2 xb1")
    assert standing(state) == ("a1 a2 a3 b2 c1", "a2B b2R")
    assert limit.winners(state) == []
    assert state.to_move == 1


def test_enemies_are_judged_together() -> None:
    # Y B . R .: Yellow has only Blue beside him and Blue loses his freedom to Red; both go at once.
    state = limit.play(board(red="d1", blue="b1", yellow="a1", empty="c1 e1"), "d1-c1 xe1")
    assert standing(state) == ("a1 b1 c1 d1", "c1R")
    assert limit.winners(state) == [0]


def test_a_player_without_pawns_is_passed_over() -> None:
    # B . R . . Y: Red takes Blue, Yellow is next.
    state = board(red="c1", blue="a1", yellow="f1", empty="b1 d1 e1")
    state = limit.play(state, "c1-b1 xa1")
    assert standing(state) == ("b1 c1 d1 e1 f1", "b1R f1Y")
    assert (state.to_move, state.result) == (2, None)
    assert limit.summary(state) == {
        "game": "limit",
        "over": False,
        "turn": 10,
        "to_move": 2,
        "winners": [],
        "tiles": ["b1K", "c1K", "d1K", "e1K", "f1K"],
        "pawns": {"red": ["b1"], "blue": [], "yellow": ["f1"]},
    }


def test_first_turn_captures_nothing() -> None:
    state = limit.start(RHOMBUS, 2, 1)
    assert state.history == ()
    # a1-b1 xa2 and a1-a2 xb1 would take the last freedom of b2.
    assert limit.legal(state) == ["a1-a2 xa1", "a1-b1 xa1"]
    assert limit.legal(replace(state, turn=2)) == ["a1-a2 xa1", "a1-a2 xb1", "a1-b1 xa1", "a1-b1 xa2"]
    state = limit.play(state, "a1-b1 xa1")
    # Blue's first turn is not protected: on b1 and a2 nobody is left with freedom, and the enemy goes first.
    assert limit.legal(state) == ["b2-a2 xb2"]
    state = limit.play(state, "b2-a2 xb2")
    assert standing(state) == ("a2 b1", "a2B")
    assert limit.winners(state) == [1]


def test_first_turns_of_three_players() -> None:
    state = limit.start(["a1R", "b1K", "a2B", "b2Y"], 3, 1)
    # Red's only pawn move a1-b1 takes b2, and removing b1 takes everybody.
    assert limit.legal(state) == ["-"]
    state = limit.play(state, "-")
    # Blue may step into the middle, but to remove a2 then would again take everybody.
    assert limit.legal(state) == ["a2-b1"]
    state = limit.play(state, "a2-b1")
    # Yellow may capture: on a2 he takes a1 from Red.
    assert limit.legal(state) == ["b2-a2 xa1", "b2-a2 xb2"]
    state = limit.play(state, "b2-a2 xb2")
    assert standing(state) == ("a1 a2 b1", "a2Y b1B")
    assert (state.to_move, state.turn) == (1, 3)


def test_removal_alone_where_the_first_move_rule_leaves_no_pawn_move() -> None:
    # Red's only move a1-b1 takes Yellow's b2. Removing b1 would take a1; d0 and d1, behind Blue's c1, may go.
    state = board(red="a1", blue="a2 c1", yellow="b2", empty="b1 d0 d1", turn=0)
    assert limit.pawn_moves(state) == [("a1", "b1")]
    assert limit.legal(state) == ["xd0", "xd1"]
    state = limit.play(state, "xd0")
    assert standing(state) == ("a1 a2 b1 b2 c1 d1", "a1R a2B b2Y c1B")
    assert state.to_move == 1


def test_repetition_ties_but_the_start_is_no_turn_end() -> None:
    # R R R . R . B . B B B in a line: ends are held by pawns that cannot move and all else is a bridge, so no tile
    # may go. Four turns lead back to the position before the first, which no turn had ended in; the fifth repeats.
    state = board(red="a1 b1 c1 e1", blue="g1 i1 j1 k1", empty="d1 f1 h1")
    assert limit.legal(state) == ["c1-d1", "e1-d1", "e1-f1"]
    before = standing(state)
    for text in ("c1-d1", "i1-h1", "d1-c1", "h1-i1"):
        state = limit.play(state, text)
        assert not limit.is_over(state)
    assert standing(state) == before
    state = limit.play(state, "c1-d1")
    assert limit.winners(state) == [0, 1]


def test_pawn_move_alone_is_refused_where_another_allows_a_removal() -> None:
    # R R . B . R in a line: after b1-c1 no tile may go, but f1-e1 leaves the end f1 free to go.
    state = board(red="a1 b1 f1", blue="d1", empty="c1 e1")
    assert limit.legal(state) == ["f1-e1 xf1"]


def test_judging_the_end() -> None:
    assert limit.judge({0, 1}, 0, {0, 1}) is None
    assert limit.judge({0, 1, 2}, 0, {1}) == (1,)
    # All pawns gone: the mover loses to the other one, but with three in the game all tie.
    assert limit.judge({0, 1}, 0, set()) == (1,)
    assert limit.judge({0, 2}, 2, set()) == (0,)
    assert limit.judge({0, 1, 2}, 1, set()) == (0, 1, 2)


def test_turn_texts_with_the_letter_x() -> None:
    state = limit.start(["w1R", "x1K", "w2Y", "x2B"], 2, 1)
    assert limit.legal(state) == ["w1-w2 xw1", "w1-x1 xw1"]
    state = limit.play(state, "w1-x1 xw1")
    assert limit.legal(state) == ["x2-w2 xx2"]
    with pytest.raises(ValueError, match="not a legal turn"):
        limit.play(state, "x2-w2")


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("size", [1, 2, 3, 5, 8])
def test_limit_playouts_end_properly(players: int, size: int) -> None:
    chance = random.Random(size)
    for _ in range(4):
        layout = limit.random_layout(size, players, chance)
        assert min(text[0] for text in layout) == "a"
        assert min(int(text[1:-1]) for text in layout) == 1
        first = limit.start(layout, players, size)
        state = limit.playout(first, chance)
        assert limit.is_over(state)
        assert limit.legal(state) == []
        # A turn cannot take the last pawns of all, so somebody is left and has won, or those left share it.
        assert limit.winners(state) == sorted(set(state.pawns.values()))
        assert state.tiles.items() <= first.tiles.items()


def test_every_turn_of_random_games_leaves_the_tiles_whole_and_the_groups_free() -> None:
    chance = random.Random(7)
    for players in (2, 3):
        state = limit.start(limit.random_layout(4, players, chance), players, 4)
        while not limit.is_over(state):
            turns = limit.legal(state)
            assert len(turns) == len(set(turns)) > 0
            # A pawn keeps the freedom it came from and leaves its tile to its friends: no move costs a friend his.
            for origin, target in limit.pawn_moves(state):
                pawns = limit.after_move(state, origin, target)
                assert pawns is None or limit.capture_all(state, state.tiles, pawns) == pawns
            then = limit.play(state, chance.choice(turns))
            assert len(limit.flood(min(then.tiles), then.tiles)) == len(then.tiles)
            assert set(then.pawns) <= set(then.tiles)
            assert limit.capture(then.tiles, then.pawns, range(players)) == then.pawns
            assert state.turn >= players - 1 or len(then.pawns) == len(state.pawns)
            state = then
