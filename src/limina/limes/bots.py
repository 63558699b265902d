"""The bots of this game, weakest first. Work, not time, decides how well each plays, so on any machine the same.

`novice` sees one place for the card and two ways to turn it, counts the points of the moment, and never moves a
worker. `casual` sees two places, moves workers, and still counts only the points of the moment. `skilled` knows by
experience what a display will be worth at the end, but does not look at every place. `master` looks everywhere and
plays its best turns on to the end, over many orders of the unseen cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import inf
from random import Random
from typing import Any

from limina._kernel import Stop
from limina._kernel import limes as kernel
from limina.bot import Candidate, Thought
from limina.limes import values
from limina.limes.notation import Turn
from limina.limes.position import Position
from limina.protocols import IllegalTurnError

_SHOWN = 24
_SAFELY = 0.85
"""The part of a limit that is used: whoever is late has lost."""


class _Bot:
    """Chooses what it thinks best. The same seed and position give the same turn, whatever was asked before."""

    def __init__(self, seed: int, stop: Stop | None) -> None:
        self._seed = seed
        self.stop = stop if stop is not None else Stop()
        """A bell. Once it is rung, what is being thought ends at once, with the best turn found."""

    def choose(self, position: Position, player: int) -> Turn:
        """The turn that is thought best."""
        turn = self.think(position, player).turn
        assert isinstance(turn, Turn)
        return turn

    def choose_within(self, position: Position, player: int, seconds: float) -> Turn:
        """The turn that is thought best, found in less than so many seconds."""
        turn = self._asked(position, player, _SAFELY * seconds).turn
        assert isinstance(turn, Turn)
        return turn

    def think(self, position: Position, player: int) -> Thought:
        """The turn that is thought best with the final points expected, and others that were looked at."""
        return self._asked(position, player, inf)

    def _asked(self, position: Position, player: int, seconds: float) -> Thought:
        if player not in position.to_move:
            raise IllegalTurnError("a bot can only be asked for a turn of a player who has to move")
        # Several bots with one seed in one game must not all have the same luck.
        seed = (self._seed * 1_000_003 + 31 * len(position.draws) + player) % 2**64
        return self._think(position, player, seed, seconds)

    def _think(self, position: Position, player: int, seed: int, seconds: float) -> Thought:
        raise NotImplementedError


class _Glance(_Bot):
    """Judges each turn by itself, and sees only some of the places for the card."""

    def __init__(
        self, seed: int, stop: Stop | None, judgement: kernel.Values, places: int, *, moves: bool, turnings: int = 4
    ) -> None:
        super().__init__(seed, stop)
        self._judgement = judgement
        self._places = places
        self._moves = moves
        self._turnings = turnings

    def _think(self, position: Position, player: int, seed: int, seconds: float) -> Thought:
        board = position.boards[player]
        chance = Random(seed)
        cells = board.open_cells()
        seen = set(chance.sample(cells, min(self._places, len(cells))))
        known = self._judgement.turns(board, position.deck.cards[position.draws[-1] - 1])
        parts = [kernel.turn_parts(turn) for turn, _ in known]
        # Turnings that look the same are listed once.
        ways = sorted({turning for _, turning, _, _ in parts})
        tried = set(chance.sample(ways, min(self._turnings, len(ways))))
        turns = [
            turn
            for turn, (cell, turning, source, _) in zip(known, parts, strict=True)
            if cell in seen and turning in tried and (self._moves or source is None)
        ]
        best = [turn for turn in turns if turn[1] == turns[0][1]]
        first = chance.choice(best)
        ordered = [first, *(turn for turn in turns if turn is not first)]
        candidates = tuple(Candidate(Turn.from_code(turn), value) for turn, value in ordered[:_SHOWN])
        return Thought(candidates[0].turn, candidates[0].value, candidates, len(turns))


class _Search(_Bot):
    """Plays the best turns on to the end over sampled orders of the unseen cards."""

    def __init__(
        self,
        seed: int,
        threads: int,
        stop: Stop | None,
        rollouts: int,
        candidates: int,
        replies: int,
        milliseconds: float,
    ) -> None:
        super().__init__(seed, stop)
        self._threads = threads
        self._rollouts = rollouts
        self._candidates = candidates
        self._replies = replies
        self._milliseconds = milliseconds

    def _think(self, position: Position, player: int, seed: int, seconds: float) -> Thought:
        found, rollouts, _ = kernel.search(
            values.shipped(),
            position.boards[player],
            position.deck.cards,
            position.draws[-1] - 1,
            sum(1 << card - 1 for card in position.unseen),
            [board for other, board in enumerate(position.boards) if other != player],
            rollouts=self._rollouts,
            candidates=self._candidates,
            depth=kernel.ROUNDS,
            replies=self._replies,
            threads=self._threads,
            seconds=min(self._milliseconds / 1000, seconds),
            seed=seed,
            stop=self.stop,
        )
        candidates = tuple(Candidate(Turn.from_code(turn), points) for turn, points, _, _ in found[:_SHOWN])
        return Thought(candidates[0].turn, candidates[0].value, candidates, rollouts)


@cache
def _points() -> kernel.Values:
    """Values that know only the points of the moment."""
    return kernel.Values()


def novice(*, seed: int = 0, threads: int = 1, stop: Stop | None = None) -> _Bot:
    """Takes one place for the card, tries two turnings, wants points at once, and forgets that workers can move."""
    return _Glance(seed, stop, _points(), 1, moves=False, turnings=2)


def casual(*, seed: int = 0, threads: int = 1, stop: Stop | None = None) -> _Bot:
    """Compares two places, moves workers too, and wants points at once."""
    return _Glance(seed, stop, _points(), 2, moves=True)


def skilled(*, seed: int = 0, threads: int = 1, stop: Stop | None = None) -> _Bot:
    """Knows what a display will be worth at the end, and compares four places."""
    return _Glance(seed, stop, values.shipped(), 4, moves=True)


def master(
    *,
    seed: int = 0,
    threads: int = 1,
    stop: Stop | None = None,
    rollouts: int = 2_000,
    milliseconds: float = 10_000,
) -> _Bot:
    """Looks ahead with so many rollouts and as many for a deeper look, in `milliseconds` at most.

    They are those of a turn in the middle of a game; there are fewer while the games to play on are longer. With others
    it plays to win.
    """
    return _Search(seed, threads, stop, rollouts, 24, 6, milliseconds)


BOTS: Mapping[str, Any] = {"novice": novice, "casual": casual, "skilled": skilled, "master": master}
