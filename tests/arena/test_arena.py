"""The arena: seats and setups, equal results in all processes, statistics, and bots that fail."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from limina import InvalidInputError, Record, game
from limina.arena import ArenaPlan, ArenaReport, run_arena
from limina.arena.standings import standings_text
from limina.arena.statistics import elo_ratings, estimate_mean, student_quantile
from limina.cli import main
from limina.errors import LiminaError

LIMIT = {"size": 4}
BAD_BOTS = """
class Raises:
    def choose(self, position, player):
        raise RuntimeError("no idea")
class Nonsense:
    def choose(self, position, player):
        return "hello"
class Number:
    def choose(self, position, player):
        return 42
class Half:
    def choose(self, position, player):
        return 4.5
class Illegal:
    def choose(self, position, player):
        return "a1r0" if hasattr(position, "deck") else "a0-a1 xa2"
class Slow:
    def choose(self, position, player):
        while True:
            try:
                sum(range(1000))
            except Exception:
                pass
class NoBot:
    pass
"""


@pytest.fixture
def bad(tmp_path: Path) -> str:
    path = tmp_path / "bad.py"
    path.write_text(BAD_BOTS)
    return str(path)


def played_games(plan: ArenaPlan, **options: object) -> list[dict[str, object]]:
    report = ArenaReport(plan, run_arena(plan, **options))  # type: ignore[arg-type]
    return report.to_json()["games"]  # type: ignore[no-any-return]


def test_every_bot_plays_every_setup_in_every_seat() -> None:
    plan = ArenaPlan(game("limit"), ("random",) * 3, games=4, players=2, options=LIMIT)
    tasks = list(plan.tasks())
    assert len(tasks) == len(plan) == 2 * 3 * 2
    counts = Counter((task.setup, task.seats) for task in tasks)
    assert set(counts.values()) == {1}
    assert {task.seats for task in tasks} == {(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)}
    for setup in range(2):
        assert len({json.dumps([task.start, task.deal]) for task in tasks if task.setup == setup}) == 1
    assert tasks[0].deal != tasks[-1].deal
    seeds = [seed for task in tasks for seed in task.seeds]
    assert len(set(seeds)) == len(seeds)


def test_three_bots_play_all_rotations_of_the_seats() -> None:
    plan = ArenaPlan(game("limit"), ("random",) * 3, games=3, players=3, options=LIMIT)
    assert [task.seats for task in plan.tasks()] == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    assert all(sum(result["shares"]) == pytest.approx(1) for result in played_games(plan))  # type: ignore[call-overload]


def test_a_longer_run_begins_with_the_games_of_a_shorter_one() -> None:
    short = played_games(ArenaPlan(game("limes"), ("random", "random"), games=4))
    assert played_games(ArenaPlan(game("limes"), ("random", "random"), games=8))[: len(short)] == short


def test_the_seed_determines_the_games() -> None:
    plan = ArenaPlan(game("limit"), ("random", "random"), games=6, seed=5, options=LIMIT)
    other = ArenaPlan(game("limit"), ("random", "random"), games=6, seed=6, options=LIMIT)
    assert played_games(plan) == played_games(plan) != played_games(other)


def test_processes_play_the_same_games() -> None:
    plan = ArenaPlan(game("limit"), ("random", "random", "random"), games=4, seed=3, options=LIMIT)
    assert played_games(plan, jobs=2) == played_games(plan)


def test_bots_that_play_alone_get_the_same_cards() -> None:
    deal = " ".join(map(str, Random(4).sample(range(1, 25), 16)))
    plan = ArenaPlan(game("limes"), ("random", "random"), players=1, setup_lines=[deal], keep_records=True)
    first, second = run_arena(plan)
    assert first.record is not None
    assert second.record is not None
    assert first.record["draws"] == second.record["draws"] == [int(card) for card in deal.split()]
    assert first.points is not None
    assert Record.from_json(first.record).position.summary(["x"])["players"][0]["total"] == first.points[0]


def test_one_bot_plays_alone_if_the_game_allows_it() -> None:
    assert ArenaPlan(game("limes"), ("random",)).seat_count == 1
    with pytest.raises(LiminaError, match="needs 2 bots"):
        ArenaPlan(game("limit"), ("random",))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["1 2 3"], "deal 1: a deal has 16 cards or more, this one has 3"),
        ([" ".join(["1"] * 16)], "card 1 is in this deal twice"),
        (["1 2 x"], "'x' is not the number of a card"),
        ([], "there are no deals"),
    ],
)
def test_invalid_deals_are_refused_before_the_first_game(lines: list[str], message: str) -> None:
    with pytest.raises(LiminaError, match=message):
        ArenaPlan(game("limes"), ("random",), setup_lines=lines)


def test_a_layout_is_read_from_a_setup_line() -> None:
    (step,) = game("limit").random_setup(Random(1), 2, size=5).deal
    (task, _) = ArenaPlan(game("limit"), ("random", "random"), setup_lines=[step.text]).tasks()
    assert task.deal == (step.text,)
    assert task.start["options"] == {"size": 5}
    with pytest.raises(InvalidInputError, match="layout 1: 'q' is not a tile"):
        ArenaPlan(game("limit"), ("random", "random"), setup_lines=["q"])


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("Raises", "it failed with RuntimeError: no idea"),
        ("Nonsense", "its turn 'hello' was refused: 'hello' is not a turn"),
        ("Number", "its turn 42 was refused"),
        ("Half", "it answered 4.5, which is not a turn"),
        ("Illegal", "was refused"),
        ("Slow", "it took longer than 1 s"),
    ],
)
@pytest.mark.parametrize("game_name", ["limes", "limit"])
def test_a_bot_that_fails_forfeits_and_the_arena_goes_on(bad: str, name: str, verdict: str, game_name: str) -> None:
    plan = ArenaPlan(game(game_name), (f"{bad}:{name}", "random"), games=2, seconds=1 if name == "Slow" else 60)
    report = ArenaReport(plan, run_arena(plan))
    for result in report.to_json()["games"]:
        assert verdict in str(result["verdict"])
        assert result["winners"] == [1 - result["seats"].index(f"{bad}:{name}")]
    assert report.forfeit_count(0) == 2
    assert verdict in standings_text(report)


def test_a_bot_that_forfeits_alone_has_no_points(bad: str) -> None:
    (result,) = played_games(ArenaPlan(game("limes"), (f"{bad}:Raises",), games=1))
    assert result["points"] == [0]


def test_invalid_bots_are_refused_before_the_first_game(bad: str) -> None:
    for name, message in (
        (f"{bad}:NoBot", "it has no method `choose`"),
        (f"{bad}:Missing", "cannot be loaded"),
        ("no.such.module:Bot", "cannot be loaded"),
        ("nothing.py:Bot", "there is no file"),
        ("program:/no/such/program", "there is no program"),
        ("program:", "a program needs a command"),
        ("grandmaster", "there is no bot called 'grandmaster'"),
    ):
        with pytest.raises(LiminaError, match=message):
            ArenaPlan(game("limit"), (name, "random"))


# --- statistics


def test_estimates_match_known_values() -> None:
    known = estimate_mean([2.1, 2.5, 1.9, 2.3, 2.2])
    assert known.mean == pytest.approx(2.2)
    assert known.margin == pytest.approx(0.27764, abs=1e-4)
    assert [student_quantile(n) for n in (1, 2, 3, 4, 9, 29)] == pytest.approx(
        [12.706, 4.303, 3.182, 2.776, 2.262, 2.045], abs=0.02
    )


def test_an_interval_contains_the_true_mean_in_95_percent() -> None:
    rng = Random(2)
    hits = 0
    for _ in range(1000):
        interval = estimate_mean([rng.gauss(3, 2) for _ in range(8)])
        hits += interval.low <= 3 <= interval.high
    assert 930 <= hits <= 970


def test_ratings_recover_the_strengths_behind_the_wins() -> None:
    strengths = [0.0, 100.0, 300.0]
    wins = {}
    for a in range(3):
        for b in range(3):
            if a != b:
                wins[a, b] = 10_000 / (1 + 10 ** ((strengths[b] - strengths[a]) / 400))
    many = elo_ratings(wins, 3)
    assert [rating.elo - many[0].elo for rating in many] == pytest.approx(strengths, abs=1)
    assert sum(rating.elo for rating in many) == pytest.approx(0, abs=1e-6)
    few = elo_ratings({pair: count / 100 for pair, count in wins.items()}, 3)
    assert few[0].margin == pytest.approx(10 * many[0].margin, rel=0.05)


def test_a_bot_that_never_lost_has_a_rating() -> None:
    best, worst, without_games = elo_ratings({(0, 1): 10.0}, 3)
    assert 200 < best.elo - worst.elo < 1000
    assert without_games.elo == pytest.approx(0, abs=1e-6)


def test_differences_are_paired_by_setup() -> None:
    plan = ArenaPlan(game("limes"), ("random", "random"), games=30, players=1)
    report = ArenaReport(plan, run_arena(plan))
    (pair,) = report.comparisons
    first, second = report.mean_points(0), report.mean_points(1)
    assert pair.points is not None
    assert first is not None
    assert second is not None
    assert pair.points.mean == pytest.approx(first.mean - second.mean)
    assert pair.won + pair.drawn + pair.lost == 30


# --- the command


def test_the_command_prints_every_game(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    records = tmp_path / "records"
    arguments = ["arena", "limit", "random", "random", "random", "--games", "2", "--option", "size=4", "--json"]
    assert main([*arguments, "--records", str(records)]) == 0
    out, err = capsys.readouterr()
    data = json.loads(out)
    assert "games 6 of 6" in err
    assert [result["index"] for result in data["games"]] == list(range(6))
    assert set(data["games"][0]) == {"index", "setup", "seats", "winners", "shares", "points", "turns", "verdict"}
    assert [bot["name"] for bot in data["bots"]] == ["random", "random#2", "random#3"]
    assert len(data["pairs"]) == len(data["ratings"]) == 3
    files = sorted(records.iterdir())
    assert len(files) == 6
    for path, result in zip(files, data["games"], strict=True):
        record = Record.from_json_text(path.read_bytes())
        assert record.position.outcome is not None
        assert list(record.position.outcome.winners) == result["winners"]
    assert main(arguments[:-1]) == 0
    assert "rating" in capsys.readouterr().out


def test_the_command_plays_the_deals_of_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    deals = tmp_path / "deals.txt"
    rng = Random(1)
    lines = [" ".join(map(str, rng.sample(range(1, 25), 24))) for _ in range(3)]
    deals.write_text("# three deals\n\n" + "\n".join(lines) + "\n")
    assert main(["arena", "limes", "random", "--deals", str(deals), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert len(data["games"]) == 3
    assert data["bots"][0]["points"]["values"] == 3
    assert main(["arena", "limit", "random", "random", "--deals", str(deals)]) == 1
    assert "Limit is set up with --layouts" in capsys.readouterr().err


ON_CLUSTER = """
import json, sys, ray
from limina.cli import main
shutdown, ray.shutdown = ray.shutdown, lambda: None  # use one cluster for all commands, since it takes seconds to start
for command in json.loads(sys.argv[1]):
    assert main([*command, "--ray", "local"]) == 0
    ray.init = lambda **options: None
shutdown()
"""


@pytest.mark.needs("ray")
def test_a_cluster_plays_and_reviews_the_same_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arena = ["arena", "limit", "random", "random", "--games", "4", "--option", "size=4", "--seed", "9", "--json"]
    # A level without a time limit, so that the results do not depend on the load of the machine.
    analyze = ["analyze", str(tmp_path), "--json", "--level", "skilled", "--work", "20"]
    assert main([*arena, "--records", str(tmp_path)]) == 0
    assert main([*analyze, "--jobs", "1"]) == 0
    local = capsys.readouterr().out.splitlines()
    environment = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0"}
    command = [sys.executable, "-c", ON_CLUSTER, json.dumps([[*arena, "--jobs", "2"], analyze])]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)
    assert done.returncode == 0, done.stderr
    on_cluster = done.stdout.splitlines()
    assert json.loads(local[0])["games"] == json.loads(on_cluster[0])["games"]
    assert len(local) == 5
    assert local[1:] == on_cluster[1:]
