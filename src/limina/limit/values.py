"""The trained values as a file: what made them, what they were measured at, and the weights."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import zlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from limina._kernel.limit import Values
from limina.protocols import UnreadableError

SHIPPED = Path(__file__).with_name("values.json")
_FORMAT = "limina-limit-values-2"


def written(values: Values, made_by: Mapping[str, Any]) -> bytes:
    """Values as a file holds them, with the story of how they came about."""
    weights = values.write()
    content = {
        "format": _FORMAT,
        "made_by": dict(made_by),
        "sha256": hashlib.sha256(weights).hexdigest(),
        "weights": base64.b85encode(zlib.compress(weights, 9)).decode("ascii"),
    }
    return (json.dumps(content, indent=1) + "\n").encode()


def load(path: Path) -> Values:
    """Read values; a file that is not whole is refused."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UnreadableError(f"the values in {path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise UnreadableError(f"{path} is not a file of values for this game") from error
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        raise UnreadableError(f"{path} is not a file of values for this game")
    try:
        weights = zlib.decompress(base64.b85decode(content["weights"]))
        if hashlib.sha256(weights).hexdigest() != content["sha256"]:
            raise ValueError("the weights are not those that were written")
        return Values.read(weights)
    except (KeyError, TypeError, ValueError, binascii.Error, zlib.error) as error:
        raise UnreadableError(f"the values in {path} are damaged: train or install them again") from error


@cache
def shipped() -> Values:
    """The values that come with the package."""
    return load(SHIPPED)
