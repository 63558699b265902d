"""Positions and whole games as pictures for chats and forums, and layouts for a real table."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

import limina
from limina.cli import main
from limina.printing.animation import animation
from support.games.records import random_record


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("records")
    (folder / "limes.json").write_text(random_record(limina.game("limes"), 5, players=2, steps=10).write())
    (folder / "alone.json").write_text(random_record(limina.game("limes"), 5, players=1, steps=8).write())
    (folder / "limit.json").write_text(random_record(limina.game("limit"), 5, players=2, steps=4).write())
    return folder


def opened(path: Path) -> Image.Image:
    return Image.open(io.BytesIO(path.read_bytes()))


@pytest.mark.parametrize("name", ["limes", "alone", "limit"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_position_is_a_png_whose_longer_side_is_chosen(name: str, theme: str, records: Path, tmp_path: Path) -> None:
    out = tmp_path / "picture.png"
    assert main(["show", str(records / f"{name}.json"), "--out", str(out), "--pixels", "300", "--theme", theme]) == 0
    picture = opened(out)
    assert max(picture.size) == 300
    assert len(picture.getcolors(100_000) or []) > 100


@pytest.mark.parametrize(("name", "frames"), [("limes", 4), ("alone", 5), ("limit", 5)])
@pytest.mark.parametrize("kind", ["gif", "webp"])
def test_a_game_is_a_moving_picture_of_its_rounds(
    name: str, frames: int, kind: str, records: Path, tmp_path: Path
) -> None:
    out = tmp_path / f"game.{kind}"
    words = ["show", str(records / f"{name}.json"), "--out", str(out), "--pixels", "160", "--speed", "200"]
    assert main(words) == 0
    moving = opened(out)
    assert (moving.format or "").lower() == kind
    assert getattr(moving, "n_frames", 1) == frames
    assert max(moving.size) == 160
    moving.seek(frames - 1)
    last = moving.convert("RGB").tobytes()
    moving.seek(0)
    assert moving.convert("RGB").tobytes() != last


def drawing(x: int) -> str:
    """A plain drawing that differs from others by one number, for tests that need many."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="100" height="100">'
        f'<rect width="{x}" height="100" fill="#147"/></svg>'
    )


ANIMATED = """
import resource, sys
from limina.printing.animation import animation

megabytes, kind, *drawings = sys.argv[1:]
resource.setrlimit(resource.RLIMIT_DATA, (int(megabytes) << 20,) * 2)
sys.stdout.buffer.write(animation(drawings, kind=kind, size=400, milliseconds=100, paper="#ffffff"))
"""


@pytest.mark.parametrize("kind", ["gif", "webp"])
def test_the_memory_of_an_animation_does_not_grow_with_its_frames(kind: str) -> None:
    # 80 frames of 400 pixels take 52 MB as RGBA alone, and a process without one takes 70 MB.
    words = [sys.executable, "-c", ANIMATED, "128", kind, *map(drawing, range(1, 81))]
    made = subprocess.run(words, env={**os.environ, "RAYON_NUM_THREADS": "2"}, stdout=subprocess.PIPE, check=True)
    assert getattr(Image.open(io.BytesIO(made.stdout)), "n_frames", 1) == 80


@pytest.mark.parametrize("kind", ["gif", "webp"])
def test_frames_that_do_not_differ_are_shown_as_long_as_all_of_them(kind: str) -> None:
    drawings = [drawing(x) for x in (10, 10, 60, 60)]
    made = animation(drawings, kind=kind, size=64, milliseconds=200, paper="#ffffff")
    moving = Image.open(io.BytesIO(made))
    shown: dict[bytes, float] = {}
    for number in range(getattr(moving, "n_frames", 1)):
        moving.seek(number)
        moving.load()
        frame = moving.convert("RGB").tobytes()
        shown[frame] = shown.get(frame, 0) + moving.info["duration"]
    assert list(shown.values()) == [400, 200 + 800]


def test_a_game_moves_up_to_the_round_asked_for(records: Path, tmp_path: Path) -> None:
    out = tmp_path / "game.gif"
    assert main(["show", str(records / "alone.json"), "--round", "2", "--out", str(out), "--pixels", "100"]) == 0
    assert getattr(opened(out), "n_frames", 1) == 3


@pytest.mark.parametrize("name", ["limes", "limit"])
def test_an_svg_has_the_size_asked_for(name: str, records: Path, tmp_path: Path) -> None:
    out = tmp_path / "picture.svg"
    assert main(["show", str(records / f"{name}.json"), "--out", str(out), "--pixels", "1000"]) == 0
    root = ElementTree.fromstring(out.read_text())
    assert max(int(root.attrib["width"]), int(root.attrib["height"])) == 1000
    assert "viewBox" in root.attrib


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--out a.bmp", "--out must end in .svg, .png, .gif or .webp"),
        ("--out a", "--out must end in .svg, .png, .gif or .webp"),
        ("--out a.png --pixels 9", "--pixels must be from 64 to 4096"),
        ("--out a.png --pixels 99999", "--pixels must be from 64 to 4096"),
        ("--out a.gif --pixels 4000", "--pixels of a moving picture must be from 64 to 1600"),
        ("--out a.gif --speed 0", "--speed must be from 20 to 10000 milliseconds"),
    ],
)
def test_what_is_no_picture_is_said_in_one_sentence(
    words: str,
    sentence: str,
    records: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["show", str(records / "alone.json"), *words.split()]) == 1
    assert capsys.readouterr().err == f"limina: {sentence}\n"
    assert list(tmp_path.iterdir()) == []


# --- layouts


@pytest.mark.parametrize("size", range(4, 17))
@pytest.mark.parametrize("players", [2, 3])
def test_a_layout_lists_every_tile_under_its_color(size: int, players: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["limit", "layout", "--size", str(size), "--players", str(players), "--seed", "3"]) == 0
    *colors, _, line = capsys.readouterr().out.splitlines()
    laid: dict[str, str] = {}
    for row, letter in zip(colors, "RBYK", strict=True):
        head, _, tiles = row.partition(": ")
        assert ("a pawn on each" in head) == (letter in "RBY"[:players])
        assert len(tiles.split()) == size
        laid |= dict.fromkeys(tiles.split(), letter)
    assert sorted(tile + color for tile, color in laid.items()) == sorted(line.split())
    # The line is a layout that the game itself accepts.
    assert limina.game("limit").read_setup(line, players).start.players == players


def test_the_picture_of_a_layout_names_every_tile(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "table.svg"
    assert main(["limit", "layout", "--seed", "1", "--out", str(out)]) == 0
    line = capsys.readouterr().out.splitlines()[-1]
    written = re.findall(r">([a-z]+\d+)</text>", out.read_text())
    assert sorted(written) == sorted(tile[:-1] for tile in line.split())
    assert main(["limit", "layout", "--seed", "1", "--out", str(tmp_path / "table.png")]) == 0
    assert opened(tmp_path / "table.png").width == 640


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--size 3", "option size must be from 4 to 16"),
        ("--size x", "option size must be a number from 4 to 16"),
        ("--players 4", "players must be from 2 to 3"),
        ("--out a.gif", "--out must end in .svg or .png"),
    ],
)
def test_what_is_no_layout_is_said_in_one_sentence(
    words: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["limit", "layout", *words.split()]) == 1
    said = capsys.readouterr()
    assert sentence in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""
