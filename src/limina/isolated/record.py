"""A program that reads records and real tables which clients sent, and thinks about turns in them.

`python -m limina.isolated.record` answers the questions in `HANDLERS` (see `limina.isolated.protocol`).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from limina.analysis.hint import hint
from limina.analysis.replay import position_to_json, replay_to_json
from limina.analysis.review import evaluate_turn as worth_in
from limina.core import registry
from limina.core.game import Game
from limina.core.record import Record
from limina.core.validation import (
    expect_int,
    expect_list,
    expect_object,
    expect_str,
    quote_truncated,
    reject_unknown_keys,
)
from limina.errors import InvalidInputError
from limina.isolated.protocol import serve

MOST_STEPS = 2_000
"""Many times what any game takes that is played to be won."""
MOST_PLAYERS = 8
"""As many as a page shows."""
MAX_NAME_CHARACTERS = 200
"""Characters of a player's name: many times what a match allows, and enough for the command of a bot."""
_MOST_TURN = 100
_MOST_ALIKE = 10

Plain = dict[str, Any]


def read_sent(data: object) -> Record:
    """The record that somebody sent, if it is one that a page can show."""
    record = expect_object(data, "a record")
    players = record.get("players")
    if isinstance(players, list) and len(players) > MOST_PLAYERS:
        raise InvalidInputError(f"this page shows games of up to {MOST_PLAYERS} players, not {len(players)}")
    for number, name in enumerate(players if isinstance(players, list) else (), 1):
        if isinstance(name, str) and len(name) > MAX_NAME_CHARACTERS:
            most = f"names of up to {MAX_NAME_CHARACTERS} characters are read here"
            raise InvalidInputError(f"{most}, that of player {number} has {len(name):,}: please shorten it")
    return Record.from_json(record, MOST_STEPS)


def replay(data: object) -> Plain:
    """Every position of a record."""
    return replay_to_json(read_sent(data))


def view(data: object) -> Plain:
    """Where a record stands, or stood: `{"record", "steps"?, "player"?, "turn"?, "alike"?}`."""
    wanted = expect_object(data, "this")
    reject_unknown_keys(wanted, ("record", "steps", "player", "turn", "alike"), "this")
    player, turn = wanted.get("player"), wanted.get("turn")
    if player is not None:
        player = expect_int(player, "player", range(MOST_PLAYERS))
    others = expect_list(wanted.get("alike", []), "alike")
    if len(others) > _MOST_ALIKE:
        raise InvalidInputError(f"alike must name up to {_MOST_ALIKE} turns, not {len(others)}")
    for text in others if turn is None else (turn, *others):
        _a_turn(text)
    record = read_sent(wanted.get("record"))
    if wanted.get("steps") is not None:
        steps = expect_int(wanted["steps"], "steps", range(len(record.steps) + 1))
        record = record.without_last(len(record.steps) - steps)
    return position_to_json(record, player, turn, others)


def evaluate_turn(data: object) -> Plain:
    """What a turn would have been worth in a record: `{"record", "steps", "player", "turn"}`."""
    wanted = expect_object(data, "this")
    reject_unknown_keys(wanted, ("record", "steps", "player", "turn"), "this")
    player, turn = expect_int(wanted.get("player"), "player", range(MOST_PLAYERS)), _a_turn(wanted.get("turn"))
    record = read_sent(wanted.get("record"))
    steps = expect_int(wanted.get("steps"), "steps", range(len(record.steps) + 1))
    return {"value": round(worth_in(record, steps, player, turn), 4)}


def _a_turn(text: object) -> str:
    turn = expect_str(text, "turn")
    if len(turn) not in range(1, _MOST_TURN + 1):
        raise InvalidInputError(f"turn must be a text of 1 to {_MOST_TURN} characters, not {quote_truncated(turn)}")
    return turn


def game(data: object) -> Plain:
    """A record as it is reviewed, with nothing in it but the game."""
    record = read_sent(data)
    return {
        "record": replace(record, extra={}).to_json(),
        "turns": sum(step.player is not None for step in record.steps),
        "unit": "probability" if record.game.spec.scale.is_probability else "points",
        "over": record.end.outcome is not None,
    }


def table(data: object) -> Plain:
    """What somebody has entered of a real table: `{"game", "table"}`."""
    found, entered = _entered(data)
    assert found.companion_judge is not None
    return {"game": found.name, "table": found.companion_judge.judge(entered)}


def advice(data: object) -> Plain:
    """What to play on a real table, of whoever is to move there: `{"game", "table"}`."""
    found, entered = _entered(data)
    assert found.companion_judge is not None
    position = found.companion_judge.position(entered)
    best = hint(found, position, position.to_move[0])
    return {
        "player": position.to_move[0],
        "candidates": [{"turn": turn, "value": round(value, 4)} for turn, value in best.candidates],
        **best.to_json(),
    }


def _entered(data: object) -> tuple[Game, Plain]:
    """The game, and what was entered of it."""
    wanted = expect_object(data, "this")
    reject_unknown_keys(wanted, ("game", "table"), "this")
    found = registry.game(expect_str(wanted.get("game"), "game"))
    if found.companion_judge is None:
        raise InvalidInputError(f"there is no companion for {found.title}")
    entered = dict(expect_object(wanted.get("table"), "table"))
    players = entered.get("players")
    if isinstance(players, list) and len(players) > MOST_PLAYERS:
        raise InvalidInputError(f"this page shows games of up to {MOST_PLAYERS} players, not {len(players)}")
    return found, entered


HANDLERS: dict[str, Callable[[object], Plain]] = {
    "replay": replay,
    "view": view,
    "game": game,
    "worth": evaluate_turn,
    "table": table,
    "advice": advice,
}


def handle(question: str, data: object) -> bytes:
    """Answer one question with JSON."""
    return json.dumps(HANDLERS[question](data), separators=(",", ":")).encode()


def main() -> None:
    """Answer until there are no more questions."""
    serve(handle)


if __name__ == "__main__":
    main()
