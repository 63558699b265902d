"""`limina analyze` for many records: reviews them in parallel and prints a line for each."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from limina.cli.progress import ProgressBar
from limina.cli.record_files import check_player, display_name, read_record
from limina.core.files import is_special
from limina.core.validation import pluralize, printable
from limina.errors import LiminaError

if TYPE_CHECKING:
    from limina.analysis.archive import ReviewResult, ReviewTask


def expand_folders(files: Sequence[str]) -> list[str]:
    """Return the names of all files, with each folder replaced by its records. Raise LiminaError for an empty one."""
    names = []
    for name in files:
        if name != "-" and Path(name).is_dir():
            records = sorted(str(path) for path in Path(name).glob("*.json") if not is_special(path))
            if not records:
                raise LiminaError(f"{display_name(name)}: there are no records in this folder")
            names += records
        else:
            names.append(name)
    return names


def analyze_all(names: Sequence[str], arguments: argparse.Namespace) -> None:
    """Review all records and print the results in the order of the names, each as soon as possible.

    Raise LiminaError at the end if some could not be reviewed.
    """
    from limina.analysis.archive import ReviewResult, review_all

    pending: dict[int, ReviewResult] = {}
    failed = printed = 0

    def tasks() -> Iterator[ReviewTask]:
        for index, name in enumerate(names):
            try:
                yield _task(index, name, arguments)
            except LiminaError as error:
                pending[index] = ReviewResult(index, None, str(error))

    with ProgressBar("records") as bar, closing(review_all(tasks(), jobs=arguments.jobs, ray=arguments.ray)) as reviews:

        def print_finished() -> None:
            nonlocal failed, printed
            while printed in pending:
                result = pending.pop(printed)
                failed += result.summary is None
                bar.clear()
                _print_result(names[printed], result, as_json=arguments.json)
                printed += 1
                bar.show(printed, len(names))

        for result in reviews:
            pending[result.index] = result
            print_finished()
        print_finished()
    if failed:
        raise LiminaError(f"{failed} of {pluralize(len(names), 'record')} could not be reviewed")


def _task(index: int, name: str, arguments: argparse.Namespace) -> ReviewTask:
    from limina.analysis.archive import ReviewTask

    record = read_record(name)
    if arguments.player is not None:
        check_player(name, record, arguments.player)
    return ReviewTask(index, record.to_json(), arguments.level, arguments.work, arguments.player)


def _print_result(name: str, result: ReviewResult, *, as_json: bool) -> None:
    if result.summary is None:
        error = str(result.error)
        prefix = "" if error.startswith(display_name(name)) else f"{display_name(name)}: "  # a read error has the name
        print(f"limina: {prefix}{error}", file=sys.stderr)
    elif as_json:
        print(json.dumps({"file": name, **result.summary}), flush=True)
    else:
        print(f"{display_name(name)}: {'; '.join(map(_player_text, result.summary['players']))}", flush=True)


def _player_text(player: dict[str, Any]) -> str:
    name, accuracy = printable(player["name"]), player["accuracy"]
    if accuracy is None:
        return f"{name} had no choice"
    counts = [pluralize(player["mistakes"], "mistake"), pluralize(player["blunders"], "blunder")]
    return f"{name} {accuracy:.1f}%, {player['brilliant']} brilliant, {', '.join(counts)}"
