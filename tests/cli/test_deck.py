"""Decks made, changed, checked and tried at the terminal."""

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
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(Deck.default().with_name("mine").to_toml())
    return path


def edited(path: Path, *lines: str) -> tuple[int, str]:
    done = cli_commands.limina("deck", "edit", str(path), stdin_text="".join(f"{line}\n" for line in lines))
    assert done.stderr == ""
    return done.returncode, done.stdout


# --- new


def test_a_new_deck_is_one_to_fill_in_and_never_takes_the_place_of_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "box.toml"
    assert main(["deck", "new", str(path)]) == 0
    made = Deck.load(path)
    assert (made.name, set(made.faces)) == ("box", {"F F F F"})
    path.write_text("mine")
    capsys.readouterr()
    assert main(["deck", "new", str(path)]) == 1
    assert "the file exists already" in capsys.readouterr().err
    assert path.read_text() == "mine"


def test_a_random_deck_is_sound_and_the_same_for_a_seed(tmp_path: Path) -> None:
    for seed in range(3):
        path, again = tmp_path / f"{seed}.toml", tmp_path / f"{seed}-again.toml"
        for each in (path, again):
            assert main(["deck", "new", str(each), "--random", "--seed", str(seed), "--name", "chance"]) == 0
        deck = Deck.load(path)
        assert path.read_text() == again.read_text()
        assert len({canonical_face(face) for face in deck.grounds}) == 24
        assert deck.warnings() == []


def test_whatever_a_deck_is_called_it_reads_back_the_same() -> None:
    for name in ("", 'a "quoted" \\ name', "Grüße\n\t\x7f\x00", "名"):
        deck = Deck.random(Random(1), name)
        read = Deck.from_toml(deck.to_toml())
        assert (read.name, read.faces) == (name, deck.faces)


# --- edit


def test_faces_are_changed_by_number_and_written_when_that_is_said(mine: Path) -> None:
    status, said = edited(mine, "7 f* w t r", "turn 8", "copy 1 9", "name Box of 2024", "save", "quit")
    assert status == 0
    deck = Deck.load(mine)
    nw, ne, sw, se = FACES[7].split()
    assert deck.name == "Box of 2024"
    assert deck.faces == (*FACES[:6], "F* W T R", f"{sw} {nw} {se} {ne}", FACES[0], *FACES[9:])
    assert "Warning: cards 1 and 9 are the same (turned or not)." in said


def test_changes_can_be_taken_back_one_by_one(mine: Path) -> None:
    before = mine.read_text()
    status, said = edited(mine, "7 F F F F", "8 F F F F", "undo", "undo", "undo", "save", "quit")
    assert status == 0
    assert "There is nothing to take back." in said
    assert mine.read_text() == before


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
def test_what_cannot_be_done_is_said_and_changes_nothing(line: str, answer: str, mine: Path) -> None:
    before = mine.read_text()
    status, said = edited(mine, line, "quit")
    assert status == 0, "nothing was changed, so nothing is lost"
    assert answer in said
    assert mine.read_text() == before


def test_who_leaves_without_saving_is_asked_first_and_the_file_stays_as_it_was(mine: Path) -> None:
    before = mine.read_text()
    assert "enter save, or quit! to leave without them" in edited(mine, "7 F F F F", "quit", "quit!")[1]
    status, said = edited(mine, "7 F F F F")
    assert (status, "Unsaved changes are lost." in said) == (1, True)
    assert mine.read_text() == before


# --- check


def test_a_deck_is_compared_with_ours(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine.write_text(Deck.default().with_face(1, "F F F F*").to_toml())
    assert main(["deck", "check", str(mine)]) == 0
    said = capsys.readouterr().out
    assert (
        "compared with limina-24: +3 field, -1 water, +0 forest, -2 rock, +0 huts, 23 faces in common (turned or not)"
        in said
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
def test_a_bad_deck_is_refused_in_one_sentence_that_names_the_card(
    action: str, cards: tuple[str, ...], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(f"cards = {json.dumps(cards)}")
    assert main(["deck", action, str(path)]) == 1
    said = capsys.readouterr()
    assert sentence in said.err
    assert said.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == [path]


def test_bots_play_a_deck_and_ours_on_the_same_deals(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine.write_text(Deck.random(Random(2), "chance").to_toml())
    said = []
    for _ in range(2):
        assert main(["deck", "check", str(mine), "--play", "--deals", "3", "--seconds", "600"]) == 0
        said.append(capsys.readouterr().out)
    assert "mean of 3 deals" in said[0]
    lines = said[0].splitlines()[-3:]
    assert [line.split()[0] for line in lines] == ["greedy", "skilled", "par"]
    for greedy, skilled, par in zip(*(re.findall(r"([\d.]+) ±", line) for line in lines), strict=True):
        assert float(par) >= max(float(greedy), float(skilled))
    assert sorted(said[0].split()) == sorted(said[1].split()), "the same seed, the same deals"


def test_the_end_of_the_time_keeps_what_was_played(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deck", "check", str(mine), "--play", "--deals", "10000", "--seconds", "0.01"]) == 0
    assert "Points of one player, mean of" in capsys.readouterr().out


def test_ctrl_c_keeps_what_was_played(mine: Path) -> None:
    words = ["deck", "check", str(mine), "--play", "--deals", "10000", "--seconds", "600"]
    command = cli_commands.Command(words, stdin=PIPE, stdout=PIPE, stderr=PIPE)
    assert command.stderr is not None
    assert "Press Ctrl-C to stop" in command.stderr.readline()
    command.send_signal(signal.SIGINT)
    said, _ = command.communicate(timeout=60)
    assert command.wait() == 0
    assert "Points of one player, mean of" in said or "No deal was finished." in said
