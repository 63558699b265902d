"""Whole archives looked back at: a record is one task, which any process can do, on any machine."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from limina.analysis.review import analyze
from limina.analysis.summary import Summary, find_par
from limina.bots import bot
from limina.core.game import Game
from limina.core.record import Record
from limina.errors import LiminaError
from limina.parallel import map_unordered


@dataclass(frozen=True, slots=True)
class ReviewTask:
    """A record to be reviewed, in plain values."""

    index: int
    record: dict[str, Any]
    level: str | None = None
    """The bot that thinks, as `limina.analysis.archive.level_of` takes it."""
    max_work: int | None = None
    player: int | None = None


@dataclass(frozen=True, slots=True)
class ReviewResult:
    """What became of one."""

    index: int
    summary: dict[str, Any] | None
    """As `Summary.to_json` gives it."""
    error: str | None = None
    """What is wrong, where it could not be reviewed."""


def review_record(task: ReviewTask) -> ReviewResult:
    """Review one record."""
    try:
        record = Record.from_json(task.record)
        level = resolve_level(record.game, task.level)
        turns = list(analyze(record, level=level, max_work=task.max_work, threads=1, player=task.player))
        return ReviewResult(task.index, Summary(record, turns, find_par(record)).to_json())
    except LiminaError as error:
        return ReviewResult(task.index, None, str(error))


def review_all(tasks: Iterable[ReviewTask], *, jobs: int = 1, ray: str | None = None) -> Generator[ReviewResult]:
    """Review records in whichever order they are done: so many at a time, or on a cluster."""
    yield from map_unordered(review_record, tasks, jobs=jobs, ray=ray)


def resolve_level(game: Game, name: str | None) -> str | Callable[..., Any] | None:
    """A bot as the analysis takes it; here, an external one or one with options may be named too."""
    if name is None or not {":", "@"} & set(name):
        return name
    return partial(bot, game, name, allow_external=True)
