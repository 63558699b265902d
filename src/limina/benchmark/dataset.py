"""A data set: games that the bots of the ladder play on the setups for training, as records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from limina.arena import Plan, Played, run
from limina.arena.journal import forget, usual_path
from limina.benchmark.setups import benchmark_of, entries
from limina.core.game import Game
from limina.core.validation import expect_int

MOST_GAMES = 100_000
"""They are all in memory until they are written."""


def games_played(
    game: Game,
    games: int,
    *,
    seed: int = 0,
    jobs: int = 1,
    resumable: bool = False,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> list[dict[str, Any]]:
    """So many games as records: every two bots of the ladder (or each alone) on one setup after the other.

    The same number and seed make the same games. The setups are gone through again, with other luck, where there are
    fewer of them than needed.

    >>> from limina import Record, game
    >>> [Record.from_json(each).names for each in games_played(game("limes"), 2)]
    [('bot:random',), ('bot:novice',)]
    """
    expect_int(games, "the number of games", range(1, MOST_GAMES + 1))
    bench = benchmark_of(game)
    chosen = next(each for each in bench.sets if each.is_training)
    lines = [entry.setup for entry in entries(game.name, chosen.name)]

    def plan_of(setups: int) -> Plan:
        return Plan(
            game,
            bench.ladder,
            games=setups * chosen.players,
            seed=seed,
            players=chosen.players,
            options=chosen.options,
            lines=lines,
            keep=True,
        )

    plan = plan_of(-(-games // len(plan_of(1))))

    def hear(done: int, of: int, game: Played) -> None:
        progress(done, of)

    played = run(plan, jobs=jobs, resumable=resumable, keep_journal=True, progress=hear)
    if resumable:
        forget(usual_path(plan))
    # Whole setups are played, so that it is the same games that a longer data set begins with.
    return [each.record for each in played[:games] if each.record is not None]
