"""The games for OpenSpiel: `import limina.rl.openspiel` registers `limina_limes`, `limina_limit` and those of packages.

A turn is made of clicks, as everywhere where programs learn (`limina.rl`). What chance does is explicit: a card is one
of those not drawn yet, and a layout is one of `layouts` that are dealt from seeds. Alone a game returns its points;
from two players on nobody gains what others do not lose. The room needs `pip install limina[spiel]`.
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

LAYOUTS = 1000
"""How many layouts chance may deal, unless somebody says otherwise."""
_LONGEST = 10_000
_MOST_POINTS = 200.0


def _type(game: Game, players: int) -> Any:
    kind = pyspiel.GameType
    alone = players == 1
    return kind(
        short_name=f"limina_{game.name}",
        long_name=game.title,
        dynamics=kind.Dynamics.SIMULTANEOUS if game.spec.simultaneous else kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.GENERAL_SUM if alone else kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=min(8, game.spec.players[-1]),
        min_num_players=game.spec.players[0],
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=_defaults(game),
    )


def _defaults(game: Game) -> dict[str, Any]:
    """Players, how much chance is sampled, and the options that OpenSpiel can write: flags and numbers."""
    options = {option.name: option.default for option in game.spec.options if option.default is not None}
    return {"players": max(2, game.spec.players[0]), "layouts": LAYOUTS, **options}


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game of ours as OpenSpiel knows it."""

    def __init__(self, name: str, params: dict[str, Any] | None = None) -> None:
        self.game = game_of(name)
        given = {**_defaults(self.game), **(params or {})}
        self.players = given["players"]
        self.layouts = given["layouts"]
        self.options = {option.name: given[option.name] for option in self.game.spec.options if option.name in given}
        assert self.game.encoding is not None
        self.encoding = self.game.encoding
        self.sizes = self.encoding.sizes(**self.options)
        start = self.game.start(self.players, **self.options)
        alone = self.players == 1
        info = pyspiel.GameInfo(
            num_distinct_actions=self.sizes.n_actions,
            max_chance_outcomes=1 + max(self.encoding.chance_actions(start, self.layouts)),
            num_players=self.players,
            min_utility=0.0 if alone else -1.0,
            max_utility=_MOST_POINTS if alone else self.players - 1.0,
            utility_sum=None if alone else 0.0,
            max_game_length=_LONGEST,
        )
        super().__init__(_type(self.game, self.players), info, given)

    def new_initial_state(self) -> SpielState:
        """Before chance has done anything."""
        return SpielState(self, self.game.start(self.players, **self.options))

    def max_chance_nodes_in_history(self) -> int:
        """No more than there are steps."""
        return _LONGEST

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What a player sees, as numbers."""
        return Observer(self)


class SpielState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A position, and the turns as far as they are made."""

    def __init__(self, game: SpielGame, start: Position) -> None:
        super().__init__(game)
        self.position = start
        """Where the game stands between turns."""
        self._clicks: list[list[int]] = []
        self._table: _Table | None = None

    @property
    def _game(self) -> SpielGame:
        # Not kept: OpenSpiel clones a state by a deep copy of what it keeps.
        game: SpielGame = self.get_game()
        return game

    # --- who is to do something

    def current_player(self) -> Any:
        """Chance, a player, all at once, or nobody any more."""
        if self.is_terminal():
            return pyspiel.PlayerId.TERMINAL
        if self.position.awaits_chance:
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.SIMULTANEOUS if self._game.game.spec.simultaneous else self.position.to_move[0]

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.outcome is not None

    def _legal_actions(self, player: int) -> list[int]:
        row = player if self._game.game.spec.simultaneous else 0
        return np.flatnonzero(self.table.mask[row]).tolist()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """All that chance may do, each as likely as the others."""
        actions = self._game.encoding.chance_actions(self.position, self._game.layouts)
        return [(action, 1.0 / len(actions)) for action in actions]

    # --- what they do

    @property
    def table(self) -> _Table:
        """The game in the kernel, made of the position and the clicks since."""
        if self._table is None:
            self._table = _Table(self._game, self.position)
            for clicks in self._clicks:
                self._table.step(clicks)
        return self._table

    def _apply_action(self, action: int) -> None:
        if self.position.awaits_chance:
            self.position = self.position.apply(self._game.encoding.chance_step(self.position, action))
            self._table, self._clicks = None, []
        else:
            self._apply_actions([action])

    def _apply_actions(self, actions: list[int]) -> None:
        table = self.table
        table.step(actions)
        self._clicks = [*self._clicks, list(actions)]
        after = self._game.encoding.position_after(table.kernel, 0, self.position, bool(table.ended[0]))
        if after is not None:
            self.position, self._table, self._clicks = after, None, []

    # --- what comes of it

    def returns(self) -> list[float]:
        """Points alone; else what the winners share of what the others lose."""
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
        return "pass" if action == self._game.sizes.n_actions - 1 else f"click {action % side},{action // side}"

    def __str__(self) -> str:
        line: str = getattr(self.position, "line", "") or repr(self.position)
        return " ".join([line, *(f"[{','.join(map(str, clicks))}]" for clicks in self._clicks)])

    def to_dict(self) -> dict[str, Any]:
        """Where the game stands, as plain values."""
        names = [f"player {player}" for player in range(self.position.players)]
        return {"game": self._game.game.name, **self.position.summary(names), "clicks": self._clicks}

    def to_struct(self) -> StateStruct:
        """The same with a name for each value."""
        return StateStruct(**self.to_dict())

    def to_observation_struct(self, player: int = 0) -> StateStruct:
        """What a player sees of it: nothing is hidden."""
        return self.to_struct()

    def to_json(self) -> str:
        """The same as a text in JSON."""
        return self.to_struct().to_json()


class StateStruct(SimpleNamespace):
    """A state as plain values with names. OpenSpiel's own structs are made in C++ alone; this one is used like them."""

    def to_dict(self) -> dict[str, Any]:
        """The values by their names."""
        return dict(vars(self))

    def to_json(self) -> str:
        """The values as a text in JSON."""
        return json.dumps(self.to_dict())


class _Table:
    """A game in the kernel while a turn is being made. A copy of a state makes its own."""

    def __init__(self, game: SpielGame, position: Position) -> None:
        self._game, self._position = game, position
        self.kernel = game.encoding.batch(1, players=game.players, autoreset=0, **game.options)
        rows = self.kernel.rows
        self.mask = np.zeros((rows, game.sizes.n_actions), np.uint8)
        self.planes = np.zeros((rows, *game.sizes.planes_shape), np.uint8)
        self.vector = np.zeros((rows, game.sizes.vector_length), np.uint8)
        self.ended = np.zeros(1, np.uint8)
        self.kernel.attach(planes=self.planes, vector=self.vector, mask=self.mask, ended=self.ended)
        game.encoding.start_position(self.kernel, 0, position)
        self.kernel.observe()

    def step(self, clicks: list[int]) -> None:
        self.kernel.step(np.array(clicks, np.int64))

    def __reduce__(self) -> tuple[Any, ...]:
        return _no_table, ()  # a copy makes it again of its position and clicks


def _no_table() -> None:
    return None


class Observer:
    """Planes and vector, one after the other; nothing while chance is awaited and once the game is over."""

    def __init__(self, game: SpielGame) -> None:
        planes, rows, columns = game.sizes.planes_shape
        self._size = planes * rows * columns
        self.tensor = np.zeros(self._size + game.sizes.vector_length, np.float32)
        self.dict = {
            "planes": self.tensor[: self._size].reshape(game.sizes.planes_shape),
            "vector": self.tensor[self._size :],
        }
        self._together = game.game.spec.simultaneous

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a player sees."""
        self.tensor.fill(0)
        if not state.is_terminal() and not state.position.awaits_chance:
            row = player if self._together else 0
            self.tensor[: self._size] = state.table.planes[row].reshape(-1)
            self.tensor[self._size :] = state.table.vector[row]

    def string_from(self, state: SpielState, player: int) -> str:
        """The same in words: nothing is hidden."""
        return str(state)


def _register() -> tuple[str, ...]:
    found = []
    for game in games():
        if game.encoding is None:
            continue

        def begin(self: SpielGame, params: dict[str, Any] | None = None, name: str = game.name) -> None:
            SpielGame.__init__(self, name, params)

        # Under a name of its own in this module: OpenSpiel writes down of what class a game is.
        made = type(f"{game.title}Game", (SpielGame,), {"__init__": begin, "__module__": __name__})
        globals()[made.__name__] = made
        pyspiel.register_game(_type(game, max(2, game.spec.players[0])), made)
        found.append(f"limina_{game.name}")
    return tuple(found)


names = _register()
"""The names of all games in OpenSpiel's registry."""
