"""Positions and whole games as image files, and layouts of Limit for a physical game."""

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
from limina.printing.animation import encode_animation
from support.games.records import random_record


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("records")
    (folder / "limes.json").write_text(random_record(limina.game("limes"), 5, players=2, steps=10).to_json_text())
    (folder / "alone.json").write_text(random_record(limina.game("limes"), 5, players=1, steps=8).to_json_text())
    (folder / "limit.json").write_text(random_record(limina.game("limit"), 5, players=2, steps=4).to_json_text())
    return folder


def open_image(path: Path) -> Image.Image:
    return Image.open(io.BytesIO(path.read_bytes()))


@pytest.mark.parametrize("name", ["limes", "alone", "limit"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_longer_side_of_a_png_has_the_given_length(name: str, theme: str, records: Path, tmp_path: Path) -> None:
    out = tmp_path / "picture.png"
    assert main(["show", str(records / f"{name}.json"), "--out", str(out), "--pixels", "300", "--theme", theme]) == 0
    picture = open_image(out)
    assert max(picture.size) == 300
    assert len(picture.getcolors(100_000) or []) > 100


@pytest.mark.parametrize(("name", "frames"), [("limes", 4), ("alone", 5), ("limit", 5)])
@pytest.mark.parametrize("kind", ["gif", "webp"])
def test_an_animation_has_a_frame_for_each_round(
    name: str, frames: int, kind: str, records: Path, tmp_path: Path
) -> None:
    out = tmp_path / f"game.{kind}"
    command = ["show", str(records / f"{name}.json"), "--out", str(out), "--pixels", "160", "--speed", "200"]
    assert main(command) == 0
    animation = open_image(out)
    assert (animation.format or "").lower() == kind
    assert getattr(animation, "n_frames", 1) == frames
    assert max(animation.size) == 160
    animation.seek(frames - 1)
    last = animation.convert("RGB").tobytes()
    animation.seek(0)
    assert animation.convert("RGB").tobytes() != last


def drawing(x: int) -> str:
    """Return a simple drawing that differs from others in the width of a rectangle."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="100" height="100">'
        f'<rect width="{x}" height="100" fill="#147"/></svg>'
    )


ENCODE_WITH_LIMITED_MEMORY = """
import resource, sys
from limina.printing.animation import encode_animation

megabytes, kind, *drawings = sys.argv[1:]
resource.setrlimit(resource.RLIMIT_DATA, (int(megabytes) << 20,) * 2)
sys.stdout.buffer.write(encode_animation(drawings, kind=kind, size=400, milliseconds=100, paper="#ffffff"))
"""


@pytest.mark.parametrize("kind", ["gif", "webp"])
def test_the_memory_of_an_animation_does_not_grow_with_its_frames(kind: str) -> None:
    # 80 frames of 400 pixels take 52 MB as RGBA alone, and a process without one takes 70 MB.
    command = [sys.executable, "-c", ENCODE_WITH_LIMITED_MEMORY, "128", kind, *map(drawing, range(1, 81))]
    done = subprocess.run(command, env={**os.environ, "RAYON_NUM_THREADS": "2"}, stdout=subprocess.PIPE, check=True)
    assert getattr(Image.open(io.BytesIO(done.stdout)), "n_frames", 1) == 80


@pytest.mark.parametrize("kind", ["gif", "webp"])
def test_equal_frames_last_as_long_as_all_of_them_together(kind: str) -> None:
    drawings = [drawing(x) for x in (10, 10, 60, 60)]
    content = encode_animation(drawings, kind=kind, size=64, milliseconds=200, paper="#ffffff")
    animation = Image.open(io.BytesIO(content))
    durations: dict[bytes, float] = {}
    for frame_index in range(getattr(animation, "n_frames", 1)):
        animation.seek(frame_index)
        animation.load()
        frame = animation.convert("RGB").tobytes()
        durations[frame] = durations.get(frame, 0) + animation.info["duration"]
    assert list(durations.values()) == [400, 200 + 800]


def test_an_animation_ends_with_the_given_round(records: Path, tmp_path: Path) -> None:
    out = tmp_path / "game.gif"
    assert main(["show", str(records / "alone.json"), "--round", "2", "--out", str(out), "--pixels", "100"]) == 0
    assert getattr(open_image(out), "n_frames", 1) == 3


@pytest.mark.parametrize("name", ["limes", "limit"])
def test_the_longer_side_of_an_svg_has_the_given_length(name: str, records: Path, tmp_path: Path) -> None:
    out = tmp_path / "picture.svg"
    assert main(["show", str(records / f"{name}.json"), "--out", str(out), "--pixels", "1000"]) == 0
    root = ElementTree.fromstring(out.read_text())
    assert max(int(root.attrib["width"]), int(root.attrib["height"])) == 1000
    assert "viewBox" in root.attrib


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ("--out a.bmp", "--out must end in .svg, .png, .gif or .webp"),
        ("--out a", "--out must end in .svg, .png, .gif or .webp"),
        ("--out a.png --pixels 9", "--pixels must be from 64 to 4096"),
        ("--out a.png --pixels 99999", "--pixels must be from 64 to 4096"),
        ("--out a.gif --pixels 4000", "--pixels of an animation must be from 64 to 1600"),
        ("--out a.gif --speed 0", "--speed must be from 20 to 10000 milliseconds"),
    ],
)
def test_invalid_image_options_are_refused_in_one_sentence(
    options: str,
    sentence: str,
    records: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["show", str(records / "alone.json"), *options.split()]) == 1
    assert capsys.readouterr().err == f"limina: {sentence}\n"
    assert list(tmp_path.iterdir()) == []


# --- layouts


@pytest.mark.parametrize("size", range(4, 17))
@pytest.mark.parametrize("players", [2, 3])
def test_a_layout_lists_all_tiles_by_color(size: int, players: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["limit", "layout", "--size", str(size), "--players", str(players), "--seed", "3"]) == 0
    *color_lines, _, line = capsys.readouterr().out.splitlines()
    color_by_tile: dict[str, str] = {}
    for color_line, letter in zip(color_lines, "RBYK", strict=True):
        head, _, tiles = color_line.partition(": ")
        assert ("a pawn on each" in head) == (letter in "RBY"[:players])
        assert len(tiles.split()) == size
        color_by_tile |= dict.fromkeys(tiles.split(), letter)
    assert sorted(tile + color for tile, color in color_by_tile.items()) == sorted(line.split())
    # The last line is a setup that the game can read.
    assert limina.game("limit").read_setup(line, players).start.players == players


def test_the_drawing_of_a_layout_names_all_tiles(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "layout.svg"
    assert main(["limit", "layout", "--seed", "1", "--out", str(out)]) == 0
    line = capsys.readouterr().out.splitlines()[-1]
    names = re.findall(r">([a-z]+\d+)</text>", out.read_text())
    assert sorted(names) == sorted(tile[:-1] for tile in line.split())
    assert main(["limit", "layout", "--seed", "1", "--out", str(tmp_path / "layout.png")]) == 0
    assert open_image(tmp_path / "layout.png").width == 640


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ("--size 3", "option size must be from 4 to 16"),
        ("--size x", "option size must be a number from 4 to 16"),
        ("--players 4", "players must be from 2 to 3"),
        ("--out a.gif", "--out must end in .svg or .png"),
    ],
)
def test_invalid_layout_options_are_refused_in_one_sentence(
    options: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["limit", "layout", *options.split()]) == 1
    output = capsys.readouterr()
    assert sentence in output.err
    assert output.err.count("\n") == 1
    assert output.out == ""
