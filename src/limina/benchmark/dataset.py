"""The data set: records of games that the bots of the ladder play on the training setups."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from limina.arena import ArenaPlan, GameResult, run_arena
from limina.arena.journal import default_journal_path, delete_journal
from limina.benchmark.setups import benchmark_of, load_entries
from limina.core.game import Game
from limina.core.validation import expect_int

MAX_GAMES = 100_000
"""Maximum number of games. All records are in memory at the same time."""


def play_training_games(
    game: Game,
    games: int,
    *,
    seed: int = 0,
    jobs: int = 1,
    resumable: bool = False,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[dict[str, Any]]:
    """Return records of games between all pairs of bots of the ladder (or of each alone), setup by setup.

    The number of games and the seed determine the records. If there are more games than setups, the setups are
    repeated with other seeds.

    >>> from limina import Record, game
    >>> [Record.from_json(record).names for record in play_training_games(game("limes"), 2)]
    [('bot:random',), ('bot:novice',)]
    """
    expect_int(games, "the number of games", range(1, MAX_GAMES + 1))
    benchmark = benchmark_of(game)
    training_set = next(candidate for candidate in benchmark.sets if candidate.is_training)
    lines = [entry.setup for entry in load_entries(game.name, training_set.name)]

    def plan_for(setup_count: int) -> ArenaPlan:
        return ArenaPlan(
            game,
            benchmark.ladder,
            games=setup_count * training_set.players,
            seed=seed,
            players=training_set.players,
            options=training_set.options,
            setup_lines=lines,
            keep_records=True,
        )

    plan = plan_for(-(-games // len(plan_for(1))))

    def report(done: int, total: int, result: GameResult) -> None:
        progress(done, total)

    results = run_arena(plan, jobs=jobs, resumable=resumable, keep_journal=True, progress=report)
    if resumable:
        delete_journal(default_journal_path(plan))
    # The plan plays whole setups, so a longer data set begins with the same games.
    return [result.record for result in results[:games] if result.record is not None]
