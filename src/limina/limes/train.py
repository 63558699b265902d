"""Training of the values: games against itself in the kernel, resumable, with all its luck from one seed."""

from __future__ import annotations

import json
import struct
import time
import zlib
from collections.abc import Callable
from pathlib import Path

from limina._kernel import Stop
from limina._kernel import limes as kernel
from limina.limes.deck import Deck
from limina.protocols import LiminaError, UnreadableError

_MARK = b"limina-limes-training-2\n"
_CHUNK = 4_000
"""Games that are played between two looks at the clock."""
_TABLES = 3.0
"""The pace of the tables. Each entry slows down by itself as its corrections begin to cancel out."""
_NETWORK, _SLOWING = 0.001, 200_000
"""The network's first step, and the games after which it is halved."""
_TRACE = 0.8
"""How much of a correction comes from the end of the game, and how much from the next value."""


def train(
    *,
    seed: int,
    minutes: float,
    out: Path,
    checkpoint: Path | None,
    say: Callable[[str], None],
    games: int | None = None,
) -> None:
    """Play and learn for some minutes, or until so many games in all; then write the values.

    A checkpoint that exists is gone on from. The same seed and number of games give the same values.
    """
    training, done, spent = kernel.Training(), 0, 0.0
    if checkpoint is not None and checkpoint.exists():
        training, done, spent = _restored(checkpoint, seed)
        say(f"going on after {done} games")
    begun = told = time.monotonic()
    mean = 0.0
    stop = Stop()
    while done < games if games is not None else time.monotonic() - begun < 60 * minutes:
        # Every chunk has its own luck, so that a run in two parts is the same as in one.
        mean = training.run(
            Deck.default().cards,
            _CHUNK,
            tables=_TABLES,
            network=_NETWORK / (1 + done / _SLOWING),
            trace=_TRACE,
            seed=seed + done // _CHUNK,
            stop=stop,
        )
        done += _CHUNK
        if time.monotonic() - told >= 10:
            told = time.monotonic()
            left = (
                f"{60 * minutes - (told - begun):.0f} seconds left" if games is None else f"{games - done} games left"
            )
            say(f"{done} games, mean {mean:.2f}, {left}")
            if checkpoint is not None:
                _keep(training, checkpoint, seed, done, spent + told - begun)
    spent += time.monotonic() - begun
    if checkpoint is not None:
        _keep(training, checkpoint, seed, done, spent)
    story = {
        "command": f"limina train limes --seed {seed} --games {done} --out {out.name}",
        "seed": seed,
        "games": done,
        "minutes": round(spent / 60, 1),
        "mean of the last games": round(mean, 2),
    }
    _write(out, training.values().write())
    _write(out.with_suffix(".json"), (json.dumps(story, indent=1) + "\n").encode())
    say(f"{done} games in all, written to {out}")


def _write(path: Path, content: bytes) -> None:
    try:
        partial = path.with_name(path.name + ".part")
        partial.write_bytes(content)
        partial.replace(path)
    except OSError as error:
        raise LiminaError(f"{path} cannot be written: {(error.strerror or 'unknown reason').lower()}") from None


def _keep(training: kernel.Training, path: Path, seed: int, games: int, spent: float) -> None:
    head = json.dumps({"seed": seed, "games": games, "spent": spent}).encode()
    parts = training.state()
    body = struct.pack("<II", len(head), len(parts[0])) + head + b"".join(parts)
    _write(path, _MARK + zlib.compress(body, 1))


def _restored(path: Path, seed: int) -> tuple[kernel.Training, int, float]:
    try:
        data = path.read_bytes()
        if not data.startswith(_MARK):
            raise ValueError("another kind of file")
        body = zlib.decompress(data.removeprefix(_MARK))
        head_size, size = struct.unpack_from("<II", body)
        head = json.loads(body[8 : 8 + head_size])
        rest = body[8 + head_size :]
        training = kernel.Training.restored(rest[:size], rest[size : 2 * size], rest[2 * size :])
        games, spent, begun_with = int(head["games"]), float(head["spent"]), head["seed"]
    except (OSError, ValueError, KeyError, TypeError, zlib.error, struct.error):
        raise UnreadableError(f"{path} is not a checkpoint of this training") from None
    if begun_with != seed:
        raise UnreadableError(f"{path} was begun with seed {begun_with}, not {seed}")
    return training, games, spent
