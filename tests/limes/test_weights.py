"""The evaluation of displays in Limes: exact if full, independent of rotation; damaged weights files are refused."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from limina import Record, game
from limina._kernel import CancelToken
from limina._kernel import limes as kernel
from limina.bots import Budget
from limina.errors import InvalidInputError
from limina.limes import Deck, Position
from limina.limes.bots import skilled
from limina.limes.notation import CELLS, ZONES, Turn, cell_index, zone_xy
from limina.limes.weights import WEIGHTS
from limina.limit.weights import WEIGHTS as LIMIT_WEIGHTS


def draw_card(position: Position, rng: Random) -> Position:
    """Return the position after the draw of a random card."""
    return position.apply(position.draw_chance_step(rng))


# Nearly every zone is a territory of its own, which gives the most territories of all landscapes.
CHECKERED_DECK = Deck(["W F F W"] * 12 + ["R T T R"] * 12)


@pytest.mark.parametrize(("deck", "seed"), [(Deck.default(), 4), (CHECKERED_DECK, 130)])
def test_the_value_of_a_full_display_is_its_points(deck: Deck, seed: int) -> None:
    position, rng = Position.start(ferryman=True, deck=deck), Random(seed)
    while position.outcome is None:
        position = draw_card(position, rng)
        position = position.play(rng.choice(position.legal_turns()))
    assert WEIGHTS.default.evaluate(position.boards[0]) == position.display().total


def test_a_rollout_ends_with_the_game() -> None:
    position = draw_card(Position.start(), Random(1))

    def search(depth: int) -> object:
        return kernel.search(
            WEIGHTS.default,
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
            cancel_token=CancelToken(),
        )

    assert search(2**31 - 1) == search(16)


@pytest.mark.parametrize("rounds", [2, 4, 6])
def test_turns_that_keep_the_supply_have_almost_the_best_value(rounds: int) -> None:
    # Weights trained without exploration undervalued workers in the supply.
    position, rng, bot = Position.start(), Random(rounds), skilled(seed=1)
    for _ in range(rounds):
        position = draw_card(position, rng)
        position = position.play(bot.choose(Record.from_position(game("limes"), position), 0, Budget()).turn)
    position = draw_card(position, rng)
    turns = WEIGHTS.default.ranked_turns(position.boards[0], position.deck.cards[position.draws[-1] - 1])
    with_supply = [
        value for code, value in turns if (parts := kernel.turn_parts(code))[2] is not None or parts[3] is None
    ]
    assert turns[0][1] - max(with_supply) < 3


def _rotate(turn: Turn) -> Turn:
    """Return the turn rotated clockwise by a quarter turn around d4."""

    def zone(name: str | None) -> str | None:
        if name is None:
            return None
        x, y = zone_xy(name)
        return ZONES[16 * x + 13 - y]

    cell = cell_index(turn.cell)
    return Turn(CELLS[8 * (cell % 8) + 6 - cell // 8], (turn.turning + 1) % 4, zone(turn.source), zone(turn.target))


@pytest.mark.parametrize("seed", range(3))
def test_rotated_displays_have_the_same_value(seed: int) -> None:
    positions, rng, bot = [Position.start(diagonal=seed == 1)] * 4, Random(seed), skilled(seed=seed)
    while positions[0].outcome is None:
        draw = positions[0].draw_chance_step(rng)
        turn = bot.choose(Record.from_position(game("limes"), positions[0].apply(draw)), 0, Budget()).turn
        for i, position in enumerate(positions):
            positions[i] = position.apply(draw).play(turn)
            turn = _rotate(turn)
        values = [WEIGHTS.default.evaluate(position.boards[0]) for position in positions]
        assert values == pytest.approx(values[:1] * 4, abs=1e-3)


def _total_after(display: kernel.Display, card: kernel.Card, code: int) -> int:
    after = display.play(card, code)
    assert isinstance(after, kernel.Display)
    return after.total()


@pytest.mark.parametrize("seed", range(3))
def test_the_untrained_evaluation_gives_the_points_after_every_turn(seed: int) -> None:
    # The evaluation counts points with code of its own, which must agree with the rules.
    position, rng, evaluation = Position.start(diagonal=seed == 1, ferryman=seed == 2), Random(seed), kernel.Weights()
    while position.outcome is None:
        position = draw_card(position, rng)
        card = position.deck.cards[position.draws[-1] - 1]
        turns = evaluation.ranked_turns(position.boards[0], card)
        for code, value in rng.sample(turns, min(40, len(turns))):
            assert _total_after(position.boards[0], card, code) == value
        totals = {_total_after(position.boards[0], card, code) for code, _ in turns}
        if position.round > 0:
            legal = position.boards[0].legal_turns(card)
            assert totals == {_total_after(position.boards[0], card, code) for code in legal}
        position = position.play(rng.choice(position.legal_turns()))


def _flip_last_bit(content: bytes) -> bytes:
    return content[:-1] + bytes([content[-1] ^ 1])


def test_invalid_weights_files_are_refused_with_the_reason(tmp_path: Path) -> None:
    weights = WEIGHTS.default.to_bytes()
    content = WEIGHTS.encode(weights, {"seed": 3})
    path = tmp_path / "wrong.bin"
    for wrong in (b"", b"nonsense", b"[]\n", LIMIT_WEIGHTS.encode(weights, {})):
        path.write_bytes(wrong)
        with pytest.raises(InvalidInputError, match=r"wrong\.bin does not contain weights of this game and version"):
            WEIGHTS.read(path)
    for change in (lambda content: content[:-1], lambda content: content + b"x", _flip_last_bit):
        for wrong in (change(content), WEIGHTS.encode(change(weights), {})):
            path.write_bytes(wrong)
            with pytest.raises(InvalidInputError, match=r"wrong\.bin are damaged: train or install them again"):
                WEIGHTS.read(path)
    with pytest.raises(InvalidInputError, match="no such file"):
        WEIGHTS.read(tmp_path / "missing.bin")
    (tmp_path / "right.bin").write_bytes(content)
    assert WEIGHTS.read(tmp_path / "right.bin").to_bytes() == weights
