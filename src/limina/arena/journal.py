"""The journal of a run: a line for each game, written as it ends, so that nothing is ever played twice."""

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

from limina.arena.game import Played
from limina.arena.schedule import Plan
from limina.bots.external import is_program
from limina.core.files import system_error_text
from limina.errors import LiminaError

try:
    import fcntl
except ImportError:  # not on this system: there, whoever runs two arenas with one journal has to take care
    fcntl = None  # type: ignore[assignment]

FORMAT = "limina-arena/1"


class JournalInUseError(LiminaError):
    """Another run writes into this journal."""


class DamagedJournalError(LiminaError):
    """What stands in the file was not written by an arena, or not only by one."""


class Journal:
    """A file that is read once and then only grows."""

    def __init__(self, path: Path, plan: Plan) -> None:
        self._path = path
        self.played: dict[int, Played] = {}
        """The games of the plan that an earlier run has played."""
        header = {"format": FORMAT, **plan.identity()}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: IO[str] = path.open("a+", encoding="utf-8")
            if not path.is_file():
                self._file.close()
                raise LiminaError(f"{path} cannot be used: it is not a file")
            _claim(self._file, path)
            whole = self._read_or_close(header, plan)
            # A line that the interruption cut off goes, so that the next one stands on its own.
            self._file.truncate(whole)
            self._file.seek(whole)
        except OSError as error:
            raise LiminaError(f"{path} cannot be used: {system_error_text(error, 'unknown reason')}") from None
        if not whole:
            self._write(header)

    def add(self, played: Played) -> None:
        """Keep a game that has ended."""
        self._write(asdict(played))

    def close(self) -> None:
        """Close the file."""
        with contextlib.suppress(OSError):  # what could not be written was said before
            self._file.close()

    def remove(self) -> None:
        """The run is over, and nobody asked for its journal."""
        forget(self._path)

    def _read_or_close(self, header: dict[str, Any], plan: Plan) -> int:
        try:
            return self._read(header, plan)
        except BaseException:
            self._file.close()
            raise

    def _read(self, header: dict[str, Any], plan: Plan) -> int:
        """Read the games of the file; how many of its bytes are whole lines."""
        content = self._path.read_bytes()
        whole = content.rfind(b"\n") + 1
        for number, line in enumerate(content[:whole].splitlines(), 1):
            try:
                data = json.loads(line)
                if number == 1:
                    self._check(data, header)
                    continue
                played = Played.from_json(data)
                if len(played.seats) != plan.seats or not {*played.seats} <= {*range(len(plan.bots))}:
                    raise ValueError("somebody played who is not here")
            except (ValueError, TypeError, RecursionError) as error:
                if isinstance(error, LiminaError):
                    raise
                raise DamagedJournalError(
                    f"{self._path}: line {number} is not a game of an arena: remove the line or name another file"
                ) from None
            if 0 <= played.index < len(plan):
                self.played[played.index] = played
        return whole

    def _check(self, found: object, header: dict[str, Any]) -> None:
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise DamagedJournalError(f"{self._path} is not the journal of an arena: name another file")
        for key, value in header.items():
            if found.get(key) != value:
                raise LiminaError(f"{self._path} is the journal of another run: its {key} differ")

    def _write(self, data: dict[str, Any]) -> None:
        try:
            self._file.write(json.dumps(data) + "\n")
            self._file.flush()
        except OSError as error:
            raise LiminaError(f"{self._path} cannot be written: {system_error_text(error, 'unknown reason')}") from None


def forget(path: Path) -> None:
    """Remove a journal, if there is one and it can be removed."""
    with contextlib.suppress(OSError):
        path.unlink()


def usual_path(plan: Plan) -> Path:
    """Where a run keeps its journal while it lasts: the same for the same command, as long as its bots are the same."""
    base = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    what = {**plan.identity(), "games": len(plan), "keep": plan.keep, "code": [_code(name) for name in plan.bots]}
    return base / "limina" / "arena" / f"{hashlib.sha256(json.dumps(what).encode()).hexdigest()[:32]}.jsonl"


def _code(name: str) -> list[int]:
    """When the file that a bot's name points at was changed: another program must not finish what one began."""
    try:
        words = shlex.split(name.partition(":")[2]) if is_program(name) else [name.rpartition(":")[0]]
        files = [Path(shutil.which(word) or word) for word in words]
        return [file.stat().st_mtime_ns for file in files if file.is_file()]
    except (OSError, ValueError):
        return []


def _claim(file: IO[str], path: Path) -> None:
    if fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise JournalInUseError(f"another run uses {path}: name another file") from None
