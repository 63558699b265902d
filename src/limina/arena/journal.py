"""The journal of a run: a line for each game, written as it ends, so that nothing is ever played twice."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from limina.arena.match import Played
from limina.arena.plan import Plan
from limina.protocols import LiminaError

FORMAT = "limina-arena/1"


class Journal:
    """A file that is read once and then only grows."""

    def __init__(self, path: Path, plan: Plan) -> None:
        self._path = path
        self.played: dict[int, Played] = {}
        """The games of the plan that an earlier run has played."""
        header = {"format": FORMAT, **plan.identity()}
        try:
            whole = self._read(header, len(plan))
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: IO[str] = path.open("r+" if whole else "w", encoding="utf-8")
            # A line that the interruption cut off goes, so that the next one stands on its own.
            self._file.truncate(whole)
            self._file.seek(whole)
        except OSError as error:
            raise LiminaError(f"{path} cannot be used: {(error.strerror or 'unknown reason').lower()}") from None
        if not whole:
            self._write(header)

    def add(self, played: Played) -> None:
        """Keep a game that has ended."""
        self._write(asdict(played))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _read(self, header: dict[str, Any], games: int) -> int:
        """Read the games of the file; how many of its bytes are whole lines."""
        if not self._path.exists():
            return 0
        content = self._path.read_bytes()
        whole = content.rfind(b"\n") + 1
        for number, line in enumerate(content[:whole].splitlines(), 1):
            try:
                data = json.loads(line)
                if number == 1:
                    self._check(data, header)
                    continue
                played = Played.from_json(data)
            except (ValueError, TypeError) as error:
                if isinstance(error, LiminaError):
                    raise
                raise LiminaError(f"{self._path}: line {number} is not a game of an arena") from None
            if 0 <= played.index < games:
                self.played[played.index] = played
        return whole

    def _check(self, found: object, header: dict[str, Any]) -> None:
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise LiminaError(f"{self._path} is not the journal of an arena: name another file")
        for key, value in header.items():
            if found.get(key) != value:
                raise LiminaError(f"{self._path} is the journal of another run: its {key} differ")

    def _write(self, data: dict[str, Any]) -> None:
        self._file.write(json.dumps(data) + "\n")
        self._file.flush()
