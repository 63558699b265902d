"""A process of its own that reads records which somebody sent: one question after the other, until its input ends.

`python -m limina.analysis.reader`. A question is a line with a word and a number, such as `replay` or `view`, and then
so many bytes as the number says; so is its answer, with `found` or with what is wrong. Whoever started it may kill it
at any moment: nothing is kept in it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import IO, Any

from limina import games
from limina.analysis.hint import hint
from limina.analysis.memory import bound_memory, exit_out_of_memory
from limina.analysis.orphans import end_with_reader
from limina.analysis.replay import replay_of, view_of
from limina.analysis.review import worth as worth_in
from limina.check import a_list, a_number, a_text, an_object, only_keys, short
from limina.errors import IllegalTurnError, LiminaError, UnreadableError
from limina.protocols import Game
from limina.reason import to_json
from limina.record import Record, TooLongError, parse

MOST_STEPS = 2_000
"""Many times what any game takes that is played to be won."""
MOST_BYTES = 16 * 1024 * 1024
"""Of an answer."""
MOST_PLAYERS = 8
"""As many as a page shows."""
MAX_NAME_CHARACTERS = 200
"""Characters of a player's name: many times what a match allows, and enough for the command of a bot."""
_MOST_TURN = 100
_MOST_ALIKE = 10

Plain = dict[str, Any]


def main() -> None:
    """Answer until there are no more questions."""
    serve(answer)


def serve(answer: Callable[[str, bytes], tuple[str, bytes]]) -> None:
    """Answer the questions on standard input until there are no more, within bounded memory."""
    end_with_reader()
    bound_memory(threads=1)  # the one that waits for the end of the server
    questions, answers = sys.stdin.buffer, sys.stdout.buffer
    while (question := questions.readline()) != b"":
        word, size = question.split()
        _say(answers, *answer(word.decode(), questions.read(int(size))))


def answer(question: str, body: bytes) -> tuple[str, bytes]:
    """What there is to say of a question, in a word and in JSON or a sentence."""
    return said(lambda data: json.dumps(QUESTIONS[question](data), separators=(",", ":")).encode(), body)


def said(find: Callable[[object], bytes], body: bytes) -> tuple[str, bytes]:
    """What is found for the JSON that was sent, or what is wrong with it, in a word and a sentence."""
    try:
        found = find(_parsed(body))
        if len(found) > MOST_BYTES:
            raise TooLongError(f"all of it would be larger than {MOST_BYTES // 1024 // 1024} MB")
    except TooLongError as error:
        return "too_large", str(error).encode()
    except IllegalTurnError as error:
        return "illegal", str(error).encode()
    except LiminaError as error:
        return "unreadable", str(error).encode(errors="replace")
    except MemoryError:
        exit_out_of_memory()
    except Exception as error:  # whatever else: whoever asked gets an answer, and the next one too
        return "unavailable", f"this could not be done: {type(error).__name__}".encode()
    return "found", found


def _parsed(body: bytes) -> object:
    try:
        return parse(body)
    except UnreadableError as error:
        raise UnreadableError(str(error).replace("it is not JSON", "this is not JSON", 1)) from None


def read_sent(data: object) -> Record:
    """The record that somebody sent, if it is one that a page can show."""
    record = an_object(data, "a record")
    players = record.get("players")
    if isinstance(players, list) and len(players) > MOST_PLAYERS:
        raise UnreadableError(f"this page shows games of up to {MOST_PLAYERS} players, not {len(players)}")
    for number, name in enumerate(players if isinstance(players, list) else (), 1):
        if isinstance(name, str) and len(name) > MAX_NAME_CHARACTERS:
            most = f"names of up to {MAX_NAME_CHARACTERS} characters are read here"
            raise UnreadableError(f"{most}, that of player {number} has {len(name):,}: please shorten it")
    return Record.from_json(record, MOST_STEPS)


def replay(data: object) -> Plain:
    """Every position of a record."""
    return replay_of(read_sent(data))


def view(data: object) -> Plain:
    """Where a record stands, or stood: `{"record", "steps"?, "player"?, "turn"?, "alike"?}`."""
    wanted = an_object(data, "this")
    only_keys(wanted, ("record", "steps", "player", "turn", "alike"), "this")
    player, turn = wanted.get("player"), wanted.get("turn")
    if player is not None:
        player = a_number(player, "player", range(MOST_PLAYERS))
    others = a_list(wanted.get("alike", []), "alike")
    if len(others) > _MOST_ALIKE:
        raise UnreadableError(f"alike must name up to {_MOST_ALIKE} turns, not {len(others)}")
    for text in others if turn is None else (turn, *others):
        _a_turn(text)
    record = read_sent(wanted.get("record"))
    if wanted.get("steps") is not None:
        steps = a_number(wanted["steps"], "steps", range(len(record.steps) + 1))
        record = record.back(len(record.steps) - steps)
    return view_of(record, player, turn, others)


def worth(data: object) -> Plain:
    """What a turn would have been worth in a record: `{"record", "steps", "player", "turn"}`."""
    wanted = an_object(data, "this")
    only_keys(wanted, ("record", "steps", "player", "turn"), "this")
    player, turn = a_number(wanted.get("player"), "player", range(MOST_PLAYERS)), _a_turn(wanted.get("turn"))
    record = read_sent(wanted.get("record"))
    steps = a_number(wanted.get("steps"), "steps", range(len(record.steps) + 1))
    return {"value": round(worth_in(record, steps, player, turn), 4)}


def _a_turn(text: object) -> str:
    turn = a_text(text, "turn")
    if len(turn) not in range(1, _MOST_TURN + 1):
        raise UnreadableError(f"turn must be a text of 1 to {_MOST_TURN} characters, not {short(turn)}")
    return turn


def game(data: object) -> Plain:
    """A record as it is reviewed, with nothing in it but the game."""
    record = read_sent(data)
    return {
        "record": replace(record, extra={}).to_json(),
        "turns": sum(step.player is not None for step in record.steps),
        "unit": "probability" if record.game.spec.scale.percent else "points",
        "over": record.end.outcome is not None,
    }


def table(data: object) -> Plain:
    """What somebody has entered of a real table: `{"game", "table"}`."""
    found, entered = _entered(data)
    assert found.table_judge is not None
    return {"game": found.name, "table": found.table_judge.judge(entered)}


def advice(data: object) -> Plain:
    """What to play on a real table, of whoever is to move there: `{"game", "table"}`."""
    found, entered = _entered(data)
    assert found.table_judge is not None
    position = found.table_judge.position(entered)
    best = hint(found, position, position.to_move[0])
    return {
        "player": position.to_move[0],
        "turn": best.turn,
        "value": round(best.value, 4),
        "unit": "probability" if best.percent else "points",
        "candidates": [{"turn": turn, "value": round(value, 4)} for turn, value in best.candidates],
        "reasons": [to_json(reason) for reason in best.reasons],
    }


def _entered(data: object) -> tuple[Game, Plain]:
    """The game, and what was entered of it."""
    wanted = an_object(data, "this")
    only_keys(wanted, ("game", "table"), "this")
    found = games.game(a_text(wanted.get("game"), "game"))
    if found.table_judge is None:
        raise UnreadableError(f"there is no companion for {found.title}")
    entered = dict(an_object(wanted.get("table"), "table"))
    players = entered.get("players")
    if isinstance(players, list) and len(players) > MOST_PLAYERS:
        raise UnreadableError(f"this page shows games of up to {MOST_PLAYERS} players, not {len(players)}")
    return found, entered


QUESTIONS: dict[str, Callable[[object], Plain]] = {
    "replay": replay,
    "view": view,
    "game": game,
    "worth": worth,
    "table": table,
    "advice": advice,
}


def _say(answers: IO[bytes], word: str, body: bytes) -> None:
    answers.write(f"{word} {len(body)}\n".encode())
    answers.write(body)
    answers.flush()


if __name__ == "__main__":
    main()
