"""Limit by three: `master` minds how the others play, and what that may cost has a bound."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from limina import Record, game
from limina._kernel import Stop
from limina._kernel import limit as kernel
from limina.bots import Budget
from limina.limit import Position
from limina.limit import bots as limit_bots
from limina.limit.bots import casual, master, skilled
from limina.limit.weights import VALUES

AS_USUAL = Budget()
# On a busy machine its usual time would end its search, and no two searches would be the same.
unhurried_master = partial(master, nodes=250_000, milliseconds=120_000)


def by_three(seed: int, turns: int) -> Record:
    """A game in which the first looks ahead, the second does so too, and the third looks at its own turn only."""
    record = Record.new(game("limit"), ["first", "second", "third"], size=8).apply_chance(Random(seed))
    bots = [skilled(seed=seed), skilled(seed=seed + 1), casual(seed=seed)]
    while record.end.turn < turns and record.end.outcome is None:
        (player,) = record.end.to_move
        record = record.play(bots[player].choose(record, player, AS_USUAL).turn)
    return record


def test_how_they_play_tells_who_looks_at_his_own_turn_only() -> None:
    found = [0.0, 0.0, 0.0]
    for seed in range(2):
        record = by_three(seed, turns=12)
        before = [position for position in record.positions() if not position.awaits_chance][:-1]
        turns = [step.text for step in record.steps if step.player is not None]
        boards = [(position.board, position.encode(turn)) for position, turn in zip(before, turns, strict=True)]
        evidence = kernel.shallow_evidence(boards, VALUES.default, seed=seed)
        for position, likely in zip(before, evidence, strict=True):
            found[position.to_move[0]] += likely
    assert found[0] < -2
    assert found[1] < -2
    assert found[2] > 2


def test_no_time_for_looking_back_is_time_for_the_search() -> None:
    record = by_three(seed=2, turns=9)
    (player,) = record.end.to_move
    hurried = master(seed=1, milliseconds=15).choose(record, player, AS_USUAL)
    assert hurried.info is not None
    assert 0 < hurried.info.work < kernel.LOOK_BACK * 10
    past = [(record.end.board, record.end.encode(hurried.turn))]
    assert kernel.shallow_evidence(past, VALUES.default, milliseconds=0) == []


@pytest.mark.parametrize("likely", [-1.0, 1.5, 1e38, float("inf"), float("nan")])
def test_what_is_more_or_less_than_certain_is_certain(likely: float) -> None:
    options = kernel.SearchOptions()
    options.shallow = [likely] * 3
    report = kernel.search(Position.random(4, 3, rng=Random(2)).board, VALUES.default, options, 20_000, seed=1)
    assert all(0 <= chance <= 1 for candidate in report.candidates for chance in candidate.chances)


def test_a_master_minds_how_the_others_have_played_within_its_work() -> None:
    record = by_three(seed=2, turns=9)
    (player,) = record.end.to_move
    nothing_known = Record.from_position(game("limit"), record.end)
    known, unknown = (
        unhurried_master(seed=1).choose(record, player, AS_USUAL),
        unhurried_master(seed=1).choose(nothing_known, player, AS_USUAL),
    )
    again = unhurried_master(seed=1).choose(record, player, AS_USUAL)
    assert known == again
    assert known.info is not None
    assert unknown.info is not None
    assert known.info.value != unknown.info.value  # it expects something else of them
    assert known.info.work < 300_000
    hurried = master(seed=1).choose(record, player, Budget(max_work=1000))
    assert hurried.info is not None
    assert hurried.info.work < 2000
    stopped = Stop()
    stopped.set()
    assert master(seed=1).choose(record, player, Budget(cancel_token=stopped)).turn in record.end.legal_turns()


def test_a_bell_that_rings_at_once_leaves_no_work_to_count() -> None:
    record = by_three(seed=2, turns=9)
    (player,) = record.end.to_move
    stopped = Stop()
    stopped.set()
    choice = master(seed=1).choose(record, player, Budget(cancel_token=stopped))
    assert choice.info is not None
    assert choice.info.work < kernel.LOOK_BACK


def test_a_record_without_end_is_not_gone_through_at_every_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    record = by_three(seed=2, turns=9)
    (player,) = record.end.to_move
    monkeypatch.setattr(limit_bots, "_MAX_STEPS_READ", len(record.steps) - 1)
    unknown = unhurried_master(seed=1).choose(Record.from_position(game("limit"), record.end), player, AS_USUAL)
    assert unhurried_master(seed=1).choose(record, player, AS_USUAL) == unknown
