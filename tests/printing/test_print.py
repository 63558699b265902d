"""Printed sheets, read back from the PDF files with another library than the one that writes them."""

from __future__ import annotations

import math
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from limina.cli import main
from limina.limes.decks.deck import Deck
from support.pdf import PdfPage, embedded_images, fonts_embedded, read_pages

A4, LETTER = (210, 297), (215.9, 279.4)


def print_game(path: Path, *command: str) -> bytes:
    """Run a command that writes a PDF file, and return the file."""
    assert main([*command, "--out", str(path)]) == 0
    return path.read_bytes()


def near(lengths: list[float]) -> object:
    return pytest.approx(lengths, abs=0.1)


def cut_positions(side: PdfPage, mark_length: float = 3.0) -> tuple[list[float], list[float]]:
    """Return the x of the vertical cut marks from left to right and the y of the horizontal ones from top to bottom."""
    xs, ys = set(), set()
    for x0, y0, x1, y1 in side.lines:
        if abs(math.hypot(x1 - x0, y1 - y0) - mark_length) > 0.01 or not (x0 == x1 or y0 == y1):
            continue
        if x0 == x1:
            xs.add(round(x0, 2))
        else:
            ys.add(round(y0, 2))
    return sorted(xs), sorted(ys)


@pytest.mark.parametrize(("paper", "sides"), [("a4", A4), ("letter", LETTER)])
@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize(("command", "pages"), [("deck", 11), ("limit", 7)])
def test_two_pages_of_rules_and_all_sheets_have_the_chosen_paper_size(
    command: str, pages: int, paper: str, sides: tuple[float, float], language: str, tmp_path: Path
) -> None:
    content = print_game(tmp_path / "game.pdf", command, "print", "--paper", paper, "--language", language)
    assert [side for page in read_pages(content) for side in (page.width, page.height)] == near([*sides] * pages)


@pytest.mark.parametrize(
    ("command", "language", "title"), [("deck", "fr", "Les règles de"), ("limit", "de", "Die Regeln von")]
)
def test_a_pdf_has_no_raster_images_and_embeds_all_fonts(
    command: str, language: str, title: str, tmp_path: Path
) -> None:
    content = print_game(tmp_path / "game.pdf", command, "print", "--language", language)
    rules = read_pages(content)[0].text
    assert rules.startswith(title)
    assert len(rules) > 2000
    assert embedded_images(content) == []
    embedded = fonts_embedded(content)
    assert embedded
    assert all(embedded.values())


def test_cards_are_63_mm_and_both_players_get_all_24(tmp_path: Path) -> None:
    sides = read_pages(print_game(tmp_path / "deck.pdf", "deck", "print"))
    xs, ys = cut_positions(sides[2])
    assert xs == near([10.5 + 63 * i for i in range(4)])
    assert ys == near([22.5 + 63 * i for i in range(5)])
    for faces in (f"{sides[2].text} {sides[4].text}", f"{sides[6].text} {sides[8].text}"):
        assert [int(word) for word in faces.split() if word.isdecimal()] == list(range(1, 25))


@pytest.mark.parametrize(("size", "bleed"), [(63.0, 3.0), (90.0, 0.0)])
def test_the_cut_marks_fit_the_chosen_card_size_with_any_bleed(size: float, bleed: float, tmp_path: Path) -> None:
    content = print_game(tmp_path / "deck.pdf", "deck", "print", "--size", str(size), "--bleed", str(bleed))
    front, back = read_pages(content)[2:4]
    xs, ys = cut_positions(front)
    gaps = [b - a for cuts in (xs, ys) for a, b in pairwise(cuts)]
    assert all(any(gap == pytest.approx(one, abs=0.1) for one in (size, 2 * bleed)) for gap in gaps)
    assert sum(gap == pytest.approx(size, abs=0.1) for gap in gaps) >= 4
    # The art of both sides extends beyond the cut, but not into the margin that printers cannot print on.
    for side in (front, back):
        reach = [x for line in side.lines for x in (line[0], line[2]) if x < 105]
        assert xs[0] - bleed == pytest.approx(min(x for x in reach if x > xs[0] - bleed - 0.5), abs=0.1)
        assert min(xs) - bleed >= 5


def test_backs_are_behind_their_faces_when_flipped_on_the_long_edge(tmp_path: Path) -> None:
    content = print_game(tmp_path / "deck.pdf", "deck", "print", "--size", "80", "--paper", "letter")
    for front, back in zip(*[iter(read_pages(content)[2:-2])] * 2, strict=True):
        squares = [square_corners(side, 80) for side in (front, back)]
        assert squares[0]
        flipped = sorted((LETTER[0] - x - 80, y) for x, y in squares[0])
        assert [side for place in sorted(squares[1]) for side in place] == near(
            [side for place in flipped for side in place]
        )


def square_corners(side: PdfPage, size: float) -> set[tuple[float, float]]:
    """Return the left ends of the horizontal lines of this length."""
    return {
        (round(x0, 2), round(y0, 2))
        for x0, y0, x1, y1 in side.lines
        if abs(y0 - y1) < 0.01 and abs(x1 - x0 - size) < 0.1
    }


def test_tiles_are_40_mm_wide_and_eight_pawns_fit_in_a_row(tmp_path: Path) -> None:
    sides = read_pages(print_game(tmp_path / "limit.pdf", "limit", "print"))
    edge = 40 / math.sqrt(3)
    for side, count in ((sides[2], 28), (sides[4], 4)):
        upright = {
            (round(x0, 1), round(min(y0, y1), 1))
            for x0, y0, x1, y1 in side.lines
            if abs(x0 - x1) < 0.01 and abs(abs(y1 - y0) - edge) < 0.05
        }
        lefts = {(x, y) for x, y in upright if any(abs(x + 40 - a) < 0.15 and abs(y - b) < 0.15 for a, b in upright)}
        assert len(lefts) == count
    folded = [line for line in sides[6].lines if abs(line[1] - line[3]) < 0.01 and abs(line[2] - line[0] - 20) < 0.1]
    assert len({round(line[0], 1) for line in folded}) == 8


def test_a_larger_layout_takes_more_sheets(tmp_path: Path) -> None:
    content = print_game(tmp_path / "limit.pdf", "limit", "print", "--option", "size=16")
    assert len(read_pages(content)) == 2 + 2 * 3 + 2


def test_a_deck_from_a_file_is_printed_the_same_each_time(tmp_path: Path) -> None:
    deck = tmp_path / "mine.toml"
    faces = ", ".join(f'"{face}"' for face in reversed(Deck.default().faces))
    deck.write_text(f'name = "mine #1"\ncards = [{faces}]')
    mine = print_game(tmp_path / "mine.pdf", "deck", "print", str(deck))
    assert mine != print_game(tmp_path / "ours.pdf", "deck", "print")
    assert print_game(tmp_path / "again.pdf", "deck", "print", str(deck)) == mine


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("deck print --size 10", "--size must be from 40 to 90, the width of a card in mm"),
        ("deck print --size nan", "--size must be from 40 to 90, the width of a card in mm"),
        ("limit print --size 100", "--size must be from 25 to 60, the width of a tile in mm"),
        ("deck print --bleed 6", "--bleed must be from 0 to 5 mm"),
        ("limit print --option size=99", "option size must be from 4 to 16"),
        ("deck print nowhere.toml", "no such file"),
    ],
)
def test_invalid_print_options_are_refused_in_one_sentence(
    command: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(command.split()) == 1
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


WITHOUT_TYPST = """
import sys
sys.modules["typst"] = None
from limina.cli import main
sys.exit(main(sys.argv[1:]))
"""


def test_without_the_extra_one_sentence_says_what_to_install(tmp_path: Path) -> None:
    out = tmp_path / "deck.pdf"
    command = [sys.executable, "-c", WITHOUT_TYPST, "deck", "print", "--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "limina: this needs more packages: run `pip install 'limina[print]'`\n"
    assert not out.exists()
