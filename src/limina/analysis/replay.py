"""Records as they are looked at: every position of one, or its last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from limina.core.commitment import chance_outcomes, is_honored, read_opening
from limina.core.position import Position, Step
from limina.core.presenter import outcome_state, presenter_of, step_state
from limina.core.record import Record

JsonObject = dict[str, Any]


def replay_to_json(record: Record) -> JsonObject:
    """Every position of a record, and whether a promise about its chance was kept."""
    presenter = presenter_of(record.game)
    frames: list[JsonObject] = []
    before: Position | None = None
    steps: list[Step | None] = [None, *record.steps]
    for step, position in zip(steps, record.positions(), strict=True):
        frames.append(
            {
                "step": None if step is None else step_state(step),
                "progress": position.progress,
                "scores": presenter.scores(position),
                "view": presenter.view(position, before),
            }
        )
        before = position
    commitment, salt, order = read_opening(record.extra)
    known = salt is not None and order is not None
    return {
        "game": record.game.name,
        "names": list(record.names),
        "options": record.game.options_of(record.start),
        "frames": frames,
        "outcome": outcome_state(record.end.outcome),
        "commitment": commitment,
        "reveal": {"salt": salt, "order": order} if known else None,
        "commitment_honored": is_honored(commitment, salt or "", order or (), chance_outcomes(record))
        if known and commitment is not None
        else None,
    }


def position_to_json(record: Record, player: int | None, turn: str | None, others: Sequence[str] = ()) -> JsonObject:
    """Where a record stands, with the turns of a player if one is named, and which of some others lead to the same as
    one of them."""
    presenter = presenter_of(record.game)
    tried = player is not None and turn is not None
    return {
        "game": record.game.name,
        "names": list(record.names),
        "view": presenter.view(record.end),
        "outcome": outcome_state(record.end.outcome),
        "legal": None if player is None else presenter.legal(record.end, player),
        "preview": None if player is None or turn is None else presenter.preview(record.end, player, turn),
        "equivalent_turns": [
            other for other in others if tried and _led(record, player, other) == _led(record, player, turn)
        ],
    }


def _led(record: Record, player: int | None, turn: str | None) -> Position:
    led: Position = record.end.play(record.game.read_turn(turn or ""), player)
    return led
