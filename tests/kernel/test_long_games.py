"""Games of Limit in which no tile can go any more: as long as their players like, and read in the time they deserve."""

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
    end = Record.from_json(ring_record(turns)).end
    assert isinstance(end, Position)
    return end


def back_and_forth() -> list[str]:
    """Four turns of pawns that have not moved before, after which everything stands where it stood."""
    names = [tile[:-1] for tile in ring_record(0)["layout"]]
    red, blue = (names[30], names[31]), (names[44], names[45])
    return ["-".join(way) for way in (red, blue, red[::-1], blue[::-1])]


def test_a_long_game_without_removals_is_legal_from_its_first_turn_to_its_last() -> None:
    position = after(TURNS)
    assert (position.turn, position.outcome) == (TURNS, None)
    assert all(turn.removed is None for turn in position.legal_turns())


def test_whatever_stood_there_before_ends_a_long_game_and_nothing_else_does() -> None:
    position = after(TURNS)
    for turn in back_and_forth():
        assert position.outcome is None
        position = position.play(turn)
    assert position.outcome is not None
    assert position.outcome.winners == (0, 1)


def test_a_long_game_goes_as_in_the_reference() -> None:
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


def test_a_board_with_a_long_past_is_a_value_like_any_other() -> None:
    position = after(1000)
    twin: Position = pickle.loads(pickle.dumps(position))
    assert twin == position == after(1000)
    assert hash(twin) == hash(position)
    assert pickle.dumps(twin.board) == pickle.dumps(position.board)
    # Where things stand is not all: what may not be repeated belongs to it, in the order in which it came.
    places, players, now, ends = position.board.__getstate__()
    assert [end[2] for end in ends] == list(range(2, 1000))
    for other in (ends[1:], ends[::-1], []):
        board = type(position.board).__new__(type(position.board))
        board.__setstate__((places, players, now, other))
        assert board != position.board
        assert board.__getstate__()[3] == other
    for turn in back_and_forth():
        position, twin = position.play(turn), twin.play(turn)
        assert twin == position


def test_the_boards_of_a_long_game_share_their_past() -> None:
    # In a process of its own, whose memory has seen nothing else.
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
    # Each with a past of its own, they would take 120,000 bytes on average.
    assert int(grown) / 3000 < 12_000
