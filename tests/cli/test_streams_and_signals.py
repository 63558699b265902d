"""Full disks, closed streams, devices, invalid bytes and signals: an error in one line, never a traceback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

import limina
from limina import Record
from limina._kernel import CancelToken
from limina.cli import main
from limina.core.files import remove_stale_temp_files, write_atomic
from limina.limes.par import ParSolver
from support.games.records import random_record

LIMINA = f"{sys.executable} -m limina"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    file = tmp_path / "game.json"
    file.write_text(random_record(limina.game("limes"), 3, players=1, steps=32).to_json_text())
    return file


def run(command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"} | variables
    return subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, errors="replace", check=False, env=environment
    )


def one_line(done: subprocess.CompletedProcess[str], words: str) -> None:
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert words in done.stderr


needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")


@needs_full
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", ["--help", "replay GAME", "show GAME", "par --budget 3 GAME"])
def test_a_full_disk_is_reported(command: str, unbuffered: str, record: Path) -> None:
    done = run(f"{LIMINA} {command.replace('GAME', str(record))} > /dev/full", PYTHONUNBUFFERED=unbuffered)
    one_line(done, "limina: the output cannot be written: no space left on device")


@needs_full
def test_a_closed_progress_stream_loses_no_result() -> None:
    done = run(f"{LIMINA} arena limit random random --games 2 --option size=4 --json 2> /dev/full")
    assert done.returncode == 0
    assert len(json.loads(done.stdout)["games"]) == 2


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&- <&-"])
def test_closed_streams_cause_no_crash(closed: str, record: Path) -> None:
    done = run(f"{LIMINA} replay {record} {closed}")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_closed_input_is_empty() -> None:
    one_line(run(f"{LIMINA} replay - <&-"), "standard input: it is not JSON")


def test_invalid_utf8_input_does_not_end_a_terminal_game(tmp_path: Path) -> None:
    path = tmp_path / "saved.json"
    done = run(rf"printf 'd4r0\377\nd4r0\nquit\n' | {LIMINA} play limes $(printf '\377') --save {path}")
    assert done.returncode == 0
    assert "help lists the commands" in done.stdout
    assert [step.text for step in Record.from_json_text(path.read_bytes()).steps if step.player == 0] == ["d4r0"]
    assert run(f"{LIMINA} play --resume {path} < /dev/null").returncode == 0


def test_lone_surrogates_in_names_survive_writing_and_reading(record: Path) -> None:
    data = json.loads(record.read_text()) | {"players": ["\ud800"]}
    read = Record.from_json_text(json.dumps(data))
    assert Record.from_json_text(read.to_json_text().encode()) == read
    assert "Ä" in Record.from_json_text(json.dumps(data | {"players": ["Ä"]})).to_json_text()


@pytest.mark.parametrize("command", ["replay GAME", "analyze GAME --work 1", "play --resume GAME --save SAVED"])
def test_names_in_records_cannot_contain_terminal_escapes(command: str, tmp_path: Path) -> None:
    game = limina.game("limes")
    started = (
        Record.new(game, ["\x1b]0;mine\x07\u202e", "B" * 5000]).apply_random_chance_step(Random(1)).play("d4r0", 0)
    )
    (tmp_path / "game.json").write_text(started.to_json_text())
    words = command.replace("GAME", str(tmp_path / "game.json")).replace("SAVED", str(tmp_path / "saved.json"))
    done = run(f"{LIMINA} {words} < /dev/null")
    assert done.returncode == 0
    assert not {"\x1b", "\x07", "\u202e"} & set(done.stdout)
    assert "B" * 300 not in done.stdout


# --- files


def test_writing_keeps_devices_and_links(tmp_path: Path) -> None:
    write_atomic(Path("/dev/null"), "gone")
    assert not Path("/dev/null").is_file()
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("old")
    link.symlink_to(file)
    write_atomic(link, "new")
    assert link.is_symlink()
    assert file.read_text() == "new"


@pytest.mark.parametrize("name", ["/", "", "a\x00b"])
def test_an_invalid_file_name_is_reported(name: str, record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(record), "--svg", name]) == 1
    assert "cannot be written" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no /dev/zero")
@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("deck check /dev/zero", "larger than 16 MiB"),
        ("replay /dev/zero", "larger than 16 MiB"),
        ("par --deals /dev/zero", "larger than 16 MiB"),
        ("arena limes random --deals /dev/zero", "larger than 16 MiB"),
        ("arena limit random random --resume /dev/zero", "not a file"),
    ],
)
def test_endless_files_are_read_up_to_a_limit(command: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(command.split()) == 1
    assert words in capsys.readouterr().err


def test_only_temporary_files_of_killed_writers_are_removed(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    left = tmp_path / f".limes-000001.json.{gone.pid}"
    others = [tmp_path / name for name in (f".limes-000002.json.{os.getpid()}", ".limes-3.json.x", f".mine.{gone.pid}")]
    for file in (left, *others):
        file.write_text("half")
    remove_stale_temp_files(tmp_path, "limes-*.json")
    assert not left.exists()
    assert all(file.exists() for file in others)


# --- numbers


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("par GAME --budget 0", "--budget must be from 1"),
        ("par GAME --budget 1000000000000", "--budget must be from 1"),
        ("par GAME --seconds nan", "--seconds must be a number above 0"),
        ("par GAME --seconds -1", "--seconds must be a number above 0"),
        ("legal GAME --player -1", "there is no player -1: there is only 0"),
        ("show GAME --player 1", "there is no player 1: there is only 0"),
        ("analyze GAME --player 1", "there is no player 1: there is only 0"),
        ("train limes --games -1 --out x", "--games must be from 0"),
        (f"serve --max sockets={'1' * 5000}", "a whole number above 0"),
        (f"serve --host {'a' * 300}", "cannot listen on"),
    ],
)
def test_numbers_out_of_range_are_reported(
    command: str, words: str, record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command.replace("GAME", str(record)).split()) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert err.count("\n") == 1
    assert len(err) < 250


# --- Ctrl-C


def test_ctrl_c_stops_a_search_of_the_kernel(
    record: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def search(self: object, start: object, deal: object, cancel_token: CancelToken, **limits: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        while not cancel_token.is_canceled():
            time.sleep(0.01)

    monkeypatch.setattr(ParSolver, "solve", search)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a test runner may ignore it
    try:
        assert main(["par", str(record)]) == 130
    finally:
        signal.signal(signal.SIGINT, before)
    assert capsys.readouterr() == ("", "\n")
