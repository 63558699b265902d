"""The journal of a run: a line for each finished game, so that an interrupted run does not play it again."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shlex
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from limina.arena.game import GameResult
from limina.arena.schedule import ArenaPlan
from limina.bots.external import is_program
from limina.core.files import system_error_text
from limina.errors import LiminaError

try:
    import fcntl
except ImportError:  # without file locks, two runs can write to the same journal
    fcntl = None  # type: ignore[assignment]

FORMAT = "limina-arena/1"


class JournalInUseError(LiminaError):
    """Another run writes to the journal."""


class DamagedJournalError(LiminaError):
    """The file is not a journal, or has lines that are not games."""


class Journal:
    """A file of finished games. It is read once and then appended to.

    Raises LiminaError if the file cannot be used.
    """

    def __init__(self, path: Path, plan: ArenaPlan) -> None:
        self._path = path
        self.results: dict[int, GameResult] = {}
        """Games of the plan from earlier runs, by index."""
        header = {"format": FORMAT, **plan.identity()}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: IO[str] = path.open("a+", encoding="utf-8")
            if not path.is_file():
                self._file.close()
                raise LiminaError(f"{path} cannot be used: it is not a file")
            _lock(self._file, path)
            complete_bytes = self._read_or_close(header, plan)
            # Remove a last line that an interruption left incomplete.
            self._file.truncate(complete_bytes)
            self._file.seek(complete_bytes)
        except OSError as error:
            raise LiminaError(f"{path} cannot be used: {system_error_text(error, 'unknown reason')}") from None
        if not complete_bytes:
            self._write(header)

    def add(self, result: GameResult) -> None:
        """Append a finished game. Raises LiminaError if the file cannot be written."""
        self._write(asdict(result))

    def close(self) -> None:
        """Close the file."""
        with contextlib.suppress(OSError):  # `_write` has already reported the error
            self._file.close()

    def delete(self) -> None:
        """Delete the file."""
        delete_journal(self._path)

    def _read_or_close(self, header: dict[str, Any], plan: ArenaPlan) -> int:
        try:
            return self._read(header, plan)
        except BaseException:
            self._file.close()
            raise

    def _read(self, header: dict[str, Any], plan: ArenaPlan) -> int:
        """Read the games of the file, and return the number of bytes of its complete lines."""
        content = self._path.read_bytes()
        complete_bytes = content.rfind(b"\n") + 1
        for number, line in enumerate(content[:complete_bytes].splitlines(), 1):
            try:
                data = json.loads(line)
                if number == 1:
                    self._check_header(data, header)
                    continue
                result = GameResult.from_json(data)
                if len(result.seats) != plan.seat_count or not {*result.seats} <= {*range(len(plan.bots))}:
                    raise ValueError("a seat has a bot that is not in the plan")
            except (ValueError, TypeError, RecursionError) as error:
                if isinstance(error, LiminaError):
                    raise
                raise DamagedJournalError(
                    f"{self._path}: line {number} is not a game of an arena: remove the line or name another file"
                ) from None
            if 0 <= result.index < len(plan):
                self.results[result.index] = result
        return complete_bytes

    def _check_header(self, data: object, expected: dict[str, Any]) -> None:
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise DamagedJournalError(f"{self._path} is not the journal of an arena: name another file")
        for key, value in expected.items():
            if data.get(key) != value:
                raise LiminaError(f"{self._path} is the journal of another run, with another value of {key}")

    def _write(self, data: dict[str, Any]) -> None:
        try:
            self._file.write(json.dumps(data) + "\n")
            self._file.flush()
        except OSError as error:
            raise LiminaError(f"{self._path} cannot be written: {system_error_text(error, 'unknown reason')}") from None


def delete_journal(path: Path) -> None:
    """Delete a journal if it exists and can be deleted."""
    with contextlib.suppress(OSError):
        path.unlink()


def default_journal_path(plan: ArenaPlan) -> Path:
    """Return the path of the journal of a run that names none. It depends on the plan and on the files of its bots."""
    base = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    identity = {
        **plan.identity(),
        "games": len(plan),
        "keep_records": plan.keep_records,
        "file_times": [_file_times(name) for name in plan.bots],
    }
    return base / "limina" / "arena" / f"{hashlib.sha256(json.dumps(identity).encode()).hexdigest()[:32]}.jsonl"


def _file_times(name: str) -> list[int]:
    """Return the modification times of the files in a bot's name, so that a changed bot does not resume a run."""
    try:
        words = shlex.split(name.partition(":")[2]) if is_program(name) else [name.rpartition(":")[0]]
        files = [Path(shutil.which(word) or word) for word in words]
        return [file.stat().st_mtime_ns for file in files if file.is_file()]
    except (OSError, ValueError):
        return []


def _lock(file: IO[str], path: Path) -> None:
    if fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise JournalInUseError(f"another run uses {path}: name another file") from None
