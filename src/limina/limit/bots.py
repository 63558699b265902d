"""The bots of this game, weakest first: four levels, and two yardsticks, a greedy one and plain UCT.

All but `uct` run the same search in the kernel and differ in how far they look, how much they overlook and how long
they think, counted in judged positions and so the same on any machine.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Mapping
from copy import deepcopy
from math import exp

from limina._kernel import Stop
from limina._kernel import limit as kernel
from limina.bots.base import Bot, BotFactory, Budget, Candidate, Choice, SearchInfo, typical_time
from limina.core.record import Record
from limina.errors import IllegalTurnError
from limina.limit.notation import Turn
from limina.limit.position import Position
from limina.limit.weights import VALUES

_NO_LIMIT = 1e9
_UNBOUNDED = 10**12
_USUAL = 0
"""Stands for a bound that was not given."""
_EXPLORATION = 0.5
_MASTERS_WORK = 400_000
_MASTERS_WORK_BY_THREE = 250_000
"""While three are in the game a position is judged for each of them, so this takes as long."""
_SHALLOW = 0.4
"""How likely a player of whom nothing is known is to look at his own turn only."""
_LOOKS_BACK = 10
"""So many of the others' last turns say how they play."""
_LOOKING_BACK = 0.65
"""The part of the work, and of the time, that may go into that."""
_LONGEST = 400
"""A record with more steps is not gone through: whoever goes to and fro could make each turn cost more."""
_LOOK_MILLISECONDS = 15
"""What looking at one of them takes on a slow machine: with less time it is not begun."""


class _Bot(Bot[Position, Turn]):
    """A bot that asks the kernel. The same seed, threads and position give the same answer, unless it is cut short."""

    def __init__(self, seed: int, threads: int, work: int, milliseconds: float) -> None:
        self._seed = seed
        self._threads = threads
        self._work = work
        self._milliseconds = milliseconds

    def choose(self, record: Record[Position, Turn], player: int, budget: Budget) -> Choice[Turn]:
        """The turn that is thought best, the probability to win with it, and some others that were looked at."""
        position = record.end
        if player not in position.to_move:
            raise IllegalTurnError("a bot can only be asked for a turn of the player whose turn it is")
        seed = (self._seed * 1_000_003 + position.turn) % 2**64
        report, work = self._search(
            record,
            work=self._usual_work(position) if budget.max_work is None else budget.max_work,
            milliseconds=min(self._milliseconds, 1000 * budget.thinking_seconds),
            seed=seed,
            stop=budget.cancel_token or Stop(),
        )
        candidates = tuple(Candidate(position.decode(found.turn), found.chances[player]) for found in report.candidates)
        return Choice(candidates[0].turn, SearchInfo(candidates[0].value, candidates, work))

    def _usual_work(self, position: Position) -> int:
        """How much it works where nobody says so."""
        return self._work

    @abstractmethod
    def _search(
        self, record: Record[Position, Turn], *, work: int, milliseconds: float, seed: int, stop: Stop
    ) -> tuple[kernel.Report, int]:
        """What the kernel finds, and how much work it was."""


class _Level(_Bot):
    def __init__(
        self,
        seed: int,
        threads: int,
        judgement: kernel.Values,
        options: kernel.SearchOptions,
        work: int,
        milliseconds: float = _NO_LIMIT,
    ) -> None:
        super().__init__(seed, threads, work, milliseconds)
        self._judgement = judgement
        self._options = options

    def _search(
        self, record: Record[Position, Turn], *, work: int, milliseconds: float, seed: int, stop: Stop
    ) -> tuple[kernel.Report, int]:
        board = record.end.board
        report = kernel.search(board, self._judgement, self._options, work, milliseconds, self._threads, seed, stop)
        return report, report.work


def _by_three(position: Position) -> bool:
    """Whether three are in the game."""
    return position.players == 3 and all(map(position.pawns, range(3)))


class _Master(_Level):
    """While three are in the game, it looks how the others have played: they may not see as far as itself."""

    def _usual_work(self, position: Position) -> int:
        by_three = _by_three(position) and self._work == _USUAL
        return _MASTERS_WORK_BY_THREE if by_three else self._work or _MASTERS_WORK

    def _search(
        self, record: Record[Position, Turn], *, work: int, milliseconds: float, seed: int, stop: Stop
    ) -> tuple[kernel.Report, int]:
        position = record.end
        if not _by_three(position):
            return super()._search(record, work=work, milliseconds=milliseconds, seed=seed, stop=stop)
        begun = time.monotonic()
        by_work, by_time = _LOOKING_BACK * work / kernel.LOOK_BACK, _LOOKING_BACK * milliseconds / _LOOK_MILLISECONDS
        turns = _turns_of_others(record)[: int(min(_LOOKS_BACK, by_work, by_time))]
        evidence = kernel.shallow_evidence(
            [(before.board, code) for before, code in turns], self._judgement, _LOOKING_BACK * milliseconds, seed, stop
        )
        options = deepcopy(self._options)
        options.minimax_weight = 0  # where others may miss the best line, the mean of all says more
        options.shallow = _how_shallow(turns, evidence)
        left = milliseconds - 1000 * (time.monotonic() - begun)
        spent = len(evidence) * kernel.LOOK_BACK
        report = kernel.search(position.board, self._judgement, options, work - spent, left, self._threads, seed, stop)
        return report, spent + report.work


def _turns_of_others(record: Record[Position, Turn]) -> list[tuple[Position, int]]:
    """What the enemies of the player to move played while three were in the game, and where; the last one first."""
    if len(record.steps) > _LONGEST:
        return []
    (player,) = record.end.to_move
    turns = [
        (position, position.encode(step.text))
        for position, step in zip(record.positions(), record.steps, strict=False)
        if step.player is not None and position.to_move != (player,) and _by_three(position)
    ]
    return turns[::-1]


def _how_shallow(turns: list[tuple[Position, int]], evidence: list[float]) -> tuple[float, float, float]:
    """How likely each player is to look at his own turn only."""
    odds = [0.0, 0.0, 0.0]
    for (position, _), found in zip(turns, evidence, strict=False):  # there may have been no time for all
        (player,) = position.to_move
        odds[player] += found
    surest = 4.0
    first, second, third = (
        1 / (1 + (1 - _SHALLOW) / _SHALLOW * exp(-max(-surest, min(surest, found)))) for found in odds
    )
    return first, second, third


class _Uct(_Bot):
    def _search(
        self, record: Record[Position, Turn], *, work: int, milliseconds: float, seed: int, stop: Stop
    ) -> tuple[kernel.Report, int]:
        report = kernel.uct(record.end.board, _EXPLORATION, work, milliseconds, seed, stop)
        return report, report.work


@typical_time(milliseconds=2)
def novice(*, seed: int = 0, threads: int = 1) -> _Bot:
    """Sees captures that it can make now, but not what the enemy can do then, and overlooks three moves in ten."""
    options = kernel.SearchOptions()
    options.max_depth = 1
    options.miss_rate = 0.3
    options.noise = 0.7
    return _Level(seed, threads, kernel.Values.naive(), options, 400)


@typical_time(milliseconds=2)
def casual(*, seed: int = 0, threads: int = 1) -> _Bot:
    """Judges well what it sees, looks at its own turn only, and overlooks one move in five."""
    options = kernel.SearchOptions()
    options.max_depth = 1
    options.miss_rate = 0.2
    options.noise = 0.5
    return _Level(seed, threads, VALUES.default, options, 500)


def _far_sighted() -> kernel.SearchOptions:
    """How those who look ahead do it: exploring less than the search of the training, which is to see more turns."""
    options = kernel.SearchOptions()
    options.exploration = 0.4
    return options


@typical_time(milliseconds=2)
def skilled(*, seed: int = 0, threads: int = 1) -> _Bot:
    """Looks a few turns ahead, and sees through the last ones."""
    options = _far_sighted()
    options.solve_root_tiles = 14
    return _Level(seed, threads, VALUES.default, options, 800)


@typical_time(milliseconds=400)
def master(
    *,
    seed: int = 0,
    threads: int = 1,
    nodes: int = _USUAL,
    milliseconds: float = _USUAL,
) -> _Bot:
    """Looks as far as `nodes` judged positions take it (400,000; 250,000 with three in the game), and solves endgames.

    It takes 3 s at most. With `milliseconds` alone it uses them all.
    """
    options = _far_sighted()
    options.solve_root_tiles = 18
    options.solve_root_positions = 20_000
    work, time = _bounds(nodes, milliseconds, _USUAL, 3_000)
    return _Master(seed, threads, VALUES.default, options, work, time)


@typical_time(milliseconds=10)
def greedy(*, seed: int = 0, threads: int = 1) -> _Bot:
    """Looks at its own turn only, overlooks nothing, and counts pawns and freedoms as `novice` does."""
    options = kernel.SearchOptions()
    options.max_depth = 1
    return _Level(seed, threads, kernel.Values.naive(), options, 10_000)


@typical_time(milliseconds=200)
def uct(
    *,
    seed: int = 0,
    threads: int = 1,
    nodes: int = _USUAL,
    milliseconds: float = _USUAL,
) -> _Bot:
    """Plain UCT with random playouts, `nodes` of them (80,000), or for `milliseconds`: what any program should beat."""
    return _Uct(seed, 1, *_bounds(nodes, milliseconds, 80_000, 10_000))


def _bounds(nodes: int, milliseconds: float, work: int, time: float) -> tuple[int, float]:
    """Work and milliseconds: what was given, and what is usual where nothing was."""
    if nodes == _USUAL:
        nodes = work if milliseconds == _USUAL else _UNBOUNDED
    return nodes, time if milliseconds == _USUAL else milliseconds


BOTS: Mapping[str, BotFactory] = {
    "novice": novice,
    "casual": casual,
    "skilled": skilled,
    "master": master,
    "greedy": greedy,
    "uct": uct,
}
