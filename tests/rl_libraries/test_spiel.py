"""The games in OpenSpiel, by its own simulation and by what a user would miss."""

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


def play_on(state: Any, rng: random.Random, most: int = 10_000) -> list[Any]:
    """Random play, and what was done."""
    done: list[Any] = []
    while not state.is_terminal() and len(done) < most:
        if state.is_simultaneous_node():
            done.append([rng.choice(state.legal_actions(player)) for player in range(state.num_players())])
            state.apply_actions(done[-1])
        else:
            outcomes = [action for action, _ in state.chance_outcomes()] if state.is_chance_node() else None
            done.append(rng.choice(outcomes or state.legal_actions()))
            state.apply_action(done[-1])
    return done


@each_game
def test_openspiels_own_simulation_finds_nothing_wrong(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=3, serialize=True, verbose=False)


@each_game
def test_a_playthrough_replays_to_the_same_end(name: str) -> None:
    game = pyspiel.load_game(name)
    one, two = game.new_initial_state(), game.new_initial_state()
    for action in play_on(one, random.Random(1)):
        two.apply_actions(action) if isinstance(action, list) else two.apply_action(action)
    assert str(one) == str(two)
    assert one.returns() == two.returns()


@each_game
def test_a_state_in_the_middle_of_a_turn_is_written_and_read(name: str) -> None:
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    play_on(state, random.Random(2), most=18)
    again = game.deserialize_state(state.serialize())
    assert str(again) == str(state)
    clone = state.clone()
    play_on(state, random.Random(3))
    assert str(clone) == str(again)
    play_on(clone, random.Random(3))
    assert clone.returns() == state.returns()


def test_alone_the_return_is_the_total_and_else_nobody_gains_what_others_do_not_lose() -> None:
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
def test_a_state_is_a_struct_also_in_the_middle_of_a_turn(name: str) -> None:
    state = pyspiel.load_game(name).new_initial_state()
    for _ in range(12):
        play_on(state, random.Random(5), most=1)
        struct = state.to_struct()
        assert struct.game in name
        assert struct.clicks == state.to_dict()["clicks"]
        assert json.loads(state.to_json()) == struct.to_dict() == state.to_observation_struct(0).to_dict()


@each_game
def test_what_is_observed_has_the_declared_size(name: str) -> None:
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    play_on(state, random.Random(5), most=9)
    while state.is_chance_node():
        play_on(state, random.Random(5), most=1)
    observer = game.make_py_observer()
    observer.set_from(state, 0)
    assert observer.tensor.any()
    assert observer.tensor.size == observer.dict["planes"].size + observer.dict["vector"].size
