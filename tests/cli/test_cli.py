"""The commands as people and programs use them."""

from __future__ import annotations

import io
import json
import os
import re
import select
import signal
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

import limina
from limina import Record
from limina.cli import main
from limina.cli.commands import printing
from limina.cli.main import COMMANDS, build_parser
from support.games.records import random_record
from support.processes import cli_commands


@pytest.fixture
def limes(tmp_path: Path) -> Path:
    """A running game for two: three rounds complete, one player has moved in the fourth."""
    record = random_record(limina.game("limes"), 21, players=2, steps=11)
    path = tmp_path / "limes.json"
    path.write_text(record.to_json_text())
    return path


@pytest.fixture
def limit(tmp_path: Path) -> Path:
    path = tmp_path / "limit.json"
    path.write_text(random_record(limina.game("limit"), 22, players=2).to_json_text())
    return path


def test_replay_prints_one_object_for_each_record(limes: Path, limit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "--json", str(limes), str(limit)]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert set(first) == {"game", "over", "round", "winners", "players"}
    assert (first["game"], first["over"], first["round"], first["winners"]) == ("limes", False, 3, [])
    assert set(first["players"][0]) == {"name", "total", "supply", "rating", "workers"}
    assert set(second) == {"game", "over", "turn", "to_move", "winners", "tiles", "pawns"}
    assert second["over"]
    assert second["tiles"] == sorted(second["tiles"])


def test_replay_names_the_player_to_move_until_the_game_is_over(
    limit: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = tmp_path / "before.json"
    before.write_text(Record.from_json_text(limit.read_bytes()).without_last().to_json_text())
    assert main(["replay", "--json", str(before), str(limit)]) == 0
    going_on, over = map(json.loads, capsys.readouterr().out.splitlines())
    assert (going_on["over"], going_on["to_move"]) == (False, going_on["turn"] % 2)
    assert (over["over"], over["to_move"]) == (True, None)


def test_replay_reads_standard_input(
    limes: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(limes.read_bytes())))
    assert main(["replay", "-"]) == 0
    assert "Round 4 of 16" in capsys.readouterr().out


def test_a_file_of_many_records_is_read_line_by_line(
    limes: Path, limit: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [json.dumps(json.loads(path.read_text())) for path in (limes, limit)]
    data = tmp_path / "games.jsonl"
    data.write_text("\n".join(lines) + "\n\n")
    assert main(["replay", "--json", str(data)]) == 0
    assert [json.loads(line)["game"] for line in capsys.readouterr().out.splitlines()] == ["limes", "limit"]
    data.write_text("\n".join([*lines, "{}"]))
    assert main(["replay", str(data)]) == 1
    output = capsys.readouterr()
    assert f"{data}:2: Limit, " in output.out
    assert f"{data}:3: " in output.err
    assert main(["show", str(data)]) == 1
    assert "holds several records: use one of its lines" in capsys.readouterr().err


def test_legal_lists_the_turns_of_a_player(limes: Path, limit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    end = Record.from_json_text(limes.read_bytes()).position
    waiting, done = end.to_move[0], 1 - end.to_move[0]
    assert main(["legal", "--json", "--player", str(waiting), str(limes), str(limit)]) == 0
    turns, over = map(json.loads, capsys.readouterr().out.splitlines())
    assert turns == [str(turn) for turn in end.legal_turns(waiting)]
    assert over == []
    assert main(["legal", "--json", "--player", str(done), str(limes)]) == 0
    assert json.loads(capsys.readouterr().out) == []
    assert main(["legal", "--json", "--player", "2", str(limes)]) == 1
    assert "no player" in capsys.readouterr().err


def test_legal_lists_all_rotations_of_a_symmetric_card(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deck = ["F F F F", *["R W T F"] * 23]
    record = {"format": "limina/1", "game": "limes", "players": ["Ada"], "deck": deck, "draws": [1], "turns": [[None]]}
    path = tmp_path / "game.json"
    path.write_text(json.dumps(record))
    assert main(["legal", "--json", str(path)]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 20


def test_a_record_may_leave_out_options_deck_and_the_open_round(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.json"
    path.write_text('{"format": "limina/1", "game": "limes", "players": ["Ada"], "draws": [17], "turns": []}')
    assert main(["replay", "--json", str(path)]) == 0
    assert json.loads(capsys.readouterr().out)["round"] == 0


def test_show_draws_any_round_in_the_terminal_and_as_a_picture(
    limes: Path, limit: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", str(limes), "--round", "1"]) == 0
    assert capsys.readouterr().out.count("d4") == 0, "no card is offered a place after the fact"
    for source, number in ((limes, "2"), (limit, "3")):
        picture = tmp_path / "picture.svg"
        assert main(["show", str(source), "--round", number, "--svg", str(picture)]) == 0
        assert ET.parse(picture).getroot().tag.endswith("svg")
    assert main(["show", str(limes), "--round", "9"]) == 1
    assert "there is no round 9" in capsys.readouterr().err
    assert main(["show", str(limes), "--svg", str(tmp_path / "no" / "\0.svg")]) == 1


def test_show_uses_color_only_if_the_output_supports_it(limes: Path) -> None:
    for variables, seen in (({}, False), ({"FORCE_COLOR": "1"}, True)):
        done = cli_commands.limina("show", str(limes), env=os.environ | {"TERM": "xterm"} | variables)
        assert (done.returncode, "\x1b" in done.stdout) == (0, seen)


def test_deck_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    faces = list(limina.game("limes").start().deck.faces)
    nw, ne, sw, se = faces[0].split()
    path, picture = tmp_path / "mine.toml", tmp_path / "cards.svg"
    path.write_text(f'name = "mine"\ncards = {json.dumps([*faces[:23], f"{sw} {nw} {se} {ne}"])}\n')
    assert main(["deck", "check", str(path), "--svg", str(picture)]) == 0
    out = capsys.readouterr().out
    assert "mine: 24 cards" in out
    assert "warning: cards 1 and 24 are the same (turned or not)" in out
    assert len(re.findall('data-part="card"', picture.read_text())) == 24
    for content, words in (
        ('cards = ["F F F F"]', "a deck has 24 cards, this one has 1"),
        (f"cards = {json.dumps(['W* F F F', *faces[1:]])}", "card 1 has a hut on water"),
        (f"cards = {json.dumps(['F F F', *faces[1:]])}", "card 1 must have four zones"),
        (f"cards = {json.dumps([7, *faces[1:]])}", "card 1 must be a string"),
        ('name = "mine"', "it has no list called cards"),
        ("cards = [", "it is not TOML"),
    ):
        path.write_text(content)
        assert main(["deck", "check", str(path)]) == 1
        assert words in capsys.readouterr().err
    assert main(["deck", "check", str(tmp_path / "missing.toml")]) == 1
    assert "no such file" in capsys.readouterr().err


def test_every_command_has_help_with_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    names = [module.__name__.rpartition(".")[2] for module in COMMANDS if module is not printing]
    actions = (
        ["deck", "check"],
        ["deck", "print"],
        ["limes", "print"],
        ["limit"],
        ["limit", "print"],
        ["limit", "layout"],
    )
    for words in ([], *([name] for name in names), *actions):
        with pytest.raises(SystemExit) as stopped:
            build_parser().parse_args([*words, "--help"])
        assert stopped.value.code == 0
        assert "example: limina" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ["worker", "--data", "folder"],
        ["--vers"],
        ["play", "limes", "--see", "1"],
        ["deck", "new", "mine.toml", "--rand"],
        ["db", "prune", "--dry"],
    ],
)
def test_options_cannot_be_abbreviated(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 1
    assert "unrecognized arguments: --" in capsys.readouterr().err


# --- playing in the terminal


def test_text_of_a_game_is_wrapped_to_the_width_of_the_window(tmp_path: Path) -> None:
    command = ("play", "limes", "--seed", "3", "--save", str(tmp_path / "game.json"))
    done = cli_commands.limina(*command, stdin_text="legal\nhint\nnonsense\n", env=os.environ | {"COLUMNS": "44"})
    text, _, path = done.stdout.replace("you> ", "").rpartition("The game is saved.")
    assert "Enter a turn in the notation above" in text
    assert max(map(len, text.splitlines())) <= 44
    assert str(tmp_path / "game.json") in path, "a long path stays whole"


def play_in_terminal(lines: list[str], tmp_path: Path, *arguments: str) -> tuple[str, Path]:
    """Play with these lines as input; return the output and the path of the record."""
    path = tmp_path / "saved.json"
    typed = "".join(f"{line}\n" for line in lines)
    done = cli_commands.limina("play", "--save", str(path), *arguments, stdin_text=typed)
    assert done.stderr == ""
    assert done.returncode == 0
    return done.stdout, path


def test_a_terminal_game_is_saved_and_resumed(tmp_path: Path) -> None:
    output, path = play_in_terminal(["d4r0 +nw", "hello", "legal d5r0", "quit"], tmp_path, "--seed", "3")
    assert "is not a turn" in output
    assert "d5r0 +sw" in output
    assert f"limina play --resume '{path}'" in output
    assert Record.from_json_text(path.read_bytes()).position.progress == 1
    output, path = play_in_terminal(["e4r0", "quit"], tmp_path, "--resume", str(path))
    assert Record.from_json_text(path.read_bytes()).position.progress == 2


def test_undo_takes_back_a_turn_and_chance_repeats(tmp_path: Path) -> None:
    output, path = play_in_terminal(
        ["d4r0 +nw", "undo", "d4r1", "undo", "undo", "save " + str(tmp_path / "copy"), "quit"], tmp_path
    )
    cards = re.findall(r"Round 2 of 16, card (\d+)", output)
    assert len(cards) == 2
    assert len(set(cards)) == 1
    assert "There is nothing to take back" in output
    assert Record.from_json_text(path.read_bytes()).position.progress == 0
    assert (tmp_path / "copy").read_text() == path.read_text()


def test_a_whole_game_against_a_bot(tmp_path: Path) -> None:
    record = random_record(limina.game("limit"), 5, players=2, steps=0)
    path = tmp_path / "start.json"
    data = record.to_json() | {"players": ["Ada", "bot:random"]}
    path.write_text(json.dumps(data))
    for _ in range(80):
        end = Record.from_json_text(path.read_bytes()).position
        if end.outcome is not None:
            break
        output, _ = play_in_terminal(
            [str(end.legal_turns()[0]), "quit"], tmp_path, "--resume", str(path), "--save", str(path)
        )
        assert "bot:random plays" in output or "pawns" in output
    assert Record.from_json_text(path.read_bytes()).position.outcome is not None
    output, _ = play_in_terminal([], tmp_path, "--resume", str(path))
    assert "limina show" in output


def test_a_terminal_game_survives_the_end_of_its_input(tmp_path: Path) -> None:
    output, path = play_in_terminal(["d4r0 +nw", "e4r1"], tmp_path, "limes", "Ada", "Ben", "--option", "diagonal=yes")
    record = Record.from_json_text(path.read_bytes())
    assert len(record.steps) == 2, "a draw and Ada's turn: e4 is not where Ben may begin"
    assert record.names == ("Ada", "Ben")
    assert "The game is saved" in output


def test_a_terminal_game_survives_ctrl_c(tmp_path: Path) -> None:
    path = tmp_path / "saved.json"
    playing = subprocess.Popen(
        # A test runner may ignore the signal, and its children would inherit that.
        ["env", "--default-signal=INT", *cli_commands.LIMINA, "play", "--seed", "1", "--save", str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
    )
    assert playing.stdin is not None
    assert playing.stdout is not None
    out = playing.stdout.fileno()

    def read_until(words: str, again: Callable[[], None] = lambda: None) -> str:
        seen = ""
        while words not in seen:
            for _ in range(20):
                if select.select([out], [], [], 3)[0]:
                    break
                again()
            part = os.read(out, 4096)
            assert part, f"{words!r} never came, but {seen!r}"
            seen += part.decode(errors="replace")
        return seen

    read_until("you> ")
    playing.stdin.write(b"d4r2 +se\n")
    assert "Round 2" in read_until("you> ")
    playing.send_signal(signal.SIGINT)
    # A signal just before the program begins to read is noticed only with the next one.
    read_until("The game is saved", again=lambda: playing.send_signal(signal.SIGINT))
    assert playing.wait(timeout=60) == 0
    playing.stdin.close()
    playing.stdout.close()
    assert [step.text for step in Record.from_json_text(path.read_bytes()).steps if step.player == 0] == ["d4r2 +se"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["limes", "Ada", "bot:missing"], "there is no bot called 'missing'"),
        (["limes", "--option", "ferry=yes"], "options has no 'ferry'"),
        (["limes", "--option", "ferryman=maybe"], "must be yes or no"),
        (["limit", "--option", "size=99"], "must be from 4 to 16"),
        (["limit", "Ada"], "name that many"),
        (["limes", "--option", "deck=missing.toml"], "no such file"),
        (["limes", "--save", "/proc/nowhere/game.json"], "cannot be written"),
    ],
)
def test_play_reports_why_a_game_cannot_start(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(["play", *arguments]) == 1
    assert words in capsys.readouterr().err
