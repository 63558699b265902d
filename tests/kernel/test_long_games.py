"""Long games of Limit in which no tile can be removed."""

from __future__ import annotations

import pickle
import subprocess
import sys

from limina.core.record import Record
from limina.limit import Position
from reference import limit as plain
from support import ROOT
from support.games.records import ring_record

TURNS = 10_000


def after(turns: int) -> Position:
    end = Record.from_json(ring_record(turns)).position
    assert isinstance(end, Position)
    return end


def back_and_forth() -> list[str]:
    """Return four turns of pawns that have not moved before, which lead back to the same position."""
    names = [tile[:-1] for tile in ring_record(0)["layout"]]
    red, blue = (names[30], names[31]), (names[44], names[45])
    return ["-".join(move) for move in (red, blue, red[::-1], blue[::-1])]


def test_long_game_without_removals_is_legal() -> None:
    position = after(TURNS)
    assert (position.turn, position.outcome) == (TURNS, None)
    assert all(turn.removed is None for turn in position.legal_turns())


def test_only_a_repetition_ends_a_long_game() -> None:
    position = after(TURNS)
    for turn in back_and_forth():
        assert position.outcome is None
        position = position.play(turn)
    assert position.outcome is not None
    assert position.outcome.winners == (0, 1)


def test_long_game_agrees_with_the_reference() -> None:
    record = ring_record(120)
    position = Position.from_layout(record["layout"])
    state = plain.start(record["layout"], 2, 16)
    for turn in record["turns"]:
        position, state = position.play(turn), plain.play(state, turn)
    for turn in back_and_forth():
        assert not plain.is_over(state)
        position, state = position.play(turn), plain.play(state, turn)
        assert {"game": "limit"} | position.summary([]) == plain.summary(state)
    assert plain.is_over(state)


def test_board_with_a_long_history_can_be_compared_and_pickled() -> None:
    position = after(1000)
    twin: Position = pickle.loads(pickle.dumps(position))
    assert twin == position == after(1000)
    assert hash(twin) == hash(position)
    assert pickle.dumps(twin.board) == pickle.dumps(position.board)
    # A board includes the history of positions in order.
    places, players, current, ends = position.board.__getstate__()
    assert [end[2] for end in ends] == list(range(2, 1000))
    for other in (ends[1:], ends[::-1], []):
        board = type(position.board).__new__(type(position.board))
        board.__setstate__((places, players, current, other))
        assert board != position.board
        assert board.__getstate__()[3] == other
    for turn in back_and_forth():
        position, twin = position.play(turn), twin.play(turn)
        assert twin == position


def test_boards_of_a_long_game_share_their_history() -> None:
    # A process of its own, so that its peak memory depends only on the boards.
    code = f"""
import resource, sys
sys.path.insert(0, {str(ROOT / "tests")!r})
from support.games.records import ring_record
from limina.limit import Position
record = ring_record(4000)
boards, size = [Position.from_layout(record["layout"]).play(record["turns"][0])], []
for number, turn in enumerate(record["turns"][1:], 1):
    boards.append(boards[-1].play(turn))
    if number in (1000, 3999):
        size.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024))
print(size[1] - size[0])
"""
    grown = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    # Without sharing, a board would take 120,000 bytes on average.
    assert int(grown) / 3000 < 12_000
