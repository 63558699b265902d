"""Batches in the kernel: they follow the rules, with any number of threads, packing and seed."""

from __future__ import annotations

import copy
import os
import warnings
from typing import Any

import numpy as np
import pytest

import limina.rl
from limina import LiminaError, game
from limina.limes import Deck
from rl.batch_oracle import OracleLimes, OracleLimit, compare_games

# `make test-rl` compares a thousand games of each.
GAMES = int(os.environ.get("LIMINA_RL_GAMES", "36"))


@pytest.mark.parametrize(
    ("options", "share"),
    [({}, 0.5), ({"diagonal": True, "ferryman": True}, 0.3), ({"deck": Deck(reversed(Deck.default().faces))}, 0.2)],
    ids=["rules", "variants", "deck"],
)
def test_a_batch_of_limes_follows_the_rules(options: dict[str, Any], share: float) -> None:
    compare_games(OracleLimes(8, **options), int(GAMES * share))


@pytest.mark.parametrize(
    ("options", "share"),
    [({}, 0.3), ({"size": 4, "layouts": 5}, 0.3), ({"size": 5, "players": 3}, 0.3), ({"size": 10, "players": 3}, 0.1)],
    ids=["default", "small", "three", "large"],
)
def test_a_batch_of_limit_follows_the_rules(options: dict[str, Any], share: float) -> None:
    compare_games(OracleLimit(8, **options), int(GAMES * share) + 1)


BOTH: list[tuple[str, dict[str, Any]]] = [("limes", {}), ("limes", {"players": 3}), ("limit", {"size": 5})]
both = pytest.mark.parametrize(("name", "options"), BOTH, ids=["limes", "limes of three", "limit"])


def observations_of_random_play(batch: limina.rl.Batch, steps: int) -> list[Any]:
    batch.reset(3)
    observations = []
    for _ in range(steps):
        rewards, ended = batch.step(batch.sample())
        arrays = batch.unpack() if batch.packed is not None else (batch.planes, batch.vector, batch.action_mask)
        observations.append([np.copy(array) for array in (*arrays, rewards, ended, batch.player)])  # type: ignore[arg-type]
    return observations


@both
def test_threads_and_packing_do_not_change_the_result(name: str, options: dict[str, Any]) -> None:
    expected = observations_of_random_play(limina.rl.batch(name, 300, **options), 60)
    for other in ({"threads": 4}, {"packed": True}):
        steps = observations_of_random_play(limina.rl.batch(name, 300, **options, **other), 60)
        for one, two in zip(expected, steps, strict=True):
            assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="needs sched_setaffinity")
def test_threads_on_one_core_do_not_change_the_result() -> None:
    cores = os.sched_getaffinity(0)
    expected = observations_of_random_play(limina.rl.batch("limes", 600), 20)
    os.sched_setaffinity(0, {min(cores)})
    try:
        on_one_core = observations_of_random_play(limina.rl.batch("limes", 600, threads=4), 20)
    finally:
        os.sched_setaffinity(0, cores)
    for one, two in zip(expected, on_one_core, strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


@both
def test_each_game_is_determined_by_its_seed(name: str, options: dict[str, Any]) -> None:
    batch = limina.rl.batch(name, 4, **options)
    batch.reset([1, 2, 1, 2])
    for _ in range(150):
        batch.step(batch.sample())
        assert batch.planes is not None
        assert np.array_equal(batch.planes[0], batch.planes[2])
        assert np.array_equal(batch.planes[1], batch.planes[3])
    assert batch.planes is not None
    assert not np.array_equal(batch.planes[0], batch.planes[1])


@both
def test_finished_games_restart_as_autoreset_says(name: str, options: dict[str, Any]) -> None:
    for autoreset in ("never", "next_step", "same_step"):
        batch = limina.rl.batch(name, 1, autoreset=autoreset, **options)
        batch.reset(1)
        ended = batch.ended
        while not ended[0]:
            _, ended = batch.step(batch.sample())
        is_over = batch.position(0).outcome is not None
        assert is_over == (autoreset != "same_step")
        rewards, ended = batch.step(batch.sample())
        assert bool(ended[0]) == (autoreset == "never")
        assert (batch.position(0).outcome is not None) == (autoreset == "never")
        assert not rewards.any() or autoreset == "same_step"


@both
def test_an_illegal_action_ends_only_its_game(name: str, options: dict[str, Any]) -> None:
    batch = limina.rl.batch(name, 3, illegal_reward=-7.0, **options)
    batch.reset(1)
    for illegal_action in (-1, 1 << 40, 99):
        actions = batch.sample().copy()
        actions[1] = illegal_action
        rewards, ended = batch.step(actions)
        assert list(ended) == [0, 1, 0]
        assert rewards[1].min() == -7.0


def play_illegal_actions(name: str, options: dict[str, Any]) -> None:
    """Play legal actions, mixed with a few illegal actions and illegal turns."""
    batch, rng = limina.rl.batch(name, 40, **options), np.random.default_rng(1)
    batch.reset(1)
    for step in range(300):
        actions = batch.sample().copy()
        is_replaced = rng.random(actions.shape) < 0.02
        actions[is_replaced] = rng.choice([-1, 0, 99, 100, 101, 144, 255, 256, 257, 1 << 62], int(is_replaced.sum()))
        rewards, _ = (
            batch.play(rng.integers(0, 1 << 32, actions.shape, np.uint32)) if step % 50 == 49 else batch.step(actions)
        )
        assert np.isfinite(rewards).all()


@both
def test_illegal_actions_and_turns_are_harmless(name: str, options: dict[str, Any]) -> None:
    play_illegal_actions(name, options)


def test_the_final_reward_of_one_player_is_the_total() -> None:
    batch = limina.rl.batch("limes", 2, reward="final", autoreset="never")
    batch.reset(5)
    sums = np.zeros(2)
    while not batch.ended.all():
        rewards, _ = batch.step(batch.sample())
        sums += rewards
    assert list(sums) == [batch.position(row).display().total for row in range(2)]  # type: ignore[attr-defined]


def test_the_final_rewards_of_several_players_sum_to_zero() -> None:
    batch = limina.rl.batch("limes", 40, players=3, reward="final", autoreset="never")
    batch.reset(5)
    sums = np.zeros((40, 3))
    while not batch.ended.all():
        sums += batch.step(batch.sample())[0]
    for index in range(40):
        outcome = batch.position(index).outcome
        assert outcome is not None
        assert tuple(np.flatnonzero(sums[index] > -1)) == outcome.winners
        assert sums[index].sum() == pytest.approx(0)


def test_a_player_who_has_finished_the_round_can_only_pass() -> None:
    batch = limina.rl.batch("limes", 1, players=2)
    batch.reset(1)
    assert batch.action_mask is not None
    first = batch.encoding.turn_actions(batch.position(0), 0, game("limes").read_turn("d4r0"))
    batch.step(np.array([[first[0], first[0]]]))
    placed = int(np.flatnonzero(batch.action_mask[0, 1])[0])
    batch.step(np.array([[100, placed]]))
    assert len(batch.kernel.draws(0)) == 2  # both have finished the round, so the next card is drawn
    batch.step(batch.sample())
    batch.step(np.array([[100, 100]]))
    assert len(batch.kernel.draws(0)) == 3


@both
def test_the_actions_of_a_turn_play_it(name: str, options: dict[str, Any]) -> None:
    if options.get("players"):
        return  # the test above covers several players
    batch = limina.rl.batch(name, 1, autoreset="never", **options)
    rng = np.random.default_rng(1)
    batch.reset(2)
    while not batch.ended[0]:
        position = batch.position(0)
        turn = rng.choice(position.legal_turns().codes)  # type: ignore[attr-defined]
        parsed = position.legal_turns()[list(position.legal_turns().codes).index(turn)]  # type: ignore[attr-defined]
        for action in batch.encoding.turn_actions(position, 0, parsed):
            batch.step(np.array([action]))
        after = position.play(parsed)
        assert batch.position(0).progress == after.progress
        assert batch.position(0).summary(["a", "b"][: after.players]) == after.summary(["a", "b"][: after.players])


def test_afterstates_are_legal_turns_with_their_gains() -> None:
    batch = limina.rl.batch("limes", 6, autoreset="never")
    batch.reset(4)
    for _ in range(16):
        afterstates = batch.afterstates(8)
        for row in range(6):
            position: Any = batch.position(row)
            before = position.display().total
            for k in range(afterstates.counts[row]):
                after = position.play(afterstates.turns[row, k])
                assert after.display().total - before == afterstates.gains[row, k]
            placements = position.boards[0].placements(position._drawn)
            best = max(total for _, _, actions in placements for _, _, total in actions)
            assert afterstates.gains[row].max() == best - before
            features = afterstates.features[row, 0]
            assert features.min() >= 0
            assert features.max() == batch.n_features
        _, ended = batch.play(afterstates.turns[:, 0])
    assert ended.all()


@pytest.mark.parametrize("players", [2, 3])
def test_afterstates_of_limit_have_distinct_results_and_rewards(players: int) -> None:
    batch = limina.rl.batch("limit", 4, players=players, size=4, layouts=4, autoreset="never", seed=players)
    batch.reset(4)
    decided = 0
    while not batch.ended.all():
        afterstates = batch.afterstates(4096)
        for row in np.flatnonzero(batch.ended == 0).tolist():
            position: Any = batch.position(row)
            results = {position.play(turn) for turn in position.legal_turns()}
            assert {position.play(turn) for turn in afterstates.turns[row, : afterstates.counts[row]]} == results
            assert len(results) == afterstates.counts[row]
            for k in range(afterstates.counts[row]):
                outcome, gain = position.play(afterstates.turns[row, k]).outcome, afterstates.gains[row, k]
                if outcome is not None:
                    won = position.to_move[0] in outcome.winners
                    assert gain == (players / len(outcome.winners) - 1 if won else -1)
                    decided += 1
                assert (afterstates.features[row, k].min() == batch.n_features) == (gain != 0)
        batch.play(afterstates.turns[:, 0])
    assert decided


def test_afterstates_are_sorted_best_first() -> None:
    batch = limina.rl.batch("limit", 8, size=5, layouts=8)
    wins = 0
    for _ in range(200):
        afterstates = batch.afterstates(3)
        wins += int((afterstates.gains == 1).any(axis=1).sum())
        assert ((afterstates.gains == 1).any(axis=1) == (afterstates.gains[:, 0] == 1)).all()
        batch.play(afterstates.turns[:, 0])
    assert wins


def test_invalid_batches_and_calls_raise_limina_error() -> None:
    for call in (
        lambda: limina.rl.batch("limes", 0),
        lambda: limina.rl.batch("limes", 1, autoreset="sometimes"),
        lambda: limina.rl.batch("limes", 1, reward="much"),
        lambda: limina.rl.batch("limes", 1, size=4),
        lambda: limina.rl.batch("limit", 1, size=3),
        lambda: limina.rl.batch("limit", 1, players=4),
        lambda: limina.rl.batch("limit", 1).afterstates(0),
        lambda: limina.rl.batch("limit", 1).unpack(),
        lambda: limina.rl.batch("limit", 1).attach(rewards=np.zeros(3)),
        lambda: limina.rl.batch("limit", 1).start_game(0, "a1R"),
        lambda: limina.rl.batch("limes", 1).start_game(0, [1, 2, 3]),
    ):
        with pytest.raises(LiminaError):
            call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda batch: batch.step(np.zeros(3, int)), "actions must be 8 numbers, one for each row, not 3"),
        (lambda batch: batch.step(np.zeros(8)), "actions must be whole numbers, not float64"),
        (lambda batch: batch.play(np.zeros(3, int)), "turns must be 8 numbers, one for each row, not 3"),
        (lambda batch: batch.reset([1, 2]), "seeds must be 8 numbers, one for each game, not 2"),
        (lambda batch: batch.reset(-1), "seed must be from 0 to"),
        (lambda batch: batch.reset([-1] * 8), "seeds must be whole numbers from 0 on"),
        (lambda batch: batch.reset("one"), "seed must be a whole number, not a string"),
        (lambda batch: batch.reset(1, mask=[True]), "mask must be 8 numbers, one for each game, not 1"),
        (
            lambda batch: limina.rl.batch("limes", 8, illegal_reward="low"),
            "illegal_reward must be a number, not a string",
        ),
        (lambda batch: limina.rl.batch("limes", 8, rewards="final"), "it may hold deck, diagonal, ferryman, reward"),
        (lambda batch: limina.rl.batch("limit", 8, colors=4), "it may hold size, layouts, seed"),
    ],
)
def test_invalid_arguments_are_refused_with_a_sentence(call: Any, message: str) -> None:
    with pytest.raises(LiminaError, match=message):
        call(limina.rl.batch("limes", 8))


def test_a_seed_may_be_a_numpy_integer() -> None:
    one, two = limina.rl.batch("limes", 8), limina.rl.batch("limes", 8)
    one.reset(5)
    two.reset(np.int64(5))
    assert np.array_equal(one.vector, two.vector)  # type: ignore[arg-type]


@both
def test_a_copy_of_a_batch_is_independent_and_equal(name: str, options: dict[str, Any]) -> None:
    batch = limina.rl.batch(name, 8, **options)
    batch.reset(1)
    for _ in range(5):
        batch.step(batch.sample())
    duplicate = copy.deepcopy(batch)
    assert np.array_equal(batch.action_mask, duplicate.action_mask)  # type: ignore[arg-type]
    before = batch.planes.copy()  # type: ignore[union-attr]
    expected_steps = []
    for _ in range(60):
        arrays = (*duplicate.step(duplicate.sample()), duplicate.planes)
        expected_steps.append([np.copy(array) for array in arrays])  # type: ignore[arg-type]
    assert np.array_equal(batch.planes, before)  # type: ignore[arg-type]
    for expected in expected_steps:
        arrays = (*batch.step(batch.sample()), batch.planes)
        assert all(np.array_equal(a, b) for a, b in zip(expected, arrays, strict=True))  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "options"), [("limes", {}), ("limit", {"size": 4})])
def test_a_game_can_start_at_any_position(name: str, options: dict[str, Any]) -> None:
    batch, other = (limina.rl.batch(name, 3, autoreset="never", **options) for _ in range(2))
    batch.reset(1)
    for _ in range(3):
        batch.play(np.array([batch.position(i).legal_turns().codes[-1] for i in range(3)]))  # type: ignore[attr-defined]
    for i in range(3):
        other.start_game(i, batch.position(i))
        assert other.position(i) == batch.position(i)
    assert np.array_equal(other.action_mask, batch.action_mask)  # type: ignore[arg-type]
    assert np.array_equal(other.planes, batch.planes)  # type: ignore[arg-type]


def test_a_position_that_does_not_fit_is_refused() -> None:
    limes, limit = limina.rl.batch("limes", 1), limina.rl.batch("limit", 1, size=4)
    reversed_deck = limina.rl.batch("limes", 1, deck=Deck(reversed(Deck.default().faces)))
    for batch, position, message in (
        (limes, limit.position(0), "the position is not one of Limes"),
        (limes, reversed_deck.position(0), "the position does not fit: it has another deck"),
        (limes, limina.rl.batch("limes", 1, ferryman=True).position(0), "variants and draws do not fit"),
        (limit, limina.rl.batch("limit", 1, size=5).position(0), "the layout does not fit"),
        (limes, game("limes").start(players=1), "no player is to move"),
    ):
        before = batch.position(0)
        with pytest.raises(LiminaError, match=message):
            batch.start_game(0, position)
        assert batch.position(0) == before


def test_the_caller_can_attach_arrays() -> None:
    batch = limina.rl.batch("limes", 5)
    mask = np.zeros((5, 101), np.uint8)
    batch.attach(action_mask=mask)
    batch.reset(1)
    assert mask.any(axis=1).all()


def test_a_batch_works_in_a_forked_process() -> None:
    batch = limina.rl.batch("limes", 300, threads=3)
    batch.reset(1)
    batch.step(batch.sample())  # starts its threads, which a fork does not copy
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python warns about a fork with threads, which this test needs
        child = os.fork()
    if child == 0:
        try:
            batch.step(batch.sample())
            del batch
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
