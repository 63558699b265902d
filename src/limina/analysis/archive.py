"""Reviews of many records. Each record is a task that any process on any machine can do."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from limina.analysis.review import analyze
from limina.analysis.summary import ReviewSummary, find_par
from limina.bots import bot
from limina.core.game import Game
from limina.core.record import Record
from limina.errors import LiminaError
from limina.parallel import map_unordered


@dataclass(frozen=True, slots=True)
class ReviewTask:
    """A record to be reviewed, as plain values."""

    index: int
    record: dict[str, Any]
    level: str | None = None
    """Name of the bot that evaluates, as `resolve_level` takes it."""
    max_work: int | None = None
    player: int | None = None


@dataclass(frozen=True, slots=True)
class ReviewResult:
    """The review of a record, or the error if it could not be reviewed."""

    index: int
    summary: dict[str, Any] | None
    """Result of `ReviewSummary.to_json`."""
    error: str | None = None


def review_record(task: ReviewTask) -> ReviewResult:
    """Review one record and return the result or the error."""
    try:
        record = Record.from_json(task.record)
        level = resolve_level(record.game, task.level)
        turns = list(analyze(record, level=level, max_work=task.max_work, threads=1, player=task.player))
        return ReviewResult(task.index, ReviewSummary(record, turns, find_par(record)).to_json())
    except LiminaError as error:
        return ReviewResult(task.index, None, str(error))


def review_all(tasks: Iterable[ReviewTask], *, jobs: int = 1, ray: str | None = None) -> Generator[ReviewResult]:
    """Yield the reviews of records as they finish, made by `jobs` processes or on a Ray cluster."""
    yield from map_unordered(review_record, tasks, jobs=jobs, ray=ray)


def resolve_level(game: Game, name: str | None) -> str | Callable[..., Any] | None:
    """Return the name of a bot, or a factory for an external bot or one with options, as `analyze` takes them."""
    if name is None or not {":", "@"} & set(name):
        return name
    return partial(bot, game, name, allow_external=True)
