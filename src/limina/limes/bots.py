"""The bots of Limes: four levels, weakest first, and the baseline `greedy`.

Their strength depends on work and not on time, so it is the same on every machine.

`novice` compares two turnings of the card on one cell by the points of the moment, and never moves a worker. `casual`
compares two cells and moves workers, also by the points of the moment. `skilled` compares four cells by the points
expected at the end, which it has learned. `master` compares all turns and plays the best ones on for half a game, with
many orders of the unseen cards. `greedy` is not a level: it takes the turn with the most points of the moment.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from functools import cache
from random import Random

from limina._kernel import CancelToken
from limina._kernel import limes as kernel
from limina.bots.base import Bot, BotFactory, Budget, Candidate, Choice, SearchInfo, typical_time
from limina.core.record import Record
from limina.errors import IllegalTurnError
from limina.limes.notation import Turn
from limina.limes.position import Position
from limina.limes.weights import WEIGHTS

_MAX_CANDIDATES = 24
"""The number of turns that a bot reports."""
_MIN_ROLLOUTS_DIVISOR = 10
"""A search reports a turn if it has at least this fraction (1 / 10) of the rollouts of the best one."""
_ROLLOUT_TURNS = 8
"""The length of a rollout. The evaluation estimates the rest: longer rollouts take more time and differ less."""


class _Bot(Bot[Position, Turn]):
    """Chooses the best candidate. The same seed and position always give the same turn."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def choose(self, record: Record[Position, Turn], player: int, budget: Budget) -> Choice[Turn]:
        """Return the best turn and other candidates, each with the points expected at the end."""
        position = record.position
        if player not in position.to_move:
            raise IllegalTurnError("a bot chooses turns only for a player who has to move")
        # Bots with the same seed in one game get different random numbers.
        seed = (self._seed * 1_000_003 + 31 * len(position.draws) + player) % 2**64
        info = self._evaluate(position, player, seed, budget)
        return Choice(info.candidates[0].turn, info)

    @abstractmethod
    def _evaluate(self, position: Position, player: int, seed: int, budget: Budget) -> SearchInfo[Turn]:
        """Return the candidates, best first."""


class _OnePlyBot(_Bot):
    """Evaluates the display after each turn, for a random part of the cells and turnings."""

    def __init__(
        self, seed: int, evaluation: kernel.Weights, max_cells: int, *, moves_workers: bool, max_turnings: int = 4
    ) -> None:
        super().__init__(seed)
        self._evaluation = evaluation
        self._max_cells = max_cells
        self._moves_workers = moves_workers
        self._max_turnings = max_turnings

    def _evaluate(self, position: Position, player: int, seed: int, budget: Budget) -> SearchInfo[Turn]:
        budget.reject_work_limit()
        board = position.boards[player]
        rng = Random(seed)
        open_cells = board.open_cells()
        cells = set(rng.sample(open_cells, min(self._max_cells, len(open_cells))))
        evaluated = self._evaluation.ranked_turns(board, position.deck.cards[position.draws[-1] - 1])
        parts = [kernel.turn_parts(code) for code, _ in evaluated]
        # The kernel lists turnings that look the same once.
        all_turnings = sorted({turning for _, turning, _, _ in parts})
        turnings = set(rng.sample(all_turnings, min(self._max_turnings, len(all_turnings))))
        turns = [
            turn
            for turn, (cell, turning, source, _) in zip(evaluated, parts, strict=True)
            if cell in cells and turning in turnings and (self._moves_workers or source is None)
        ]
        best = rng.choice([turn for turn in turns if turn[1] == turns[0][1]])
        ordered = [best, *(turn for turn in turns if turn is not best)]
        candidates = tuple(Candidate(Turn.from_code(code), value) for code, value in ordered[:_MAX_CANDIDATES])
        return SearchInfo(candidates[0].value, candidates, len(turns))


class _SearchBot(_Bot):
    """Plays the best turns on with random orders of the unseen cards."""

    def __init__(
        self,
        seed: int,
        threads: int,
        rollouts: int,
        candidates: int,
        milliseconds: float,
    ) -> None:
        super().__init__(seed)
        self._threads = threads
        self._rollouts = rollouts
        self._candidates = candidates
        self._milliseconds = milliseconds

    def _evaluate(self, position: Position, player: int, seed: int, budget: Budget) -> SearchInfo[Turn]:
        turns, rollouts, _ = kernel.search(
            WEIGHTS.default,
            position.boards[player],
            position.deck.cards,
            position.draws[-1] - 1,
            sum(1 << card - 1 for card in position.unseen),
            [board for other, board in enumerate(position.boards) if other != player],
            rollouts=self._rollouts if budget.max_work is None else budget.max_work,
            candidates=self._candidates,
            depth=_ROLLOUT_TURNS,
            threads=self._threads,
            seconds=min(self._milliseconds / 1000, budget.thinking_seconds),
            seed=seed,
            cancel_token=budget.cancel_token or CancelToken(),
        )
        # The points of turns with few rollouts are too uncertain.
        min_rollouts = turns[0][3] // _MIN_ROLLOUTS_DIVISOR
        candidates = tuple(
            Candidate(Turn.from_code(code), points)
            for code, points, _, turn_rollouts in turns[:_MAX_CANDIDATES]
            if turn_rollouts >= min_rollouts
        )
        return SearchInfo(candidates[0].value, candidates, rollouts)


@cache
def _current_points() -> kernel.Weights:
    """Return the untrained evaluation, which counts the points of the moment."""
    return kernel.Weights()


@typical_time(milliseconds=2)
def novice(*, seed: int = 0, threads: int = 1) -> _Bot:
    """Compare two turnings of the card on one cell by the points of the moment; never move a worker."""
    return _OnePlyBot(seed, _current_points(), 1, moves_workers=False, max_turnings=2)


@typical_time(milliseconds=2)
def casual(*, seed: int = 0, threads: int = 1) -> _Bot:
    """Compare turns on two cells, with moves of workers, by the points of the moment."""
    return _OnePlyBot(seed, _current_points(), 2, moves_workers=True)


@typical_time(milliseconds=2)
def skilled(*, seed: int = 0, threads: int = 1) -> _Bot:
    """Compare turns on four cells with three turnings by the points expected at the end."""
    return _OnePlyBot(seed, WEIGHTS.default, 4, moves_workers=True, max_turnings=3)


@typical_time(milliseconds=250)
def master(
    *,
    seed: int = 0,
    threads: int = 1,
    rollouts: int = 2_000,
    milliseconds: float = 10_000,
) -> _Bot:
    """Search all turns with rollouts, for at most `milliseconds`.

    `rollouts` is their number in the middle of a game; where they are shorter, there are more. Alone it maximizes its
    points, against opponents its chance to win.
    """
    return _SearchBot(seed, threads, rollouts, 24, milliseconds)


@typical_time(milliseconds=2)
def greedy(*, seed: int = 0, threads: int = 1) -> _Bot:
    """Take the turn with the most points of the moment. A baseline that any bot should beat."""
    return _OnePlyBot(seed, _current_points(), kernel.ROUNDS, moves_workers=True)


BOTS: Mapping[str, BotFactory] = {
    "novice": novice,
    "casual": casual,
    "skilled": skilled,
    "master": master,
    "greedy": greedy,
}
