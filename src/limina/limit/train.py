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

_MARK = b"limina-limit-training-1\n"
_SIZES = (8, 8, 8, 8, 8, 6, 7, 4, 5, 9, 10, 12, 14, 16)
"""What is played is drawn from these: the usual size most often."""
_WORK = 1500
_HALF_LIFE = 40_000
"""Games after which the pull of a game has halved."""


def train(*, seed: int, minutes: float, out: Path, checkpoint: Path | None, say: Callable[[str], None]) -> None:
    """Play and learn for some minutes, then write the values. A checkpoint that exists is gone on from."""
    trainer = Trainer()
    games = 0
    spent = 0.0
    if checkpoint is not None and checkpoint.exists():
        games, spent = _restore(trainer, checkpoint, seed)
        say(f"going on after {games} games")
    begun = told = time.monotonic()
    loss = 0.0
    while time.monotonic() - begun < 60 * minutes:
        _play(trainer, seed, games)
        games += 1
        if time.monotonic() - told >= 10:
            told = time.monotonic()
            loss = trainer.take_loss()
            left = 60 * minutes - (told - begun)
            say(f"{games} games, loss {loss:.4f}, {left:.0f} seconds left")
            if checkpoint is not None:
                _keep(trainer, checkpoint, seed, games, spent + told - begun)
    spent += time.monotonic() - begun
    if checkpoint is not None:
        _keep(trainer, checkpoint, seed, games, spent)
    made_by = {
        "command": f"limina train limit --seed {seed} --minutes {spent / 60:g}",
        "seed": seed,
        "games": games,
        "minutes": round(spent / 60, 1),
        "loss": round(trainer.take_loss() or loss, 4),
    }
    values.save(out, trainer.values(), made_by)
    say(f"{games} games in all, written to {out}")


def _play(trainer: Trainer, seed: int, number: int) -> None:
    # Each game has its own source of chance, so that a run in two parts is the same as in one.
    chance = Random(f"{seed}/{number}")
    players = 3 if chance.random() < 0.3 else 2
    rate = max(1.0 * 0.5 ** (number / _HALF_LIFE), 0.1)
    trainer.play(chance.choice(_SIZES), players, _WORK, rate, chance.getrandbits(64))


def _keep(trainer: Trainer, path: Path, seed: int, games: int, spent: float) -> None:
    weights, squares = trainer.state()
    head = json.dumps({"seed": seed, "games": games, "spent": spent}).encode()
    body = zlib.compress(struct.pack("<II", len(head), len(weights)) + head + weights + squares, 1)
    partial = path.with_name(path.name + ".part")
    partial.write_bytes(_MARK + body)
    partial.replace(path)


def _restore(trainer: Trainer, path: Path, seed: int) -> tuple[int, float]:
    data = path.read_bytes()
    try:
        if not data.startswith(_MARK):
            raise ValueError("another kind of file")
        body = zlib.decompress(data.removeprefix(_MARK))
        head_size, size = struct.unpack_from("<II", body)
        head = json.loads(body[8 : 8 + head_size])
        rest = body[8 + head_size :]
        trainer.restore(rest[:size], rest[size:])
        games, spent = int(head["games"]), float(head["spent"])
    except (ValueError, KeyError, TypeError, zlib.error, struct.error) as error:
        raise UnreadableError(f"{path} is not a checkpoint of this training") from error
    if head["seed"] != seed:
        raise UnreadableError(f"{path} was begun with seed {head['seed']}, not {seed}")
    return games, spent
