"""What every game keeps to, whichever it is. A new game passes this suite before anything else."""

import copy
import json
import pickle
import xml.etree.ElementTree as ET
from random import Random

import pytest

import limina
from kit.records import random_record
from limina import Game, IllegalTurnError, Record, UnreadableError

GAMES = [limina.game(name) for name in limina.names()]


@pytest.fixture(params=GAMES, ids=lambda game: game.name)
def game(request: pytest.FixtureRequest) -> Game:
    chosen: Game = request.param
    return chosen


@pytest.mark.parametrize("seed", range(4))
def test_a_game_comes_to_an_end_with_a_winner(game: Game, seed: int) -> None:
    end = random_record(game, seed).end
    assert end.outcome is not None
    assert end.outcome.winners
    assert set(end.outcome.winners) <= set(range(end.players))
    assert end.to_move == ()
    assert not end.awaits_chance
    assert all(len(end.legal_turns(player)) == 0 for player in range(end.players))
    with pytest.raises(IllegalTurnError, match="over"):
        end.play(random_record(game, seed).steps[-1].text)


@pytest.mark.parametrize("seed", range(4))
def test_replaying_a_prefix_gives_the_position_then(game: Game, seed: int) -> None:
    record = random_record(game, seed)
    positions = list(record.positions())
    assert positions[-1] == record.end
    for length in range(0, len(record.steps) + 1, 5):
        prefix = record.back(len(record.steps) - length)
        assert prefix.end == positions[length]
        assert hash(prefix.end) == hash(positions[length])


@pytest.mark.parametrize("seed", range(4))
def test_a_record_reads_back_as_it_was_written(game: Game, seed: int) -> None:
    for steps in (0, 1, 7, 10_000):
        record = random_record(game, seed, steps=steps)
        again = Record.read(record.write())
        assert again == record
        assert again.write() == record.write()
        assert again.summary() == record.summary()


def test_unknown_keys_of_a_record_are_kept(game: Game) -> None:
    data = random_record(game, 1, steps=5).to_json() | {"event": {"round": 3}, "remark": "kept"}
    again = Record.read(json.dumps(data)).to_json()
    assert again["event"] == {"round": 3}
    assert again["remark"] == "kept"


def test_a_result_must_agree_with_the_replay(game: Game) -> None:
    data = random_record(game, 1).to_json()
    Record.from_json(data)
    data["result"]["winners"] = [w + 1 for w in data["result"]["winners"]]
    with pytest.raises(IllegalTurnError, match="result"):
        Record.from_json(data)


def test_positions_are_values(game: Game) -> None:
    record = random_record(game, 2, steps=9)
    before, texts = record.back().end, [str(turn) for turn in record.end.legal_turns()]
    mover = record.end.to_move[0] if record.end.to_move else None
    if mover is not None:
        record.end.play(record.end.legal_turns(mover)[0], mover)
    assert [str(turn) for turn in record.end.legal_turns()] == texts, "playing must not change a position"
    assert before != record.end
    assert len({before, record.end, record.back().end}) == 2
    assert copy.deepcopy(record.end) == record.end
    assert pickle.loads(pickle.dumps(record.end)) == record.end
    with pytest.raises((AttributeError, TypeError)):
        record.end.players = 7  # type: ignore[misc]


@pytest.mark.parametrize("seed", range(3))
def test_turns_read_back_as_they_print(game: Game, seed: int) -> None:
    end = random_record(game, seed, steps=6).end
    for mover in end.to_move:
        turns = end.legal_turns(mover)
        assert len(set(map(str, turns))) == len(turns), "no turn is listed twice"
        for turn in turns:
            again = game.read_turn(str(turn))
            assert again == turn
            assert hash(again) == hash(turn)
            assert eval(repr(turn), {"Turn": type(turn)}) == turn


@pytest.mark.parametrize("seed", range(3))
def test_all_legal_turns_can_be_played_and_lead_somewhere(game: Game, seed: int) -> None:
    end = random_record(game, seed, steps=8).end
    for mover in end.to_move:
        turns = end.legal_turns(mover)
        assert turns
        for turn in turns[:: max(1, len(turns) // 40)]:
            assert turn in turns
            assert str(turn) in turns
            assert end.play(turn, mover) == end.play(str(turn), mover) != end


@pytest.mark.parametrize("words", ["", "?", "d4", "x" * 1000, "d4r0 " * 50, "\x00", "ä4-b5", "-1", "d4r9", "a1-", "☃"])
def test_unreadable_turns_say_so(game: Game, words: str) -> None:
    with pytest.raises(UnreadableError, match="is not a"):
        game.read_turn(words)


def test_a_player_who_does_not_exist_is_refused(game: Game) -> None:
    record = random_record(game, 3, players=2, steps=3)
    for player in (-1, 2, 99):
        with pytest.raises(IllegalTurnError, match="no player"):
            record.end.legal_turns(player)


def test_a_game_refuses_impossible_numbers_of_players_and_unknown_options(game: Game) -> None:
    counts = game.player_counts
    for players in (-1, 0, counts[-1] + 1):
        with pytest.raises(UnreadableError, match="players"):
            game.start(players, chance=Random(1))
    with pytest.raises(UnreadableError, match="colour"):
        game.start(counts[0], chance=Random(1), colour="red")


def test_chance_is_passed_in_and_decides(game: Game) -> None:
    def opening(seed: int) -> Record:
        return random_record(game, seed, players=2, steps=3)

    assert opening(5) == opening(5)
    assert len({opening(seed).write() for seed in range(8)}) > 4


@pytest.mark.parametrize("steps", [0, 4, 10_000])
def test_a_position_can_be_looked_at(game: Game, steps: int) -> None:
    end = random_record(game, 4, steps=steps).end
    plain, coloured = end.text(), end.text(colour=True)
    assert "\x1b" not in plain
    assert "\x1b" in coloured or steps == 0, "an empty table has no colours"
    assert str(end) == plain
    for theme in ("light", "dark"):
        assert ET.fromstring(end.svg(theme=theme)).tag.endswith("svg")
    assert end._repr_svg_() == end.svg()
    assert game.name in repr(end)
    assert len(repr(end)) < 100


def test_a_game_explains_itself(game: Game) -> None:
    assert game.title
    assert "\n" in game.rules
    assert all(game.option_help.values())
