"""Bindings of the kernel: packed turns, turns in groups, boards before the set-up, random layouts."""

from __future__ import annotations

import pickle
from random import Random

import pytest

from limina._kernel import limes, limit
from limina.limes import Position as Limes
from limina.limit import Position as Limit


def limes_positions(seed: int) -> list[Limes]:
    rng, positions = Random(seed), []
    position = Limes.start(diagonal=seed == 1, ferryman=seed == 2)
    while position.outcome is None:
        position = position.apply(position.draw_chance_step(rng))
        positions.append(position)
        position = position.play(rng.choice(position.legal_turns()))
    return positions


def limit_positions(seed: int) -> list[Limit]:
    rng, positions = Random(seed), []
    position = Limit.random(5, 2 + seed % 2, rng=rng)
    while position.outcome is None:
        positions.append(position)
        position = position.play(rng.choice(position.legal_turns()))
    return positions


def test_packed_turn_contains_its_parts() -> None:
    # Literals, because packed turns must be the same on every machine.
    assert limes.turn_code(27, 3) == 0xFFFF031B
    assert limes.turn_parts(0x4455011B) == (27, 1, 0x55, 0x44)
    assert limes.turn_parts(0xFFFF001B) == (27, 0, None, None)
    assert limit.turn_code() == 0xFFFFFF
    assert limit.turn_code(1, 2, 3) == 0x030201
    assert limit.turn_parts(0xFF0201) == (1, 2, None)
    for position in limes_positions(2):
        for code in position.boards[0].legal_turns(position.deck.cards[position.draws[-1] - 1]):
            assert limes.turn_code(*limes.turn_parts(code)) == code
    for start in limit_positions(0):
        for code in start.board.legal_turns():
            assert limit.turn_code(*limit.turn_parts(code)) == code


def test_parts_out_of_range_are_rejected() -> None:
    for parts in ((256, 0), (-1, 0), (0, 0, 300)):
        with pytest.raises(TypeError):
            limes.turn_code(*parts)
    with pytest.raises(TypeError):
        limit.turn_code(0, -1)


@pytest.mark.parametrize("seed", range(3))
def test_placements_are_the_legal_turns_with_their_totals(seed: int) -> None:
    for position in limes_positions(seed):
        display, card = position.boards[0], position.deck.cards[position.draws[-1] - 1]
        listed = {}
        for cell, turning, actions in display.placements(card):
            for source, target, total in actions:
                listed[limes.turn_code(cell, turning, source, target)] = total
        assert list(listed) == display.legal_turns(card)
        for code, total in Random(seed).sample(sorted(listed.items()), min(20, len(listed))):
            after = display.play(card, code)
            assert isinstance(after, limes.Display)
            assert after.total() == total
    full = display.play(card, code)
    assert isinstance(full, limes.Display)
    assert full.placements(card) == []


@pytest.mark.parametrize("seed", range(4))
def test_pawn_moves_and_their_completions_are_the_legal_turns(seed: int) -> None:
    for position in limit_positions(seed):
        board = position.board
        parts = [limit.turn_parts(code) for code in board.legal_turns()]
        moves = [(source, target) for source, target, _ in board.pawn_moves()]
        assert moves == list(dict.fromkeys((source, target) for source, target, _ in parts if source is not None))
        for source, target, captured in board.pawn_moves():
            move = limit.turn_code(source, target)
            assert board.captures(move) == captured
            removed = [limit.turn_parts(played.turn)[2] for played in board.completions(move)]
            expected = [tile for *pawn_move, tile in parts if pawn_move == [source, target] and tile is not None]
            assert removed == expected
            for played in board.completions(move):
                replayed = board.play(played.turn)
                assert isinstance(replayed, limit.PlayedTurn)
                assert replayed.board == played.board
                assert replayed.captured == played.captured
                assert played.captured_by_move == captured
        assert board.completions(limit.turn_code()) == []


@pytest.mark.parametrize("players", [2, 3])
def test_board_without_a_layout_has_no_legal_turns(players: int) -> None:
    board = limit.Board.empty(players)
    assert (board.players, board.turn, board.to_move, board.over) == (players, 0, 0, False)
    assert not any((board.tiles(), board.places(), board.legal_turns(), board.pawn_moves(), board.winners))
    assert board.captures_forbidden
    for player in range(players):
        assert board.pawns(player) == board.pawns_in_danger(player) == []
    assert not any((board.reachable_tiles(0), board.freedoms(0), board.completions(limit.turn_code(0, 1))))
    for code in (limit.turn_code(), limit.turn_code(0, 1, 2), limit.turn_code(None, None, 0)):
        assert board.play(code) is limit.IllegalTurnReason.NO_LAYOUT
    twin = pickle.loads(pickle.dumps(board))
    assert twin == board == limit.Board.empty(players)
    assert hash(twin) == hash(board)
    assert board != limit.Board.empty(5 - players)
    assert board != limit.Board.random(4, players, 1)


def test_searches_reject_a_board_without_a_layout() -> None:
    board = limit.Board.empty(2)
    weights = limit.Weights()
    for search in (
        lambda: board.playouts(1, 1),
        lambda: weights.win_probabilities(board),
        lambda: limit.uct(board, 0.5, 10),
        lambda: limit.solve(board, weights, 10),
    ):
        with pytest.raises(ValueError, match="laid"):
            search()


def test_invalid_state_without_a_layout_is_rejected() -> None:
    places, players, position, ends = limit.Board.empty(2).__getstate__()
    tiles, pawns, turn, to_move, over, winners = position
    for forged in (
        (places, 4, position, ends),
        (places, players, (1, pawns, turn, to_move, over, winners), ends),
        (places, players, (tiles, pawns, 3, to_move, over, winners), ends),
        (places, players, (tiles, pawns, turn, to_move, True, winners), ends),
    ):
        with pytest.raises(ValueError, match=r"not the state|layout"):
            limit.Board.__new__(limit.Board).__setstate__(forged)


def test_random_layout_is_that_of_the_random_board() -> None:
    for seed in range(20):
        size, players = 4 + seed % 5, 2 + seed % 2
        layout = limit.random_layout(size, players, seed)
        assert layout == limit.Board.random(size, players, seed).places()
        assert limit.Board(layout, players) == limit.Board.random(size, players, seed)
    for size, players in ((3, 2), (17, 2), (8, 4)):
        with pytest.raises(ValueError, match="4 to 16"):
            limit.random_layout(size, players, 1)
