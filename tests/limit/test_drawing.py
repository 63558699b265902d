"""Drawings of Limit: what a reader can rely on in the picture and in the terminal."""

import dataclasses
import re
import unicodedata
import xml.etree.ElementTree as ET
from pathlib import Path
from runpy import run_path
from typing import get_args

import pytest

from limina.limit.draw import svg, symbols, text
from limina.limit.draw.geometry import ASPECT, center, route, view_box
from limina.limit.draw.palette import PALETTES, Theme
from limina.limit.draw.scene import COLORS, SIGNS, STEPS, Scene, place_name

_ANSI = re.compile(r"\x1b\[[\d;]*m")
_THEMES: tuple[Theme, ...] = get_args(Theme)

# 32 tiles, 8 of each color, no two of one color touching
TILES = {(q, r): "RBYK"[(q + 2 * r) % 4] for r in range(1, 5) for q in range(8)}
PAWNS = {place: "RB".index(color) for place, color in TILES.items() if color in "RB"}
START = Scene(TILES, PAWNS)
# the same board after a turn, with every mark there is
PLAYED = Scene(
    tiles={place: color for place, color in TILES.items() if place != (7, 4)},
    pawns={place: player for place, player in PAWNS.items() if place not in ((2, 1), (3, 1))} | {(1, 1): 0},
    sunk=((7, 4),),
    captured=(((3, 1), 1),),
    moved=((2, 1), (1, 1)),
    danger=frozenset({(1, 1)}),
    breath=frozenset({(0, 1)}),
    reach=frozenset({(2, 1), (0, 1)}),
    removable=frozenset({(6, 4)}),
)


def _elements(drawing: str, css_class: str) -> list[ET.Element]:
    return [node for node in ET.fromstring(drawing).iter() if css_class in node.get("class", "").split()]


def _ids(drawing: str) -> list[str]:
    return [node.attrib["id"] for node in ET.fromstring(drawing).iter() if "id" in node.attrib]


def _plain_rows(drawing: str) -> list[str]:
    return _ANSI.sub("", drawing).split("\n")


def test_the_board_of_these_tests_is_a_legal_one() -> None:
    assert [list(TILES.values()).count(color) for color in COLORS] == [8, 8, 8, 8]
    for (q, r), color in TILES.items():
        assert all(TILES.get((q + dq, r + dr)) != color for dq, dr in STEPS)


def test_names_follow_the_notation() -> None:
    assert [place_name(place) for place in ((0, 1), (2, 4), (25, 10), (26, 3))] == ["a1", "c4", "z10", "aa3"]
    neighbors = {place_name((2 + dq, 4 + dr)) for dq, dr in STEPS}
    assert neighbors == {"b4", "d4", "c3", "c5", "d3", "b5"}


@pytest.mark.parametrize("theme", _THEMES)
@pytest.mark.parametrize("scene", [START, PLAYED, Scene({}, {}), Scene({(0, 0): "K"}, {(0, 0): 2})])
def test_picture_is_well_formed_and_refers_only_to_itself(scene: Scene, theme: Theme) -> None:
    drawing = svg.draw(scene, theme=theme)
    root = ET.fromstring(drawing)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "<script" not in drawing
    assert "<style" not in drawing
    assert "var(" not in drawing
    ids = _ids(drawing)
    assert len(ids) == len(set(ids))
    references = re.findall(r'href="([^"]*)"|url\(([^)]*)\)', drawing)
    assert {(first or second) for first, second in references} <= {f"#{identifier}" for identifier in ids}
    assert re.findall(r"https?://[^\"]*", drawing) == ["http://www.w3.org/2000/svg"]
    assert "NaN" not in drawing
    assert "@@" not in drawing


def test_picture_has_a_shape_for_each_tile_and_each_pawn() -> None:
    drawing = svg.draw(PLAYED)
    assert {node.get("data-at") for node in _elements(drawing, "tile")} == {place_name(place) for place in PLAYED.tiles}
    assert len(_elements(drawing, "tile")) == 31
    assert {node.get("data-at") for node in _elements(drawing, "pawn")} == {place_name(place) for place in PLAYED.pawns}
    assert len(_elements(drawing, "pawn")) == len(PLAYED.pawns)
    assert [node.get("data-at") for node in _elements(drawing, "sunk")] == ["h4"]
    assert [node.get("data-at") for node in _elements(drawing, "captured")] == ["d1"]


def test_marks_are_drawn_where_asked_and_not_otherwise() -> None:
    drawing, plain = svg.draw(PLAYED), svg.draw(START)
    for mark, count in {"danger": 1, "breath": 1, "reach": 2, "removable": 1, "path": 1}.items():
        assert len(_elements(drawing, mark)) == count
        assert _elements(plain, mark) == []


def test_colors_are_also_told_by_signs() -> None:
    shapes = {symbols.symbol(f"limit-sign-{letter}").split(' d="')[1].split('"')[0] for letter in COLORS}
    assert len(shapes) == len(COLORS)
    drawing = svg.draw(START)
    for node in _elements(drawing, "tile"):
        letter = next(part for part in node.get("class", "").split() if part.startswith("tile-"))[-1]
        assert len([use for use in node if f"sign-{letter}" in use.get("class", "").split()]) == 1
    by_id = {node.attrib["id"].split("-", 1)[1]: node for node in ET.fromstring(drawing).iter() if "id" in node.attrib}
    for player, letter in enumerate("RB"):
        on_top = by_id[f"pawn-{player}"]
        assert any(use.get("href", "").endswith(f"limit-sign-{letter}") for use in on_top)


def test_drawings_are_repeatable_and_can_share_a_page() -> None:
    assert svg.draw(PLAYED) == svg.draw(dataclasses.replace(PLAYED))
    drawings = [svg.draw(START), svg.draw(PLAYED), svg.draw(START, theme="dark"), svg.draw(START, size=400)]
    ids = [identifier for drawing in drawings for identifier in _ids(drawing)]
    assert len(ids) == len(set(ids))


def test_order_of_the_scene_does_not_matter() -> None:
    turned = Scene(dict(reversed(TILES.items())), dict(reversed(PAWNS.items())))
    assert svg.draw(turned) == svg.draw(START)
    assert text.draw(turned, color=True) == text.draw(START, color=True)


def test_picture_speaks() -> None:
    root = ET.fromstring(svg.draw(PLAYED))
    title, description = (root.findtext(f"{{http://www.w3.org/2000/svg}}{tag}") or "" for tag in ("title", "desc"))
    assert "31 tiles" in title
    assert "blue pawns" in title
    assert "from c1 to b1" in description
    assert "Removed: h4" in description
    assert "Captured: d1" in description


def test_labels_can_be_left_out() -> None:
    labels = [node.text for node in ET.fromstring(svg.draw(START)).iter() if node.tag.endswith("}text")]
    assert sorted(labels, key=str) == sorted(map(place_name, TILES))
    assert "<text" not in svg.draw(dataclasses.replace(START, labels=False))


def test_view_keeps_the_tiles_in_the_middle_and_its_proportions() -> None:
    whole, few = view_box(TILES), view_box({(5, 3): "R", (6, 3): "B"})
    assert few.width < whole.width
    for box in (whole, few):
        assert box.height == pytest.approx(box.width * ASPECT)
    x = (center((5, 3))[0] + center((6, 3))[0]) / 2
    assert few.x + few.width / 2 == pytest.approx(x)
    root = ET.fromstring(svg.draw(START, size=500))
    assert (root.get("width"), root.get("height")) == ("500", str(round(500 * ASPECT)))


def test_path_of_a_move_goes_around_pawns() -> None:
    tiles = dict.fromkeys([(0, 1), (1, 1), (2, 1), (0, 2), (1, 2)], "R")
    around = Scene(tiles, {(1, 1): 1, (2, 1): 0}, moved=((0, 1), (2, 1)))
    assert route(around) == [(0, 1), (0, 2), (1, 2), (2, 1)]
    assert route(Scene({}, {}, moved=((0, 1), (2, 1)))) == [(0, 1), (2, 1)]
    # a pawn that was captured by the move stood in its way, the tile removed after it did not
    later = Scene(
        {place: "R" for place in tiles if place != (0, 2)}, {(2, 1): 0}, ((0, 2),), (((1, 1), 1),), around.moved
    )
    assert route(later) == route(around)


def test_symbols_for_a_web_page_keep_their_custom_properties() -> None:
    sheet = symbols.sheet()
    assert ET.fromstring(sheet) is not None
    used = set(re.findall(r"var\((--[\w-]+)", sheet))
    assert {"--limit-stone", "--limit-inlay", "--limit-paint"} <= used
    for palette in PALETTES.values():
        known = {*palette.marks, *palette.tiles["R"], *palette.pawns[0]}
        assert used <= known


@pytest.mark.parametrize("color", [False, True])
@pytest.mark.parametrize("scene", [START, PLAYED, dataclasses.replace(PLAYED, labels=False), Scene({(0, 1): "K"}, {})])
def test_text_has_lines_of_equal_width(scene: Scene, color: bool) -> None:
    rows = _plain_rows(text.draw(scene, color=color))
    assert len({len(row) for row in rows}) == 1
    assert len(rows) <= 40
    assert len(rows[0]) <= 100
    assert not any(unicodedata.east_asian_width(character) in "WF" for character in "".join(rows))


def test_text_has_color_only_if_asked() -> None:
    assert "\x1b" not in text.draw(PLAYED, color=False)
    colored = text.draw(PLAYED, color=True)
    assert _ANSI.sub("", colored) == text.draw(PLAYED, color=False)
    for line in colored.split("\n"):
        assert "\x1b" not in line or line.rstrip().endswith("\x1b[0m")


def test_text_shows_tiles_and_pawns_without_color() -> None:
    drawing = text.draw(START, color=False)
    assert all(f"{place_name(place)}{color}" in drawing for place, color in TILES.items())
    assert drawing.count("●R") == drawing.count("▬B") == 8
    assert {SIGNS[letter] for letter in "RBY"} == {"●", "▬", "▲"}


def test_text_puts_each_tile_half_a_tile_beside_the_row_above() -> None:
    rows = _plain_rows(text.draw(START, color=False))
    above, below = rows[0], rows[2]
    assert below.index("a2R") - above.index("a1Y") == 3
    assert above.index("b1K") - above.index("a1Y") == 6


def test_text_shows_marks_with_a_key() -> None:
    drawing = text.draw(PLAYED, color=False)
    for shown in (">●R!", "(▬B)", "~ h4 ~", "<+", "> moved", "! last freedom"):
        assert shown in drawing
    assert "moved" not in text.draw(START, color=False)


def test_places_removed_earlier_are_blank() -> None:
    gone = Scene({place: color for place, color in TILES.items() if place != (5, 3)}, {})
    before, after = (text.draw(scene, color=False).split("\n") for scene in (Scene(TILES, {}), gone))
    column = before[4].index(f"{place_name((5, 3))}{TILES[5, 3]}")
    for row in (4, 5):
        assert before[row][column - 1 : column + 5].strip()
        assert after[row][column - 1 : column + 5] == " " * 6


def test_empty_board_can_be_drawn() -> None:
    assert ET.fromstring(svg.draw(Scene({}, {}))) is not None
    assert text.draw(Scene({}, {}), color=True)


def test_the_water_is_that_which_the_page_compares_itself_with() -> None:
    tool = run_path(str(Path(__file__).parents[2] / "tools" / "generators" / "water_fixture.py"))
    assert tool["FIXTURE_FILE"].read_text("utf-8") == tool["fixture_text"](), "run `make docs-images`"
