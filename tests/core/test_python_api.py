"""The Python API: position strings, turns as numbers and in parts, numbers and random sources of numpy."""

from __future__ import annotations

import copy
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import limina
from limina import IllegalTurnError, InvalidInputError, Record, limes, limit
from limina.limes import Deck
from support.games.records import random_record, ring_record

for_each_game = pytest.mark.parametrize("module", [limes, limit], ids=["limes", "limit"])


def game_of(module: ModuleType) -> limina.Game:
    return limina.game(module.__name__.rpartition(".")[2])


def positions(module: ModuleType, seed: int, players: int = 2, **options: Any) -> list[Any]:
    game = game_of(module)
    record = Record.new(game, [f"p{n}" for n in range(players)], **options)
    chance = Random(seed)
    while record.position.outcome is None:
        if record.position.awaits_chance:
            record = record.apply_random_chance_step(chance)
        else:
            player = chance.choice(record.position.to_move)
            record = record.play(chance.choice(record.position.legal_turns(player)), player)
    return list(record.positions())


@for_each_game
def test_a_position_is_read_from_its_string(module: ModuleType) -> None:
    for seed in range(4):
        for position in positions(module, seed, 2 + seed % 2):
            assert "\n" not in position.position_string
            assert module.parse_position(position.position_string) == position


def test_a_position_string_contains_variants_and_a_custom_deck() -> None:
    deck = Deck(reversed(Deck.default().faces))
    for position in positions(limes, 1, 1, diagonal=True, ferryman=True, deck=deck):
        again = limes.parse_position(position.position_string)
        assert again == position
        assert again.deck == deck


def test_a_position_string_preserves_which_turns_end_by_repetition() -> None:
    position = Record.from_json(ring_record(60)).position
    again = limit.parse_position(position.position_string)
    assert again == position
    assert [again.play(turn).outcome for turn in again.legal_turns()] == [
        position.play(turn).outcome for turn in position.legal_turns()
    ]


@pytest.mark.parametrize(
    ("module", "position_string"),
    [
        (limes, ""),
        (limes, "17"),
        (limes, "17 x -"),
        (limes, "99 - -"),
        (limes, "17,17 - -"),
        (limes, "17 - d4:FFF/FFF:-"),
        (limes, "17 - d4:FF/FF:d5.nw"),
        (limes, "17,3,4 - d4:FF/FF:-"),
        (limes, "17 - a1:FF/FF:-"),
        (limes, "17 - d4:FF/FF:" + ",".join(["d4.nw"] * 8)),
        (limes, "1 - - deck:F"),
        (limit, ""),
        (limit, "2 0 red a1R0"),
        (limit, "2 0 yellow a1R0"),
        (limit, "2 size:99"),
        (limit, "2 0 red a1?"),
    ],
)
def test_an_invalid_position_string_is_refused(module: ModuleType, position_string: str) -> None:
    with pytest.raises(InvalidInputError):
        module.parse_position(position_string)


@for_each_game
def test_mangled_position_strings_are_read_or_refused(module: ModuleType) -> None:
    chance = Random(1)
    strings = [position.position_string for position in positions(module, 1)]
    for _ in range(1500):
        characters = list(chance.choice(strings))
        for _ in range(chance.randint(1, 3)):
            characters[chance.randrange(len(characters))] = chance.choice("abcdefg0123456789RBYKFWTrft-.,:/ =+")
        try:
            position = module.parse_position("".join(characters))
        except InvalidInputError:
            continue
        for player in position.to_move:
            turns = position.legal_turns(player)
            if turns:
                position.play(chance.choice(turns), player)


@for_each_game
def test_legal_turns_are_an_array_of_codes(module: ModuleType) -> None:
    position = next(candidate for candidate in positions(module, 2, 2) if candidate.to_move)
    player = position.to_move[0]
    turns = position.legal_turns(player)
    codes = np.asarray(turns.codes)
    assert codes.dtype == np.uint32
    assert codes.shape == (len(turns),)
    for index in (0, len(turns) // 2, len(turns) - 1):
        assert position.play(codes[index], player) == position.play(turns[index], player)
        assert codes[index] in turns
    for invalid_code in (-1, 1 << 40, 0xFEFEFEFE):
        with pytest.raises((InvalidInputError, IllegalTurnError)):
            position.play(invalid_code, player)


@for_each_game
def test_every_legal_turn_can_be_composed_part_by_part(module: ModuleType) -> None:
    for position in positions(module, 3, 2)[2::9]:
        if not position.to_move:
            continue
        player = position.to_move[0]
        empty_draft = position.draft(player)
        for turn in list(position.legal_turns(player))[::17]:
            draft = empty_draft
            for part in turn.parts:
                assert draft.turn is None
                assert part in draft.options
                draft = draft.take(part)
            assert draft.turn == turn
            assert draft.options == ()
        with pytest.raises(IllegalTurnError, match="cannot be chosen"):
            empty_draft.take("nonsense")


@for_each_game
def test_numpy_can_be_the_random_source(module: ModuleType) -> None:
    game = game_of(module)

    def dealt(seed: int) -> Any:
        rng: Any = np.random.default_rng(seed)
        start = game.start(2)
        deal = game.deal(start, rng)
        return start.draw_chance_step(rng), deal

    assert dealt(1) == dealt(1)
    assert dealt(1) != dealt(2)


def test_numbers_of_numpy_are_accepted() -> None:
    position = limes.Position.start().draw_card(np.int64(17))
    assert position == limes.Position.start().draw_card(17)
    assert type(position.draws[0]) is int
    with pytest.raises(InvalidInputError, match="whole number"):
        position.draw_card(1.5)  # type: ignore[arg-type]


@for_each_game
def test_a_copy_of_a_position_is_the_position_itself(module: ModuleType) -> None:
    position = random_record(game_of(module), 1).position
    assert copy.deepcopy(position) is position
    assert copy.copy(position) is position
