"""The environments for Gymnasium and PettingZoo, with the checkers of these libraries and tests of our own."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterator
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from numpy.typing import NDArray

import limina.rl
from limina import LiminaError, limit
from limina.rl import limes_v0, limit_v0
from limina.rl.gym_env import LiminaEnv

with warnings.catch_warnings():  # with pygame, the tests of PettingZoo import deprecated games
    warnings.simplefilter("ignore")
    from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

ENVIRONMENTS: list[tuple[str, dict[str, Any]]] = [
    ("limina/Limes-v0", {}),
    ("limina/Limes-v0", {"diagonal": True, "ferryman": True, "reward": "final", "illegal_reward": -5.0}),
    ("limina/Limit-v0", {"size": 4}),
    ("limina/Limit-v0", {"size": 4, "players": 3, "seat": 1}),
]
each_environment = pytest.mark.parametrize(("name", "options"), ENVIRONMENTS)


@pytest.fixture(autouse=True)
def _ignore_warnings() -> Iterator[None]:
    """Ignore the warnings of the checkers about unusual bounds and rendering. Their assertions count."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def random_legal_action(mask: NDArray[Any], rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


def play_game(env: Any, seed: int) -> list[Any]:
    """Play a game with random legal actions, and return the results of all steps."""
    rng = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    results: list[Any] = [(observation, info)]
    is_over = False
    while not is_over:
        observation, reward, is_over, truncated, info = env.step(random_legal_action(info["action_mask"], rng))
        results.append((observation, reward, is_over, truncated, info))
    return results


def are_equal(one: Any, two: Any) -> bool:
    if isinstance(one, dict):
        return one.keys() == two.keys() and all(are_equal(one[key], two[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(two) and all(map(are_equal, one, two))
    return bool(np.array_equal(one, two))


@each_environment
def test_gymnasium_checker_passes(name: str, options: dict[str, Any]) -> None:
    check_env(gymnasium.make(f"limina.rl:{name}", **options).unwrapped, skip_render_check=True)


@each_environment
def test_equal_seeds_and_actions_give_equal_games(name: str, options: dict[str, Any]) -> None:
    env = gymnasium.make(name, **options)
    assert are_equal(play_game(env, 1), play_game(gymnasium.make(name, **options), 1))
    assert not are_equal(play_game(env, 1), play_game(env, 2))


@each_environment
def test_the_mask_is_in_observation_info_and_method(name: str, options: dict[str, Any]) -> None:
    env: Any = gymnasium.make(name, **options).unwrapped
    observation, info = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    assert np.array_equal(observation["action_mask"], info["action_mask"])
    assert np.array_equal(observation["action_mask"], env.action_masks())


@each_environment
def test_an_illegal_action_ends_the_game_with_its_reward(name: str, options: dict[str, Any]) -> None:
    env = gymnasium.make(name, **options)
    _, info = env.reset(seed=1)
    _, reward, is_over, truncated, _ = env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert (reward, is_over, truncated) == (options.get("illegal_reward", -1.0), True, False)


@pytest.mark.parametrize(
    ("name", "options"), [*ENVIRONMENTS, ("limina/Limit-v0", {"size": 4, "opponent": "novice"})], ids=str
)
def test_a_copy_of_an_environment_is_independent_and_equal(name: str, options: dict[str, Any]) -> None:
    env = gymnasium.make(f"limina.rl:{name}", **options)
    info, rng = env.reset(seed=1)[1], np.random.default_rng(1)
    info = env.step(random_legal_action(info["action_mask"], rng))[4]
    duplicate = copy.deepcopy(env)
    results: list[list[Any]] = [[], []]
    for copied_env, steps in zip((duplicate, env), results, strict=True):
        rng, is_over, mask = np.random.default_rng(2), False, info["action_mask"]
        while not is_over:
            steps.append(copied_env.step(random_legal_action(mask, rng)))
            is_over, mask = bool(steps[-1][2]), steps[-1][4]["action_mask"]
        steps.append(copied_env.reset()[0])
    assert are_equal(results[0], results[1])


@pytest.mark.parametrize("make", [partial(limes_v0.parallel_env, players=2), partial(limit_v0.env, size=4)])
def test_a_copy_of_a_pettingzoo_environment_is_independent(make: Any) -> None:
    env = make(render_mode="ansi")
    env.reset(seed=1)
    before = env.render()
    duplicate = copy.deepcopy(env)
    assert duplicate.render() == before
    duplicate.reset(seed=2)
    assert duplicate.render() != before
    assert env.render() == before


@pytest.mark.parametrize("make", [gymnasium.make, partial(gymnasium.make_vec, num_envs=3)], ids=["one", "many"])
def test_a_seed_may_be_a_numpy_integer(make: Any) -> None:
    env = make("limina.rl:limina/Limes-v0")
    assert are_equal(env.reset(seed=5), env.reset(seed=np.int64(5)))
    with pytest.raises(LiminaError, match="seed must be a whole number, not a string"):
        env.reset(seed="five")


def test_a_vector_environment_takes_a_deal() -> None:
    vector_env = gymnasium.make_vec("limina.rl:limina/Limes-v0", 3)
    observation, _ = vector_env.reset(options={"deal": list(range(24, 0, -1))})
    assert observation["vector"][:, 24:48].argmax(axis=1).tolist() == [23, 23, 23]
    with pytest.raises(LiminaError, match="options has no 'layout': it may hold deal, reset_mask"):
        vector_env.reset(options={"layout": []})


def test_a_vector_environment_has_no_opponent() -> None:
    with pytest.raises(LiminaError, match="the agent plays all seats here"):
        gymnasium.make_vec("limina.rl:limina/Limit-v0", 3, opponent="novice")


def test_rewards_of_limes_sum_to_the_total() -> None:
    env: Any = gymnasium.make("limina/Limes-v0").unwrapped
    results = play_game(env, 3)
    assert sum(result[1] for result in results[1:]) == env.position.display().total


def test_an_environment_takes_a_deal() -> None:
    env: Any = gymnasium.make("limina/Limes-v0").unwrapped
    deal = [5, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 24]
    _, info = env.reset(seed=1, options={"deal": deal})
    rng, is_over = np.random.default_rng(1), False
    while not is_over:
        _, _, is_over, _, info = env.step(random_legal_action(info["action_mask"], rng))
    assert list(env.position.draws) == deal
    with pytest.raises(LiminaError, match="in this deal twice"):
        env.reset(options={"deal": [1] * 16})
    with pytest.raises(LiminaError, match="options has no 'seal'"):
        env.reset(options={"seal": deal})


def test_an_environment_takes_a_layout() -> None:
    env: Any = gymnasium.make("limina/Limit-v0", size=4).unwrapped
    layout = limit.Position.random(4, rng=np.random.default_rng(5)).layout
    env.reset(options={"layout": list(layout)})
    assert env.position.layout == layout
    with pytest.raises(LiminaError, match="does not fit"):
        env.reset(options={"layout": limit.Position.random(5, rng=np.random.default_rng(5)).layout})


@pytest.mark.parametrize("seat", [0, 1])
def test_bots_play_the_other_seats(seat: int) -> None:
    env: Any = gymnasium.make("limina/Limit-v0", size=4, opponent="novice", seat=seat).unwrapped
    for seed in range(3):
        _, info = env.reset(seed=seed)
        assert env.position.turn == seat
        is_over, rng = False, np.random.default_rng(seed)
        while not is_over:
            assert env.position.to_move == (seat,)
            _, reward, is_over, _, info = env.step(random_legal_action(info["action_mask"], rng))
        assert reward == (1.0 if env.position.outcome.winners == (seat,) else reward)
        assert reward in (1.0, 0.0, -1.0)


@pytest.mark.parametrize("name", limina.rl.ids)
def test_an_environment_renders_in_all_modes(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for mode in ("ansi", "rgb_array", "human"):
        env: Any = gymnasium.make(name, render_mode=mode).unwrapped
        env.reset(seed=1)
        rendered = env.render()
        if mode == "ansi":
            assert rendered == env.position.text()
        elif mode == "rgb_array":
            assert rendered.dtype == np.uint8
            assert rendered.shape[2] == 3
            assert len(np.unique(rendered)) > 20
        else:
            assert rendered is None
            assert capsys.readouterr().out
    with pytest.raises(LiminaError, match="render mode"):
        LiminaEnv("limes", render_mode="smoke")


@pytest.mark.parametrize("name", limina.rl.ids)
def test_a_vector_environment_restarts_finished_games(name: str) -> None:
    vector_env: Any = gymnasium.make_vec(f"limina.rl:{name}", 12, vectorization_mode="vector_entry_point", threads=2)
    rng = np.random.default_rng(1)
    _, info = vector_env.reset(seed=1)
    ended_before = np.zeros(12, bool)
    finished_games = 0
    for _ in range(400):
        actions = np.array([random_legal_action(mask, rng) for mask in info["action_mask"]])
        observation, rewards, ended, truncated, info = vector_env.step(actions)
        assert vector_env.observation_space.contains(observation)
        assert not rewards[ended_before].any()  # the step that restarts a game has no reward
        assert not ended[ended_before].any()
        assert not truncated.any()
        ended_before = ended
        finished_games += int(ended.sum())
    assert finished_games
    one, two = vector_env.reset(seed=[4] * 12)[0], vector_env.reset(seed=[4] * 12)[0]
    assert are_equal(one, two)
    assert np.array_equal(one["planes"][0], one["planes"][11])


PARALLEL = [partial(limes_v0.parallel_env, players=players) for players in (1, 2, 3)]
SEQUENTIAL = [partial(limes_v0.env, players=players) for players in (1, 2, 3)] + [
    partial(limit_v0.env, players=players, size=4) for players in (2, 3)
]


@pytest.mark.parametrize("make", PARALLEL)
def test_pettingzoo_checker_passes_for_parallel_environments(make: Any) -> None:
    parallel_api_test(make(), num_cycles=120)
    parallel_seed_test(make, num_cycles=60)


@pytest.mark.parametrize("make", SEQUENTIAL)
def test_pettingzoo_checker_passes(make: Any) -> None:
    api_test(make(), num_cycles=60)
    seed_test(make, num_cycles=40)


@pytest.mark.parametrize("make", [PARALLEL[1], SEQUENTIAL[1], SEQUENTIAL[3]])
def test_pettingzoo_environments_render(make: Any) -> None:
    if make.func is limes_v0.env or make.func is limit_v0.env:
        render_test(make)
    else:
        env = make(render_mode="rgb_array")
        env.reset(seed=1)
        assert env.render().shape[2] == 3


def test_rewards_of_limit_go_to_all_players() -> None:
    env = limit_v0.env(players=3, size=4)
    env.reset(seed=1)
    rng, totals = np.random.default_rng(1), dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, is_over, _, _ = env.last()
        totals[agent] += reward
        env.step(None if is_over else random_legal_action(observation["action_mask"], rng))
    assert sum(totals.values()) == pytest.approx(0)
    assert min(totals.values()) == -1
