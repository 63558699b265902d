"""What programs build on: positions as lines of text, turns as numbers and in parts, numbers and chance from numpy."""

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

ROOMS = [limes, limit]
names = pytest.mark.parametrize("room", ROOMS, ids=["limes", "limit"])


def game_of(room: ModuleType) -> limina.Game:
    return limina.game(room.__name__.rpartition(".")[2])


def positions(room: ModuleType, seed: int, players: int = 2, **options: Any) -> list[Any]:
    game = game_of(room)
    record = Record.new(game, [f"p{n}" for n in range(players)], **options)
    chance = Random(seed)
    while record.end.outcome is None:
        if record.end.awaits_chance:
            record = record.apply_chance(chance)
        else:
            player = chance.choice(record.end.to_move)
            record = record.play(chance.choice(record.end.legal_turns(player)), player)
    return list(record.positions())


@names
def test_a_position_reads_back_from_its_line(room: ModuleType) -> None:
    for seed in range(4):
        for position in positions(room, seed, 2 + seed % 2):
            assert "\n" not in position.position_string
            assert room.position(position.position_string) == position


def test_a_line_keeps_variants_and_a_deck_of_ones_own() -> None:
    deck = Deck(reversed(Deck.default().faces))
    for position in positions(limes, 1, 1, diagonal=True, ferryman=True, deck=deck):
        again = limes.position(position.position_string)
        assert again == position
        assert again.deck == deck


def test_a_line_keeps_what_may_not_be_repeated() -> None:
    position = Record.from_json(ring_record(60)).end
    again = limit.position(position.position_string)
    assert again == position
    assert [again.play(turn).outcome for turn in again.legal_turns()] == [
        position.play(turn).outcome for turn in position.legal_turns()
    ]


@pytest.mark.parametrize(
    ("room", "line"),
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
def test_what_is_no_position_is_refused_in_a_sentence(room: ModuleType, line: str) -> None:
    with pytest.raises(InvalidInputError):
        room.position(line)


@names
def test_mangled_lines_are_read_or_refused(room: ModuleType) -> None:
    chance = Random(1)
    lines = [position.position_string for position in positions(room, 1)]
    for _ in range(1500):
        line = list(chance.choice(lines))
        for _ in range(chance.randint(1, 3)):
            line[chance.randrange(len(line))] = chance.choice("abcdefg0123456789RBYKFWTrft-.,:/ =+")
        try:
            position = room.position("".join(line))
        except InvalidInputError:
            continue
        for player in position.to_move:
            turns = position.legal_turns(player)
            if turns:
                position.play(chance.choice(turns), player)


@names
def test_turns_are_also_numbers_in_an_array(room: ModuleType) -> None:
    position = next(each for each in positions(room, 2, 2) if each.to_move)
    player = position.to_move[0]
    turns = position.legal_turns(player)
    codes = np.asarray(turns.codes)
    assert codes.dtype == np.uint32
    assert codes.shape == (len(turns),)
    for number in (0, len(turns) // 2, len(turns) - 1):
        assert position.play(codes[number], player) == position.play(turns[number], player)
        assert codes[number] in turns
    for odd in (-1, 1 << 40, 0xFEFEFEFE):
        with pytest.raises((InvalidInputError, IllegalTurnError)):
            position.play(odd, player)


@names
def test_every_legal_turn_can_be_chosen_part_by_part(room: ModuleType) -> None:
    for position in positions(room, 3, 2)[2::9]:
        if not position.to_move:
            continue
        player = position.to_move[0]
        draft = position.draft(player)
        for turn in list(position.legal_turns(player))[::17]:
            made = draft
            for part in turn.parts:
                assert made.turn is None
                assert part in made.options
                made = made.take(part)
            assert made.turn == turn
            assert made.options == ()
        with pytest.raises(IllegalTurnError, match="cannot be chosen"):
            draft.take("nonsense")


@names
def test_chance_may_come_from_numpy(room: ModuleType) -> None:
    game = game_of(room)

    def dealt(seed: int) -> Any:
        rng: Any = np.random.default_rng(seed)
        start = game.start(2)
        deal = game.deal(start, rng)
        return start.chance(rng), deal

    assert dealt(1) == dealt(1)
    assert dealt(1) != dealt(2)


def test_numbers_may_come_from_numpy() -> None:
    position = limes.Position.start().draw(np.int64(17))
    assert position == limes.Position.start().draw(17)
    assert type(position.draws[0]) is int
    with pytest.raises(InvalidInputError, match="whole number"):
        position.draw(1.5)  # type: ignore[arg-type]


@names
def test_a_copy_of_a_position_costs_nothing(room: ModuleType) -> None:
    position = random_record(game_of(room), 1).end
    assert copy.deepcopy(position) is position
    assert copy.copy(position) is position
