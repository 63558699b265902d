"""What turns are worth, as a bot that can say what it thinks sees them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from limina.bots import Bot, BotError, Budget, Candidate, SearchInfo, bot, choose_checked
from limina.core.game import Game
from limina.core.position import Position
from limina.core.record import Record
from limina.errors import LiminaError

CHANCE_SAMPLES = 8
"""How many ways of chance are looked at after a turn that the bot itself did not weigh."""
QUICK_WORK_SHARE = 0.25
"""How closely each of them is looked at: many glances say more of a mean than a few long looks."""

Level = str | Callable[..., Bot]
"""A bot of the game by its name, or whatever makes one when called with `seed` and `threads`."""


class Evaluator:
    """A bot that is asked for its thoughts, with a budget for each."""

    def __init__(self, game: Game, level: Level | None = None, *, seed: int = 0, budget: Budget) -> None:
        self.game = game
        self._level = level if level is not None else _default_level(game)
        make = self._level if callable(self._level) else partial(bot, game, self._level)
        self._bot: Bot = make(seed=seed, threads=1)
        self._budget = budget

    def search(self, position: Position, player: int) -> tuple[Any, SearchInfo]:
        """The turn that the bot would play here, and why."""
        name = self._level if isinstance(self._level, str) else "given"
        try:
            choice = choose_checked(self._bot, Record.from_position(self.game, position), player, self._budget)
        except BotError as failure:
            raise LiminaError(f"the bot {name} cannot think here: {failure}") from None
        if choice.info is None:
            raise LiminaError(f"the bot {name} does not say what it thinks: choose another one")
        return choice.turn, choice.info

    def close(self) -> None:
        """Let the bot go."""
        self._bot.close()

    def value(self, position: Position, player: int) -> float:
        """What the position is worth to the player, who is to move."""
        return self.search(position, player)[1].value


def _default_level(game: Game) -> str:
    """The bot that thinks where nobody asks for another."""
    usual = game.spec.scale.default_bot
    if usual is not None and usual in game.bots:
        return usual
    if not game.bots:
        raise LiminaError(f"no bot of {game.title} says what it thinks")
    return tuple(game.bots)[-1]


def default_max_work(game: Game, level: Level | None, max_work: int | None, share: float = 1.0) -> int | None:
    """How much to work on a turn: what was asked for, or a share of the usual work of the usual bot."""
    if max_work is not None:
        return max(1, round(max_work * share))
    scale = game.spec.scale
    if scale.default_max_work is None or level is not None or scale.default_bot not in game.bots:
        return None
    return max(1, round(scale.default_max_work * share))


def final_value(game: Game, position: Position, player: int) -> float:
    """What a finished game is worth to a player, in the unit of the bots' values."""
    if not game.spec.scale.is_probability and game.scoring is not None:
        return float(game.scoring.points(position)[player])
    winners = position.outcome.winners if position.outcome else ()
    return 1 / len(winners) if player in winners else 0.0


@dataclass(frozen=True, slots=True)
class PositionEvaluation:
    """What is known of a position before a turn."""

    best: Any
    value: float
    candidates: tuple[Candidate, ...]
    """Best first, and no two that lead to the same."""


def evaluate_position(evaluator: Evaluator, position: Position, player: int) -> PositionEvaluation:
    """Let the bot think, and take turns with the same effect for one."""
    best, info = evaluator.search(position, player)
    found: dict[Position, Candidate] = {}
    for candidate in info.candidates:
        found.setdefault(position.play(candidate.turn, player), candidate)
    return PositionEvaluation(best, info.value, tuple(found.values()))


def turn_value(
    evaluator: Evaluator,
    quick: Evaluator,
    position: Position,
    player: int,
    turn: Any,
    weighed: PositionEvaluation,
    seed: int,
) -> float:
    """What a turn is worth: as weighed already, or else by looking at what comes after it."""
    game = evaluator.game
    after = position.play(turn, player)
    if after.outcome is not None:
        return final_value(game, after, player)
    for candidate in weighed.candidates:
        if position.play(candidate.turn, player) == after:
            return candidate.value
    if (
        position.players == 2
        and game.spec.scale.is_probability
        and not game.spec.simultaneous
        and not after.awaits_chance
    ):
        (mover,) = after.to_move
        return evaluator.value(after, mover) if mover == player else 1 - evaluator.value(after, mover)
    # The same chance after both turns: what is left is the difference between the turns.
    best = position.play(weighed.best, player)
    worth = weighed.value + _look_ahead(quick, after, player, seed) - _look_ahead(quick, best, player, seed)
    return min(max(worth, 0.0), 1.0) if game.spec.scale.is_probability else worth


def _look_ahead(evaluator: Evaluator, after: Position, player: int, seed: int) -> float:
    """The mean over some ways that chance may go, once the others have moved."""
    game = evaluator.game
    values = []
    for number in range(CHANCE_SAMPLES):
        rng, position, by_chance = Random(seed + number), after, False
        while position.outcome is None and player not in position.to_move:
            if position.awaits_chance:
                position, by_chance = position.apply(position.chance(rng)), True
                continue
            other = position.to_move[0]
            # Where all move at once the others hardly matter; where they answer, their answer is what counts.
            turn = position.legal_turns(other)[0] if game.spec.simultaneous else evaluator.search(position, other)[0]
            position = position.play(turn, other)
        over = position.outcome is not None
        values.append(final_value(game, position, player) if over else evaluator.value(position, player))
        if not by_chance:
            break
    return sum(values) / len(values)
