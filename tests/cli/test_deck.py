"""`limina deck`: create, edit, check and try decks."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path
from random import Random
from subprocess import PIPE

import pytest

from limina.cli import main
from limina.limes.decks.deck import Deck, canonical_face
from support.processes import cli_commands

FACES = Deck.default().faces


@pytest.fixture
def deck_file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(Deck.default().with_name("mine").to_toml())
    return path


def edit_deck(path: Path, *lines: str) -> tuple[int, str]:
    done = cli_commands.limina("deck", "edit", str(path), stdin_text="".join(f"{line}\n" for line in lines))
    assert done.stderr == ""
    return done.returncode, done.stdout


# --- new


def test_a_new_deck_never_overwrites_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "box.toml"
    assert main(["deck", "new", str(path)]) == 0
    deck = Deck.load(path)
    assert (deck.name, set(deck.faces)) == ("box", {"F F F F"})
    path.write_text("mine")
    capsys.readouterr()
    assert main(["deck", "new", str(path)]) == 1
    assert "the file exists already" in capsys.readouterr().err
    assert path.read_text() == "mine"


def test_a_random_deck_is_valid_and_repeatable(tmp_path: Path) -> None:
    for seed in range(3):
        path, again = tmp_path / f"{seed}.toml", tmp_path / f"{seed}-again.toml"
        for file in (path, again):
            assert main(["deck", "new", str(file), "--random", "--seed", str(seed), "--name", "chance"]) == 0
        deck = Deck.load(path)
        assert path.read_text() == again.read_text()
        assert len({canonical_face(face) for face in deck.parsed_faces}) == 24
        assert deck.warnings() == []


def test_deck_names_survive_writing_and_reading() -> None:
    for name in ("", 'a "quoted" \\ name', "Grüße\n\t\x7f\x00", "名"):
        deck = Deck.random(Random(1), name)
        read = Deck.from_toml(deck.to_toml())
        assert (read.name, read.faces) == (name, deck.faces)


# --- edit


def test_deck_edit_changes_faces_and_writes_them_on_save(deck_file: Path) -> None:
    status, output = edit_deck(deck_file, "7 f* w t r", "turn 8", "copy 1 9", "name Box of 2024", "save", "quit")
    assert status == 0
    deck = Deck.load(deck_file)
    nw, ne, sw, se = FACES[7].split()
    assert deck.name == "Box of 2024"
    assert deck.faces == (*FACES[:6], "F* W T R", f"{sw} {nw} {se} {ne}", FACES[0], *FACES[9:])
    assert "Warning: cards 1 and 9 are the same (turned or not)." in output


def test_deck_edit_undoes_changes_one_by_one(deck_file: Path) -> None:
    before = deck_file.read_text()
    status, output = edit_deck(deck_file, "7 F F F F", "8 F F F F", "undo", "undo", "undo", "save", "quit")
    assert status == 0
    assert "There is nothing to take back." in output
    assert deck_file.read_text() == before


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("9 W* F F F", "card 9 has a hut on water"),
        ("9 F F F", "card 9 must have four zones"),
        ("9 F F F X", "card 9 has a zone 'X'"),
        ("25 F F F F", "there is no card 25: cards are 1 to 24"),
        ("0", "there is no card 0: cards are 1 to 24"),
        ("turn x", "'x' is not the number of a card"),
        ("copy 3", "'' is not the number of a card"),
        ("dance", "There is no command 'dance'"),
    ],
)
def test_invalid_editor_commands_change_nothing(line: str, answer: str, deck_file: Path) -> None:
    before = deck_file.read_text()
    status, output = edit_deck(deck_file, line, "quit")
    assert status == 0, "nothing was changed, so nothing is lost"
    assert answer in output
    assert deck_file.read_text() == before


def test_quit_with_unsaved_changes_asks_first_and_keeps_the_file(deck_file: Path) -> None:
    before = deck_file.read_text()
    assert "enter save, or quit! to leave without them" in edit_deck(deck_file, "7 F F F F", "quit", "quit!")[1]
    status, output = edit_deck(deck_file, "7 F F F F")
    assert (status, "Unsaved changes are lost." in output) == (1, True)
    assert deck_file.read_text() == before


# --- check


def test_deck_check_compares_with_the_standard_deck(deck_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deck_file.write_text(Deck.default().with_face(1, "F F F F*").to_toml())
    assert main(["deck", "check", str(deck_file)]) == 0
    output = capsys.readouterr().out
    assert (
        "compared with limina-24: +3 field, -1 water, +0 forest, -2 rock, +0 huts, 23 faces in common (turned or not)"
        in output
    )


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        (FACES[:23], "a deck has 24 cards, this one has 23"),
        ((*FACES[:22], "F W* F F", "F F F F"), "card 23 has a hut on water"),
        ((*FACES[:4], "F X F F", *FACES[5:]), "card 5 has a zone 'X': write F, W, T or R"),
        ((*FACES[:4], "F**  F F F", *FACES[5:]), "card 5 has a zone 'F**'"),
        (("F F F F",) * 9000, "it is longer than 65536 characters, and no deck is that long"),
    ],
)
@pytest.mark.parametrize("action", ["check", "edit", "print"])
def test_errors_of_an_invalid_deck_name_the_card(
    action: str, cards: tuple[str, ...], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(f"cards = {json.dumps(cards)}")
    assert main(["deck", action, str(path)]) == 1
    output = capsys.readouterr()
    assert sentence in output.err
    assert output.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == [path]


def test_bots_play_a_deck_and_the_standard_deck_on_the_same_deals(
    deck_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deck_file.write_text(Deck.random(Random(2), "chance").to_toml())
    output = []
    for _ in range(2):
        assert main(["deck", "check", str(deck_file), "--play", "--deals", "3", "--seconds", "600"]) == 0
        output.append(capsys.readouterr().out)
    assert "mean of 3 deals" in output[0]
    lines = output[0].splitlines()[-3:]
    assert [line.split()[0] for line in lines] == ["greedy", "skilled", "par"]
    for greedy, skilled, par in zip(*(re.findall(r"([\d.]+) ±", line) for line in lines), strict=True):
        assert float(par) >= max(float(greedy), float(skilled))
    assert sorted(output[0].split()) == sorted(output[1].split()), "the same seed, the same deals"


def test_a_deck_trial_keeps_its_results_when_time_runs_out(deck_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deck", "check", str(deck_file), "--play", "--deals", "10000", "--seconds", "0.01"]) == 0
    assert "Points of one player, mean of" in capsys.readouterr().out


def test_a_deck_trial_keeps_its_results_after_ctrl_c(deck_file: Path) -> None:
    words = ["deck", "check", str(deck_file), "--play", "--deals", "10000", "--seconds", "600"]
    command = cli_commands.Command(words, stdin=PIPE, stdout=PIPE, stderr=PIPE)
    assert command.stderr is not None
    assert "Press Ctrl-C to stop" in command.stderr.readline()
    command.send_signal(signal.SIGINT)
    output, _ = command.communicate(timeout=60)
    assert command.wait() == 0
    assert "Points of one player, mean of" in output or "No deal was finished." in output
