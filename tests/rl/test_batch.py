"""Batches in the kernel: what they say is what the rules say, whatever the threads, the packing and the seeds."""

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
from rl.batch_oracle import FollowedLimes, FollowedLimit, follow

# `make test-rl` follows a thousand games of each.
GAMES = int(os.environ.get("LIMINA_RL_GAMES", "36"))


@pytest.mark.parametrize(
    ("options", "part"),
    [({}, 0.5), ({"diagonal": True, "ferryman": True}, 0.3), ({"deck": Deck(reversed(Deck.default().faces))}, 0.2)],
    ids=["rules", "variants", "deck"],
)
def test_a_batch_of_limes_keeps_to_the_rules(options: dict[str, Any], part: float) -> None:
    follow(FollowedLimes(8, **options), int(GAMES * part))


@pytest.mark.parametrize(
    ("options", "part"),
    [({}, 0.3), ({"size": 4, "layouts": 5}, 0.3), ({"size": 5, "players": 3}, 0.3), ({"size": 10, "players": 3}, 0.1)],
    ids=["usual", "small", "three", "large"],
)
def test_a_batch_of_limit_keeps_to_the_rules(options: dict[str, Any], part: float) -> None:
    follow(FollowedLimit(8, **options), int(GAMES * part) + 1)


BOTH: list[tuple[str, dict[str, Any]]] = [("limes", {}), ("limes", {"players": 3}), ("limit", {"size": 5})]
both = pytest.mark.parametrize(("name", "options"), BOTH, ids=["limes", "limes of three", "limit"])


def walk(many: limina.rl.Batch, steps: int) -> list[Any]:
    many.reset(3)
    seen = []
    for _ in range(steps):
        rewards, ended = many.step(many.sample())
        arrays = many.unpack() if many.packed is not None else (many.planes, many.vector, many.action_mask)
        seen.append([np.copy(each) for each in (*arrays, rewards, ended, many.player)])  # type: ignore[arg-type]
    return seen


@both
def test_threads_and_packing_change_nothing(name: str, options: dict[str, Any]) -> None:
    alone = walk(limina.rl.batch(name, 300, **options), 60)
    for other in ({"threads": 4}, {"packed": True}):
        for one, two in zip(alone, walk(limina.rl.batch(name, 300, **options, **other), 60), strict=True):
            assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="cores are chosen on Linux alone")
def test_threads_that_have_but_one_core_change_nothing_either() -> None:
    cores = os.sched_getaffinity(0)
    alone = walk(limina.rl.batch("limes", 600), 20)
    os.sched_setaffinity(0, {min(cores)})
    try:
        crowded = walk(limina.rl.batch("limes", 600, threads=4), 20)
    finally:
        os.sched_setaffinity(0, cores)
    for one, two in zip(alone, crowded, strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


@both
def test_each_game_follows_from_its_own_seed(name: str, options: dict[str, Any]) -> None:
    many = limina.rl.batch(name, 4, **options)
    many.reset([1, 2, 1, 2])
    for _ in range(150):
        many.step(many.sample())
        assert many.planes is not None
        assert np.array_equal(many.planes[0], many.planes[2])
        assert np.array_equal(many.planes[1], many.planes[3])
    assert many.planes is not None
    assert not np.array_equal(many.planes[0], many.planes[1])


@both
def test_a_game_that_has_ended_begins_again_as_declared(name: str, options: dict[str, Any]) -> None:
    for autoreset in ("never", "next_step", "same_step"):
        many = limina.rl.batch(name, 1, autoreset=autoreset, **options)
        many.reset(1)
        ended = many.ended
        while not ended[0]:
            _, ended = many.step(many.sample())
        over = many.position(0).outcome is not None
        assert over == (autoreset != "same_step")
        rewards, ended = many.step(many.sample())
        assert bool(ended[0]) == (autoreset == "never")
        assert (many.position(0).outcome is not None) == (autoreset == "never")
        assert not rewards.any() or autoreset == "same_step"


@both
def test_an_illegal_click_ends_its_game_alone(name: str, options: dict[str, Any]) -> None:
    many = limina.rl.batch(name, 3, illegal_reward=-7.0, **options)
    many.reset(1)
    for wrong in (-1, 1 << 40, 99):
        actions = many.sample().copy()
        actions[1] = wrong
        rewards, ended = many.step(actions)
        assert list(ended) == [0, 1, 0]
        assert rewards[1].min() == -7.0


def wild_clicks(name: str, options: dict[str, Any]) -> None:
    """Legal clicks and any others, mixed, with whole turns among them that are none."""
    many, rng = limina.rl.batch(name, 40, **options), np.random.default_rng(1)
    many.reset(1)
    for step in range(300):
        clicks = many.sample().copy()
        wild = rng.random(clicks.shape) < 0.02
        clicks[wild] = rng.choice([-1, 0, 99, 100, 101, 144, 255, 256, 257, 1 << 62], int(wild.sum()))
        rewards, _ = (
            many.play(rng.integers(0, 1 << 32, clicks.shape, np.uint32)) if step % 50 == 49 else many.step(clicks)
        )
        assert np.isfinite(rewards).all()


@both
def test_wild_clicks_harm_nobody(name: str, options: dict[str, Any]) -> None:
    wild_clicks(name, options)


def test_alone_the_reward_at_the_end_is_the_total() -> None:
    many = limina.rl.batch("limes", 2, reward="final", autoreset="never")
    many.reset(5)
    sums = np.zeros(2)
    while not many.ended.all():
        rewards, _ = many.step(many.sample())
        sums += rewards
    assert list(sums) == [many.position(row).display().total for row in range(2)]  # type: ignore[attr-defined]


def test_several_players_of_limes_get_what_the_others_lose() -> None:
    many = limina.rl.batch("limes", 40, players=3, reward="final", autoreset="never")
    many.reset(5)
    sums = np.zeros((40, 3))
    while not many.ended.all():
        sums += many.step(many.sample())[0]
    for number in range(40):
        outcome = many.position(number).outcome
        assert outcome is not None
        assert tuple(np.flatnonzero(sums[number] > -1)) == outcome.winners
        assert sums[number].sum() == pytest.approx(0)


def test_whoever_is_done_with_a_round_waits_and_only_passes() -> None:
    many = limina.rl.batch("limes", 1, players=2)
    many.reset(1)
    assert many.action_mask is not None
    first = many.encoding.turn_actions(many.position(0), 0, game("limes").read_turn("d4r0"))
    many.step(np.array([[first[0], first[0]]]))
    placed = int(np.flatnonzero(many.action_mask[0, 1])[0])
    many.step(np.array([[100, placed]]))
    assert len(many.kernel.draws(0)) == 2  # both are done, the next card is there
    many.step(many.sample())
    many.step(np.array([[100, 100]]))
    assert len(many.kernel.draws(0)) == 3


@both
def test_the_clicks_of_a_turn_play_it(name: str, options: dict[str, Any]) -> None:
    if options.get("players"):
        return  # a turn of one of several is followed above
    many = limina.rl.batch(name, 1, autoreset="never", **options)
    rng = np.random.default_rng(1)
    many.reset(2)
    while not many.ended[0]:
        position = many.position(0)
        turn = rng.choice(position.legal_turns().codes)  # type: ignore[attr-defined]
        read = position.legal_turns()[list(position.legal_turns().codes).index(turn)]  # type: ignore[attr-defined]
        for click in many.encoding.turn_actions(position, 0, read):
            many.step(np.array([click]))
        after = position.play(read)
        assert many.position(0).progress == after.progress
        assert many.position(0).summary(["a", "b"][: after.players]) == after.summary(["a", "b"][: after.players])


def test_afterstates_are_turns_with_what_they_gain() -> None:
    many = limina.rl.batch("limes", 6, autoreset="never")
    many.reset(4)
    for _ in range(16):
        found = many.afterstates(8)
        for row in range(6):
            position: Any = many.position(row)
            before = position.display().total
            for k in range(found.found[row]):
                after = position.play(found.turns[row, k])
                assert after.display().total - before == found.gains[row, k]
            placements = position.boards[0].placements(position._drawn)
            best = max(total for _, _, actions in placements for _, _, total in actions)
            assert found.gains[row].max() == best - before
            used = found.features[row, 0]
            assert used.min() >= 0
            assert used.max() == many.n_features
        _, ended = many.play(found.turns[:, 0])
    assert ended.all()


@pytest.mark.parametrize("players", [2, 3])
def test_afterstates_of_limit_are_different_turns_with_what_they_decide(players: int) -> None:
    many = limina.rl.batch("limit", 4, players=players, size=4, layouts=4, autoreset="never", seed=players)
    many.reset(4)
    decided = 0
    while not many.ended.all():
        found = many.afterstates(4096)
        for row in np.flatnonzero(many.ended == 0).tolist():
            position: Any = many.position(row)
            ends = {position.play(turn) for turn in position.legal_turns()}
            assert {position.play(turn) for turn in found.turns[row, : found.found[row]]} == ends
            assert len(ends) == found.found[row]
            for k in range(found.found[row]):
                outcome, gain = position.play(found.turns[row, k]).outcome, found.gains[row, k]
                if outcome is not None:
                    won = position.to_move[0] in outcome.winners
                    assert gain == (players / len(outcome.winners) - 1 if won else -1)
                    decided += 1
                assert (found.features[row, k].min() == many.n_features) == (gain != 0)
        many.play(found.turns[:, 0])
    assert decided


def test_afterstates_come_best_first_as_they_look_at_once() -> None:
    many = limina.rl.batch("limit", 8, size=5, layouts=8)
    wins = 0
    for _ in range(200):
        found = many.afterstates(3)
        wins += int((found.gains == 1).any(axis=1).sum())
        assert ((found.gains == 1).any(axis=1) == (found.gains[:, 0] == 1)).all()
        many.play(found.turns[:, 0])
    assert wins


def test_what_a_batch_cannot_do_is_said_in_a_sentence() -> None:
    for wrong in (
        lambda: limina.rl.batch("limes", 0),
        lambda: limina.rl.batch("limes", 1, autoreset="sometimes"),
        lambda: limina.rl.batch("limes", 1, reward="much"),
        lambda: limina.rl.batch("limes", 1, size=4),
        lambda: limina.rl.batch("limit", 1, size=3),
        lambda: limina.rl.batch("limit", 1, players=4),
        lambda: limina.rl.batch("limit", 1).afterstates(0),
        lambda: limina.rl.batch("limit", 1).unpack(),
        lambda: limina.rl.batch("limit", 1).attach(rewards=np.zeros(3)),
        lambda: limina.rl.batch("limit", 1).begin(0, "a1R"),
        lambda: limina.rl.batch("limes", 1).begin(0, [1, 2, 3]),
    ):
        with pytest.raises(LiminaError):
            wrong()


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda many: many.step(np.zeros(3, int)), "actions must be 8 numbers, one for each row, not 3"),
        (lambda many: many.step(np.zeros(8)), "actions must be whole numbers, not float64"),
        (lambda many: many.play(np.zeros(3, int)), "turns must be 8 numbers, one for each row, not 3"),
        (lambda many: many.reset([1, 2]), "seeds must be 8 numbers, one for each game, not 2"),
        (lambda many: many.reset(-1), "seed must be from 0 to"),
        (lambda many: many.reset([-1] * 8), "seeds must be whole numbers from 0 on"),
        (lambda many: many.reset("one"), "seed must be a whole number, not a string"),
        (lambda many: many.reset(1, which=[True]), "which must be 8 numbers, one for each game, not 1"),
        (
            lambda many: limina.rl.batch("limes", 8, illegal_reward="low"),
            "illegal_reward must be a number, not a string",
        ),
        (lambda many: limina.rl.batch("limes", 8, rewards="final"), "it may hold deck, diagonal, ferryman, reward"),
        (lambda many: limina.rl.batch("limit", 8, colors=4), "it may hold size, layouts, seed"),
    ],
)
def test_what_a_batch_is_given_wrongly_is_said_in_a_sentence(wrong: Any, sentence: str) -> None:
    with pytest.raises(LiminaError, match=sentence):
        wrong(limina.rl.batch("limes", 8))


def test_a_seed_may_be_a_number_of_numpy() -> None:
    one, two = limina.rl.batch("limes", 8), limina.rl.batch("limes", 8)
    one.reset(5)
    two.reset(np.int64(5))
    assert np.array_equal(one.vector, two.vector)  # type: ignore[arg-type]


@both
def test_a_copy_of_a_batch_goes_on_apart_and_alike(name: str, options: dict[str, Any]) -> None:
    many = limina.rl.batch(name, 8, **options)
    many.reset(1)
    for _ in range(5):
        many.step(many.sample())
    twin = copy.deepcopy(many)
    assert np.array_equal(many.action_mask, twin.action_mask)  # type: ignore[arg-type]
    before = many.planes.copy()  # type: ignore[union-attr]
    told = [[np.copy(each) for each in (*twin.step(twin.sample()), twin.planes)] for _ in range(60)]  # type: ignore[arg-type]
    assert np.array_equal(many.planes, before)  # type: ignore[arg-type]
    for step in told:
        assert all(np.array_equal(a, b) for a, b in zip(step, (*many.step(many.sample()), many.planes), strict=True))  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "options"), [("limes", {}), ("limit", {"size": 4})])
def test_a_game_begins_from_any_position(name: str, options: dict[str, Any]) -> None:
    many, other = (limina.rl.batch(name, 3, autoreset="never", **options) for _ in range(2))
    many.reset(1)
    for _ in range(3):
        many.play(np.array([many.position(i).legal_turns().codes[-1] for i in range(3)]))  # type: ignore[attr-defined]
    for i in range(3):
        other.begin(i, many.position(i))
        assert other.position(i) == many.position(i)
    assert np.array_equal(other.action_mask, many.action_mask)  # type: ignore[arg-type]
    assert np.array_equal(other.planes, many.planes)  # type: ignore[arg-type]


def test_a_game_begins_from_no_position_that_does_not_fit() -> None:
    limes, limit = limina.rl.batch("limes", 1), limina.rl.batch("limit", 1, size=4)
    strange = limina.rl.batch("limes", 1, deck=Deck(reversed(Deck.default().faces)))
    for many, position, sentence in (
        (limes, limit.position(0), "the position is not one of Limes"),
        (limes, strange.position(0), "the position does not fit: it has another deck"),
        (limes, limina.rl.batch("limes", 1, ferryman=True).position(0), "variants and draws do not fit"),
        (limit, limina.rl.batch("limit", 1, size=5).position(0), "the layout does not fit"),
        (limes, game("limes").start(players=1), "nobody is to move"),
    ):
        before = many.position(0)
        with pytest.raises(LiminaError, match=sentence):
            many.begin(0, position)
        assert many.position(0) == before


def test_arrays_may_be_the_callers() -> None:
    many = limina.rl.batch("limes", 5)
    mine = np.zeros((5, 101), np.uint8)
    many.attach(action_mask=mine)
    many.reset(1)
    assert mine.any(axis=1).all()


def test_a_batch_goes_on_in_a_forked_process() -> None:
    many = limina.rl.batch("limes", 300, threads=3)
    many.reset(1)
    many.step(many.sample())  # its threads are started, and are not forked
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of forking while there are threads: that is what is tried
        child = os.fork()
    if child == 0:
        try:
            many.step(many.sample())
            del many
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
