"""The bots of Limit, weakest first: four levels, and two bots to compare with, `greedy` and `uct` (plain UCT).

All except `uct` run the same search in the kernel. They differ in search depth, in how many moves they overlook, and in
work. Work is counted in evaluated positions, so that a bot is equally strong on every machine.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Mapping
from copy import deepcopy
from math import exp

from limina._kernel import CancelToken
from limina._kernel import limit as kernel
from limina.bots.base import Bot, BotFactory, Budget, Candidate, Choice, SearchInfo, typical_time
from limina.core.record import Record
from limina.errors import IllegalTurnError
from limina.limit.notation import Turn
from limina.limit.position import Position
from limina.limit.weights import WEIGHTS

_UNLIMITED_MILLISECONDS = 1e9
_UNLIMITED_WORK = 10**12
_DEFAULT = 0
"""Stands for a limit that the caller did not set."""
_UCT_EXPLORATION = 0.5
_MASTER_WORK = 400_000
_MASTER_WORK_THREE_PLAYERS = 250_000
"""Work while three players have pawns. Each position is evaluated for three players then, so a turn takes as long."""
_MYOPIC_PRIOR = 0.4
"""Probability that an unknown opponent is myopic, that is, looks no further than their own turn."""
_MAX_LOG_ODDS = 4.0
"""Bound of the evidence about an opponent."""
_EVIDENCE_TURNS = 10
"""Number of the opponents' last turns that are used as evidence."""
_EVIDENCE_SHARE = 0.65
"""Maximum share of the work and of the time that goes into the evidence."""
_EVIDENCE_MILLISECONDS_PER_TURN = 15
"""Time that the evidence of one turn takes on a slow machine. Turns for which the time is too short are left out."""
_MAX_STEPS_READ = 400
"""Longer records are not used as evidence, since reading them would make each turn slower than the one before."""


class _Bot(Bot[Position, Turn]):
    """A bot that searches in the kernel.

    Equal seeds, numbers of threads and positions lead to equal choices unless the time limit or a cancellation ends the
    search.
    """

    def __init__(self, seed: int, threads: int, work: int, milliseconds: float) -> None:
        self._seed = seed
        self._threads = threads
        self._work = work
        self._milliseconds = milliseconds

    def choose(self, record: Record[Position, Turn], player: int, budget: Budget) -> Choice[Turn]:
        """Return the best turn found, with win probabilities. Raises IllegalTurnError if the player is not to move."""
        position = record.position
        if player not in position.to_move:
            raise IllegalTurnError("a bot can only choose a turn for the player to move")
        seed = (self._seed * 1_000_003 + position.turn) % 2**64
        report, work = self._search(
            record,
            work=self._default_work(position) if budget.max_work is None else budget.max_work,
            milliseconds=min(self._milliseconds, 1000 * budget.thinking_seconds),
            seed=seed,
            cancel_token=budget.cancel_token or CancelToken(),
        )
        candidates = tuple(
            Candidate(position.decode_turn(entry.turn), entry.win_probabilities[player]) for entry in report.candidates
        )
        return Choice(candidates[0].turn, SearchInfo(candidates[0].value, candidates, work))

    def _default_work(self, position: Position) -> int:
        """Return the work limit for budgets that do not set one."""
        return self._work

    @abstractmethod
    def _search(
        self, record: Record[Position, Turn], *, work: int, milliseconds: float, seed: int, cancel_token: CancelToken
    ) -> tuple[kernel.SearchResult, int]:
        """Return the result of the search and the work that it took."""


class _Level(_Bot):
    """A level of the tree search with the trained evaluation."""

    def __init__(
        self,
        seed: int,
        threads: int,
        values: kernel.Weights,
        options: kernel.SearchOptions,
        work: int,
        milliseconds: float = _UNLIMITED_MILLISECONDS,
    ) -> None:
        super().__init__(seed, threads, work, milliseconds)
        self._values = values
        self._options = options

    def _search(
        self, record: Record[Position, Turn], *, work: int, milliseconds: float, seed: int, cancel_token: CancelToken
    ) -> tuple[kernel.SearchResult, int]:
        board = record.position.board
        report = kernel.search(
            board, self._values, self._options, work, milliseconds, self._threads, seed, cancel_token
        )
        return report, report.work


def _has_three_players(position: Position) -> bool:
    """Return True if three players have pawns."""
    return position.players == 3 and all(map(position.pawns, range(3)))


class _Master(_Level):
    """A level that models its opponents while three players have pawns. They may not look as far ahead as itself."""

    def _default_work(self, position: Position) -> int:
        if self._work != _DEFAULT:
            return self._work
        return _MASTER_WORK_THREE_PLAYERS if _has_three_players(position) else _MASTER_WORK

    def _search(
        self, record: Record[Position, Turn], *, work: int, milliseconds: float, seed: int, cancel_token: CancelToken
    ) -> tuple[kernel.SearchResult, int]:
        position = record.position
        if not _has_three_players(position):
            return super()._search(record, work=work, milliseconds=milliseconds, seed=seed, cancel_token=cancel_token)
        started = time.monotonic()
        evidence_milliseconds = _EVIDENCE_SHARE * milliseconds
        max_turns_by_work = _EVIDENCE_SHARE * work / kernel.EVIDENCE_WORK_PER_TURN
        max_turns_by_time = evidence_milliseconds / _EVIDENCE_MILLISECONDS_PER_TURN
        turns = _opponent_turns(record)[: int(min(_EVIDENCE_TURNS, max_turns_by_work, max_turns_by_time))]
        evidence = kernel.myopic_evidence(
            [(before.board, code) for before, code in turns], self._values, evidence_milliseconds, seed, cancel_token
        )
        options = deepcopy(self._options)
        options.minimax_weight = 0  # opponents may miss the best line, so the mean of all lines is more accurate
        options.myopic_probability = _posterior_of_myopic_players(turns, evidence)
        remaining_milliseconds = milliseconds - 1000 * (time.monotonic() - started)
        evidence_work = len(evidence) * kernel.EVIDENCE_WORK_PER_TURN
        report = kernel.search(
            position.board,
            self._values,
            options,
            work - evidence_work,
            remaining_milliseconds,
            self._threads,
            seed,
            cancel_token,
        )
        return report, evidence_work + report.work


def _opponent_turns(record: Record[Position, Turn]) -> list[tuple[Position, int]]:
    """Return the opponents' turns while three players had pawns, with the positions before them, the last one first."""
    if len(record.steps) > _MAX_STEPS_READ:
        return []
    (player,) = record.position.to_move
    turns = [
        (position, position.encode_turn(step.text))
        for position, step in zip(record.positions(), record.steps, strict=False)
        if step.player is not None and position.to_move != (player,) and _has_three_players(position)
    ]
    return turns[::-1]


def _posterior_of_myopic_players(
    turns: list[tuple[Position, int]], evidence: list[float]
) -> tuple[float, float, float]:
    """Return the probability that each player is myopic, given the log-likelihood ratios of their turns."""
    log_odds = [0.0, 0.0, 0.0]
    for (position, _), ratio in zip(turns, evidence, strict=False):  # the evidence is shorter if the time was over
        (player,) = position.to_move
        log_odds[player] += ratio
    prior_odds = (1 - _MYOPIC_PRIOR) / _MYOPIC_PRIOR
    first, second, third = (
        1 / (1 + prior_odds * exp(-max(-_MAX_LOG_ODDS, min(_MAX_LOG_ODDS, odds)))) for odds in log_odds
    )
    return first, second, third


class _Uct(_Bot):
    """UCT with random playouts, without an evaluation."""

    def _search(
        self, record: Record[Position, Turn], *, work: int, milliseconds: float, seed: int, cancel_token: CancelToken
    ) -> tuple[kernel.SearchResult, int]:
        report = kernel.uct(record.position.board, _UCT_EXPLORATION, work, milliseconds, seed, cancel_token)
        return report, report.work


@typical_time(milliseconds=2)
def novice(*, seed: int = 0, threads: int = 1) -> _Bot:
    """Return a bot that sees its own captures but not the opponents' replies, and overlooks three moves in ten."""
    options = kernel.SearchOptions()
    options.max_depth = 1
    options.miss_rate = 0.3
    options.noise = 0.7
    return _Level(seed, threads, kernel.Weights.naive(), options, 400)


@typical_time(milliseconds=2)
def casual(*, seed: int = 0, threads: int = 1) -> _Bot:
    """Return a bot with the trained evaluation that looks at its own turn only, and overlooks one move in five."""
    options = kernel.SearchOptions()
    options.max_depth = 1
    options.miss_rate = 0.2
    options.noise = 0.5
    return _Level(seed, threads, WEIGHTS.default, options, 500)


def _deep_search_options() -> kernel.SearchOptions:
    """Return options with less exploration than in training, which aims at more different turns."""
    options = kernel.SearchOptions()
    options.exploration = 0.4
    return options


@typical_time(milliseconds=2)
def skilled(*, seed: int = 0, threads: int = 1) -> _Bot:
    """Return a bot that looks a few turns ahead and solves the last turns of a game."""
    options = _deep_search_options()
    options.root_solver_max_tiles = 14
    return _Level(seed, threads, WEIGHTS.default, options, 800)


@typical_time(milliseconds=400)
def master(
    *,
    seed: int = 0,
    threads: int = 1,
    nodes: int = _DEFAULT,
    milliseconds: float = _DEFAULT,
) -> _Bot:
    """Return a bot that evaluates up to `nodes` positions for a turn, and solves endgames.

    The default is 400,000 positions (250,000 while three players have pawns) and at most 3 s. With `milliseconds`
    alone, it uses all of that time.
    """
    options = _deep_search_options()
    options.root_solver_max_tiles = 18
    options.root_solver_max_positions = 20_000
    work, max_milliseconds = _limits(nodes, milliseconds, _DEFAULT, 3_000)
    return _Master(seed, threads, WEIGHTS.default, options, work, max_milliseconds)


@typical_time(milliseconds=10)
def greedy(*, seed: int = 0, threads: int = 1) -> _Bot:
    """Return a bot that looks at its own turn only, overlooks nothing, and counts pawns and freedoms like `novice`."""
    options = kernel.SearchOptions()
    options.max_depth = 1
    return _Level(seed, threads, kernel.Weights.naive(), options, 10_000)


@typical_time(milliseconds=200)
def uct(
    *,
    seed: int = 0,
    threads: int = 1,
    nodes: int = _DEFAULT,
    milliseconds: float = _DEFAULT,
) -> _Bot:
    """Return a bot that plays plain UCT, as a baseline for other bots.

    The default is 80,000 random playouts for a turn (`nodes`) and at most 10 s. With `milliseconds` alone, it uses all
    of that time.
    """
    return _Uct(seed, 1, *_limits(nodes, milliseconds, 80_000, 10_000))


def _limits(nodes: int, milliseconds: float, default_nodes: int, default_milliseconds: float) -> tuple[int, float]:
    """Return the limits of work and milliseconds, with defaults for those that the caller did not set."""
    if nodes == _DEFAULT:
        nodes = default_nodes if milliseconds == _DEFAULT else _UNLIMITED_WORK
    return nodes, default_milliseconds if milliseconds == _DEFAULT else milliseconds


BOTS: Mapping[str, BotFactory] = {
    "novice": novice,
    "casual": casual,
    "skilled": skilled,
    "master": master,
    "greedy": greedy,
    "uct": uct,
}
