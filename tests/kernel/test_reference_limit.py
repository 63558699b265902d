"""The reference implementation of Limit in positions that were worked out by hand."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from reference import limit


def board(red: str, blue: str, yellow: str = "", empty: str = "", to_move: int = 0, turn: int = 9) -> limit.State:
    """A position past the first turns; colors of tiles do not matter after the set-up."""
    owners = [red.split(), blue.split(), yellow.split()]
    pawns = {tile: player for player, tiles in enumerate(owners) for tile in tiles}
    tiles = dict.fromkeys([*pawns, *empty.split()], "K")
    return limit.State(3 if yellow else 2, 8, tiles, pawns, to_move, turn)


def tiles_and_pawns(state: limit.State) -> tuple[str, str]:
    """The tiles and the pawns, as text."""
    pawns = sorted(f"{tile}{limit.COLORS[owner]}" for tile, owner in state.pawns.items())
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
        (["a1R", "b1K", "a2Y", "b2R"], 2, 1, "color"),
        (["a1R", "b1K", "a2Y", "a1B"], 2, 1, "twice"),
        (["a01R", "b1K", "a2Y", "b2B"], 2, 1, "not a tile"),
        (["a1R", "b1K", "a2Y", "b2B\n"], 2, 1, "not a tile"),
        (["a1R", "b1K", "c1Y", "d1B"], 2, 1, "fewer than two"),
        ([*RHOMBUS, "h1R", "i1K", "h2Y", "i2B"], 2, 2, "not connected"),
        ([*RHOMBUS, "c1B", "c2K", "d1R", "d2Y"], 2, 2, "own color"),
        # The only empty tile a1 touches b1 and a2, but not b2.
        (["a1K", "b1R", "a2Y", "b2B"], 3, 1, "no empty tile"),
    ],
)
def test_layouts_that_break_the_rules(layout: list[str], players: int, size: int, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        limit.start(layout, players, size)


def test_move_captures_and_removals_must_not_split_pawns() -> None:
    # A line B . R . B: each move of Red captures a pawn, and only its tile may be removed.
    state = board(red="c1", blue="a1 e1", empty="b1 d1")
    assert limit.legal(state) == ["c1-b1 xa1", "c1-d1 xe1"]
    state = limit.play(state, "c1-b1 xa1")
    assert tiles_and_pawns(state) == ("b1 c1 d1 e1", "b1R e1B")
    assert (state.to_move, state.turn, state.result) == (1, 10, None)
    assert limit.legal(state) == ["e1-c1 xb1", "e1-c1 xd1", "e1-c1 xe1", "e1-d1 xe1"]
    # removing d1 also sinks e1, which has no pawn.
    state = limit.play(state, "e1-c1 xd1")
    assert tiles_and_pawns(state) == ("b1 c1", "c1B")
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


def test_enemies_are_captured_before_own_pawns() -> None:
    # After c1-b2 xb1 Blue on a2 and Red on a1 have no freedom; taking Blue gives a1 its freedom back.
    state = limit.play(board(red="a1 c1", blue="a2", empty="b1 b2"), "c1-b2 xb1")
    assert tiles_and_pawns(state) == ("a1 a2 b2 c1", "a1R b2R")
    assert limit.winners(state) == [0]


def test_own_groups_without_a_freedom_are_captured_too() -> None:
    # As above, with a3 beside Blue: it keeps a freedom, and a1 is lost.
    state = limit.play(board(red="a1 c1", blue="a2", empty="b1 b2 a3"), "c1-b2 xb1")
    assert tiles_and_pawns(state) == ("a1 a2 a3 b2 c1", "a2B b2R")
    assert limit.winners(state) == []
    assert state.to_move == 1


def test_enemies_are_captured_together() -> None:
    # Y B . R .: Yellow has only Blue beside it and Blue loses its freedom to Red; both go at once.
    state = limit.play(board(red="d1", blue="b1", yellow="a1", empty="c1 e1"), "d1-c1 xe1")
    assert tiles_and_pawns(state) == ("a1 b1 c1 d1", "c1R")
    assert limit.winners(state) == [0]


def test_player_without_pawns_is_skipped() -> None:
    # B . R . . Y: Red takes Blue, Yellow is next.
    state = board(red="c1", blue="a1", yellow="f1", empty="b1 d1 e1")
    state = limit.play(state, "c1-b1 xa1")
    assert tiles_and_pawns(state) == ("b1 c1 d1 e1 f1", "b1R f1Y")
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
    # Blue's first turn is not protected: on b1 and a2 no group has a freedom, and enemies are captured first.
    assert limit.legal(state) == ["b2-a2 xb2"]
    state = limit.play(state, "b2-a2 xb2")
    assert tiles_and_pawns(state) == ("a2 b1", "a2B")
    assert limit.winners(state) == [1]


def test_first_turns_of_three_players() -> None:
    state = limit.start(["a1R", "b1K", "a2B", "b2Y"], 3, 1)
    # Red's only pawn move a1-b1 takes b2, and removing b1 captures all pawns.
    assert limit.legal(state) == ["-"]
    state = limit.play(state, "-")
    # Blue may step into the middle, but removing a2 then would capture all pawns again.
    assert limit.legal(state) == ["a2-b1"]
    state = limit.play(state, "a2-b1")
    # Yellow may capture: a move to a2 captures a1.
    assert limit.legal(state) == ["b2-a2 xa1", "b2-a2 xb2"]
    state = limit.play(state, "b2-a2 xb2")
    assert tiles_and_pawns(state) == ("a1 a2 b1", "a2Y b1B")
    assert (state.to_move, state.turn) == (1, 3)


def test_removal_alone_if_every_pawn_move_would_capture() -> None:
    # Red's only move a1-b1 takes Yellow's b2. Removing b1 would take a1; d0 and d1, behind Blue's c1, may go.
    state = board(red="a1", blue="a2 c1", yellow="b2", empty="b1 d0 d1", turn=0)
    assert limit.pawn_moves(state) == [("a1", "b1")]
    assert limit.legal(state) == ["xd0", "xd1"]
    state = limit.play(state, "xd0")
    assert tiles_and_pawns(state) == ("a1 a2 b1 b2 c1 d1", "a1R a2B b2Y c1B")
    assert state.to_move == 1


def test_repetition_ties_but_the_initial_position_does_not_count() -> None:
    # R R R . R . B . B B B in a line: ends are held by pawns that cannot move and all else is a bridge, so no tile
    # may go. Four turns lead back to the position before the first, which no turn had ended in; the fifth repeats.
    state = board(red="a1 b1 c1 e1", blue="g1 i1 j1 k1", empty="d1 f1 h1")
    assert limit.legal(state) == ["c1-d1", "e1-d1", "e1-f1"]
    before = tiles_and_pawns(state)
    for text in ("c1-d1", "i1-h1", "d1-c1", "h1-i1"):
        state = limit.play(state, text)
        assert not limit.is_over(state)
    assert tiles_and_pawns(state) == before
    state = limit.play(state, "c1-d1")
    assert limit.winners(state) == [0, 1]


def test_pawn_move_alone_is_illegal_if_another_allows_a_removal() -> None:
    # R R . B . R in a line: after b1-c1 no tile may go, but f1-e1 leaves the end f1 free to go.
    state = board(red="a1 b1 f1", blue="d1", empty="c1 e1")
    assert limit.legal(state) == ["f1-e1 xf1"]


def test_winners_of_finished_games() -> None:
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
def test_limit_playouts_finish(players: int, size: int) -> None:
    rng = random.Random(size)
    for _ in range(4):
        layout = limit.random_layout(size, players, rng)
        assert min(text[0] for text in layout) == "a"
        assert min(int(text[1:-1]) for text in layout) == 1
        first = limit.start(layout, players, size)
        state = limit.playout(first, rng)
        assert limit.is_over(state)
        assert limit.legal(state) == []
        # A turn cannot take the last pawns of all, so at least one player is left and wins or shares the win.
        assert limit.winners(state) == sorted(set(state.pawns.values()))
        assert state.tiles.items() <= first.tiles.items()


def test_every_turn_leaves_connected_tiles_and_groups_with_freedoms() -> None:
    rng = random.Random(7)
    for players in (2, 3):
        state = limit.start(limit.random_layout(4, players, rng), players, 4)
        while not limit.is_over(state):
            turns = limit.legal(state)
            assert len(turns) == len(set(turns)) > 0
            # A move leaves its origin empty, so it never takes the last freedom of an own group.
            for origin, target in limit.pawn_moves(state):
                pawns = limit.after_move(state, origin, target)
                assert pawns is None or limit.capture_all(state, state.tiles, pawns) == pawns
            then = limit.play(state, rng.choice(turns))
            assert len(limit.flood(min(then.tiles), then.tiles)) == len(then.tiles)
            assert set(then.pawns) <= set(then.tiles)
            assert limit.capture(then.tiles, then.pawns, range(players)) == then.pawns
            assert state.turn >= players - 1 or len(then.pawns) == len(state.pawns)
            state = then
