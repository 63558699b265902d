"""What the values of Limes say of a display: exact where it is full, the same from every side, refused when damaged."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from limina import Record, game
from limina._kernel import Stop
from limina._kernel import limes as kernel
from limina.bots import Budget
from limina.errors import InvalidInputError
from limina.limes import Deck, Position
from limina.limes.bots import skilled
from limina.limes.notation import CELLS, ZONES, Turn, cell_index, zone_xy
from limina.limes.weights import VALUES
from limina.limit.weights import VALUES as OTHER_VALUES


def drawn(position: Position, chance: Random) -> Position:
    """The position with the next card."""
    return position.apply(position.chance(chance))


# Nearly every zone is a territory of its own: as many as there can be, of all landscapes.
CHEQUERED_DECK = Deck(["W F F W"] * 12 + ["R T T R"] * 12)


@pytest.mark.parametrize(("deck", "seed"), [(Deck.default(), 4), (CHEQUERED_DECK, 130)])
def test_values_of_a_full_display_are_its_points(deck: Deck, seed: int) -> None:
    position, chance = Position.start(ferryman=True, deck=deck), Random(seed)
    while position.outcome is None:
        position = drawn(position, chance)
        position = position.play(chance.choice(position.legal_turns()))
    assert VALUES.default.value(position.boards[0]) == position.display().total


def test_no_rollout_is_longer_than_a_game() -> None:
    position = drawn(Position.start(), Random(1))

    def found(depth: int) -> object:
        return kernel.search(
            VALUES.default,
            position.boards[0],
            position.deck.cards,
            position.draws[-1] - 1,
            sum(1 << card - 1 for card in position.unseen),
            [],
            rollouts=8,
            candidates=4,
            depth=depth,
            threads=1,
            seconds=60,
            seed=1,
            stop=Stop(),
        )

    assert found(2**31 - 1) == found(16)


@pytest.mark.parametrize("rounds", [2, 4, 6])
def test_a_worker_kept_in_hand_is_not_lost(rounds: int) -> None:
    # Whoever puts a worker to work in each of the first seven rounds never sees what the others do.
    position, chance, bot = Position.start(), Random(rounds), skilled(seed=1)
    for _ in range(rounds):
        position = drawn(position, chance)
        position = position.play(bot.choose(Record.from_position(game("limes"), position), 0, Budget()).turn)
    position = drawn(position, chance)
    turns = VALUES.default.turns(position.boards[0], position.deck.cards[position.draws[-1] - 1])
    kept = max(value for code, value in turns if (parts := kernel.turn_parts(code))[2] is not None or parts[3] is None)
    assert turns[0][1] - kept < 3


def _quarter_turned(turn: Turn) -> Turn:
    """The turn on a table that was turned to the right around d4."""

    def zone(name: str | None) -> str | None:
        if name is None:
            return None
        x, y = zone_xy(name)
        return ZONES[16 * x + 13 - y]

    cell = cell_index(turn.cell)
    return Turn(CELLS[8 * (cell % 8) + 6 - cell // 8], (turn.turning + 1) % 4, zone(turn.source), zone(turn.target))


@pytest.mark.parametrize("seed", range(3))
def test_a_display_is_worth_the_same_from_every_side(seed: int) -> None:
    sides, chance, bot = [Position.start(diagonal=seed == 1)] * 4, Random(seed), skilled(seed=seed)
    while sides[0].outcome is None:
        event = sides[0].chance(chance)
        turn = bot.choose(Record.from_position(game("limes"), sides[0].apply(event)), 0, Budget()).turn
        for side, position in enumerate(sides):
            sides[side] = position.apply(event).play(turn)
            turn = _quarter_turned(turn)
        worth = [VALUES.default.value(position.boards[0]) for position in sides]
        assert worth == pytest.approx(worth[:1] * 4, abs=1e-3)


def _total_after(display: kernel.Display, card: kernel.Card, code: int) -> int:
    after = display.play(card, code)
    assert isinstance(after, kernel.Display)
    return after.total()


@pytest.mark.parametrize("seed", range(3))
def test_untrained_values_are_the_points_of_the_moment_for_every_turn(seed: int) -> None:
    # The values count points in their own quick way: it has to agree with the rules, turn by turn.
    position, chance, judgement = Position.start(diagonal=seed == 1, ferryman=seed == 2), Random(seed), kernel.Values()
    while position.outcome is None:
        position = drawn(position, chance)
        card = position.deck.cards[position.draws[-1] - 1]
        turns = judgement.turns(position.boards[0], card)
        for code, value in chance.sample(turns, min(40, len(turns))):
            assert _total_after(position.boards[0], card, code) == value
        reached = {_total_after(position.boards[0], card, code) for code, _ in turns}
        if position.round > 0:
            legal = position.boards[0].legal_turns(card)
            assert reached == {_total_after(position.boards[0], card, code) for code in legal}
        position = position.play(chance.choice(position.legal_turns()))


def _with_last_bit_changed(whole: bytes) -> bytes:
    return whole[:-1] + bytes([whole[-1] ^ 1])


def test_wrong_values_are_refused_in_a_sentence(tmp_path: Path) -> None:
    weights = VALUES.default.write()
    content = VALUES.encode(weights, {"seed": 3})
    path = tmp_path / "wrong.bin"
    for wrong in (b"", b"nonsense", b"[]\n", OTHER_VALUES.encode(weights, {})):
        path.write_bytes(wrong)
        with pytest.raises(InvalidInputError, match=r"wrong\.bin does not contain weights of this game and version"):
            VALUES.read(path)
    for change in (lambda whole: whole[:-1], lambda whole: whole + b"x", _with_last_bit_changed):
        for wrong in (change(content), VALUES.encode(change(weights), {})):
            path.write_bytes(wrong)
            with pytest.raises(InvalidInputError, match=r"wrong\.bin are damaged: train or install them again"):
                VALUES.read(path)
    with pytest.raises(InvalidInputError, match="no such file"):
        VALUES.read(tmp_path / "missing.bin")
    (tmp_path / "right.bin").write_bytes(content)
    assert VALUES.read(tmp_path / "right.bin").write() == weights
