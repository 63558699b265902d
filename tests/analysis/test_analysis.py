"""Looking back at games: values, marks, accuracies, graphs and reasons, with bots whose thoughts are known."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from limina import Record, Step, game
from limina._kernel import Stop
from limina.analysis import Summary, analyze, evaluate_turn, hint
from limina.analysis.summary import draw
from limina.bots import Bot, Budget, Candidate, Choice, SearchInfo
from limina.cli import main
from limina.cli.terminal_game import Console, TerminalGame
from limina.core.capabilities import Explainer
from limina.errors import LiminaError
from support.games.records import ChooseTurn, example_record, play_on, start_record
from support.processes.cli_commands import limina

GAMES = ["limes", "limit"]


class Planned(Bot[Any, Any]):
    """Thinks that turns are worth less the later they are listed, and weighs only the first few."""

    def __init__(self, *, seed: int = 0, threads: int = 1, weighed: int = 10**6) -> None:
        self._weighed = weighed

    def choose(self, record: Record, player: int, budget: Budget) -> Choice:
        budget.reject_work_limit()
        info = self.think(record.end, player)
        return Choice(info.candidates[0].turn, info)

    def think(self, position: Any, player: int) -> SearchInfo:
        candidates: list[Candidate] = []
        seen: set[Any] = set()
        for turn in position.legal_turns(player):
            after = position.play(turn, player)
            if after not in seen:
                seen.add(after)
                candidates.append(Candidate(turn, self.value(position, player, len(candidates))))
        kept = tuple(candidates[: self._weighed])
        return SearchInfo(kept[0].value, kept)

    def value(self, position: Any, player: int, place: int) -> float:
        return 1 / (2 + place)


def shallow(*, seed: int = 0, threads: int = 1) -> Planned:
    return Planned(weighed=1)


def planned(position: Any, player: int) -> object:
    """The turn that is thought best."""
    return Planned().think(position, player).candidates[0].turn


def played(name: str, choose: ChooseTurn, *, players: int = 2, rounds: int = 6) -> Record:
    options = {"size": 5} if name == "limit" else {}
    record = start_record(game(name), ["Ada", "Ben", "Cy"][:players], Random(3), **options)
    return play_on(record, Random(3), choose, until=lambda record: record.end.progress >= rounds)


def at_random(seed: int = 1) -> ChooseTurn:
    rng = Random(seed)
    return lambda position, player: rng.choice(position.legal_turns(player))


@pytest.mark.parametrize("name", GAMES)
def test_perfect_play_is_all_accurate(name: str) -> None:
    record = played(name, planned)
    summary = Summary(record, list(analyze(record, level=Planned)))
    assert len(summary.turns) == sum(step.player is not None for step in record.steps)
    for player in range(2):
        assert summary.accuracy(player) == pytest.approx(100)
    assert all(turn.lost == 0 and turn.best == turn.played for turn in summary.turns)
    assert not any("?" in turn.mark for turn in summary.turns)


@pytest.mark.parametrize("name", GAMES)
def test_what_was_given_away_is_the_difference_to_the_best(name: str) -> None:
    record = played(name, at_random())
    positions = list(record.positions())
    for turn in analyze(record, level=Planned):
        before = positions[turn.step]
        info = Planned().think(before, turn.player)
        after = before.play(turn.played, turn.player)
        known = {before.play(each.turn, turn.player): each.value for each in info.candidates}
        assert turn.before == pytest.approx(info.value)
        if after.outcome is None:
            assert turn.after == pytest.approx(known[after])
        assert turn.lost >= 0
        assert turn.number == before.progress + 1
        assert turn.candidates[0] == (str(info.candidates[0].turn), info.value)


def test_a_chance_to_win_is_never_less_than_nothing_or_more_than_all() -> None:
    for seed in range(3):
        record = Record.new(game("limit"), ["first", "second", "third"], size=4).apply_chance(Random(seed))
        while record.end.outcome is None:
            record = record.play(Random(seed).choice(record.end.legal_turns()))
        assert all(0 <= turn.after <= 1 for turn in analyze(record, max_work=200))


def test_marks_and_reasons_follow_what_was_given_away() -> None:
    record = played("limit", at_random(), rounds=10)
    scale = game("limit").spec.scale
    reviews = list(analyze(record, level=Planned))
    marks = {turn.mark for turn in reviews}
    assert "??" in marks
    for turn in reviews:
        expected = "??" if turn.lost >= scale.blunder_threshold else "?" if turn.lost >= scale.mistake_threshold else ""
        assert turn.mark.replace("!", "") == expected
        assert not turn.reasons or turn.mark


def test_a_turn_far_better_than_the_rest_is_brilliant() -> None:
    class Lonely(Planned):
        def value(self, position: Any, player: int, place: int) -> float:
            return 0.9 if place == 0 else 0.1

    record = played("limit", planned, rounds=3)
    assert [turn.mark for turn in analyze(record, level=Lonely)] == ["!"] * 3


@pytest.mark.parametrize("players", [2, 3])
def test_a_turn_the_bot_never_weighed_is_judged_by_what_follows(players: int) -> None:
    record = played("limit", at_random(), players=players, rounds=4)
    for turn in analyze(record, level=shallow):
        if turn.best != turn.played:
            # The value of whoever is to move is one half: for the other of two that leaves a half as well.
            assert turn.after == pytest.approx(0.5)


def test_chance_after_the_turn_is_averaged() -> None:
    record = played("limes", at_random(), players=1)
    for turn in analyze(record, level=shallow):
        assert turn.after == pytest.approx(0.5)


def test_a_bot_that_weighs_every_turn_is_believed() -> None:
    class Judging(Planned):
        def value(self, position: Any, player: int, place: int) -> float:
            return 0.5 if place == 0 else 0.25

    record = played("limes", at_random(), players=2)
    values = {turn.after for turn in analyze(record, level=Judging) if turn.played != turn.best}
    assert values == {0.25}


def test_partial_results_come_at_once_and_leaving_stops_the_work() -> None:
    looked: list[int] = []
    bells: list[Stop | None] = []

    class Counting(Planned):
        def choose(self, record: Record, player: int, budget: Budget) -> Choice:
            looked.append(record.end.progress)
            bells.append(budget.cancel_token)
            return super().choose(record, player, budget)

    record = played("limes", at_random(), rounds=16)
    reviews = analyze(record, level=Counting, threads=1)
    assert isinstance(reviews, Iterator)
    assert next(reviews).step == 1
    reviews.close()  # type: ignore[attr-defined]  # it is a generator
    assert 0 < len(looked) < 32
    assert all(bell is not None and bell.is_set() for bell in bells), "whoever still thinks must be told to stop"


def test_the_number_of_workers_changes_nothing() -> None:
    record = played("limes", at_random(), rounds=5)
    assert list(analyze(record, level=Planned, threads=1)) == list(analyze(record, level=Planned, threads=3))


def test_one_player_can_be_looked_at_alone() -> None:
    record = played("limes", at_random())
    assert {turn.player for turn in analyze(record, level=Planned, player=1)} == {1}


def test_a_bot_without_thoughts_is_refused() -> None:
    record = played("limit", at_random(), rounds=1)
    with pytest.raises(LiminaError, match="does not say what it thinks"):
        next(iter(analyze(record, level="random")))
    with pytest.raises(LiminaError, match="has no work limit"):
        next(iter(analyze(record, level=Planned, max_work=5)))


@pytest.mark.parametrize("name", GAMES)
def test_our_own_bots_think_where_nobody_names_another(name: str) -> None:
    record = played(name, at_random(), rounds=3)
    reviews = list(analyze(record, max_work=30))
    assert len(reviews) == sum(step.player is not None for step in record.steps)
    most = 1 if game(name).spec.scale.is_probability else 80
    assert all(0 <= turn.after <= turn.before <= most for turn in reviews)
    assert len(reviews[0].candidates) > 1


# --- in words


def explainer(name: str) -> Explainer:
    found = game(name).explainer
    assert found is not None
    return found


def test_a_worker_who_gains_points_is_named() -> None:
    start = game("limes").start(1)
    position = start.apply(Step(None, "1")).play("d4r0 +nw").apply(Step(None, "2"))
    turns = list(position.legal_turns())
    explain = explainer("limes").explain
    for turn in (turns[0], turns[len(turns) // 2], turns[-1]):
        said = explain(position, 0, None, turn)
        gain = position.play(turn).display(0).total - position.display(0).total
        assert said[0].startswith(f"{turn} brings {f'{gain:+d} point' if gain else 'no points'}")
    with_worker = next(turn for turn in turns if "+" in str(turn))
    assert "the new " in explain(position, 0, None, with_worker)[0]
    assert explain(position, 0, turns[0], turns[0]) == []


def test_a_territory_that_is_closed_is_named() -> None:
    said: set[str] = set()
    record = played("limes", at_random(4), players=1, rounds=12)
    for position, step in zip(record.positions(), record.steps, strict=False):
        if step.player is not None:
            turns = list(position.legal_turns(0))
            turn = record.game.read_turn(step.text)
            for best in turns[:: max(1, len(turns) // 20)]:
                said.update(explainer("limes").explain(position, 0, turn, best))
    assert any("closes it" in each for each in said)
    assert any("in the supply instead of" in each for each in said)


def test_captures_and_lost_freedoms_are_named() -> None:
    said: set[str] = set()
    record = played("limit", at_random(2), rounds=40)
    moments = list(zip(record.positions(), record.steps, strict=False))
    assert moments[0][1].player is None, "the layout comes first"
    for position, step in moments[1:]:
        assert step.player is not None
        captured = position.apply(step).last_turn.captured
        facts = explainer("limit").explain(position, step.player, None, record.game.read_turn(step.text))
        said.update(facts)
        for tile, _ in captured:
            assert any("captures" in fact or "gives up" in fact for fact in facts), tile
    assert any("down from" in each for each in said)
    assert any("captures" in each for each in said)


# --- as text and JSON


def test_a_graph_has_a_column_for_each_value() -> None:
    lines = draw([10.0, 20.0, 15.0], percent=False).splitlines()
    assert len(lines) == 6
    assert lines[0] == "20.0 ┤ █"
    assert lines[-1] == "10.0 ┤▁██"
    assert draw([3.0, 3.0], percent=False).endswith("┤▁▁")


def _thinking(tmp_path: Path) -> str:
    path = tmp_path / "planned.py"
    path.write_text(
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\nfrom test_analysis import Planned\n"
    )
    return f"{path}:Planned"


@pytest.mark.parametrize("name", GAMES)
def test_the_command(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = played(name, at_random())
    path = tmp_path / "game.json"
    path.write_text(record.write())
    level = ["--level", _thinking(tmp_path)]
    assert main(["analyze", str(path), "--json", *level]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["game"] == name
    assert data["unit"] == ("points" if name == "limes" else "probability")
    assert [player["name"] for player in data["players"]] == ["Ada", "Ben"]
    turns = [step for step in record.steps if step.player is not None]
    assert [turn["played"] for turn in data["turns"]] == [step.text for step in turns]
    assert set(data["turns"][0]) == {
        "step", "number", "player", "played", "best", "before", "after", "lost", "forced", "mark", "candidates",
        "reasons",
    }  # fmt: skip
    for number, player in enumerate(data["players"]):
        assert len(player["graph"]) == 1 + sum(step.player == number for step in turns)
        assert 0 <= player["accuracy"] <= 100
    assert main(["analyze", str(path), *level]) == 0
    out, err = capsys.readouterr()
    assert "given away" in out
    assert "Ada: accuracy" in out
    assert f"turns {len(turns)} of {len(turns)}" in err


def test_a_folder_of_records_is_reviewed_a_line_each_and_what_cannot_be_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive, level = tmp_path / "archive", ["--level", _thinking(tmp_path), "--jobs", "1"]
    archive.mkdir()
    names = [archive / f"{name}.json" for name in GAMES]
    for name, path in zip(GAMES, names, strict=True):
        path.write_text(played(name, at_random()).write())
    assert main(["analyze", str(names[0]), "--json", *level]) == 0
    alone = json.loads(capsys.readouterr().out)
    assert main(["analyze", str(archive), "--json", *level]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line.pop("file") for line in lines] == [str(path) for path in names]
    assert lines[0] == alone
    (archive / "bad.json").write_text("{}")
    assert main(["analyze", str(archive), *level]) == 1
    out, err = capsys.readouterr()
    assert [line.split(": ")[0] for line in out.splitlines()] == [str(path) for path in names]
    assert "Ada " in out
    assert "%, " in out
    assert f"limina: {archive / 'bad.json'}: " in err
    assert "limina: 1 of 3 records could not be reviewed\n" in err
    (tmp_path / "empty").mkdir()
    assert main(["analyze", str(tmp_path / "empty")]) == 1
    assert "there is no record in this folder" in capsys.readouterr().err


def test_pipes_and_sockets_in_a_folder_of_records_are_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the path of a socket must be short
    (tmp_path / "game.json").write_text(Record.new(game("limes"), ["Ada"]).write())
    os.mkfifo(tmp_path / "pipe.json")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.json")
    done = limina("analyze", str(tmp_path))
    assert (done.returncode, done.stdout) == (0, f"{tmp_path / 'game.json'}: Ada had no choice\n")
    (tmp_path / "game.json").unlink()
    done = limina("analyze", str(tmp_path))
    assert (done.returncode, done.stderr) == (1, f"limina: {tmp_path}: there is no record in this folder\n")


def test_a_record_without_turns_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.json"
    path.write_text(Record.new(game("limes"), ["Ada"]).write())
    assert main(["analyze", str(path), "--level", _thinking(tmp_path)]) == 0
    assert "There is no turn" in capsys.readouterr().out


# --- hints


@pytest.mark.parametrize("name", GAMES)
def test_a_hint_is_the_bots_choice_with_its_reasons(name: str) -> None:
    record = played(name, at_random(), rounds=3)
    if record.end.awaits_chance:
        record = record.apply_chance(Random(5))
    found = hint(record.game, record.end, record.end.to_move[0], level=Planned)
    assert found.turn == str(planned(record.end, record.end.to_move[0]))
    assert str(found).startswith(f"{found.turn} (")


def test_the_terminal_gives_hints(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    the_game = game("limes")
    monkeypatch.setattr(type(the_game), "bots", {"planned": Planned})
    said: list[str] = []
    answers = iter(["hint", "quit"])
    console = Console(lambda prompt: next(answers), said.append, lambda path, text: None, False)
    session = TerminalGame(Record.new(the_game, ["Ada"]), tmp_path / "game", console, Random(1))
    assert session.play() is False
    choice = str(planned(session.record.end, 0))
    assert any(each.startswith(f"{choice} (") for each in said)


def test_without_a_bot_that_thinks_the_terminal_says_there_is_no_hint(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    the_game = game("limes")
    monkeypatch.setattr(type(the_game), "bots", {})
    said: list[str] = []
    answers = iter(["hint", "quit"])
    console = Console(lambda prompt: next(answers), said.append, lambda path, text: None, False)
    TerminalGame(Record.new(the_game, ["Ada"]), tmp_path / "game", console, Random(1)).play()
    assert "There is no hint: no bot of Limes says what it thinks." in said


@pytest.mark.parametrize("name", GAMES)
def test_another_turn_is_worth_what_a_review_would_have_said_of_it(name: str) -> None:
    record = Record.from_json(example_record(name))
    first = next(iter(analyze(record)))
    assert evaluate_turn(record, first.step, first.player, first.played) == first.after
    assert evaluate_turn(record, first.step, first.player, first.best) == pytest.approx(first.before)
