"""The games as Gymnasium and PettingZoo know them, by their own checks and by what a user would miss."""

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

with warnings.catch_warnings():  # with pygame installed its tests load games of its own that it has deprecated
    warnings.simplefilter("ignore")
    from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

SINGLE: list[tuple[str, dict[str, Any]]] = [
    ("limina/Limes-v0", {}),
    ("limina/Limes-v0", {"diagonal": True, "ferryman": True, "reward": "final", "illegal_reward": -5.0}),
    ("limina/Limit-v0", {"size": 4}),
    ("limina/Limit-v0", {"size": 4, "players": 3, "seat": 1}),
]
singles = pytest.mark.parametrize(("name", "options"), SINGLE)


@pytest.fixture(autouse=True)
def _deprecations_of_others() -> Iterator[None]:
    """The checkers warn of what is no mistake (unusual bounds, rendering in tests): what they assert is what counts."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def any_legal(mask: NDArray[Any], rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


def played(env: Any, seed: int) -> list[Any]:
    """A whole game of legal clicks: everything that was told."""
    rng = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    told: list[Any] = [(observation, info)]
    over = False
    while not over:
        observation, reward, over, truncated, info = env.step(any_legal(info["action_mask"], rng))
        told.append((observation, reward, over, truncated, info))
    return told


def same(one: Any, two: Any) -> bool:
    if isinstance(one, dict):
        return one.keys() == two.keys() and all(same(one[key], two[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(two) and all(map(same, one, two))
    return bool(np.array_equal(one, two))


@singles
def test_gymnasium_has_nothing_to_complain_about(name: str, options: dict[str, Any]) -> None:
    check_env(gymnasium.make(f"limina.rl:{name}", **options).unwrapped, skip_render_check=True)


@singles
def test_the_same_seed_and_clicks_tell_the_same(name: str, options: dict[str, Any]) -> None:
    env = gymnasium.make(name, **options)
    assert same(played(env, 1), played(gymnasium.make(name, **options), 1))
    assert not same(played(env, 1), played(env, 2))


@singles
def test_the_mask_is_in_the_observation_the_info_and_a_method(name: str, options: dict[str, Any]) -> None:
    env: Any = gymnasium.make(name, **options).unwrapped
    observation, info = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    assert np.array_equal(observation["action_mask"], info["action_mask"])
    assert np.array_equal(observation["action_mask"], env.action_masks())


@singles
def test_an_illegal_click_ends_the_game_with_its_price(name: str, options: dict[str, Any]) -> None:
    env = gymnasium.make(name, **options)
    _, info = env.reset(seed=1)
    _, reward, over, truncated, _ = env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert (reward, over, truncated) == (options.get("illegal_reward", -1.0), True, False)


@pytest.mark.parametrize(
    ("name", "options"), [*SINGLE, ("limina/Limit-v0", {"size": 4, "opponent": "novice"})], ids=str
)
def test_a_copy_of_an_environment_goes_on_apart_and_alike(name: str, options: dict[str, Any]) -> None:
    env = gymnasium.make(f"limina.rl:{name}", **options)
    info, rng = env.reset(seed=1)[1], np.random.default_rng(1)
    info = env.step(any_legal(info["action_mask"], rng))[4]
    twin = copy.deepcopy(env)
    told = [[], []]  # type: list[list[Any]]
    for each, said in zip((twin, env), told, strict=True):
        rng, over, mask = np.random.default_rng(2), False, info["action_mask"]
        while not over:
            said.append(each.step(any_legal(mask, rng)))
            over, mask = bool(said[-1][2]), said[-1][4]["action_mask"]
        said.append(each.reset()[0])
    assert same(told[0], told[1])


@pytest.mark.parametrize("make", [partial(limes_v0.parallel_env, players=2), partial(limit_v0.env, size=4)])
def test_a_copy_of_a_game_of_pettingzoo_is_apart(make: Any) -> None:
    env = make(render_mode="ansi")
    env.reset(seed=1)
    before = env.render()
    twin = copy.deepcopy(env)
    assert twin.render() == before
    twin.reset(seed=2)
    assert twin.render() != before
    assert env.render() == before


@pytest.mark.parametrize("make", [gymnasium.make, partial(gymnasium.make_vec, num_envs=3)], ids=["one", "many"])
def test_a_seed_may_be_a_number_of_numpy(make: Any) -> None:
    env = make("limina.rl:limina/Limes-v0")
    assert same(env.reset(seed=5), env.reset(seed=np.int64(5)))
    with pytest.raises(LiminaError, match="seed must be a whole number, not a string"):
        env.reset(seed="five")


def test_many_games_begin_from_the_deal_that_is_chosen() -> None:
    many = gymnasium.make_vec("limina.rl:limina/Limes-v0", 3)
    observation, _ = many.reset(options={"deal": list(range(24, 0, -1))})
    assert observation["vector"][:, 24:48].argmax(axis=1).tolist() == [23, 23, 23]
    with pytest.raises(LiminaError, match="options has no 'layout': it may hold deal, reset_mask"):
        many.reset(options={"layout": []})


def test_many_games_have_no_opponent() -> None:
    with pytest.raises(LiminaError, match="here every seat is the learner's"):
        gymnasium.make_vec("limina.rl:limina/Limit-v0", 3, opponent="novice")


def test_points_gained_add_up_to_the_total() -> None:
    env: Any = gymnasium.make("limina/Limes-v0").unwrapped
    told = played(env, 3)
    assert sum(step[1] for step in told[1:]) == env.position.display().total


def test_a_deal_can_be_chosen() -> None:
    env: Any = gymnasium.make("limina/Limes-v0").unwrapped
    deal = [5, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 24]
    _, info = env.reset(seed=1, options={"deal": deal})
    rng, over = np.random.default_rng(1), False
    while not over:
        _, _, over, _, info = env.step(any_legal(info["action_mask"], rng))
    assert list(env.position.draws) == deal
    with pytest.raises(LiminaError, match="in this deal twice"):
        env.reset(options={"deal": [1] * 16})
    with pytest.raises(LiminaError, match="options has no 'seal'"):
        env.reset(options={"seal": deal})


def test_a_layout_can_be_chosen() -> None:
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
        over, rng = False, np.random.default_rng(seed)
        while not over:
            assert env.position.to_move == (seat,)
            _, reward, over, _, info = env.step(any_legal(info["action_mask"], rng))
        assert reward == (1.0 if env.position.outcome.winners == (seat,) else reward)
        assert reward in (1.0, 0.0, -1.0)


@pytest.mark.parametrize("name", limina.rl.ids)
def test_an_environment_shows_itself_in_every_mode(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for mode in ("ansi", "rgb_array", "human"):
        env: Any = gymnasium.make(name, render_mode=mode).unwrapped
        env.reset(seed=1)
        seen = env.render()
        if mode == "ansi":
            assert seen == env.position.text()
        elif mode == "rgb_array":
            assert seen.dtype == np.uint8
            assert seen.shape[2] == 3
            assert len(np.unique(seen)) > 20
        else:
            assert seen is None
            assert capsys.readouterr().out
    with pytest.raises(LiminaError, match="render mode"):
        LiminaEnv("limes", render_mode="smoke")


@pytest.mark.parametrize("name", limina.rl.ids)
def test_many_environments_are_one_batch(name: str) -> None:
    many: Any = gymnasium.make_vec(f"limina.rl:{name}", 12, vectorization_mode="vector_entry_point", threads=2)
    rng = np.random.default_rng(1)
    _, info = many.reset(seed=1)
    before = np.zeros(12, bool)
    ends = 0
    for _ in range(400):
        actions = np.array([any_legal(mask, rng) for mask in info["action_mask"]])
        observation, rewards, ended, truncated, info = many.step(actions)
        assert many.observation_space.contains(observation)
        assert not rewards[before].any()  # the step that begins a game again earns nothing
        assert not ended[before].any()
        assert not truncated.any()
        before = ended
        ends += int(ended.sum())
    assert ends
    one, two = many.reset(seed=[4] * 12)[0], many.reset(seed=[4] * 12)[0]
    assert same(one, two)
    assert np.array_equal(one["planes"][0], one["planes"][11])


PARALLEL = [partial(limes_v0.parallel_env, players=players) for players in (1, 2, 3)]
IN_TURNS = [partial(limes_v0.env, players=players) for players in (1, 2, 3)] + [
    partial(limit_v0.env, players=players, size=4) for players in (2, 3)
]


@pytest.mark.parametrize("make", PARALLEL)
def test_pettingzoo_has_nothing_to_complain_about_where_all_move_at_once(make: Any) -> None:
    parallel_api_test(make(), num_cycles=120)
    parallel_seed_test(make, num_cycles=60)


@pytest.mark.parametrize("make", IN_TURNS)
def test_pettingzoo_has_nothing_to_complain_about(make: Any) -> None:
    api_test(make(), num_cycles=60)
    seed_test(make, num_cycles=40)


@pytest.mark.parametrize("make", [PARALLEL[1], IN_TURNS[1], IN_TURNS[3]])
def test_pettingzoo_can_draw_it(make: Any) -> None:
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
        observation, reward, over, _, _ = env.last()
        totals[agent] += reward
        env.step(None if over else any_legal(observation["action_mask"], rng))
    assert sum(totals.values()) == pytest.approx(0)
    assert min(totals.values()) == -1
