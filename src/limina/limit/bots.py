"""The bots of this game, weakest first: four levels, and two yardsticks, a greedy one and plain UCT.

All but `uct` run the same search in the kernel and differ in how far they look, how much they overlook and how long
they think, counted in judged positions and so the same on any machine.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping

from limina._kernel import Stop
from limina._kernel import limit as kernel
from limina.bot import Bot, BotFactory, Budget, Candidate, Choice, Thought, takes
from limina.errors import IllegalTurnError
from limina.limit.notation import Turn
from limina.limit.position import Position
from limina.limit.values import VALUES
from limina.record import Record

_NO_LIMIT = 1e9
_UNBOUNDED = 10**12
_USUAL = 0
"""Stands for a bound that was not given."""
_EXPLORATION = 0.5
_MASTERS_WORK = 400_000
_MASTERS_WORK_BY_THREE = 250_000
"""While three are in the game a position is judged for each of them, so this takes as long."""


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
        report = self._search(
            position.board,
            work=self._usual_work(position) if budget.work is None else budget.work,
            milliseconds=min(self._milliseconds, 1000 * budget.thinking_seconds),
            seed=seed,
            stop=budget.stop or Stop(),
        )
        candidates = tuple(Candidate(position.decode(found.turn), found.chances[player]) for found in report.candidates)
        return Choice(candidates[0].turn, Thought(candidates[0].value, candidates, report.work))

    def _usual_work(self, position: Position) -> int:
        """How much it works where nobody says so."""
        return self._work

    @abstractmethod
    def _search(self, board: kernel.Board, *, work: int, milliseconds: float, seed: int, stop: Stop) -> kernel.Report:
        """What the kernel finds."""


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

    def _search(self, board: kernel.Board, *, work: int, milliseconds: float, seed: int, stop: Stop) -> kernel.Report:
        return kernel.search(board, self._judgement, self._options, work, milliseconds, self._threads, seed, stop)


class _Master(_Level):
    def _usual_work(self, position: Position) -> int:
        by_three = position.players == 3 and all(map(position.pawns, range(3)))
        return _MASTERS_WORK_BY_THREE if by_three and self._work == _USUAL else self._work or _MASTERS_WORK


class _Uct(_Bot):
    def _search(self, board: kernel.Board, *, work: int, milliseconds: float, seed: int, stop: Stop) -> kernel.Report:
        return kernel.uct(board, _EXPLORATION, work, milliseconds, seed, stop)


@takes(milliseconds=2)
def novice(*, seed: int = 0, threads: int = 1) -> _Bot:
    """Sees captures that it can make now, but not what the enemy can do then, and overlooks three moves in ten."""
    options = kernel.SearchOptions()
    options.max_depth = 1
    options.miss_rate = 0.3
    options.noise = 0.7
    return _Level(seed, threads, kernel.Values.naive(), options, 400)


@takes(milliseconds=2)
def casual(*, seed: int = 0, threads: int = 1) -> _Bot:
    """Judges well what it sees, looks at its own turn only, and overlooks one move in five."""
    options = kernel.SearchOptions()
    options.max_depth = 1
    options.miss_rate = 0.2
    options.noise = 0.5
    return _Level(seed, threads, VALUES.shipped, options, 500)


def _far_sighted() -> kernel.SearchOptions:
    """How those who look ahead do it: exploring less than the search of the training, which is to see more turns."""
    options = kernel.SearchOptions()
    options.exploration = 0.4
    return options


@takes(milliseconds=2)
def skilled(*, seed: int = 0, threads: int = 1) -> _Bot:
    """Looks a few turns ahead, and sees through the last ones."""
    options = _far_sighted()
    options.solve_root_tiles = 14
    return _Level(seed, threads, VALUES.shipped, options, 800)


@takes(milliseconds=400)
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
    return _Master(seed, threads, VALUES.shipped, options, work, time)


@takes(milliseconds=10)
def greedy(*, seed: int = 0, threads: int = 1) -> _Bot:
    """Looks at its own turn only, overlooks nothing, and counts pawns and freedoms as `novice` does."""
    options = kernel.SearchOptions()
    options.max_depth = 1
    return _Level(seed, threads, kernel.Values.naive(), options, 10_000)


@takes(milliseconds=200)
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
