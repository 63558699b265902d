"""The benchmark: fixed sets, comparable measurements, and runs that can be resumed."""

from __future__ import annotations

import hashlib
import json
import signal
import subprocess
from pathlib import Path
from random import Random

import pytest

import limina
from limina import Game, Record
from limina._kernel import limit as kernel
from limina.arena.schedule import derive_seed
from limina.arena.statistics import elo_from_scores
from limina.benchmark import Benchmark, load_entries
from limina.benchmark.setups import VERSION, benchmark_of, load_ladder, unpack_turns
from limina.limit.weights import WEIGHTS
from support import ROOT
from support.processes.cli_commands import Command
from support.processes.cli_commands import limina as command
from support.waiting import wait_until

GAMES = [limina.game(name) for name in ("limes", "limit")]
# Digest of all sets. If a set changes, it is another benchmark, with another `VERSION`.
DIGEST = "2d6e6497979c64e2"


def test_the_sets_have_not_changed_since_this_version() -> None:
    digest = hashlib.sha256()
    for game in GAMES:
        for bench_set in benchmark_of(game).sets:
            digest.update(repr((game.name, bench_set.name, load_entries(game.name, bench_set.name))).encode())
    assert (VERSION, digest.hexdigest()[:16]) == (1, DIGEST)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_sets_match_their_specification_and_do_not_overlap(game: Game) -> None:
    seen: set[str] = set()
    for bench_set in benchmark_of(game).sets:
        set_entries = load_entries(game.name, bench_set.name)
        assert len(set_entries) == bench_set.setup_count
        assert not seen & {entry.setup for entry in set_entries}
        seen |= {entry.setup for entry in set_entries}
        assert len({*set_entries}) == len(set_entries)
        for index in range(0, len(set_entries), 37):
            rng = Random(derive_seed(f"limina benchmark {VERSION}", game.name, bench_set.name, index))
            setup = game.random_setup(rng, bench_set.players, **bench_set.options)
            assert game.read_setup(set_entries[index].setup, bench_set.players, **bench_set.options) == setup
        assert all((entry.par is not None) == (game.solver is not None) for entry in set_entries)
        assert all((entry.value is not None) == bench_set.is_solved for entry in set_entries)


def test_the_solver_confirms_the_exact_values() -> None:
    game = limina.game("limit")
    short = load_entries("limit", "test-4")[14]  # the entry that is solved fastest
    setup = game.read_setup(short.setup, 2)
    position = setup.start.apply(setup.deal[0])
    solved = kernel.solve(position.board, WEIGHTS.default, 10**8)
    assert solved is not None
    assert max(result for _, result in solved) == short.value
    assert short.keeping is not None
    assert unpack_turns(position, short.keeping) == {
        str(position.decode_turn(turn)) for turn, result in solved if result == short.value
    }


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_measured_ladder_is_in_the_specified_order(game: Game) -> None:
    assert tuple(rung.bot for rung in load_ladder(game.name)) == benchmark_of(game).ladder
    assert "greedy" in benchmark_of(game).ladder


def test_a_bot_that_wins_half_of_its_games_has_the_opponents_rating() -> None:
    assert round(elo_from_scores([(250.0, 10, 10)]).elo) == 250
    strong, weak = elo_from_scores([(0.0, 20, 0), (300.0, 19, 1)]), elo_from_scores([(0.0, 1, 19), (300.0, 0, 20)])
    assert weak.elo + weak.margin < 0 < strong.elo - strong.margin


def test_the_command_reports_the_same_hash_for_each_bot(tmp_path: Path) -> None:
    hashes = set()
    for bot in ("random", "novice"):
        done = command("benchmark", bot, "--quick", "--game", "limes", "--json")
        assert done.returncode == 0, done.stderr
        data = json.loads(done.stdout)
        hashes.add(data["hash"])
        assert [row["measure"] for row in data["rows"]] == ["points", "% of par"]
        assert data["forfeits"] == 0
    (settings,) = hashes
    assert settings != Benchmark("random", [limina.game("limes")]).hash
    done = command("benchmark", "random", "--quick", "--game", "limes", "--out", str(tmp_path / "report"))
    assert done.stdout == ""
    written = (tmp_path / "report").read_text("utf-8")
    assert f"settings {settings}" in written
    assert "± is half of a 95% interval" in written


def test_games_against_opponents_give_a_rating_and_best_first_turns() -> None:
    benchmark = Benchmark("casual", [limina.game("limit")], max_setups=3)
    rows = {(row.set, row.measure, row.against): row for row in benchmark.measurements(benchmark.play())}
    assert rows["test", "% won", "random"].value > 60
    weakest, strongest = load_ladder("limit")[0].rating, load_ladder("limit")[-1].rating
    assert weakest < rows["test", "Elo", "the ladder"].value < strongest
    assert 0 <= rows["test-4", "% best first turns", "exact values"].value <= 100


def test_an_interrupted_benchmark_is_resumed(tmp_path: Path) -> None:
    env = {"XDG_STATE_HOME": str(tmp_path), "PATH": "/usr/bin"}
    words = ["benchmark", "random", "--quick", "--game", "limit"]
    running = Command(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
    journals = tmp_path / "limina" / "arena"
    # A second journal means that the first part of the benchmark is complete.
    wait_until(lambda: len(list(journals.glob("*.jsonl"))) > 1)
    running.send_signal(signal.SIGINT)
    _, stderr = running.communicate(timeout=60)
    assert running.wait() == 130
    assert "continues the run" in stderr
    before = sum(len(path.read_text().splitlines()) for path in journals.glob("*.jsonl"))
    assert before > 10
    again = command(*words, "--json", env=env)
    assert again.returncode == 0, again.stderr
    assert not list(journals.glob("*.jsonl"))
    assert json.loads(again.stdout)["rows"] == json.loads(command(*words, "--json").stdout)["rows"]


def test_a_data_set_has_a_record_per_line_and_can_be_repeated(tmp_path: Path) -> None:
    for name in ("one", "two"):
        done = command("benchmark", "--games", "7", "--out", str(tmp_path / name))
        assert done.returncode == 0, done.stderr
    lines = (tmp_path / "one").read_text("utf-8").splitlines()
    assert lines == (tmp_path / "two").read_text("utf-8").splitlines()
    records = [Record.from_json_text(line) for line in lines]
    assert [record.game.name for record in records] == ["limes"] * 7 + ["limit"] * 7
    assert all(record.position.outcome is not None for record in records)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "name a bot to measure"),
        (["novice", "--games", "3"], "name a bot to measure"),
        (["unknown"], "there is no bot called 'unknown'"),
        (["--games", "0"], "the number of games"),
        (["novice", "--game", "chess"], "there is no game called 'chess'"),
        (["novice", "--jobs", "0"], "--jobs must be"),
        (["novice", "--bot-timeout", "nan"], "--bot-timeout must be"),
    ],
)
def test_wrong_arguments_are_refused_with_a_sentence(words: list[str], message: str) -> None:
    done = command("benchmark", *words)
    assert done.returncode == 1
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_documented_leaderboard_has_the_current_settings(game: Game) -> None:
    assert f"`{Benchmark('random', [game]).hash}`" in (ROOT / "docs" / "benchmark.md").read_text("utf-8")
