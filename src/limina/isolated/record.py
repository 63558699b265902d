"""A program that reads records and entered physical games from clients, and evaluates turns in them.

`python -m limina.isolated.record` answers the questions in `HANDLERS` (see `limina.isolated.protocol`).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from limina.analysis import review as analysis
from limina.analysis.hint import hint
from limina.analysis.replay import position_to_json, replay_to_json
from limina.core import registry
from limina.core.capabilities import CompanionJudge
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

MAX_STEPS = 2_000
"""Upper bound of a record's steps: many times the length of a serious game."""
MAX_PLAYERS = 8
"""Upper bound of a record's players: as many as the page can show."""
MAX_NAME_CHARACTERS = 200
"""Upper bound of a player's name: many times what a match allows, and enough for the command of a bot."""
_MAX_TURN_CHARACTERS = 100
_MAX_COMPARE_TURNS = 10

JsonObject = dict[str, Any]


def read_record(data: object) -> Record:
    """Return the record that a client sent. Raise LiminaError if it is invalid or the page cannot show it."""
    record = expect_object(data, "a record")
    players = record.get("players")
    if isinstance(players, list):
        _check_player_count(players)
        for number, name in enumerate(players, 1):
            if isinstance(name, str) and len(name) > MAX_NAME_CHARACTERS:
                raise InvalidInputError(
                    f"names may have up to {MAX_NAME_CHARACTERS} characters, that of player {number} has "
                    f"{len(name):,}: please shorten it"
                )
    return Record.from_json(record, MAX_STEPS)


def handle_replay(data: object) -> JsonObject:
    """Return every position of a record."""
    return replay_to_json(read_record(data))


def handle_position(data: object) -> JsonObject:
    """Return a position of a record: `{"record", "step_count"?, "player"?, "turn"?, "compare_turns"?}`."""
    request = expect_object(data, "this")
    reject_unknown_keys(request, ("record", "step_count", "player", "turn", "compare_turns"), "this")
    player, turn = request.get("player"), request.get("turn")
    if player is not None:
        player = _read_player(player)
    compare_turns = expect_list(request.get("compare_turns", []), "compare_turns")
    if len(compare_turns) > _MAX_COMPARE_TURNS:
        raise InvalidInputError(f"compare_turns must name up to {_MAX_COMPARE_TURNS} turns, not {len(compare_turns)}")
    for text in compare_turns if turn is None else (turn, *compare_turns):
        _read_turn(text)
    record = read_record(request.get("record"))
    if request.get("step_count") is not None:
        step_count = expect_int(request["step_count"], "step_count", range(len(record.steps) + 1))
        record = record.without_last(len(record.steps) - step_count)
    return position_to_json(record, player, turn, compare_turns)


def handle_evaluate(data: object) -> JsonObject:
    """Return the value of a turn at a step of a record: `{"record", "step_count", "player", "turn"}`."""
    request = expect_object(data, "this")
    reject_unknown_keys(request, ("record", "step_count", "player", "turn"), "this")
    player, turn = _read_player(request.get("player")), _read_turn(request.get("turn"))
    record = read_record(request.get("record"))
    step_count = expect_int(request.get("step_count"), "step_count", range(len(record.steps) + 1))
    return {"value": round(analysis.evaluate_turn(record, step_count, player, turn), 4)}


def handle_review_request(data: object) -> JsonObject:
    """Return the parts of a record that a review needs: the game without extra fields, its length, unit and end."""
    record = read_record(data)
    return {
        "record": replace(record, extra={}).to_json(),
        "turns": sum(step.player is not None for step in record.steps),
        "unit": "probability" if record.game.spec.scale.is_probability else "points",
        "over": record.position.outcome is not None,
    }


def handle_companion(data: object) -> JsonObject:
    """Return what the page shows of an entered physical game: `{"game", "entry"}`."""
    game, judge, entry = _read_entry(data)
    return {"game": game.name, "result": judge.judge(entry)}


def handle_companion_hint(data: object) -> JsonObject:
    """Return a hint for the player to move in an entered physical game: `{"game", "entry"}`."""
    game, judge, entry = _read_entry(data)
    entered = judge.position(entry)
    player = entered.to_move[0]
    suggestion = hint(game, entered, player)
    return {
        "player": player,
        "candidates": [{"turn": turn, "value": round(value, 4)} for turn, value in suggestion.candidates],
        **suggestion.to_json(),
    }


def _read_entry(data: object) -> tuple[Game, CompanionJudge[Any], JsonObject]:
    request = expect_object(data, "this")
    reject_unknown_keys(request, ("game", "entry"), "this")
    game = registry.game(expect_str(request.get("game"), "game"))
    if game.companion_judge is None:
        raise InvalidInputError(f"there is no companion for {game.title}")
    entry = dict(expect_object(request.get("entry"), "entry"))
    if isinstance(entry.get("players"), list):
        _check_player_count(entry["players"])
    return game, game.companion_judge, entry


def _check_player_count(players: list[Any]) -> None:
    if len(players) > MAX_PLAYERS:
        raise InvalidInputError(f"this page shows games of up to {MAX_PLAYERS} players, not {len(players)}")


def _read_player(value: object) -> int:
    return expect_int(value, "player", range(MAX_PLAYERS))


def _read_turn(value: object) -> str:
    turn = expect_str(value, "turn")
    if not 1 <= len(turn) <= _MAX_TURN_CHARACTERS:
        raise InvalidInputError(
            f"turn must be a text of 1 to {_MAX_TURN_CHARACTERS} characters, not {quote_truncated(turn)}"
        )
    return turn


HANDLERS: dict[str, Callable[[object], JsonObject]] = {
    "replay": handle_replay,
    "position": handle_position,
    "review_request": handle_review_request,
    "evaluate": handle_evaluate,
    "companion": handle_companion,
    "companion_hint": handle_companion_hint,
}


def handle(question: str, data: object) -> bytes:
    """Return the answer to a question as JSON."""
    return json.dumps(HANDLERS[question](data), separators=(",", ":")).encode()


def main() -> None:
    """Answer questions until standard input ends."""
    serve(handle)


if __name__ == "__main__":
    main()
