"""Learned values as files: one line of JSON that tells how they came about, then the weights, compressed.

Each game that learns keeps its shipped values as `weights.bin` in its own package.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

from limina.errors import InvalidInputError

FORMAT = "limina-values/1"
V = TypeVar("V")


class WeightsFile(Generic[V]):
    """How a game's values are read and written; `parse` makes them of their weights, or ValueError."""

    def __init__(self, game: str, default_path: Path, parse: Callable[[bytes], V]) -> None:
        self._game = game
        self._default_path = default_path
        self._parse = parse

    @cached_property
    def default(self) -> V:
        """The values that come with the package."""
        return self.read(self._default_path)

    def encode(self, weights: bytes, provenance: Mapping[str, Any]) -> bytes:
        """What a file of these weights holds, with the provenance of how they came about."""
        digest = hashlib.sha256(weights).hexdigest()
        head = {"format": FORMAT, "game": self._game, "made_by": dict(provenance), "sha256": digest}
        return json.dumps(head).encode() + b"\n" + zlib.compress(weights, 9)

    def read(self, path: str | Path) -> V:
        """Values from a file that `limina train` has written; one that is not whole is refused."""
        try:
            content = Path(path).read_bytes()
        except OSError as error:
            said = (error.strerror or "unknown reason").lower()
            raise InvalidInputError(f"the values in {path} cannot be read: {said}") from None
        line, _, body = content.partition(b"\n")
        try:
            head = json.loads(line)
            ours = head["format"] == FORMAT and head["game"] == self._game
        except (ValueError, TypeError, KeyError, RecursionError):
            ours = False
        if not ours:
            raise InvalidInputError(f"{path} does not hold values of this game and version")
        try:
            stream = zlib.decompressobj()
            weights = stream.decompress(body)
            if not stream.eof or stream.unused_data or hashlib.sha256(weights).hexdigest() != head["sha256"]:
                raise ValueError("the weights are not those that were written")
            return self._parse(weights)
        except (ValueError, KeyError, zlib.error):
            raise InvalidInputError(f"the values in {path} are damaged: train or install them again") from None
