"""Play the games of a plan in this process, in several processes, or on a cluster. The results are the same."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from limina.arena.game import GameResult, play_game
from limina.arena.journal import DamagedJournalError, Journal, default_journal_path, delete_journal
from limina.arena.schedule import ArenaPlan
from limina.errors import LiminaError
from limina.parallel import map_unordered

Progress = Callable[[int, int, GameResult], None]
"""Called after each game with the number of finished games, that of all games, and the result."""
_CRASH_MESSAGE = "a process of the arena died: a bot may have crashed it (--resume continues with the other games)"


def run_arena(
    plan: ArenaPlan,
    *,
    jobs: int = 1,
    ray: str | None = None,
    journal: Path | None = None,
    resumable: bool = False,
    keep_journal: bool = False,
    progress: Progress = lambda done, total, result: None,
) -> list[GameResult]:
    """Play all games of a plan that are not in its journal yet, and return all results in the plan's order.

    A `resumable` run without a `journal` keeps one at `default_journal_path` and deletes it at the end, unless
    `keep_journal` is set. Raises LiminaError if the journal cannot be used.
    """
    open_journal = Journal(journal, plan) if journal is not None else _default_journal(plan) if resumable else None
    results = dict(open_journal.results) if open_journal is not None else {}
    total = len(plan)
    remaining = (task for task in plan.tasks() if task.index not in results)
    try:
        with closing(
            map_unordered(play_game, remaining, jobs=jobs, ray=ray, crash_message=_CRASH_MESSAGE)
        ) as new_results:
            for result in new_results:
                results[result.index] = result
                # Report progress first: a game in the journal is not reported again after an interruption.
                progress(len(results), total, result)
                if open_journal is not None:
                    open_journal.add(result)
        if open_journal is not None and journal is None and not keep_journal:
            open_journal.delete()
    finally:
        if open_journal is not None:
            open_journal.close()
    return [results[index] for index in sorted(results)]


def _default_journal(plan: ArenaPlan) -> Journal | None:
    """Return the journal at the default path, or None if it cannot be used. A damaged one is replaced."""
    path = default_journal_path(plan)
    try:
        try:
            return Journal(path, plan)
        except DamagedJournalError:
            delete_journal(path)
            return Journal(path, plan)
    except LiminaError:
        return None
