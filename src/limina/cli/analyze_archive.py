"""`limina analyze` of many records: a line for each, whichever process or machine has looked at it."""

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


def names_in(files: Sequence[str]) -> list[str]:
    """The names of all records: in place of a folder those of the records in it."""
    names = []
    for name in files:
        if name != "-" and Path(name).is_dir():
            found = sorted(str(path) for path in Path(name).glob("*.json") if not is_special(path))
            if not found:
                raise LiminaError(f"{display_name(name)}: there is no record in this folder")
            names += found
        else:
            names.append(name)
    return names


def analyze_all(names: Sequence[str], arguments: argparse.Namespace) -> None:
    """Review all records and print each in the order of their names, as soon as those before it are known."""
    from limina.analysis.archive import ReviewResult, review_all

    known: dict[int, ReviewResult] = {}
    wrong = printed = 0

    def tasks() -> Iterator[ReviewTask]:
        for index, name in enumerate(names):
            try:
                yield _task(index, name, arguments)
            except LiminaError as error:
                known[index] = ReviewResult(index, None, str(error))

    with ProgressBar("records") as bar, closing(review_all(tasks(), jobs=arguments.jobs, ray=arguments.ray)) as reviews:

        def tell() -> None:
            nonlocal wrong, printed
            while printed in known:
                found = known.pop(printed)
                wrong += found.summary is None
                bar.clear()
                _tell(names[printed], found, as_json=arguments.json)
                printed += 1
                bar.show(printed, len(names))

        for reviewed in reviews:
            known[reviewed.index] = reviewed
            tell()
        tell()
    if wrong:
        raise LiminaError(f"{wrong} of {pluralize(len(names), 'record')} could not be reviewed")


def _task(index: int, name: str, arguments: argparse.Namespace) -> ReviewTask:
    from limina.analysis.archive import ReviewTask

    record = read_record(name)
    if arguments.player is not None:
        check_player(name, record, arguments.player)
    return ReviewTask(index, record.to_json(), arguments.level, arguments.work, arguments.player)


def _tell(name: str, found: ReviewResult, *, as_json: bool) -> None:
    if found.summary is None:
        said = str(found.error)
        # What could not be read says of itself which file it is.
        print(
            f"limina: {said}" if said.startswith(display_name(name)) else f"limina: {display_name(name)}: {said}",
            file=sys.stderr,
        )
    elif as_json:
        print(json.dumps({"file": name, **found.summary}), flush=True)
    else:
        print(f"{display_name(name)}: {'; '.join(map(_player, found.summary['players']))}", flush=True)


def _player(player: dict[str, Any]) -> str:
    name, accuracy = printable(player["name"]), player["accuracy"]
    if accuracy is None:
        return f"{name} had no choice"
    marks = [pluralize(player["mistakes"], "mistake"), pluralize(player["blunders"], "blunder")]
    return f"{name} {accuracy:.1f}%, {player['brilliant']} brilliant, {', '.join(marks)}"
