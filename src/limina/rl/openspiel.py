"""The games for OpenSpiel: importing this module registers `limina_limes`, `limina_limit` and installed games.

A turn is a sequence of actions, as in all of `limina.rl`. Chance is explicit: a card is one of those not drawn yet, and
a layout is one of the number of layouts given by the parameter `layouts`. The return of a game with one player is its
points. Games of more players are zero-sum. The module needs `pip install limina[spiel]`.
"""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyspiel

from limina.core.game import Game
from limina.core.position import Position
from limina.core.registry import game as game_of
from limina.core.registry import games

DEFAULT_LAYOUTS = 1000
"""Default of the parameter `layouts`."""
_MAX_GAME_LENGTH = 10_000
_MAX_POINTS = 200.0


def _game_type(game: Game, players: int) -> Any:
    game_type = pyspiel.GameType
    is_solo = players == 1
    return game_type(
        short_name=f"limina_{game.name}",
        long_name=game.title,
        dynamics=game_type.Dynamics.SIMULTANEOUS if game.spec.simultaneous else game_type.Dynamics.SEQUENTIAL,
        chance_mode=game_type.ChanceMode.EXPLICIT_STOCHASTIC,
        information=game_type.Information.PERFECT_INFORMATION,
        utility=game_type.Utility.GENERAL_SUM if is_solo else game_type.Utility.ZERO_SUM,
        reward_model=game_type.RewardModel.TERMINAL,
        max_num_players=min(8, game.spec.players[-1]),
        min_num_players=game.spec.players[0],
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=_default_parameters(game),
    )


def _default_parameters(game: Game) -> dict[str, Any]:
    """Return the default parameters: players, layouts, and the options of types that OpenSpiel has (flags, numbers)."""
    options = {option.name: option.default for option in game.spec.options if option.default is not None}
    return {"players": max(2, game.spec.players[0]), "layouts": DEFAULT_LAYOUTS, **options}


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game with its parameters, with OpenSpiel's interface."""

    def __init__(self, name: str, params: dict[str, Any] | None = None) -> None:
        self.game = game_of(name)
        parameters = {**_default_parameters(self.game), **(params or {})}
        self.players = parameters["players"]
        self.layouts = parameters["layouts"]
        self.options = {
            option.name: parameters[option.name] for option in self.game.spec.options if option.name in parameters
        }
        assert self.game.encoding is not None
        self.encoding = self.game.encoding
        self.sizes = self.encoding.sizes(**self.options)
        start = self.game.start(self.players, **self.options)
        is_solo = self.players == 1
        info = pyspiel.GameInfo(
            num_distinct_actions=self.sizes.n_actions,
            max_chance_outcomes=1 + max(self.encoding.chance_actions(start, self.layouts)),
            num_players=self.players,
            min_utility=0.0 if is_solo else -1.0,
            max_utility=_MAX_POINTS if is_solo else self.players - 1.0,
            utility_sum=None if is_solo else 0.0,
            max_game_length=_MAX_GAME_LENGTH,
        )
        super().__init__(_game_type(self.game, self.players), info, parameters)

    def new_initial_state(self) -> SpielState:
        """Return the state before any chance step."""
        return SpielState(self, self.game.start(self.players, **self.options))

    def max_chance_nodes_in_history(self) -> int:
        """Return an upper bound for the number of chance steps."""
        return _MAX_GAME_LENGTH

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return an observer that writes observations as tensors."""
        return Observer(self)


class SpielState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A position, and the actions since then."""

    def __init__(self, game: SpielGame, start: Position) -> None:
        super().__init__(game)
        self.position = start
        """Position after the last complete turn, or round if all players move at once."""
        self._actions: list[list[int]] = []
        """Actions since then, a list for each step."""
        self._kernel_game: _KernelGame | None = None

    @property
    def _game(self) -> SpielGame:
        # Not an attribute: OpenSpiel clones a state by a deep copy of its attributes.
        game: SpielGame = self.get_game()
        return game

    # --- players and actions

    def current_player(self) -> Any:
        """Return the player to move, or OpenSpiel's id for chance, simultaneous moves or the end."""
        if self.is_terminal():
            return pyspiel.PlayerId.TERMINAL
        if self.position.awaits_chance:
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.SIMULTANEOUS if self._game.game.spec.simultaneous else self.position.to_move[0]

    def is_terminal(self) -> bool:
        """Return True if the game is over."""
        return self.position.outcome is not None

    def _legal_actions(self, player: int) -> list[int]:
        row = player if self._game.game.spec.simultaneous else 0
        return np.flatnonzero(self.kernel_game.mask[row]).tolist()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the actions of chance with their probabilities, which are equal."""
        actions = self._game.encoding.chance_actions(self.position, self._game.layouts)
        return [(action, 1.0 / len(actions)) for action in actions]

    @property
    def kernel_game(self) -> _KernelGame:
        """The game in the kernel. It is built from the position and the actions when it is needed."""
        if self._kernel_game is None:
            self._kernel_game = _KernelGame(self._game, self.position)
            for actions in self._actions:
                self._kernel_game.step(actions)
        return self._kernel_game

    def _apply_action(self, action: int) -> None:
        if self.position.awaits_chance:
            self.position = self.position.apply(self._game.encoding.chance_step(self.position, action))
            self._kernel_game, self._actions = None, []
        else:
            self._apply_actions([action])

    def _apply_actions(self, actions: list[int]) -> None:
        kernel_game = self.kernel_game
        kernel_game.step(actions)
        self._actions = [*self._actions, list(actions)]
        is_over = bool(kernel_game.ended[0])
        after = self._game.encoding.position_after(kernel_game.batch, 0, self.position, is_over)
        if after is not None:
            self.position, self._kernel_game, self._actions = after, None, []

    # --- results

    def returns(self) -> list[float]:
        """Return the points of a single player; else -1 for each loser, which the winners share."""
        outcome, players = self.position.outcome, self.position.players
        if outcome is None:
            return [0.0] * players
        if players == 1:
            scoring = self._game.game.scoring
            return [float(points) for points in scoring.points(self.position)] if scoring is not None else [0.0]
        share = (players - len(outcome.winners)) / len(outcome.winners)
        return [share if player in outcome.winners else -1.0 for player in range(players)]

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"chance {action}"
        side = self._game.sizes.planes_shape[2]
        return "pass" if action == self._game.sizes.n_actions - 1 else f"cell {action % side},{action // side}"

    def __str__(self) -> str:
        position_string: str = getattr(self.position, "position_string", "") or repr(self.position)
        return " ".join([position_string, *(f"[{','.join(map(str, actions))}]" for actions in self._actions)])

    def to_dict(self) -> dict[str, Any]:
        """Return the state as plain values."""
        names = [f"player {player}" for player in range(self.position.players)]
        return {"game": self._game.game.name, **self.position.summary(names), "actions": self._actions}

    def to_struct(self) -> StateStruct:
        """Return the state as a struct of plain values."""
        return StateStruct(**self.to_dict())

    def to_observation_struct(self, player: int = 0) -> StateStruct:
        """Return the state as a struct. Nothing is hidden from any player."""
        return self.to_struct()

    def to_json(self) -> str:
        """Return the state as JSON."""
        return self.to_struct().to_json()


class StateStruct(SimpleNamespace):
    """A state as plain values, like OpenSpiel's structs, which only C++ can create."""

    def to_dict(self) -> dict[str, Any]:
        """Return the values by name."""
        return dict(vars(self))

    def to_json(self) -> str:
        """Return the values as JSON."""
        return json.dumps(self.to_dict())


class _KernelGame:
    """A batch of one game with its arrays. A copied state builds its own."""

    def __init__(self, game: SpielGame, position: Position) -> None:
        self.batch = game.encoding.batch(1, players=game.players, autoreset=0, **game.options)
        rows = self.batch.rows
        self.mask = np.zeros((rows, game.sizes.n_actions), np.uint8)
        self.planes = np.zeros((rows, *game.sizes.planes_shape), np.uint8)
        self.vector = np.zeros((rows, game.sizes.vector_length), np.uint8)
        self.ended = np.zeros(1, np.uint8)
        self.batch.attach(planes=self.planes, vector=self.vector, mask=self.mask, ended=self.ended)
        game.encoding.start_position(self.batch, 0, position)
        self.batch.observe()

    def step(self, actions: list[int]) -> None:
        self.batch.step(np.array(actions, np.int64))

    def __reduce__(self) -> tuple[Any, ...]:
        return _no_kernel_game, ()  # the copy is None, and the state builds a new one


def _no_kernel_game() -> None:
    return None


class Observer:
    """An observer whose tensor is planes and vector, concatenated. It is 0 at chance nodes and after the end."""

    def __init__(self, game: SpielGame) -> None:
        planes, rows, columns = game.sizes.planes_shape
        self._size = planes * rows * columns
        self.tensor = np.zeros(self._size + game.sizes.vector_length, np.float32)
        self.dict = {
            "planes": self.tensor[: self._size].reshape(game.sizes.planes_shape),
            "vector": self.tensor[self._size :],
        }
        self._has_row_per_player = game.game.spec.simultaneous

    def set_from(self, state: SpielState, player: int) -> None:
        """Write the observation of a player."""
        self.tensor.fill(0)
        if not state.is_terminal() and not state.position.awaits_chance:
            row = player if self._has_row_per_player else 0
            self.tensor[: self._size] = state.kernel_game.planes[row].reshape(-1)
            self.tensor[self._size :] = state.kernel_game.vector[row]

    def string_from(self, state: SpielState, player: int) -> str:
        """Return the state as text. Nothing is hidden from any player."""
        return str(state)


def _register() -> tuple[str, ...]:
    names = []
    for game in games():
        if game.encoding is None:
            continue

        def init(self: SpielGame, params: dict[str, Any] | None = None, name: str = game.name) -> None:
            SpielGame.__init__(self, name, params)

        # Each class needs a name in this module, because OpenSpiel serializes the class of a game by name.
        game_class = type(f"{game.title}Game", (SpielGame,), {"__init__": init, "__module__": __name__})
        globals()[game_class.__name__] = game_class
        pyspiel.register_game(_game_type(game, max(2, game.spec.players[0])), game_class)
        names.append(f"limina_{game.name}")
    return tuple(names)


names = _register()
"""Names of all games in OpenSpiel's registry."""
