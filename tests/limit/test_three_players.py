"""Limit with three players: `master` models its opponents, within limits."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from limina import Record, game
from limina._kernel import CancelToken
from limina._kernel import limit as kernel
from limina.bots import Budget
from limina.limit import Position
from limina.limit import bots as limit_bots
from limina.limit.bots import casual, master, skilled
from limina.limit.weights import WEIGHTS

NO_LIMITS = Budget()
# On a busy machine, the default time limit would end the search, and results would differ.
untimed_master = partial(master, nodes=250_000, milliseconds=120_000)


def three_player_record(seed: int, turns: int) -> Record:
    """Return a game in which the first two players look ahead and the third is myopic."""
    record = Record.new(game("limit"), ["first", "second", "third"], size=8).apply_random_chance_step(Random(seed))
    bots = [skilled(seed=seed), skilled(seed=seed + 1), casual(seed=seed)]
    while record.position.turn < turns and record.position.outcome is None:
        (player,) = record.position.to_move
        record = record.play(bots[player].choose(record, player, NO_LIMITS).turn)
    return record


def test_the_evidence_identifies_the_myopic_player() -> None:
    log_odds = [0.0, 0.0, 0.0]
    for seed in range(2):
        record = three_player_record(seed, turns=12)
        before = [position for position in record.positions() if not position.awaits_chance][:-1]
        turns = [step.text for step in record.steps if step.player is not None]
        boards = [(position.board, position.encode_turn(turn)) for position, turn in zip(before, turns, strict=True)]
        evidence = kernel.myopic_evidence(boards, WEIGHTS.default, seed=seed)
        for position, ratio in zip(before, evidence, strict=True):
            log_odds[position.to_move[0]] += ratio
    assert log_odds[0] < -2
    assert log_odds[1] < -2
    assert log_odds[2] > 2


def test_the_search_gets_the_time_if_it_is_too_short_for_evidence() -> None:
    record = three_player_record(seed=2, turns=9)
    (player,) = record.position.to_move
    choice = master(seed=1, milliseconds=15).choose(record, player, NO_LIMITS)
    assert choice.info is not None
    assert 0 < choice.info.work < kernel.EVIDENCE_WORK_PER_TURN * 10
    past = [(record.position.board, record.position.encode_turn(choice.turn))]
    assert kernel.myopic_evidence(past, WEIGHTS.default, milliseconds=0) == []


@pytest.mark.parametrize("probability", [-1.0, 1.5, 1e38, float("inf"), float("nan")])
def test_probabilities_of_myopic_players_are_clamped(probability: float) -> None:
    options = kernel.SearchOptions()
    options.myopic_probability = [probability] * 3
    report = kernel.search(Position.random(4, 3, rng=Random(2)).board, WEIGHTS.default, options, 20_000, seed=1)
    assert all(0 <= chance <= 1 for candidate in report.candidates for chance in candidate.win_probabilities)


def test_master_uses_the_turns_of_its_opponents_within_its_work() -> None:
    record = three_player_record(seed=2, turns=9)
    (player,) = record.position.to_move
    without_turns = Record.from_position(game("limit"), record.position)
    with_evidence, without_evidence = (
        untimed_master(seed=1).choose(record, player, NO_LIMITS),
        untimed_master(seed=1).choose(without_turns, player, NO_LIMITS),
    )
    again = untimed_master(seed=1).choose(record, player, NO_LIMITS)
    assert with_evidence == again
    assert with_evidence.info is not None
    assert without_evidence.info is not None
    assert with_evidence.info.value != without_evidence.info.value
    assert with_evidence.info.work < 300_000
    limited = master(seed=1).choose(record, player, Budget(max_work=1000))
    assert limited.info is not None
    assert limited.info.work < 2000
    cancel_token = CancelToken()
    cancel_token.cancel()
    assert (
        master(seed=1).choose(record, player, Budget(cancel_token=cancel_token)).turn in record.position.legal_turns()
    )


def test_a_canceled_search_does_no_work_for_evidence() -> None:
    record = three_player_record(seed=2, turns=9)
    (player,) = record.position.to_move
    cancel_token = CancelToken()
    cancel_token.cancel()
    choice = master(seed=1).choose(record, player, Budget(cancel_token=cancel_token))
    assert choice.info is not None
    assert choice.info.work < kernel.EVIDENCE_WORK_PER_TURN


def test_long_records_are_not_used_as_evidence(monkeypatch: pytest.MonkeyPatch) -> None:
    record = three_player_record(seed=2, turns=9)
    (player,) = record.position.to_move
    monkeypatch.setattr(limit_bots, "_MAX_STEPS_READ", len(record.steps) - 1)
    without_evidence = untimed_master(seed=1).choose(
        Record.from_position(game("limit"), record.position), player, NO_LIMITS
    )
    assert untimed_master(seed=1).choose(record, player, NO_LIMITS) == without_evidence
