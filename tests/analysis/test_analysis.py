"""Reviews of games: values, marks, accuracies, graphs and reasons, with bots whose values are known."""

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
from limina._kernel import CancelToken
from limina.analysis import ReviewSummary, analyze, evaluate_turn, hint
from limina.analysis.summary import draw_graph
from limina.bots import Bot, Budget, Candidate, Choice, SearchInfo
from limina.cli import main
from limina.cli.terminal_game import Console, TerminalGame
from limina.core.capabilities import Explainer
from limina.errors import LiminaError
from support.games.records import ChooseTurn, example_record, play_on, start_record
from support.processes.cli_commands import limina

GAMES = ["limes", "limit"]


class RankingBot(Bot[Any, Any]):
    """A bot that values turns by their rank among the legal turns, and reports the first few as candidates."""

    def __init__(self, *, seed: int = 0, threads: int = 1, max_candidates: int = 10**6) -> None:
        self._max_candidates = max_candidates

    def choose(self, record: Record, player: int, budget: Budget) -> Choice:
        budget.reject_work_limit()
        info = self.search(record.position, player)
        return Choice(info.candidates[0].turn, info)

    def search(self, position: Any, player: int) -> SearchInfo:
        candidates: list[Candidate] = []
        seen: set[Any] = set()
        for turn in position.legal_turns(player):
            after = position.play(turn, player)
            if after not in seen:
                seen.add(after)
                candidates.append(Candidate(turn, self.value(position, player, len(candidates))))
        reported = tuple(candidates[: self._max_candidates])
        return SearchInfo(reported[0].value, reported)

    def value(self, position: Any, player: int, rank: int) -> float:
        return 1 / (2 + rank)


def single_candidate_bot(*, seed: int = 0, threads: int = 1) -> RankingBot:
    return RankingBot(max_candidates=1)


def best_turn(position: Any, player: int) -> object:
    """Return the turn with the highest value."""
    return RankingBot().search(position, player).candidates[0].turn


def played(name: str, choose: ChooseTurn, *, players: int = 2, rounds: int = 6) -> Record:
    options = {"size": 5} if name == "limit" else {}
    record = start_record(game(name), ["Ada", "Ben", "Cy"][:players], Random(3), **options)
    return play_on(record, Random(3), choose, until=lambda record: record.position.progress >= rounds)


def at_random(seed: int = 1) -> ChooseTurn:
    rng = Random(seed)
    return lambda position, player: rng.choice(position.legal_turns(player))


@pytest.mark.parametrize("name", GAMES)
def test_perfect_play_has_full_accuracy(name: str) -> None:
    record = played(name, best_turn)
    summary = ReviewSummary(record, list(analyze(record, level=RankingBot)))
    assert len(summary.turns) == sum(step.player is not None for step in record.steps)
    for player in range(2):
        assert summary.accuracy(player) == pytest.approx(100)
    assert all(turn.loss == 0 and turn.best == turn.played for turn in summary.turns)
    assert not any("?" in turn.mark for turn in summary.turns)


@pytest.mark.parametrize("name", GAMES)
def test_the_loss_is_the_difference_to_the_best_turn(name: str) -> None:
    record = played(name, at_random())
    positions = list(record.positions())
    for turn in analyze(record, level=RankingBot):
        before = positions[turn.step]
        info = RankingBot().search(before, turn.player)
        after = before.play(turn.played, turn.player)
        values = {before.play(candidate.turn, turn.player): candidate.value for candidate in info.candidates}
        assert turn.before == pytest.approx(info.value)
        if after.outcome is None:
            assert turn.after == pytest.approx(values[after])
        assert turn.loss >= 0
        assert turn.number == before.progress + 1
        assert turn.candidates[0] == (str(info.candidates[0].turn), info.value)


def test_win_probabilities_are_between_0_and_1() -> None:
    for seed in range(3):
        record = Record.new(game("limit"), ["first", "second", "third"], size=4).apply_random_chance_step(Random(seed))
        while record.position.outcome is None:
            record = record.play(Random(seed).choice(record.position.legal_turns()))
        assert all(0 <= turn.after <= 1 for turn in analyze(record, max_work=200))


def test_marks_and_reasons_follow_from_the_loss() -> None:
    record = played("limit", at_random(), rounds=10)
    scale = game("limit").spec.scale
    reviews = list(analyze(record, level=RankingBot))
    marks = {turn.mark for turn in reviews}
    assert "??" in marks
    for turn in reviews:
        expected = "??" if turn.loss >= scale.blunder_threshold else "?" if turn.loss >= scale.mistake_threshold else ""
        assert turn.mark.replace("!", "") == expected
        assert not turn.reasons or turn.mark


def test_a_turn_far_better_than_the_rest_is_brilliant() -> None:
    class OneGoodTurn(RankingBot):
        def value(self, position: Any, player: int, rank: int) -> float:
            return 0.9 if rank == 0 else 0.1

    record = played("limit", best_turn, rounds=3)
    assert [turn.mark for turn in analyze(record, level=OneGoodTurn)] == ["!"] * 3


@pytest.mark.parametrize("players", [2, 3])
def test_a_turn_that_is_not_a_candidate_is_valued_by_what_follows(players: int) -> None:
    record = played("limit", at_random(), players=players, rounds=4)
    for turn in analyze(record, level=single_candidate_bot):
        if turn.best != turn.played:
            # The value for the player to move is 0.5, so that for the other of two players is 0.5 too.
            assert turn.after == pytest.approx(0.5)


def test_chance_after_the_turn_is_averaged() -> None:
    record = played("limes", at_random(), players=1)
    for turn in analyze(record, level=single_candidate_bot):
        assert turn.after == pytest.approx(0.5)


def test_values_of_candidates_are_used_as_they_are() -> None:
    class TwoValues(RankingBot):
        def value(self, position: Any, player: int, rank: int) -> float:
            return 0.5 if rank == 0 else 0.25

    record = played("limes", at_random(), players=2)
    values = {turn.after for turn in analyze(record, level=TwoValues) if turn.played != turn.best}
    assert values == {0.25}


def test_reviews_are_yielded_one_by_one_and_closing_cancels() -> None:
    searched: list[int] = []
    cancel_tokens: list[CancelToken | None] = []

    class Counting(RankingBot):
        def choose(self, record: Record, player: int, budget: Budget) -> Choice:
            searched.append(record.position.progress)
            cancel_tokens.append(budget.cancel_token)
            return super().choose(record, player, budget)

    record = played("limes", at_random(), rounds=16)
    reviews = analyze(record, level=Counting, threads=1)
    assert isinstance(reviews, Iterator)
    assert next(reviews).step == 1
    reviews.close()  # type: ignore[attr-defined]  # it is a generator
    assert 0 < len(searched) < 32
    assert all(token is not None and token.is_canceled() for token in cancel_tokens), "a search was not canceled"


def test_the_number_of_threads_does_not_change_the_result() -> None:
    record = played("limes", at_random(), rounds=5)
    assert list(analyze(record, level=RankingBot, threads=1)) == list(analyze(record, level=RankingBot, threads=3))


def test_the_turns_of_one_player_can_be_reviewed() -> None:
    record = played("limes", at_random())
    assert {turn.player for turn in analyze(record, level=RankingBot, player=1)} == {1}


def test_a_bot_without_values_is_refused() -> None:
    record = played("limit", at_random(), rounds=1)
    with pytest.raises(LiminaError, match="does not report the values of turns"):
        next(iter(analyze(record, level="random")))
    with pytest.raises(LiminaError, match="has no work limit"):
        next(iter(analyze(record, level=RankingBot, max_work=5)))


@pytest.mark.parametrize("name", GAMES)
def test_the_default_bot_evaluates_if_none_is_named(name: str) -> None:
    record = played(name, at_random(), rounds=3)
    reviews = list(analyze(record, max_work=30))
    assert len(reviews) == sum(step.player is not None for step in record.steps)
    max_value = 1 if game(name).spec.scale.is_probability else 80
    assert all(0 <= turn.after <= turn.before <= max_value for turn in reviews)
    assert len(reviews[0].candidates) > 1


# --- reasons


def explainer(name: str) -> Explainer:
    game_explainer = game(name).explainer
    assert game_explainer is not None
    return game_explainer


def test_a_worker_who_gains_points_is_named() -> None:
    start = game("limes").start(1)
    position = start.apply(Step(None, "1")).play("d4r0 +nw").apply(Step(None, "2"))
    turns = list(position.legal_turns())
    explain = explainer("limes").explain
    for turn in (turns[0], turns[len(turns) // 2], turns[-1]):
        reasons = explain(position, 0, None, turn)
        gain = position.play(turn).display(0).total - position.display(0).total
        assert reasons[0].startswith(f"{turn} brings {f'{gain:+d} point' if gain else 'no points'}")
    with_worker = next(turn for turn in turns if "+" in str(turn))
    assert "the new " in explain(position, 0, None, with_worker)[0]
    assert explain(position, 0, turns[0], turns[0]) == []


def test_a_territory_that_is_closed_is_named() -> None:
    reasons: set[str] = set()
    record = played("limes", at_random(4), players=1, rounds=12)
    for position, step in zip(record.positions(), record.steps, strict=False):
        if step.player is not None:
            turns = list(position.legal_turns(0))
            turn = record.game.read_turn(step.text)
            for best in turns[:: max(1, len(turns) // 20)]:
                reasons.update(explainer("limes").explain(position, 0, turn, best))
    assert any("closes it" in reason for reason in reasons)
    assert any("in the supply instead of" in reason for reason in reasons)


def test_captures_and_lost_freedoms_are_named() -> None:
    reasons: set[str] = set()
    record = played("limit", at_random(2), rounds=40)
    steps = list(zip(record.positions(), record.steps, strict=False))
    assert steps[0][1].player is None, "the layout comes first"
    for position, step in steps[1:]:
        assert step.player is not None
        captured = position.apply(step).last_turn.captured
        effects = explainer("limit").explain(position, step.player, None, record.game.read_turn(step.text))
        reasons.update(effects)
        for tile, _ in captured:
            assert any("captures" in effect or "gives up" in effect for effect in effects), tile
    assert any("down from" in reason for reason in reasons)
    assert any("captures" in reason for reason in reasons)


# --- as text and JSON


def test_a_graph_has_a_column_for_each_value() -> None:
    lines = draw_graph([10.0, 20.0, 15.0], is_probability=False).splitlines()
    assert len(lines) == 6
    assert lines[0] == "20.0 ┤ █"
    assert lines[-1] == "10.0 ┤▁██"
    assert draw_graph([3.0, 3.0], is_probability=False).endswith("┤▁▁")


def ranking_bot_name(tmp_path: Path) -> str:
    path = tmp_path / "ranking_bot.py"
    path.write_text(
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\nfrom test_analysis import RankingBot\n"
    )
    return f"{path}:RankingBot"


@pytest.mark.parametrize("name", GAMES)
def test_the_command_prints_reviews_as_json_and_as_text(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = played(name, at_random())
    path = tmp_path / "game.json"
    path.write_text(record.to_json_text())
    level = ["--level", ranking_bot_name(tmp_path)]
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
    for index, player in enumerate(data["players"]):
        assert len(player["graph"]) == 1 + sum(step.player == index for step in turns)
        assert 0 <= player["accuracy"] <= 100
    assert main(["analyze", str(path), *level]) == 0
    out, err = capsys.readouterr()
    assert "given away" in out
    assert "Ada: accuracy" in out
    assert f"turns {len(turns)} of {len(turns)}" in err


def test_a_folder_of_records_is_reviewed_with_a_line_for_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive, level = tmp_path / "archive", ["--level", ranking_bot_name(tmp_path), "--jobs", "1"]
    archive.mkdir()
    names = [archive / f"{name}.json" for name in GAMES]
    for name, path in zip(GAMES, names, strict=True):
        path.write_text(played(name, at_random()).to_json_text())
    assert main(["analyze", str(names[0]), "--json", *level]) == 0
    single = json.loads(capsys.readouterr().out)
    assert main(["analyze", str(archive), "--json", *level]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line.pop("file") for line in lines] == [str(path) for path in names]
    assert lines[0] == single
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
    assert "there are no records in this folder" in capsys.readouterr().err


def test_pipes_and_sockets_in_a_folder_of_records_are_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the path of a socket must be short
    (tmp_path / "game.json").write_text(Record.new(game("limes"), ["Ada"]).to_json_text())
    os.mkfifo(tmp_path / "pipe.json")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.json")
    done = limina("analyze", str(tmp_path))
    assert (done.returncode, done.stdout) == (0, f"{tmp_path / 'game.json'}: Ada had no choice\n")
    (tmp_path / "game.json").unlink()
    done = limina("analyze", str(tmp_path))
    assert (done.returncode, done.stderr) == (1, f"limina: {tmp_path}: there are no records in this folder\n")


def test_a_record_without_turns_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.json"
    path.write_text(Record.new(game("limes"), ["Ada"]).to_json_text())
    assert main(["analyze", str(path), "--level", ranking_bot_name(tmp_path)]) == 0
    assert "There is no turn" in capsys.readouterr().out


# --- hints


@pytest.mark.parametrize("name", GAMES)
def test_a_hint_is_the_choice_of_the_bot_with_its_value(name: str) -> None:
    record = played(name, at_random(), rounds=3)
    if record.position.awaits_chance:
        record = record.apply_random_chance_step(Random(5))
    suggestion = hint(record.game, record.position, record.position.to_move[0], level=RankingBot)
    assert suggestion.turn == str(best_turn(record.position, record.position.to_move[0]))
    assert str(suggestion).startswith(f"{suggestion.turn} (")


def test_the_terminal_gives_hints(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    limes = game("limes")
    monkeypatch.setattr(type(limes), "bots", {"ranking": RankingBot})
    output: list[str] = []
    answers = iter(["hint", "quit"])
    console = Console(lambda prompt: next(answers), output.append, lambda path, text: None, False)
    terminal_game = TerminalGame(Record.new(limes, ["Ada"]), tmp_path / "game", console, Random(1))
    assert terminal_game.play() is False
    choice = str(best_turn(terminal_game.record.position, 0))
    assert any(line.startswith(f"{choice} (") for line in output)


def test_the_terminal_has_no_hint_without_a_bot_with_values(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    limes = game("limes")
    monkeypatch.setattr(type(limes), "bots", {})
    output: list[str] = []
    answers = iter(["hint", "quit"])
    console = Console(lambda prompt: next(answers), output.append, lambda path, text: None, False)
    TerminalGame(Record.new(limes, ["Ada"]), tmp_path / "game", console, Random(1)).play()
    assert "There is no hint: no bot of Limes reports the values of turns." in output


@pytest.mark.parametrize("name", GAMES)
def test_another_turn_gets_the_value_that_a_review_gives_it(name: str) -> None:
    record = Record.from_json(example_record(name))
    first = next(iter(analyze(record)))
    assert evaluate_turn(record, first.step, first.player, first.played) == first.after
    assert evaluate_turn(record, first.step, first.player, first.best) == pytest.approx(first.before)
