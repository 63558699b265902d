"""Limit's bots: legal, repeatable, stopped when told, exact in small endgames, and each level above the last."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from random import Random
from typing import Any

import pytest

from limina import game
from limina._kernel import Stop
from limina._kernel import limit as kernel
from limina.bots import Bot, Budget, Choice, bot, choose_checked
from limina.core.record import Record
from limina.errors import IllegalTurnError, InvalidInputError
from limina.limit import Position
from limina.limit import position as limit_position
from limina.limit.bots import BOTS, casual, master, novice, skilled, uct
from limina.limit.notation import Turn
from limina.limit.train import LimitTrainer
from limina.limit.weights import VALUES
from limit.endgames import Endgame, endgames
from support import ROOT

ENDGAMES = endgames()
AS_USUAL = Budget()


def quick(name: str, seed: int = 0, threads: int = 1) -> Bot:
    """The bot of that name, with less to think where it would think long."""
    options = {"master": {"nodes": 3000}, "uct": {"nodes": 800}}.get(name, {})
    return BOTS[name](seed=seed, threads=threads, **options)


def choice(bot: Bot, position: Position, player: int = 0, budget: Budget = AS_USUAL) -> Choice[Turn]:
    """What the bot chooses in a position, however it came about."""
    return bot.choose(Record.from_position(game("limit"), position), player, budget)


def played(position: Position, turns: int, seed: int) -> Position:
    chance = Random(seed)
    for _ in range(turns):
        if position.outcome is None:
            position = position.play(chance.choice(position.legal_turns()))
    return position


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("size", [4, 5, 8, 11, 16])
@pytest.mark.parametrize("players", [2, 3])
def test_a_bot_plays_legal_turns_to_the_end(name: str, size: int, players: int) -> None:
    position = Position.random(size, players, rng=Random(size))
    # The large boards are long games: play most of them at random.
    position = played(position, 2 * size if size > 5 else 0, seed=size) if size != 8 else position
    bot = quick(name)
    while position.outcome is None:
        (player,) = position.to_move
        chosen = choice(bot, position, player)
        assert chosen.turn in position.legal_turns()
        assert chosen.info is not None
        assert chosen.info.candidates[0].turn == chosen.turn
        assert 0 <= chosen.info.value <= 1
        assert chosen.info.work > 0
        position = position.play(chosen.turn)


def test_the_first_turn_of_the_largest_board_is_legal_for_every_bot() -> None:
    for players in (2, 3):
        position = Position.random(16, players, rng=Random(3))
        for name in BOTS:
            assert choice(quick(name), position).turn in position.legal_turns()


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("threads", [1, 2])
def test_the_same_seed_and_threads_think_the_same(name: str, threads: int) -> None:
    position = played(Position.random(8, 2, rng=Random(5)), 4, seed=1)
    (player,) = position.to_move
    choices = [choice(quick(name, seed=9, threads=threads), position, player) for _ in range(3)]
    assert choices[0] == choices[1] == choices[2]


def test_seeds_make_a_difference() -> None:
    position = Position.random(8, 2, rng=Random(5))
    assert len({str(choice(novice(seed=seed), position).turn) for seed in range(8)}) > 1


@pytest.mark.parametrize("make", [master, uct])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_bell_ends_a_search_that_would_take_hours(make: object, threads: int) -> None:
    bell = Stop()
    assert callable(make)
    bot = make(nodes=10**12, milliseconds=1e9, threads=threads)
    position = Position.random(8, 2, rng=Random(5))
    turns: list[Turn] = []
    thinking = threading.Thread(target=lambda: turns.append(choice(bot, position, 0, Budget(cancel_token=bell)).turn))
    thinking.start()
    bell.set()
    thinking.join(timeout=60)
    assert not thinking.is_alive()
    assert turns[0] in position.legal_turns()


def test_a_time_cap_ends_a_search() -> None:
    position = Position.random(8, 2, rng=Random(5))
    assert choice(master(nodes=10**12, milliseconds=20), position).turn in position.legal_turns()


def test_whoever_asks_says_how_long_it_may_take() -> None:
    record = Record.new(game("limit"), ["bot:a", "bot:b"]).apply_chance(Random(5))
    for make in (master, uct):
        patient = make(nodes=10**12, milliseconds=1e9)
        position = Position.random(8, 2, rng=Random(5))
        assert choice(patient, position, 0, Budget(seconds=0.02)).turn in position.legal_turns()
        assert choose_checked(patient, record, 0, Budget(seconds=2.0)).turn in record.end.legal_turns()


def test_a_master_works_less_while_three_are_in_the_game_unless_told_otherwise() -> None:
    three, two = (Position.random(5, players, rng=Random(4)) for players in (3, 2))

    def work(bot: Bot, position: Position) -> int:
        info = choice(bot, position).info
        assert info is not None
        return info.work

    assert 250_000 <= work(master(), three) < 300_000
    assert 400_000 <= work(master(), two) < 450_000
    assert 1000 <= work(master(nodes=1000), three) < 2000


FEW_TURNS = (
    "2 64 red a9B-,a10R-,a11K-,b5Y-,b7Y-,b9K-,b10B1,c4R-,c5B-,c6K-,c7R-,c8B1,c9Y1,c10K1,d3K-,d4Y-,d5R-,d6B-,d7Y1,d8K-,"
    "d9R-,d10Y-,e2Y-,e3B1,e4K1,e5Y,e6R,e7B1,e8Y-,e9B-,e10K-,f1K-,f2R-,f3Y-,f4R-,f5B-,f6Y-,f7R0,f8K-,f9Y-,g4K-,g5R,g6B0,"
    "g7Y-,g8R-,g9K-,h3R0,h4B0,h5K-,h6R0,h7B-,h8Y-,i2B-,i3K-,i4R0,i5B-,i6K0,i7R-,i8K-,j3B-,j5R-,j6Y-,j7B-,j8Y-"
)
"""The pawns go to and fro, a turn or two to choose from: long lines, and next to nothing to judge."""


def test_long_lines_count_as_work_where_there_is_little_to_judge() -> None:
    board = limit_position(FEW_TURNS).board
    options = kernel.SearchOptions()
    options.solve_root_tiles = 0
    report = kernel.search(board, VALUES.default, options, 20_000)
    lines = sum(candidate.visits for candidate in report.candidates)
    assert 0 < 4 * lines < report.work < 21_000


@pytest.mark.parametrize("make", [novice, casual, skilled, master, uct])
def test_whoever_asks_says_how_much_to_work(make: object) -> None:
    position = Position.random(8, 2, rng=Random(5))
    assert callable(make)
    info = choice(make(), position, 0, Budget(max_work=2000)).info
    assert info is not None
    assert 2000 <= info.work < 4000


def test_milliseconds_alone_are_used_and_nodes_alone_are_enough() -> None:
    position = Position.random(8, 2, rng=Random(5))
    few = bot(game("limit"), "master@nodes=2000", allow_external=True)
    info = choice(few, position).info
    assert info is not None
    assert 2000 <= info.work < 4000
    hurried = bot(game("limit"), "master@milliseconds=5", allow_external=True)
    assert choice(hurried, position).turn in position.legal_turns()


def test_only_the_player_to_move_is_thought_for() -> None:
    position = Position.random(4, 2, rng=Random(5))
    with pytest.raises(IllegalTurnError, match="for the player to move"):
        choice(master(), position, 1)


# --- endgames


def test_the_set_of_endgames_is_worth_its_name() -> None:
    assert len(ENDGAMES) >= 100
    assert sum(any("x" not in turn for turn in endgame.results) for endgame in ENDGAMES) >= 10
    # Not only wins and losses: positions that nobody can win, some begun by three, some in the midst of a circle.
    ties = [endgame for endgame in ENDGAMES if max(endgame.results.values()) == 0]
    assert len(ties) >= 30
    assert any(endgame.players == 3 for endgame in ties)
    assert sum("x" not in endgame.turns[-1] for endgame in ties) >= 10


@pytest.mark.parametrize("endgame", ENDGAMES, ids=[f"endgame-{i}" for i in range(len(ENDGAMES))])
def test_the_solver_agrees_with_trying_everything(endgame: Endgame) -> None:
    position = endgame.position()
    results = kernel.solve(position.board, VALUES.default, 10**6)
    assert results is not None
    assert {str(position.decode(turn)): result for turn, result in results} == endgame.results


def test_a_solver_without_values_says_the_same() -> None:
    for endgame in ENDGAMES[:40]:
        position = endgame.position()
        assert kernel.solve(position.board, kernel.Values(), 10**6) == kernel.solve(
            position.board, VALUES.default, 10**6
        )


def test_the_solver_gives_up_rather_than_guess() -> None:
    assert kernel.solve(Position.random(8, 2, rng=Random(1)).board, VALUES.default, 50) is None
    assert kernel.solve(Position.random(4, 3, rng=Random(1)).board, VALUES.default, 10**6) is None
    bell = Stop()
    bell.set()
    assert kernel.solve(Position.random(4, 2, rng=Random(1)).board, VALUES.default, 10**6, bell) is None


@pytest.mark.parametrize("make", [skilled, master])
def test_a_good_bot_plays_every_small_endgame_right(make: object) -> None:
    assert callable(make)
    bot = make()
    for endgame in ENDGAMES:
        position = endgame.position()
        chosen = choice(bot, position, position.to_move[0])
        best = max(endgame.results.values())
        assert endgame.results[str(chosen.turn)] == best, str(endgame)
        assert chosen.info is not None
        assert chosen.info.value == (best + 1) / 2


def test_search_alone_takes_a_win_in_one_and_avoids_a_loss_in_one() -> None:
    options = kernel.SearchOptions()
    options.solve_tiles = options.solve_root_tiles = 0
    wins = escapes = 0
    for seed in range(150):
        position = played(Position.random(5, 2, rng=Random(seed)), 7, seed)
        if position.outcome is not None:
            continue
        (player,) = position.to_move
        codes = position.board.legal_turns()
        report = kernel.search(position.board, VALUES.default, options, 4000)
        chosen = report.candidates[0].turn
        if any(_wins(position.board, code, player) for code in codes):
            wins += 1
            assert _wins(position.board, chosen, player)
        elif len(codes) < 60:
            safe = [code for code in codes if not _loses_at_once(position.board, code, player)]
            if 0 < len(safe) < len(codes):
                escapes += 1
                assert chosen in safe
    assert wins >= 10
    assert escapes >= 5


def _after(board: kernel.Board, code: int) -> kernel.Board:
    played = board.play(code)
    assert isinstance(played, kernel.PlayedTurn)
    return played.board


def _wins(board: kernel.Board, code: int, player: int) -> bool:
    after = _after(board, code)
    return after.over and after.winners == [player]


def _loses_at_once(board: kernel.Board, code: int, player: int) -> bool:
    after = _after(board, code)
    if after.over:
        return player not in after.winners
    return any(_wins(after, reply, after.to_move) for reply in after.legal_turns())


# --- levels


@pytest.mark.parametrize(("better", "worse"), [(casual, novice), (skilled, casual)])
def test_a_level_beats_the_one_below(better: object, worse: object) -> None:
    assert callable(better)
    assert callable(worse)
    score = 0.0
    games = 24
    for number in range(games):
        position = Position.random(8, 2, rng=Random(number // 2))
        seats = [better(seed=number), worse(seed=number)]
        if number % 2 == 1:
            seats.reverse()
        while position.outcome is None:
            (player,) = position.to_move
            position = position.play(choice(seats[player], position, player).turn)
        seat = number % 2
        score += (seat in position.outcome.winners) / len(position.outcome.winners)
    assert score > games / 2


# --- values


def test_values_judge_an_even_start_as_open_and_a_lost_side_as_lost() -> None:
    chances = VALUES.default.chances(Position.random(8, 3, rng=Random(2)).board)
    assert sum(chances) == pytest.approx(1, abs=1e-5)
    assert all(0.05 < chance < 0.8 for chance in chances)


SHIPPED = ROOT / "src" / "limina" / "limit" / "weights.bin"


def _parts(path: Path) -> tuple[dict[str, Any], bytes]:
    """A file of values: what it says of itself, and the weights."""
    head, _, weights = path.read_bytes().partition(b"\n")
    said = json.loads(head)
    assert isinstance(said, dict)
    return said, weights


def test_values_that_were_changed_or_cut_are_refused(tmp_path: Path) -> None:
    head, weights = _parts(SHIPPED)
    assert {"command", "seed", "games"} <= head["made_by"].keys()
    damaged: list[tuple[object, bytes]] = [
        (head, weights[:-5]),
        ({**head, "sha256": "0" * 64}, weights),
        ({**head, "format": "something-else"}, weights),
        ({**head, "game": "limes"}, weights),
        (head, b"7"),
        (head, b""),
        ({key: value for key, value in head.items() if key != "sha256"}, weights),
        (["not", "values"], weights),
    ]
    path = tmp_path / "wrong.bin"
    for wrong, body in damaged:
        path.write_bytes(json.dumps(wrong).encode() + b"\n" + body)
        with pytest.raises(InvalidInputError, match=r"wrong\.bin"):
            VALUES.read(path)
    (tmp_path / "text.bin").write_text("weights")
    for name in ("text.bin", "missing.bin"):
        with pytest.raises(InvalidInputError):
            VALUES.read(tmp_path / name)


def test_training_in_two_parts_learns_the_same_as_in_one(tmp_path: Path) -> None:
    said: list[str] = []
    checkpoint, out = tmp_path / "checkpoint", tmp_path / "out.bin"

    def learnt(games: int, seed: int = 3, checkpoint: Path | None = None) -> dict[str, object]:
        LimitTrainer().train(seed=seed, minutes=0, games=games, out=out, checkpoint=checkpoint, report=said.append)
        head, weights = _parts(out)
        return {"weights": weights, "loss": head["made_by"]["loss of the last games"]}

    whole = learnt(40)
    assert learnt(40) == whole
    assert learnt(40, seed=4) != whole
    half = learnt(23, checkpoint=checkpoint)
    assert half != whole
    assert learnt(40, checkpoint=checkpoint) == whole
    assert "resuming after 23 games" in said
    assert _parts(out)[0]["made_by"]["command"] == "limina train limit --seed 3 --games 40 --out out.bin"
    assert VALUES.read(out).write() != kernel.Values().write()
    with pytest.raises(InvalidInputError, match="seed 3"):
        learnt(40, seed=4, checkpoint=checkpoint)
    for content in (b"nothing of the kind", checkpoint.read_bytes()[:-100]):
        checkpoint.write_bytes(content)
        with pytest.raises(InvalidInputError):
            learnt(40, checkpoint=checkpoint)


def test_training_can_begin_with_values_learnt_before(tmp_path: Path) -> None:
    checkpoint, out = tmp_path / "checkpoint", tmp_path / "out.bin"

    def learnt(games: int, start: Path | None = SHIPPED, checkpoint: Path | None = None) -> bytes:
        trainer = LimitTrainer()
        trainer.train(
            seed=3,
            minutes=0,
            games=games,
            initial_weights=start,
            out=out,
            checkpoint=checkpoint,
            report=lambda line: None,
        )
        return _parts(out)[1]

    assert learnt(0) == _parts(SHIPPED)[1]
    whole = learnt(12)
    assert whole not in (learnt(0), learnt(12, start=None))
    learnt(5, checkpoint=checkpoint)
    assert learnt(12, checkpoint=checkpoint) == whole
    assert "--games 12 --from weights.bin --out out.bin" in _parts(out)[0]["made_by"]["command"]
    with pytest.raises(InvalidInputError, match="was started with values"):
        learnt(12, start=None, checkpoint=checkpoint)


def test_training_on_large_boards_leaves_alone_what_is_known_of_small_ones(tmp_path: Path) -> None:
    out = tmp_path / "out.bin"
    LimitTrainer().train(
        seed=3,
        minutes=0,
        games=12,
        plan="large",
        initial_weights=SHIPPED,
        out=out,
        checkpoint=None,
        report=lambda line: None,
    )
    learnt = VALUES.read(out)
    for players in (2, 3):
        small, large = (kernel.Board.random(size, players, 1) for size in (8, 12))
        assert learnt.chances(small) == VALUES.default.chances(small)
        assert learnt.chances(large) != VALUES.default.chances(large)
    assert "--games 12 --plan large --from weights.bin" in _parts(out)[0]["made_by"]["command"]


def test_training_ends_by_the_clock_too(tmp_path: Path) -> None:
    out = tmp_path / "out.bin"
    LimitTrainer().train(seed=3, minutes=0.002, out=out, checkpoint=None, report=lambda line: None)
    assert _parts(out)[0]["made_by"]["games"] > 0
