"""The bots of Limit: legal and repeatable turns, limits, exact endgames, and the order of the levels."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from random import Random
from typing import Any

import pytest

from limina import game
from limina._kernel import CancelToken
from limina._kernel import limit as kernel
from limina.bots import Bot, Budget, Choice, bot, choose_checked
from limina.core.record import Record
from limina.errors import IllegalTurnError, InvalidInputError
from limina.limit import Position, parse_position
from limina.limit.bots import BOTS, casual, master, novice, skilled, uct
from limina.limit.notation import Turn
from limina.limit.train import LimitTrainer
from limina.limit.weights import WEIGHTS
from limit.endgames import Endgame, endgames
from support import ROOT

ENDGAMES = endgames()
NO_LIMITS = Budget()


def fast_bot(name: str, seed: int = 0, threads: int = 1) -> Bot:
    """Return the bot of that name, with less work if it is slow."""
    options = {"master": {"nodes": 3000}, "uct": {"nodes": 800}}.get(name, {})
    return BOTS[name](seed=seed, threads=threads, **options)


def choice(bot: Bot, position: Position, player: int = 0, budget: Budget = NO_LIMITS) -> Choice[Turn]:
    """Return the choice of a bot in a position, in a record without earlier steps."""
    return bot.choose(Record.from_position(game("limit"), position), player, budget)


def play_random_turns(position: Position, turns: int, seed: int) -> Position:
    rng = Random(seed)
    for _ in range(turns):
        if position.outcome is None:
            position = position.play(rng.choice(position.legal_turns()))
    return position


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("size", [4, 5, 8, 11, 16])
@pytest.mark.parametrize("players", [2, 3])
def test_a_bot_plays_legal_turns_to_the_end(name: str, size: int, players: int) -> None:
    position = Position.random(size, players, rng=Random(size))
    # Games on large boards are long, so most of their turns are random.
    position = play_random_turns(position, 2 * size if size > 5 else 0, seed=size) if size != 8 else position
    bot = fast_bot(name)
    while position.outcome is None:
        (player,) = position.to_move
        chosen = choice(bot, position, player)
        assert chosen.turn in position.legal_turns()
        assert chosen.info is not None
        assert chosen.info.candidates[0].turn == chosen.turn
        assert 0 <= chosen.info.value <= 1
        assert chosen.info.work > 0
        position = position.play(chosen.turn)


def test_the_bots_play_a_legal_first_turn_on_the_largest_board() -> None:
    for players in (2, 3):
        position = Position.random(16, players, rng=Random(3))
        for name in BOTS:
            assert choice(fast_bot(name), position).turn in position.legal_turns()


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("threads", [1, 2])
def test_equal_seeds_and_threads_lead_to_equal_choices(name: str, threads: int) -> None:
    position = play_random_turns(Position.random(8, 2, rng=Random(5)), 4, seed=1)
    (player,) = position.to_move
    choices = [choice(fast_bot(name, seed=9, threads=threads), position, player) for _ in range(3)]
    assert choices[0] == choices[1] == choices[2]


def test_different_seeds_lead_to_different_choices() -> None:
    position = Position.random(8, 2, rng=Random(5))
    assert len({str(choice(novice(seed=seed), position).turn) for seed in range(8)}) > 1


@pytest.mark.parametrize("make", [master, uct])
@pytest.mark.parametrize("threads", [1, 2])
def test_cancellation_ends_a_long_search(make: object, threads: int) -> None:
    cancel_token = CancelToken()
    assert callable(make)
    bot = make(nodes=10**12, milliseconds=1e9, threads=threads)
    position = Position.random(8, 2, rng=Random(5))
    turns: list[Turn] = []
    thread = threading.Thread(
        target=lambda: turns.append(choice(bot, position, 0, Budget(cancel_token=cancel_token)).turn)
    )
    thread.start()
    cancel_token.cancel()
    thread.join(timeout=60)
    assert not thread.is_alive()
    assert turns[0] in position.legal_turns()


def test_the_time_limit_of_a_bot_ends_a_search() -> None:
    position = Position.random(8, 2, rng=Random(5))
    assert choice(master(nodes=10**12, milliseconds=20), position).turn in position.legal_turns()


def test_the_time_limit_of_the_budget_ends_a_search() -> None:
    record = Record.new(game("limit"), ["bot:a", "bot:b"]).apply_random_chance_step(Random(5))
    for make in (master, uct):
        unlimited = make(nodes=10**12, milliseconds=1e9)
        position = Position.random(8, 2, rng=Random(5))
        assert choice(unlimited, position, 0, Budget(seconds=0.02)).turn in position.legal_turns()
        assert choose_checked(unlimited, record, 0, Budget(seconds=2.0)).turn in record.position.legal_turns()


def test_the_default_work_of_master_is_less_with_three_players() -> None:
    three, two = (Position.random(5, players, rng=Random(4)) for players in (3, 2))

    def work(bot: Bot, position: Position) -> int:
        info = choice(bot, position).info
        assert info is not None
        return info.work

    assert 250_000 <= work(master(), three) < 300_000
    assert 400_000 <= work(master(), two) < 450_000
    assert 1000 <= work(master(nodes=1000), three) < 2000


FEW_CHOICES = (
    "2 64 red a9B-,a10R-,a11K-,b5Y-,b7Y-,b9K-,b10B1,c4R-,c5B-,c6K-,c7R-,c8B1,c9Y1,c10K1,d3K-,d4Y-,d5R-,d6B-,d7Y1,d8K-,"
    "d9R-,d10Y-,e2Y-,e3B1,e4K1,e5Y,e6R,e7B1,e8Y-,e9B-,e10K-,f1K-,f2R-,f3Y-,f4R-,f5B-,f6Y-,f7R0,f8K-,f9Y-,g4K-,g5R,g6B0,"
    "g7Y-,g8R-,g9K-,h3R0,h4B0,h5K-,h6R0,h7B-,h8Y-,i2B-,i3K-,i4R0,i5B-,i6K0,i7R-,i8K-,j3B-,j5R-,j6Y-,j7B-,j8Y-"
)
"""A position with one or two choices in each turn: lines are long, and few positions are evaluated."""


def test_long_lines_count_as_work_if_few_positions_are_evaluated() -> None:
    board = parse_position(FEW_CHOICES).board
    options = kernel.SearchOptions()
    options.root_solver_max_tiles = 0
    report = kernel.search(board, WEIGHTS.default, options, 20_000)
    lines = sum(candidate.visits for candidate in report.candidates)
    assert 0 < 4 * lines < report.work < 21_000


@pytest.mark.parametrize("make", [novice, casual, skilled, master, uct])
def test_search_respects_the_work_limit_of_the_budget(make: object) -> None:
    position = Position.random(8, 2, rng=Random(5))
    assert callable(make)
    info = choice(make(), position, 0, Budget(max_work=2000)).info
    assert info is not None
    assert 2000 <= info.work < 4000


def test_a_bot_can_be_limited_by_nodes_or_milliseconds_alone() -> None:
    position = Position.random(8, 2, rng=Random(5))
    few_nodes = bot(game("limit"), "master@nodes=2000", allow_external=True)
    info = choice(few_nodes, position).info
    assert info is not None
    assert 2000 <= info.work < 4000
    little_time = bot(game("limit"), "master@milliseconds=5", allow_external=True)
    assert choice(little_time, position).turn in position.legal_turns()


def test_a_bot_refuses_to_choose_for_a_player_not_to_move() -> None:
    position = Position.random(4, 2, rng=Random(5))
    with pytest.raises(IllegalTurnError, match="for the player to move"):
        choice(master(), position, 1)


# --- endgames


def test_the_endgames_include_ties_repetitions_and_three_players() -> None:
    assert len(ENDGAMES) >= 100
    assert sum(any("x" not in turn for turn in endgame.results) for endgame in ENDGAMES) >= 10
    # Ties include games that three players began, and positions within a repetition.
    ties = [endgame for endgame in ENDGAMES if max(endgame.results.values()) == 0]
    assert len(ties) >= 30
    assert any(endgame.players == 3 for endgame in ties)
    assert sum("x" not in endgame.turns[-1] for endgame in ties) >= 10


@pytest.mark.parametrize("endgame", ENDGAMES, ids=[f"endgame-{i}" for i in range(len(ENDGAMES))])
def test_the_solver_agrees_with_an_exhaustive_search(endgame: Endgame) -> None:
    position = endgame.position()
    results = kernel.solve(position.board, WEIGHTS.default, 10**6)
    assert results is not None
    assert {str(position.decode_turn(turn)): result for turn, result in results} == endgame.results


def test_the_solver_has_the_same_results_without_weights() -> None:
    for endgame in ENDGAMES[:40]:
        position = endgame.position()
        assert kernel.solve(position.board, kernel.Weights(), 10**6) == kernel.solve(
            position.board, WEIGHTS.default, 10**6
        )


def test_the_solver_has_no_result_if_it_takes_too_long() -> None:
    assert kernel.solve(Position.random(8, 2, rng=Random(1)).board, WEIGHTS.default, 50) is None
    assert kernel.solve(Position.random(4, 3, rng=Random(1)).board, WEIGHTS.default, 10**6) is None
    cancel_token = CancelToken()
    cancel_token.cancel()
    assert kernel.solve(Position.random(4, 2, rng=Random(1)).board, WEIGHTS.default, 10**6, cancel_token) is None


@pytest.mark.parametrize("make", [skilled, master])
def test_strong_bots_play_small_endgames_perfectly(make: object) -> None:
    assert callable(make)
    bot = make()
    for endgame in ENDGAMES:
        position = endgame.position()
        chosen = choice(bot, position, position.to_move[0])
        best = max(endgame.results.values())
        assert endgame.results[str(chosen.turn)] == best, str(endgame)
        assert chosen.info is not None
        assert chosen.info.value == (best + 1) / 2


def test_the_search_finds_wins_in_one_and_avoids_losses_in_one() -> None:
    options = kernel.SearchOptions()
    options.solver_max_tiles = options.root_solver_max_tiles = 0
    wins = escapes = 0
    for seed in range(150):
        position = play_random_turns(Position.random(5, 2, rng=Random(seed)), 7, seed)
        if position.outcome is not None:
            continue
        (player,) = position.to_move
        codes = position.board.legal_turns()
        report = kernel.search(position.board, WEIGHTS.default, options, 4000)
        chosen = report.candidates[0].turn
        if any(_wins(position.board, code, player) for code in codes):
            wins += 1
            assert _wins(position.board, chosen, player)
        elif len(codes) < 60:
            safe = [code for code in codes if not _allows_a_win_in_one(position.board, code, player)]
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


def _allows_a_win_in_one(board: kernel.Board, code: int, player: int) -> bool:
    after = _after(board, code)
    if after.over:
        return player not in after.winners
    return any(_wins(after, reply, after.to_move) for reply in after.legal_turns())


# --- levels


@pytest.mark.parametrize(("better", "worse"), [(casual, novice), (skilled, casual)])
def test_a_level_beats_the_level_below(better: object, worse: object) -> None:
    assert callable(better)
    assert callable(worse)
    score = 0.0
    games = 24
    for index in range(games):
        position = Position.random(8, 2, rng=Random(index // 2))
        seats = [better(seed=index), worse(seed=index)]
        if index % 2 == 1:
            seats.reverse()
        while position.outcome is None:
            (player,) = position.to_move
            position = position.play(choice(seats[player], position, player).turn)
        seat = index % 2
        score += (seat in position.outcome.winners) / len(position.outcome.winners)
    assert score > games / 2


# --- weights and training


def test_the_evaluation_of_a_start_gives_all_players_a_chance() -> None:
    chances = WEIGHTS.default.win_probabilities(Position.random(8, 3, rng=Random(2)).board)
    assert sum(chances) == pytest.approx(1, abs=1e-5)
    assert all(0.05 < chance < 0.8 for chance in chances)


DEFAULT_WEIGHTS_FILE = ROOT / "src" / "limina" / "limit" / "weights.bin"


def _parts(path: Path) -> tuple[dict[str, Any], bytes]:
    """Return the header and the compressed weights of a file."""
    first_line, _, weights = path.read_bytes().partition(b"\n")
    header = json.loads(first_line)
    assert isinstance(header, dict)
    return header, weights


def test_damaged_weights_files_are_refused(tmp_path: Path) -> None:
    header, weights = _parts(DEFAULT_WEIGHTS_FILE)
    assert {"command", "seed", "games"} <= header["made_by"].keys()
    damaged: list[tuple[object, bytes]] = [
        (header, weights[:-5]),
        ({**header, "sha256": "0" * 64}, weights),
        ({**header, "format": "something-else"}, weights),
        ({**header, "game": "limes"}, weights),
        (header, b"7"),
        (header, b""),
        ({key: value for key, value in header.items() if key != "sha256"}, weights),
        (["not", "values"], weights),
    ]
    path = tmp_path / "wrong.bin"
    for bad_header, body in damaged:
        path.write_bytes(json.dumps(bad_header).encode() + b"\n" + body)
        with pytest.raises(InvalidInputError, match=r"wrong\.bin"):
            WEIGHTS.read(path)
    (tmp_path / "text.bin").write_text("weights")
    for name in ("text.bin", "missing.bin"):
        with pytest.raises(InvalidInputError):
            WEIGHTS.read(tmp_path / name)


def test_a_resumed_training_learns_the_same_as_an_uninterrupted_one(tmp_path: Path) -> None:
    reports: list[str] = []
    checkpoint, out = tmp_path / "checkpoint", tmp_path / "out.bin"

    def train(games: int, seed: int = 3, checkpoint: Path | None = None) -> dict[str, object]:
        LimitTrainer().train(seed=seed, minutes=0, games=games, out=out, checkpoint=checkpoint, report=reports.append)
        header, weights = _parts(out)
        return {"weights": weights, "loss": header["made_by"]["loss of the last games"]}

    whole = train(40)
    assert train(40) == whole
    assert train(40, seed=4) != whole
    half = train(23, checkpoint=checkpoint)
    assert half != whole
    assert train(40, checkpoint=checkpoint) == whole
    assert "resuming after 23 games" in reports
    assert _parts(out)[0]["made_by"]["command"] == "limina train limit --seed 3 --games 40 --out out.bin"
    assert WEIGHTS.read(out).to_bytes() != kernel.Weights().to_bytes()
    with pytest.raises(InvalidInputError, match="seed 3"):
        train(40, seed=4, checkpoint=checkpoint)
    for content in (b"nothing of the kind", checkpoint.read_bytes()[:-100]):
        checkpoint.write_bytes(content)
        with pytest.raises(InvalidInputError):
            train(40, checkpoint=checkpoint)


def test_training_can_start_from_a_weights_file(tmp_path: Path) -> None:
    checkpoint, out = tmp_path / "checkpoint", tmp_path / "out.bin"

    def train(games: int, start: Path | None = DEFAULT_WEIGHTS_FILE, checkpoint: Path | None = None) -> bytes:
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

    assert train(0) == _parts(DEFAULT_WEIGHTS_FILE)[1]
    whole = train(12)
    assert whole not in (train(0), train(12, start=None))
    train(5, checkpoint=checkpoint)
    assert train(12, checkpoint=checkpoint) == whole
    assert "--games 12 --from weights.bin --out out.bin" in _parts(out)[0]["made_by"]["command"]
    with pytest.raises(InvalidInputError, match="was started with values"):
        train(12, start=None, checkpoint=checkpoint)


def test_training_on_large_boards_does_not_change_small_ones(tmp_path: Path) -> None:
    out = tmp_path / "out.bin"
    LimitTrainer().train(
        seed=3,
        minutes=0,
        games=12,
        plan="large",
        initial_weights=DEFAULT_WEIGHTS_FILE,
        out=out,
        checkpoint=None,
        report=lambda line: None,
    )
    trained = WEIGHTS.read(out)
    for players in (2, 3):
        small, large = (kernel.Board.random(size, players, 1) for size in (8, 12))
        assert trained.win_probabilities(small) == WEIGHTS.default.win_probabilities(small)
        assert trained.win_probabilities(large) != WEIGHTS.default.win_probabilities(large)
    assert "--games 12 --plan large --from weights.bin" in _parts(out)[0]["made_by"]["command"]


def test_training_ends_after_the_time_limit(tmp_path: Path) -> None:
    out = tmp_path / "out.bin"
    LimitTrainer().train(seed=3, minutes=0.002, out=out, checkpoint=None, report=lambda line: None)
    assert _parts(out)[0]["made_by"]["games"] > 0
