"""The frame of every training: plays and learns, tells how it goes, keeps checkpoints and goes on from them."""

from __future__ import annotations

import json
import struct
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, Protocol

from limina.core.files import check_writable, write_atomic
from limina.errors import InvalidInputError

_MARK = b"limina-training-3\n"
_TELL = 10.0
"""Seconds between two reports, and between two checkpoints."""


class Learner(Protocol):
    """What is learned, and how. All its luck comes from the seed and the number of a game."""

    game: str
    games_per_step: int
    """Games that are played at once, between two looks at the clock."""

    def load_weights(self, path: Path) -> None:
        """Begin with values learned before; LiminaError where they cannot be read, or this game cannot do so."""

    def learn(self, seed: int, first_game: int) -> None:
        """Play and learn from a chunk of games; the first of them has this number."""

    def progress(self) -> Mapping[str, float]:
        """How well it goes, by name."""

    def state(self) -> Sequence[bytes]:
        """All there is to go on from, besides the progress."""

    def restore(self, parts: Sequence[bytes], progress: Mapping[str, float]) -> None:
        """Go on from there; ValueError when this is nothing to go on from."""

    def encode(self, provenance: Mapping[str, Any]) -> bytes:
        """What was learned, as a file that tells how it came about."""


class LearnerTrainer:
    """The trainer of a game: whatever its learner learns, in this frame."""

    plans: ClassVar[Mapping[str, Callable[[], Learner]]]
    """What can be practised, by name; what is usual comes first."""

    # As `limina.core.capabilities.Trainer` has it, repeated: a protocol is compared with, and lends no signature.
    def train(
        self,
        *,
        seed: int,
        minutes: float,
        out: Path,
        checkpoint: Path | None,
        report: Callable[[str], None],
        games: int | None = None,
        plan: str | None = None,
        initial_weights: Path | None = None,
    ) -> None:
        """Play and learn for some minutes, or until so many games in all; then write what was learned.

        A checkpoint that exists is gone on from. The same seed, number of games and values at the start teach the same.
        """
        usual = next(iter(self.plans))
        plan = plan or usual
        learner = self.plans[plan]()
        for path in (out, checkpoint):
            if path is not None:
                check_writable(path)  # better now than after all the learning
        origin: dict[str, Any] = {"seed": seed, "plan": plan, "values": "none"}
        if initial_weights is not None:
            learner.load_weights(initial_weights)
            origin["values"] = sha256(initial_weights.read_bytes()).hexdigest()
        done, spent = 0, 0.0
        if checkpoint is not None and checkpoint.is_file():
            done, spent = _restored(learner, checkpoint, origin)
            report(f"going on after {done} games")
        begun = told = time.monotonic()
        while done < games if games is not None else time.monotonic() - begun < 60 * minutes:
            learner.learn(seed, done)
            done += learner.games_per_step
            if time.monotonic() - told >= _TELL:
                told = time.monotonic()
                left = f"{60 * minutes - (told - begun):.0f} seconds" if games is None else f"{games - done} games"
                going = ", ".join(f"{name} {value:.4g}" for name, value in learner.progress().items())
                report(f"{done} games, {going}, {left} left")
                if checkpoint is not None:
                    _keep(learner, checkpoint, origin, done, spent + told - begun)
        spent += time.monotonic() - begun
        if checkpoint is not None:
            _keep(learner, checkpoint, origin, done, spent)
        options = f"--seed {seed} --games {done}"
        if plan != usual:
            options += f" --plan {plan}"
        if initial_weights is not None:
            options += f" --from {initial_weights.name}"
        provenance = {
            "command": f"limina train {learner.game} {options} --out {out.name}",
            **origin,
            "games": done,
            "minutes": round(spent / 60, 1),
            **{f"{name} of the last games": round(value, 4) for name, value in learner.progress().items()},
        }
        write_atomic(out, learner.encode(provenance))
        report(f"{done} games in all, written to {out}")


def _keep(learner: Learner, path: Path, origin: Mapping[str, Any], games: int, spent: float) -> None:
    parts = learner.state()
    head = {
        "game": learner.game,
        **origin,
        "games": games,
        "spent": spent,
        "progress": dict(learner.progress()),
        "sizes": list(map(len, parts)),
    }
    written = json.dumps(head).encode()
    write_atomic(path, _MARK + zlib.compress(struct.pack("<I", len(written)) + written + b"".join(parts), 1))


def _restored(learner: Learner, path: Path, origin: Mapping[str, Any]) -> tuple[int, float]:
    try:
        data = path.read_bytes()
        if not data.startswith(_MARK):
            raise ValueError("another kind of file")
        body = zlib.decompress(data.removeprefix(_MARK))
        (size,) = struct.unpack_from("<I", body)
        head = json.loads(body[4 : 4 + size])
        if head["game"] != learner.game:
            raise ValueError("another game's")
        parts, at = [], 4 + size
        for length in head["sizes"]:
            parts.append(body[at : at + length])
            at += length
        learner.restore(parts, head["progress"])
        games, spent, began = int(head["games"]), float(head["spent"]), {name: head[name] for name in origin}
    except (OSError, ValueError, KeyError, TypeError, zlib.error, struct.error):
        raise InvalidInputError(f"{path} is not a checkpoint of this training") from None
    for name, value in origin.items():
        if began[name] != value:
            raise InvalidInputError(f"{path} was begun with {name} {began[name]}, not {value}")
    return games, spent
