"""The games in OpenSpiel, with its own simulation and tests of our own."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: `make test-rl` tries to")
spiel: Any = pytest.importorskip("limina.rl.openspiel")

GAMES = [
    "limina_limes(players=1)",
    "limina_limes",
    "limina_limes(players=3,diagonal=True,ferryman=True)",
    "limina_limit(size=4)",
    "limina_limit(size=5,players=3,layouts=20)",
]
each_game = pytest.mark.parametrize("name", GAMES)


def play_on(state: Any, rng: random.Random, max_steps: int = 10_000) -> list[Any]:
    """Play random actions, and return them."""
    steps: list[Any] = []
    while not state.is_terminal() and len(steps) < max_steps:
        if state.is_simultaneous_node():
            steps.append([rng.choice(state.legal_actions(player)) for player in range(state.num_players())])
            state.apply_actions(steps[-1])
        else:
            outcomes = [action for action, _ in state.chance_outcomes()] if state.is_chance_node() else None
            steps.append(rng.choice(outcomes or state.legal_actions()))
            state.apply_action(steps[-1])
    return steps


@each_game
def test_openspiels_random_simulation_passes(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=3, serialize=True, verbose=False)


@each_game
def test_replayed_actions_lead_to_the_same_end(name: str) -> None:
    game = pyspiel.load_game(name)
    one, two = game.new_initial_state(), game.new_initial_state()
    for action in play_on(one, random.Random(1)):
        two.apply_actions(action) if isinstance(action, list) else two.apply_action(action)
    assert str(one) == str(two)
    assert one.returns() == two.returns()


@each_game
def test_a_state_within_a_turn_can_be_serialized(name: str) -> None:
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    play_on(state, random.Random(2), max_steps=18)
    restored = game.deserialize_state(state.serialize())
    assert str(restored) == str(state)
    clone = state.clone()
    play_on(state, random.Random(3))
    assert str(clone) == str(restored)
    play_on(clone, random.Random(3))
    assert clone.returns() == state.returns()


def test_returns_are_the_total_of_one_player_or_sum_to_zero() -> None:
    for name in GAMES:
        game = pyspiel.load_game(name)
        state = game.new_initial_state()
        play_on(state, random.Random(4))
        if game.num_players() == 1:
            assert state.returns() == [float(state.position.display().total)]
        else:
            assert sum(state.returns()) == pytest.approx(0)
        assert state.to_dict()["over"]


@each_game
def test_a_state_within_a_turn_is_a_struct(name: str) -> None:
    state = pyspiel.load_game(name).new_initial_state()
    for _ in range(12):
        play_on(state, random.Random(5), max_steps=1)
        struct = state.to_struct()
        assert struct.game in name
        assert struct.actions == state.to_dict()["actions"]
        assert json.loads(state.to_json()) == struct.to_dict() == state.to_observation_struct(0).to_dict()


@each_game
def test_observations_have_the_declared_size(name: str) -> None:
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    play_on(state, random.Random(5), max_steps=9)
    while state.is_chance_node():
        play_on(state, random.Random(5), max_steps=1)
    observer = game.make_py_observer()
    observer.set_from(state, 0)
    assert observer.tensor.any()
    assert observer.tensor.size == observer.dict["planes"].size + observer.dict["vector"].size
