"""Games of third-party packages: limina does not name them, and all commands and the server play them."""

from __future__ import annotations

import json
import random
import re
from contextlib import closing
from io import StringIO
from pathlib import Path
from random import Random

import pytest

import limina
from limina import Record
from limina.bots import bot, choose_checked
from limina.bots.engine import Engine
from limina.cli import main
from limina.cli.terminal_game import Console, TerminalGame
from limina.core import registry
from limina.core.files import write_atomic
from support import ROOT
from support.games.records import random_record
from support.games.turns import random_turn
from support.processes import cli_commands
from support.server.clients import Client, LiveSocket

GUIDE = ROOT / "docs" / "adding-a-game.md"
SOURCE = ROOT / "tests" / "third_party" / "pig_game.py"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    path.write_text(random_record(limina.game("pig"), 3, players=2).to_json_text())
    return path


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def test_an_entry_point_adds_a_game_after_the_built_in_ones() -> None:
    assert registry.game_names()[len(registry.BUILTIN_GAMES) :] == ("pig", "rps")
    assert "pig" not in registry.BUILTIN_GAMES
    assert limina.game("pig").title == "Pig"


def test_only_its_own_package_names_a_game() -> None:
    for path in [*(ROOT / "src").rglob("*.py"), *(ROOT / "web" / "src").rglob("*.*")]:
        assert not re.search(r"\b(pig|rps)\b", path.read_text("utf-8", "replace"), re.IGNORECASE), path


def test_a_package_that_cannot_be_loaded_is_an_error_on_use(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        name = "chess"

        def load(self) -> object:
            raise ImportError("no module named queens\nand more")

    monkeypatch.setattr(registry, "_entry_points", lambda: {"chess": Broken()})
    registry.game.cache_clear()
    with pytest.raises(limina.LiminaError, match=r"the game chess cannot be loaded: no module named queens$"):
        registry.game("chess")
    assert [game.name for game in registry.games()] == list(registry.BUILTIN_GAMES)


def test_a_third_party_game_is_played_in_the_terminal_against_its_bot(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    command = ["play", "pig", "Ada", "bot:patient", "--option", "goal=10", "--save", str(path), "--seed", "1"]
    done = cli_commands.limina(*command, stdin_text="roll\nhold\n" * 200)
    assert done.returncode == 0
    assert "Hold to keep it" in done.stdout
    assert "bot:patient plays" in done.stdout
    assert Record.from_json_text(path.read_text()).position.outcome is not None


def test_records_are_replayed_and_shown(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    summary = json.loads(printed(capsys, "replay", "--json", str(record)))
    assert summary["game"] == "pig"
    assert summary["over"] is True
    assert max(summary["scores"].values()) >= 30
    assert "of 30 points" in printed(capsys, "show", str(record))
    printed(capsys, "show", str(record), "--svg", str(tmp_path / "picture.svg"))
    assert (tmp_path / "picture.svg").read_text().startswith("<svg")


def test_legal_turns_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    started = tmp_path / "started.json"
    started.write_text(Record.new(limina.game("pig"), ["Ada", "Ben"]).to_json_text())
    assert json.loads(printed(capsys, "legal", "--json", str(started))) == ["roll"]


def test_bots_play_in_the_arena(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bots = ["patient", "random", "patient@boldness=1.1"]
    results = json.loads(printed(capsys, "arena", "pig", *bots, "--games", "20", "--json", "--no-resume"))
    assert len(results["games"]) == 60
    assert [row["name"] for row in results["bots"]] == bots
    assert all(game["verdict"] is None for game in results["games"])


def test_a_file_of_setups_is_refused_with_a_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "setups.txt"
    file.write_text("1 2 3\n")
    assert main(["arena", "pig", "patient", "random", "--setups", str(file)]) == 1
    assert "Pig cannot be set up from a file" in capsys.readouterr().err


def test_games_are_analyzed_with_the_bot_of_the_package(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    summary = json.loads(printed(capsys, "analyze", "--json", str(record)))
    assert summary["unit"] == "probability"
    assert len(summary["players"]) == 2
    assert len(summary["turns"]) == sum(
        step.player is not None for step in Record.from_json_text(record.read_text()).steps
    )
    assert "accuracy" in printed(capsys, "analyze", str(record), "--level", "patient")


def test_missing_capabilities_are_one_sentence(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["par", str(record)]) == 1
    assert "Pig has no par" in capsys.readouterr().err
    assert main(["train", "pig", "--out", str(tmp_path / "weights.bin")]) == 1
    assert "Pig has nothing to learn" in capsys.readouterr().err


def test_a_bot_speaks_the_engine_protocol() -> None:
    started = Record.new(limina.game("pig"), ["Ada", "Ben"])
    lines = ["limina 1\n", "new pig 7\n", f"position {started.to_json_text()}\n", "go 0 1000\n", "quit\n"]
    answers: list[str] = []
    Engine(limina.game("pig"), "patient", answers.append).run(StringIO("".join(lines)))
    assert answers == ["name limina patient", "ready", "ready", "turn roll"]


def test_a_match_is_played_on_the_server(address: str) -> None:
    with closing(Client(address)) as ada:
        play_a_match(ada)


def play_a_match(ada: Client) -> None:
    info = next(game for game in ada.call("GET", "/games") if game["name"] == "pig")
    assert info["options"] == [
        {"name": "goal", "type": "number", "default": 30, "min": 10, "max": 100, "help": "points to win"}
    ]
    state = ada.create("pig", "me", "patient", options={"goal": 20})
    rng, match = random.Random(1), state["match_id"]
    live = ada.live(match)
    while live.until_state(lambda now: now["phase"] == "over" or "0" in now["legal"])["phase"] != "over":
        legal = live.state["legal"]["0"]["turns"]
        turn = random_turn(live.state, 0, rng)
        assert turn in legal
        assert live.play(0, turn)["type"] == "played"
    end = live.state
    assert end["view"]["light"].startswith("<svg")
    assert end["outcome"]["winners"]
    record = Record.from_json(ada.call("GET", f"/matches/{match}/record", match_id=match))
    assert record.position.outcome is not None
    assert record.chance_steps
    replay = ada.call("GET", f"/matches/{match}/replay", match_id=match)
    assert len(replay["frames"]) == len(record.steps) + 1


# --- a game with simultaneous turns and without chance between the rounds


def throw(live: LiveSocket, seat: int, turn: str) -> None:
    assert live.play(seat, turn)["type"] == "played"


@pytest.mark.parametrize("hidden", [False, True])
def test_rounds_without_chance_follow_each_other_on_the_server(address: str, hidden: bool) -> None:
    with closing(Client(address)) as ada:
        match = ada.create("rps", "me", "me", hidden_turns=hidden)["match_id"]
        live = ada.live(match)
        live.until_state(lambda now: now)
        for played_rounds in range(3):
            for seat, turn in ((0, "rock"), (1, "scissors")):
                assert live.until_state(lambda now, seat=seat: str(seat) in now["legal"])["phase"] == "playing"
                throw(live, seat, turn)
            assert live.state["view"]["text"] == f"round {played_rounds + 2}, {played_rounds + 1} to 0"
        assert live.state["phase"] == "over"
        assert live.state["outcome"]["winners"] == [0]
        assert len(ada.state(match)["steps"]) == 6


def test_no_bot_sees_the_turns_of_an_open_round(address: str) -> None:
    with closing(Client(address)) as ada:
        live = ada.live(ada.create("rps", "me", "counter")["match_id"])
        live.until_state(lambda now: "0" in now["legal"])
        throw(live, 0, "scissors")
        steps = live.until_state(lambda now: len(now["steps"]) == 2)["steps"]
        assert {(step["player"], step["text"]) for step in steps} == {(0, "scissors"), (1, "rock")}
    open_round = Record.new(limina.game("rps"), ["Ada", "Ben"]).play("paper", 0)
    assert choose_checked(bot(limina.game("rps"), "counter"), open_round, 1).turn == "rock"
    assert open_round.visible_to(1).steps == ()
    assert open_round.visible_to(0).steps == open_round.steps
    played = open_round.play("rock", 1)
    assert played.visible_to(0) is played


def test_the_terminal_hides_a_bots_turn_in_an_open_round(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    done = cli_commands.limina("play", "rps", "bot:counter", "Ada", "--save", str(path), stdin_text="paper\nquit\n")
    assert done.returncode == 0
    assert done.stdout.index("Ada>") < done.stdout.index("bot:counter plays rock")
    assert "round 2, 0 to 1" in done.stdout


def test_leaving_a_terminal_game_closes_its_bots(tmp_path: Path) -> None:
    record = Record.new(limina.game("rps"), ["bot:counter", "Ada"])
    terminal_game = TerminalGame(
        record, tmp_path / "game.json", Console(lambda _: "quit", lambda _: None, write_atomic, False), Random(1)
    )
    assert not terminal_game.play()
    assert all(player.closed for player in terminal_game._bots.values())  # type: ignore[attr-defined]  # `counter` has it


def test_percent_signs_in_a_summary_break_no_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert "%" in limina.game("rps").spec.summary
    assert not main(["--version"])
    for command in (["play", "--help"], ["arena", "--help"]):
        with pytest.raises(SystemExit) as ended:
            main(command)
        assert ended.value.code == 0
    with pytest.raises(limina.InvalidInputError, match="is for 2 players, not 3"):
        Record.from_json({"format": "limina/1", "game": "rps", "players": ["a", "b", "c"], "steps": []})


def test_the_guide_shows_the_code_of_the_package() -> None:
    """Find every Python block of the guide that is not a session in the package, word for word."""
    source = SOURCE.read_text()
    blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    shown = [block for block in blocks if not block.startswith(">>>")]
    assert shown
    for block in shown:
        assert block.strip() in source, block
