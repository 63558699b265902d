"""The benchmark: sets that never change, figures that can be compared, runs that lose nothing."""

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
from limina.arena.schedule import derived
from limina.arena.statistics import against
from limina.benchmark import Benchmark, entries
from limina.benchmark.setups import VERSION, benchmark_of, kept, ladder
from limina.limit.weights import VALUES
from support import ROOT
from support.processes.cli_commands import Command
from support.processes.cli_commands import limina as command
from support.waiting import wait_until

GAMES = [limina.game(name) for name in ("limes", "limit")]
# Whoever changes a set makes another benchmark: then `VERSION` counts on, and this is what it holds.
DIGEST = "2d6e6497979c64e2"


def test_the_sets_are_those_of_this_version() -> None:
    digest = hashlib.sha256()
    for game in GAMES:
        for each in benchmark_of(game).sets:
            digest.update(repr((game.name, each.name, entries(game.name, each.name))).encode())
    assert (VERSION, digest.hexdigest()[:16]) == (1, DIGEST)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_set_holds_what_it_says_and_no_setup_is_in_two(game: Game) -> None:
    seen: set[str] = set()
    for each in benchmark_of(game).sets:
        found = entries(game.name, each.name)
        assert len(found) == each.setup_count
        assert not seen & {entry.setup for entry in found}
        seen |= {entry.setup for entry in found}
        assert len({*found}) == len(found)
        for number in range(0, len(found), 37):
            rng = Random(derived(f"limina benchmark {VERSION}", game.name, each.name, number))
            setup = game.setup(rng, each.players, **each.options)
            assert game.read_setup(found[number].setup, each.players, **each.options) == setup
        assert all((entry.par is not None) == (game.solver is not None) for entry in found)
        assert all((entry.value is not None) == each.is_solved for entry in found)


def test_the_exact_values_are_those_of_the_solver() -> None:
    game = limina.game("limit")
    short = entries("limit", "test-4")[14]  # the soonest solved
    setup = game.read_setup(short.setup, 2)
    position = setup.start.apply(setup.deal[0])
    solved = kernel.solve(position.board, VALUES.default, 10**8)
    assert solved is not None
    assert max(result for _, result in solved) == short.value
    assert short.keeping is not None
    assert kept(position, short.keeping) == {
        str(position.decode(turn)) for turn, result in solved if result == short.value
    }


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_ladder_has_been_climbed_by_all_its_bots_in_their_order(game: Game) -> None:
    assert tuple(rung.bot for rung in ladder(game.name)) == benchmark_of(game).ladder
    assert "greedy" in benchmark_of(game).ladder


def test_a_bot_that_wins_half_against_known_ones_is_as_strong_as_they() -> None:
    assert round(against([(250.0, 10, 10)]).elo) == 250
    strong, weak = against([(0.0, 20, 0), (300.0, 19, 1)]), against([(0.0, 1, 19), (300.0, 0, 20)])
    assert weak.elo + weak.within < 0 < strong.elo - strong.within


def test_the_command_prints_one_table_and_the_same_hash_for_every_bot(tmp_path: Path) -> None:
    hashes = set()
    for bot in ("random", "novice"):
        done = command("benchmark", bot, "--quick", "--game", "limes", "--json")
        assert done.returncode == 0, done.stderr
        figures = json.loads(done.stdout)
        hashes.add(figures["hash"])
        assert [row["measure"] for row in figures["rows"]] == ["points", "% of par"]
        assert figures["forfeits"] == 0
    (settings,) = hashes
    assert settings != Benchmark("random", [limina.game("limes")]).hash
    table = command("benchmark", "random", "--quick", "--game", "limes", "--out", str(tmp_path / "table"))
    assert table.stdout == ""
    written = (tmp_path / "table").read_text("utf-8")
    assert f"settings {settings}" in written
    assert "± is half of a 95% interval" in written


def test_against_others_there_is_a_rating_and_what_is_known_of_first_turns() -> None:
    benchmark = Benchmark("casual", [limina.game("limit")], most=3)
    rows = {(row.set, row.measure, row.against): row for row in benchmark.rows(benchmark.play())}
    assert rows["test", "% won", "random"].value > 60
    weakest, strongest = ladder("limit")[0].rating, ladder("limit")[-1].rating
    assert weakest < rows["test", "Elo", "the ladder"].value < strongest
    assert 0 <= rows["test-4", "% best first turns", "exact values"].value <= 100


def test_an_interrupted_run_goes_on_where_it_was(tmp_path: Path) -> None:
    env = {"XDG_STATE_HOME": str(tmp_path), "PATH": "/usr/bin"}
    words = ["benchmark", "random", "--quick", "--game", "limit"]
    running = Command(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
    journals = tmp_path / "limina" / "arena"
    # Once the second of its parts has begun, the first one is behind it.
    wait_until(lambda: len(list(journals.glob("*.jsonl"))) > 1)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert running.wait() == 130
    assert "continues the run" in said
    before = sum(len(path.read_text().splitlines()) for path in journals.glob("*.jsonl"))
    assert before > 10
    again = command(*words, "--json", env=env)
    assert again.returncode == 0, again.stderr
    assert not list(journals.glob("*.jsonl"))
    assert json.loads(again.stdout)["rows"] == json.loads(command(*words, "--json").stdout)["rows"]


def test_a_data_set_is_records_a_line_each_and_the_same_again(tmp_path: Path) -> None:
    for name in ("one", "two"):
        done = command("benchmark", "--games", "7", "--out", str(tmp_path / name))
        assert done.returncode == 0, done.stderr
    lines = (tmp_path / "one").read_text("utf-8").splitlines()
    assert lines == (tmp_path / "two").read_text("utf-8").splitlines()
    records = [Record.read(line) for line in lines]
    assert [record.game.name for record in records] == ["limes"] * 7 + ["limit"] * 7
    assert all(record.end.outcome is not None for record in records)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "name a bot to measure"),
        (["novice", "--games", "3"], "name a bot to measure"),
        (["nobody"], "there is no bot called 'nobody'"),
        (["--games", "0"], "the number of games"),
        (["novice", "--game", "chess"], "there is no game called 'chess'"),
        (["novice", "--jobs", "0"], "--jobs must be"),
        (["novice", "--bot-timeout", "nan"], "--bot-timeout must be"),
    ],
)
def test_what_cannot_be_measured_is_said_in_a_sentence(words: list[str], said: str) -> None:
    done = command("benchmark", *words)
    assert done.returncode == 1
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_leaderboard_was_taken_with_these_settings(game: Game) -> None:
    assert f"`{Benchmark('random', [game]).hash}`" in (ROOT / "docs" / "benchmark.md").read_text("utf-8")
