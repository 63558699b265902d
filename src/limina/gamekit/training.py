"""The training loop that games share: reports progress, writes checkpoints and resumes from them."""

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

_MAGIC = b"limina-training-3\n"
_REPORT_INTERVAL_SECONDS = 10.0
"""The time between two reports, and between two checkpoints."""


class Learner(Protocol):
    """Plays games and learns weights from them. All its randomness comes from the seed and the index of a game."""

    game: str
    games_per_step: int
    """Games played by one call of `learn`."""

    def load_weights(self, path: Path) -> None:
        """Start from the weights in a file. Raises LiminaError if it is invalid or the game cannot do so."""

    def learn(self, seed: int, first_game: int) -> None:
        """Play `games_per_step` games and learn from them; `first_game` is the index of the first."""

    def progress(self) -> Mapping[str, float]:
        """Return measures of the training by name."""

    def state(self) -> Sequence[bytes]:
        """Return all that a checkpoint needs besides the progress."""

    def restore(self, parts: Sequence[bytes], progress: Mapping[str, float]) -> None:
        """Resume from a checkpoint. Raises ValueError if it is invalid."""

    def encode(self, provenance: Mapping[str, Any]) -> bytes:
        """Return the learned weights as the content of a weights file."""


class LearnerTrainer:
    """Trains a game's weights with one of its learners."""

    plans: ClassVar[Mapping[str, Callable[[], Learner]]]
    """The learners by the names of the training plans, the default first."""

    # The signature repeats `limina.core.capabilities.Trainer`, which is a protocol and cannot provide it.
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
        """Train for some minutes, or until `games` games in total, and write the weights to `out`.

        Resumes from the checkpoint if it exists. The result depends only on the seed, the number of games and the
        initial weights. Raises LiminaError if a file cannot be read or written, or the checkpoint is of another
        training.
        """
        default_plan = next(iter(self.plans))
        plan = plan or default_plan
        learner = self.plans[plan]()
        for path in (out, checkpoint):
            if path is not None:
                check_writable(path)  # fail before the training and not after it
        origin: dict[str, Any] = {"seed": seed, "plan": plan, "values": "none"}
        if initial_weights is not None:
            learner.load_weights(initial_weights)
            origin["values"] = sha256(initial_weights.read_bytes()).hexdigest()
        played, spent_before = 0, 0.0
        if checkpoint is not None and checkpoint.is_file():
            played, spent_before = _read_checkpoint(learner, checkpoint, origin)
            report(f"resuming after {played} games")
        started = last_report = time.monotonic()
        while played < games if games is not None else time.monotonic() - started < 60 * minutes:
            learner.learn(seed, played)
            played += learner.games_per_step
            if time.monotonic() - last_report >= _REPORT_INTERVAL_SECONDS:
                last_report = time.monotonic()
                elapsed = last_report - started
                left = f"{60 * minutes - elapsed:.0f} seconds" if games is None else f"{games - played} games"
                measures = ", ".join(f"{name} {value:.4g}" for name, value in learner.progress().items())
                report(f"{played} games, {measures}, {left} left")
                if checkpoint is not None:
                    _write_checkpoint(learner, checkpoint, origin, played, spent_before + elapsed)
        spent = spent_before + time.monotonic() - started
        if checkpoint is not None:
            _write_checkpoint(learner, checkpoint, origin, played, spent)
        options = f"--seed {seed} --games {played}"
        if plan != default_plan:
            options += f" --plan {plan}"
        if initial_weights is not None:
            options += f" --from {initial_weights.name}"
        provenance = {
            "command": f"limina train {learner.game} {options} --out {out.name}",
            **origin,
            "games": played,
            "minutes": round(spent / 60, 1),
            **{f"{name} of the last games": round(value, 4) for name, value in learner.progress().items()},
        }
        write_atomic(out, learner.encode(provenance))
        report(f"{played} games in total, written to {out}")


def _write_checkpoint(
    learner: Learner, path: Path, origin: Mapping[str, Any], games: int, spent_seconds: float
) -> None:
    parts = learner.state()
    header = {
        "game": learner.game,
        **origin,
        "games": games,
        "spent": spent_seconds,
        "progress": dict(learner.progress()),
        "sizes": list(map(len, parts)),
    }
    encoded = json.dumps(header).encode()
    write_atomic(path, _MAGIC + zlib.compress(struct.pack("<I", len(encoded)) + encoded + b"".join(parts), 1))


def _read_checkpoint(learner: Learner, path: Path, origin: Mapping[str, Any]) -> tuple[int, float]:
    """Restore the learner; return the number of games and the seconds spent."""
    try:
        data = path.read_bytes()
        if not data.startswith(_MAGIC):
            raise ValueError("not a checkpoint")
        body = zlib.decompress(data.removeprefix(_MAGIC))
        (size,) = struct.unpack_from("<I", body)
        header = json.loads(body[4 : 4 + size])
        if header["game"] != learner.game:
            raise ValueError("a checkpoint of another game")
        parts, start = [], 4 + size
        for length in header["sizes"]:
            parts.append(body[start : start + length])
            start += length
        learner.restore(parts, header["progress"])
        games, spent_seconds = int(header["games"]), float(header["spent"])
        checkpoint_origin = {name: header[name] for name in origin}
    except (OSError, ValueError, KeyError, TypeError, zlib.error, struct.error):
        raise InvalidInputError(f"{path} is not a checkpoint of this training") from None
    for name, value in origin.items():
        if checkpoint_origin[name] != value:
            raise InvalidInputError(f"{path} was started with {name} {checkpoint_origin[name]}, not {value}")
    return games, spent_seconds
