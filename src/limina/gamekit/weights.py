"""Files of learned weights: a line of JSON with their provenance, then the compressed weights.

The default weights of a game are the file `weights.bin` in its package.
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
"""The value of `format` in the first line."""
V = TypeVar("V")


class WeightsFile(Generic[V]):
    """Reads and writes the weights of a game.

    `parse` turns weights into an evaluation and raises ValueError if they are invalid.
    """

    def __init__(self, game: str, default_path: Path, parse: Callable[[bytes], V]) -> None:
        self._game = game
        self._default_path = default_path
        self._parse = parse

    @cached_property
    def default(self) -> V:
        """The evaluation with the weights that ship with the package."""
        return self.read(self._default_path)

    def encode(self, weights: bytes, provenance: Mapping[str, Any]) -> bytes:
        """Return the content of a file with these weights and their provenance."""
        digest = hashlib.sha256(weights).hexdigest()
        head = {"format": FORMAT, "game": self._game, "made_by": dict(provenance), "sha256": digest}
        return json.dumps(head).encode() + b"\n" + zlib.compress(weights, 9)

    def read(self, path: str | Path) -> V:
        """Read a file that `limina train` wrote. Raises InvalidInputError if it is missing or invalid."""
        try:
            content = Path(path).read_bytes()
        except OSError as error:
            reason = (error.strerror or "unknown reason").lower()
            raise InvalidInputError(f"the weights in {path} cannot be read: {reason}") from None
        line, _, body = content.partition(b"\n")
        try:
            head = json.loads(line)
            is_valid = head["format"] == FORMAT and head["game"] == self._game
        except (ValueError, TypeError, KeyError, RecursionError):
            is_valid = False
        if not is_valid:
            raise InvalidInputError(f"{path} does not contain weights of this game and version")
        try:
            stream = zlib.decompressobj()
            weights = stream.decompress(body)
            if not stream.eof or stream.unused_data or hashlib.sha256(weights).hexdigest() != head["sha256"]:
                raise ValueError("the weights do not match their hash")
            return self._parse(weights)
        except (ValueError, KeyError, zlib.error):
            raise InvalidInputError(f"the weights in {path} are damaged: train or install them again") from None
