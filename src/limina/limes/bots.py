"""The bots of this game: four levels, weakest first, and a yardstick.

Work, not time, decides how well each plays, so on any machine the same.

`novice` sees one place for the card and two ways to turn it, counts the points of the moment, and never moves a
worker. `casual` sees two places, moves workers, and still counts only the points of the moment. `skilled` knows by
experience what a display will be worth at the end, but does not look at every place. `master` looks everywhere,
knows which cards are still unseen, and plays its best turns on for half a game, over many orders of them. `greedy` is
the yardstick after the levels: it sees every turn, and counts only the points of the moment.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from functools import cache
from random import Random

from limina._kernel import Stop
from limina._kernel import limes as kernel
from limina.bots.base import Bot, BotFactory, Budget, Candidate, Choice, SearchInfo, typical_time
from limina.core.record import Record
from limina.errors import IllegalTurnError
from limina.limes.notation import Turn
from limina.limes.position import Position
from limina.limes.weights import VALUES

_SHOWN = 24
_LOOKED_AT = 10
"""A turn is told of that was played on at least once for so many times that the best one was."""
_DEPTH = 8
"""Turns of a rollout, then the values estimate the rest: longer ones take more time and tell less apart."""


class _Bot(Bot[Position, Turn]):
    """Chooses what it thinks best. The same seed and position give the same turn, whatever was asked before."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def choose(self, record: Record[Position, Turn], player: int, budget: Budget) -> Choice[Turn]:
        """The turn that is thought best with the final points expected, and others that were looked at."""
        position = record.end
        if player not in position.to_move:
            raise IllegalTurnError("a bot can only be asked for a turn of a player who has to move")
        # Several bots with one seed in one game must not all have the same luck.
        seed = (self._seed * 1_000_003 + 31 * len(position.draws) + player) % 2**64
        info = self._think(position, player, seed, budget)
        return Choice(info.candidates[0].turn, info)

    @abstractmethod
    def _think(self, position: Position, player: int, seed: int, budget: Budget) -> SearchInfo[Turn]:
        """What it thinks."""


class _Glance(_Bot):
    """Judges each turn by itself, and sees only some of the places for the card."""

    def __init__(self, seed: int, judgement: kernel.Values, places: int, *, moves: bool, turnings: int = 4) -> None:
        super().__init__(seed)
        self._judgement = judgement
        self._places = places
        self._moves = moves
        self._turnings = turnings

    def _think(self, position: Position, player: int, seed: int, budget: Budget) -> SearchInfo[Turn]:
        budget.reject_work_limit()
        board = position.boards[player]
        rng = Random(seed)
        cells = board.open_cells()
        seen = set(rng.sample(cells, min(self._places, len(cells))))
        known = self._judgement.turns(board, position.deck.cards[position.draws[-1] - 1])
        parts = [kernel.turn_parts(turn) for turn, _ in known]
        # Turnings that look the same are listed once.
        ways = sorted({turning for _, turning, _, _ in parts})
        tried = set(rng.sample(ways, min(self._turnings, len(ways))))
        turns = [
            turn
            for turn, (cell, turning, source, _) in zip(known, parts, strict=True)
            if cell in seen and turning in tried and (self._moves or source is None)
        ]
        best = [turn for turn in turns if turn[1] == turns[0][1]]
        first = rng.choice(best)
        ordered = [first, *(turn for turn in turns if turn is not first)]
        candidates = tuple(Candidate(Turn.from_code(turn), value) for turn, value in ordered[:_SHOWN])
        return SearchInfo(candidates[0].value, candidates, len(turns))


class _Search(_Bot):
    """Plays the best turns on over sampled orders of the unseen cards."""

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

    def _think(self, position: Position, player: int, seed: int, budget: Budget) -> SearchInfo[Turn]:
        found, rollouts, _ = kernel.search(
            VALUES.default,
            position.boards[player],
            position.deck.cards,
            position.draws[-1] - 1,
            sum(1 << card - 1 for card in position.unseen),
            [board for other, board in enumerate(position.boards) if other != player],
            rollouts=self._rollouts if budget.max_work is None else budget.max_work,
            candidates=self._candidates,
            depth=_DEPTH,
            threads=self._threads,
            seconds=min(self._milliseconds / 1000, budget.thinking_seconds),
            seed=seed,
            stop=budget.cancel_token or Stop(),
        )
        # What was dropped at once was looked at too little to say what it is worth.
        least = found[0][3] // _LOOKED_AT
        candidates = tuple(
            Candidate(Turn.from_code(turn), points) for turn, points, _, n in found[:_SHOWN] if n >= least
        )
        return SearchInfo(candidates[0].value, candidates, rollouts)


@cache
def _points() -> kernel.Values:
    """Values that know only the points of the moment."""
    return kernel.Values()


@typical_time(milliseconds=2)
def novice(*, seed: int = 0, threads: int = 1) -> _Bot:
    """Takes one place for the card, tries two turnings, wants points at once, and forgets that workers can move."""
    return _Glance(seed, _points(), 1, moves=False, turnings=2)


@typical_time(milliseconds=2)
def casual(*, seed: int = 0, threads: int = 1) -> _Bot:
    """Compares two places, moves workers too, and wants points at once."""
    return _Glance(seed, _points(), 2, moves=True)


@typical_time(milliseconds=2)
def skilled(*, seed: int = 0, threads: int = 1) -> _Bot:
    """Knows what a display will be worth at the end, and compares four places and three turnings."""
    return _Glance(seed, VALUES.default, 4, moves=True, turnings=3)


@typical_time(milliseconds=250)
def master(
    *,
    seed: int = 0,
    threads: int = 1,
    rollouts: int = 2_000,
    milliseconds: float = 10_000,
) -> _Bot:
    """Looks ahead with so many rollouts, in `milliseconds` at most.

    They are those of a turn in the middle of a game; there are more where they are shorter. With others it plays to
    win.
    """
    return _Search(seed, threads, rollouts, 24, milliseconds)


@typical_time(milliseconds=2)
def greedy(*, seed: int = 0, threads: int = 1) -> _Bot:
    """Takes the most points it can have at once, whatever comes then: what any program should beat."""
    return _Glance(seed, _points(), kernel.ROUNDS, moves=True)


BOTS: Mapping[str, BotFactory] = {
    "novice": novice,
    "casual": casual,
    "skilled": skilled,
    "master": master,
    "greedy": greedy,
}
