"""Evaluate positions and turns with a bot that reports values."""

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
"""Number of random continuations that are evaluated after a turn that is not a candidate of the bot."""
QUICK_WORK_SHARE = 0.25
"""Share of the work for each of them. Their mean is more accurate with many short searches than with a few long."""

Level = str | Callable[..., Bot]
"""Name of a bot of the game, or a factory that takes `seed` and `threads`."""


class Evaluator:
    """A bot that evaluates positions, with a budget for each."""

    def __init__(self, game: Game, level: Level | None = None, *, seed: int = 0, budget: Budget) -> None:
        self.game = game
        self._level = level if level is not None else _default_level(game)
        factory = self._level if callable(self._level) else partial(bot, game, self._level)
        self._bot: Bot = factory(seed=seed, threads=1)
        self._budget = budget

    def search(self, position: Position, player: int) -> tuple[Any, SearchInfo]:
        """Return the bot's turn and search information. Raises LiminaError if the bot fails or reports no values."""
        name = f"the bot {self._level}" if isinstance(self._level, str) else "this bot"
        try:
            choice = choose_checked(self._bot, Record.from_position(self.game, position), player, self._budget)
        except BotError as error:
            raise LiminaError(f"{name} cannot evaluate this position: {error}") from None
        if choice.info is None:
            raise LiminaError(f"{name} does not report the values of turns: choose another one")
        return choice.turn, choice.info

    def close(self) -> None:
        """Close the bot."""
        self._bot.close()

    def value(self, position: Position, player: int) -> float:
        """Return the value of a position for the player, who must be to move."""
        return self.search(position, player)[1].value


def _default_level(game: Game) -> str:
    default = game.spec.scale.default_bot
    if default is not None and default in game.bots:
        return default
    if not game.bots:
        raise LiminaError(f"no bot of {game.title} reports the values of turns")
    return tuple(game.bots)[-1]


def default_max_work(game: Game, level: Level | None, max_work: int | None, share: float = 1.0) -> int | None:
    """Return the share of the work limit for a turn. Without a limit, it is the default one of the default bot.

    Returns None for no limit.
    """
    if max_work is not None:
        return max(1, round(max_work * share))
    scale = game.spec.scale
    if scale.default_max_work is None or level is not None or scale.default_bot not in game.bots:
        return None
    return max(1, round(scale.default_max_work * share))


def final_value(game: Game, position: Position, player: int) -> float:
    """Return the value of a finished game for a player, in the unit of the bots' values."""
    if not game.spec.scale.is_probability and game.scoring is not None:
        return float(game.scoring.points(position)[player])
    winners = position.outcome.winners if position.outcome else ()
    return 1 / len(winners) if player in winners else 0.0


@dataclass(frozen=True, slots=True)
class PositionEvaluation:
    """The evaluation of a position before a turn."""

    best: Any
    value: float
    candidates: tuple[Candidate, ...]
    """Candidates, best first. No two of them lead to the same position."""


def evaluate_position(evaluator: Evaluator, position: Position, player: int) -> PositionEvaluation:
    """Return the evaluation of a position. Of candidates that lead to the same position, it keeps the best."""
    best, info = evaluator.search(position, player)
    candidates: dict[Position, Candidate] = {}
    for candidate in info.candidates:
        candidates.setdefault(position.play(candidate.turn, player), candidate)
    return PositionEvaluation(best, info.value, tuple(candidates.values()))


def turn_value(
    evaluator: Evaluator,
    quick: Evaluator,
    position: Position,
    player: int,
    turn: Any,
    evaluation: PositionEvaluation,
    seed: int,
) -> float:
    """Return the value of a turn: that of the candidate with the same effect, or that of the position after it."""
    game = evaluator.game
    after = position.play(turn, player)
    if after.outcome is not None:
        return final_value(game, after, player)
    for candidate in evaluation.candidates:
        if position.play(candidate.turn, player) == after:
            return candidate.value
    if (
        position.players == 2
        and game.spec.scale.is_probability
        and not game.spec.simultaneous
        and not after.awaits_chance
    ):
        (to_move,) = after.to_move
        return evaluator.value(after, to_move) if to_move == player else 1 - evaluator.value(after, to_move)
    # Both continuations have the same chance steps, which cancels most of the luck out of their difference.
    after_best = position.play(evaluation.best, player)
    difference = _expected_value(quick, after, player, seed) - _expected_value(quick, after_best, player, seed)
    value = evaluation.value + difference
    return min(max(value, 0.0), 1.0) if game.spec.scale.is_probability else value


def _expected_value(evaluator: Evaluator, after: Position, player: int, seed: int) -> float:
    """Return the mean value of random continuations up to the player's next turn."""
    game = evaluator.game
    values = []
    for sample in range(CHANCE_SAMPLES):
        rng, position, has_chance = Random(seed + sample), after, False
        while position.outcome is None and player not in position.to_move:
            if position.awaits_chance:
                position, has_chance = position.apply(position.draw_chance_step(rng)), True
                continue
            other = position.to_move[0]
            # If all players move at the same time, the turns of the others hardly matter. Else their best reply counts.
            turn = position.legal_turns(other)[0] if game.spec.simultaneous else evaluator.search(position, other)[0]
            position = position.play(turn, other)
        is_over = position.outcome is not None
        values.append(final_value(game, position, player) if is_over else evaluator.value(position, player))
        if not has_chance:
            break
    return sum(values) / len(values)
