"""Training of the values: games against itself with a small search, learning from every position it looked into."""

from __future__ import annotations

import json
import struct
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random

from limina._kernel.limit import Trainer
from limina.limit import values
from limina.protocols import UnreadableError

_MARK = b"limina-limit-training-2\n"
_SIZES = (8,) * 11 + (4, 5, 6, 7, 9, 10, 12, 14, 16)
"""What is played is drawn from these: the usual size most often."""
_BY_THREE = 0.25
"""The part of the games that three play."""
_WORK = 1500
_RATE = 1.0
_LEAST_RATE = 0.1
_HALF_LIFE = 10_000
"""Games after which the pull of a game has halved."""
_LAST = 500
"""Games over which the loss is averaged."""


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
    trainer = Trainer()
    done, spent, loss = 0, 0.0, 0.0
    if checkpoint is not None and checkpoint.exists():
        done, spent, loss = _restore(trainer, checkpoint, seed)
        say(f"going on after {done} games")
    begun = told = time.monotonic()
    while done < games if games is not None else time.monotonic() - begun < 60 * minutes:
        lost = _play(trainer, seed, done)
        done += 1
        loss += (lost - loss) / min(done, _LAST)
        if time.monotonic() - told >= 10:
            told = time.monotonic()
            left = f"{60 * minutes - (told - begun):.0f} seconds" if games is None else f"{games - done} games"
            say(f"{done} games, loss {loss:.4f}, {left} left")
            if checkpoint is not None:
                _keep(trainer, checkpoint, seed, done, spent + told - begun, loss)
    spent += time.monotonic() - begun
    if checkpoint is not None:
        _keep(trainer, checkpoint, seed, done, spent, loss)
    made_by = {
        "command": f"limina train limit --seed {seed} --games {done} --out {out.name}",
        "seed": seed,
        "games": done,
        "minutes": round(spent / 60, 1),
        "loss of the last games": round(loss, 4),
    }
    values.save(out, trainer.values(), made_by)
    say(f"{done} games in all, written to {out}")


def _play(trainer: Trainer, seed: int, number: int) -> float:
    # Each game has its own source of chance, so that a run in two parts is the same as in one.
    chance = Random(f"{seed}/{number}")
    players = 3 if chance.random() < _BY_THREE else 2
    rate = max(_RATE * 0.5 ** (number / _HALF_LIFE), _LEAST_RATE)
    return trainer.play(chance.choice(_SIZES), players, _WORK, rate, chance.getrandbits(64))


def _keep(trainer: Trainer, path: Path, seed: int, games: int, spent: float, loss: float) -> None:
    weights, squares = trainer.state()
    head = json.dumps({"seed": seed, "games": games, "spent": spent, "loss": loss}).encode()
    body = zlib.compress(struct.pack("<II", len(head), len(weights)) + head + weights + squares, 1)
    partial = path.with_name(path.name + ".part")
    partial.write_bytes(_MARK + body)
    partial.replace(path)


def _restore(trainer: Trainer, path: Path, seed: int) -> tuple[int, float, float]:
    try:
        data = path.read_bytes()
        if not data.startswith(_MARK):
            raise ValueError("another kind of file")
        body = zlib.decompress(data.removeprefix(_MARK))
        head_size, size = struct.unpack_from("<II", body)
        head = json.loads(body[8 : 8 + head_size])
        rest = body[8 + head_size :]
        trainer.restore(rest[:size], rest[size:])
        games, spent, loss = int(head["games"]), float(head["spent"]), float(head["loss"])
    except (OSError, ValueError, KeyError, TypeError, zlib.error, struct.error) as error:
        raise UnreadableError(f"{path} is not a checkpoint of this training") from error
    if head["seed"] != seed:
        raise UnreadableError(f"{path} was begun with seed {head['seed']}, not {seed}")
    return games, spent, loss
