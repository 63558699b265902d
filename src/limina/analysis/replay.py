"""Records for web pages: all positions of a record, or its last one, as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from limina.core.commitment import chance_outcomes, is_honored, read_opening
from limina.core.position import Position, Step
from limina.core.presenter import outcome_to_json, presenter_of, step_to_json
from limina.core.record import Record

JsonObject = dict[str, Any]


def replay_to_json(record: Record) -> JsonObject:
    """Return all positions of a record, and the result of checking its commitment."""
    presenter = presenter_of(record.game)
    frames: list[JsonObject] = []
    before: Position | None = None
    steps: list[Step | None] = [None, *record.steps]
    for step, position in zip(steps, record.positions(), strict=True):
        frames.append(
            {
                "step": None if step is None else step_to_json(step),
                "progress": position.progress,
                "scores": presenter.scores(position),
                "view": presenter.view(position, before),
            }
        )
        before = position
    commitment, salt, order = read_opening(record.extra)
    is_revealed = salt is not None and order is not None
    return {
        "game": record.game.name,
        "names": list(record.names),
        "options": record.game.options_of(record.start),
        "frames": frames,
        "outcome": outcome_to_json(record.position.outcome),
        "commitment": commitment,
        "reveal": {"salt": salt, "order": order} if is_revealed else None,
        "commitment_honored": is_honored(commitment, salt or "", order or (), chance_outcomes(record))
        if is_revealed and commitment is not None
        else None,
    }


def position_to_json(record: Record, player: int | None, turn: str | None, others: Sequence[str] = ()) -> JsonObject:
    """Return the last position of a record, with the legal turns of a player and the preview of a turn if given.

    `equivalent_turns` are those of the other turns that lead to the same position as the turn. Raises LiminaError if a
    turn is illegal.
    """
    presenter = presenter_of(record.game)
    has_turn = player is not None and turn is not None
    return {
        "game": record.game.name,
        "names": list(record.names),
        "view": presenter.view(record.position),
        "outcome": outcome_to_json(record.position.outcome),
        "legal": None if player is None else presenter.legal(record.position, player),
        "preview": None if player is None or turn is None else presenter.preview(record.position, player, turn),
        "equivalent_turns": [
            other
            for other in others
            if has_turn and _position_after(record, player, other) == _position_after(record, player, turn)
        ],
    }


def _position_after(record: Record, player: int | None, turn: str | None) -> Position:
    after: Position = record.position.play(record.game.read_turn(turn or ""), player)
    return after
