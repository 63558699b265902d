"""The bots of this game, weakest first: four levels, and plain UCT as the yardstick.

All but `uct` run the same search in the kernel and differ in how far they look, how much they overlook and how long
they think, counted in judged positions and so the same on any machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from limina._kernel import Stop
from limina._kernel import limit as kernel
from limina.bot import Candidate, Thought
from limina.limit import values
from limina.limit.position import Position
from limina.protocols import IllegalTurnError

_NO_LIMIT = 1e9
_UNBOUNDED = 10**12
_USUAL = 0
"""Stands for a bound that was not given."""
_SAFELY = 0.85
"""The part of the time allowed that is used; the rest is for whoever asks, and for a busy machine."""
_EXPLORATION = 0.5


class _Bot:
    """A bot that asks the kernel. The same seed, threads and position give the same answer, unless it is cut short."""

    def __init__(self, seed: int, threads: int, stop: Stop | None) -> None:
        self._seed = seed
        self._threads = threads
        self.stop = stop if stop is not None else Stop()
        """A bell. Once it is rung, what is being thought ends at once, with the best turn found."""

    def choose(self, position: Position, player: int) -> object:
        """The turn that is thought best."""
        return self.think(position, player).turn

    def choose_within(self, position: Position, player: int, seconds: float) -> object:
        """The turn that is thought best, found in less than so many seconds."""
        return self._think(position, player, 1000 * _SAFELY * seconds).turn

    def think(self, position: Position, player: int) -> Thought:
        """The turn that is thought best, the chance to win with it, and some others that were looked at."""
        return self._think(position, player, _NO_LIMIT)

    def _think(self, position: Position, player: int, milliseconds: float) -> Thought:
        if player not in position.to_move:
            raise IllegalTurnError("a bot can only be asked for a turn of the player whose turn it is")
        seed = (self._seed * 1_000_003 + position.turn) % 2**64
        report = self._search(position.board, seed, milliseconds)
        candidates = tuple(Candidate(position.decode(found.turn), found.chances[player]) for found in report.candidates)
        return Thought(candidates[0].turn, candidates[0].value, candidates, report.work)

    def _search(self, board: kernel.Board, seed: int, milliseconds: float) -> kernel.Report:
        raise NotImplementedError


class _Level(_Bot):
    def __init__(
        self,
        seed: int,
        threads: int,
        stop: Stop | None,
        judgement: kernel.Values,
        growth: kernel.Growth,
        work: int,
        milliseconds: float,
    ) -> None:
        super().__init__(seed, threads, stop)
        self._judgement = judgement
        self._growth = growth
        self._work = work
        self._milliseconds = milliseconds

    def _search(self, board: kernel.Board, seed: int, milliseconds: float) -> kernel.Report:
        time = min(milliseconds, self._milliseconds)
        return kernel.search(board, self._judgement, self._growth, self._work, time, self._threads, seed, self.stop)


class _Uct(_Bot):
    def __init__(self, seed: int, stop: Stop | None, playouts: int, milliseconds: float) -> None:
        super().__init__(seed, 1, stop)
        self._playouts = playouts
        self._milliseconds = milliseconds

    def _search(self, board: kernel.Board, seed: int, milliseconds: float) -> kernel.Report:
        return kernel.uct(board, _EXPLORATION, self._playouts, min(milliseconds, self._milliseconds), seed, self.stop)


def novice(*, seed: int = 0, threads: int = 1, stop: Stop | None = None) -> _Bot:
    """Sees captures that it can make now, but not what the enemy can do then, and overlooks three moves in ten."""
    growth = kernel.Growth()
    growth.sight = 1
    growth.blindness = 0.3
    growth.whim = 0.7
    return _Level(seed, threads, stop, kernel.Values.naive(), growth, 400, _NO_LIMIT)


def casual(*, seed: int = 0, threads: int = 1, stop: Stop | None = None) -> _Bot:
    """Judges well what it sees, looks at its own turn only, and overlooks one move in five."""
    growth = kernel.Growth()
    growth.sight = 1
    growth.blindness = 0.2
    growth.whim = 0.5
    return _Level(seed, threads, stop, values.shipped(), growth, 500, _NO_LIMIT)


def _far_sighted() -> kernel.Growth:
    """How those who look ahead do it: less curious than the search of the training, which is to see more turns."""
    growth = kernel.Growth()
    growth.curiosity = 0.4
    return growth


def skilled(*, seed: int = 0, threads: int = 1, stop: Stop | None = None) -> _Bot:
    """Looks a few turns ahead, and sees through the last ones."""
    growth = _far_sighted()
    growth.solve_first_tiles = 14
    return _Level(seed, threads, stop, values.shipped(), growth, 800, _NO_LIMIT)


def master(
    *,
    seed: int = 0,
    threads: int = 1,
    stop: Stop | None = None,
    nodes: int = _USUAL,
    milliseconds: float = _USUAL,
) -> _Bot:
    """Looks as far as `nodes` judged positions take it (400,000), and solves endgames.

    It takes 3 s at most. With `milliseconds` alone it uses them all.
    """
    growth = _far_sighted()
    growth.solve_first_tiles = 18
    growth.solve_first_most = 20_000
    work, time = _bounds(nodes, milliseconds, 400_000, 3_000)
    return _Level(seed, threads, stop, values.shipped(), growth, work, time)


def uct(
    *,
    seed: int = 0,
    threads: int = 1,
    stop: Stop | None = None,
    nodes: int = _USUAL,
    milliseconds: float = _USUAL,
) -> _Bot:
    """Plain UCT with random playouts, `nodes` of them (80,000), or for `milliseconds`: what any program should beat."""
    return _Uct(seed, stop, *_bounds(nodes, milliseconds, 80_000, 10_000))


def _bounds(nodes: int, milliseconds: float, work: int, time: float) -> tuple[int, float]:
    """Work and milliseconds: what was given, and what is usual where nothing was."""
    if nodes == _USUAL:
        nodes = work if milliseconds == _USUAL else _UNBOUNDED
    return nodes, time if milliseconds == _USUAL else milliseconds


BOTS: Mapping[str, Any] = {"novice": novice, "casual": casual, "skilled": skilled, "master": master, "uct": uct}
