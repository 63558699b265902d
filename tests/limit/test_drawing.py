"""Drawings of Limit as SVG and for the terminal."""

import dataclasses
import re
import unicodedata
import xml.etree.ElementTree as ET
from pathlib import Path
from runpy import run_path
from typing import get_args

import pytest

from limina.limit.draw import svg, symbols, text
from limina.limit.draw.geometry import ASPECT, center, shortest_route, view_box
from limina.limit.draw.palette import PALETTES, Theme
from limina.limit.draw.scene import COLORS, SIGNS, STEPS, Scene, place_name

_ANSI = re.compile(r"\x1b\[[\d;]*m")
_THEMES: tuple[Theme, ...] = get_args(Theme)

# 32 tiles, 8 of each color. Tiles of the same color do not touch.
TILES = {(q, r): "RBYK"[(q + 2 * r) % 4] for r in range(1, 5) for q in range(8)}
PAWNS = {place: "RB".index(color) for place, color in TILES.items() if color in "RB"}
START = Scene(TILES, PAWNS)
# The same board after a turn, with all kinds of marks.
PLAYED = Scene(
    tiles={place: color for place, color in TILES.items() if place != (7, 4)},
    pawns={place: player for place, player in PAWNS.items() if place not in ((2, 1), (3, 1))} | {(1, 1): 0},
    sunk=((7, 4),),
    captured=(((3, 1), 1),),
    moved=((2, 1), (1, 1)),
    danger=frozenset({(1, 1)}),
    freedoms=frozenset({(0, 1)}),
    reach=frozenset({(2, 1), (0, 1)}),
    removable=frozenset({(6, 4)}),
)


def _elements(drawing: str, css_class: str) -> list[ET.Element]:
    return [node for node in ET.fromstring(drawing).iter() if css_class in node.get("class", "").split()]


def _ids(drawing: str) -> list[str]:
    return [node.attrib["id"] for node in ET.fromstring(drawing).iter() if "id" in node.attrib]


def _plain_rows(drawing: str) -> list[str]:
    return _ANSI.sub("", drawing).split("\n")


def test_the_layout_of_these_tests_is_legal() -> None:
    assert [list(TILES.values()).count(color) for color in COLORS] == [8, 8, 8, 8]
    for (q, r), color in TILES.items():
        assert all(TILES.get((q + dq, r + dr)) != color for dq, dr in STEPS)


def test_place_names_follow_the_notation() -> None:
    assert [place_name(place) for place in ((0, 1), (2, 4), (25, 10), (26, 3))] == ["a1", "c4", "z10", "aa3"]
    neighbors = {place_name((2 + dq, 4 + dr)) for dq, dr in STEPS}
    assert neighbors == {"b4", "d4", "c3", "c5", "d3", "b5"}


@pytest.mark.parametrize("theme", _THEMES)
@pytest.mark.parametrize("scene", [START, PLAYED, Scene({}, {}), Scene({(0, 0): "K"}, {(0, 0): 2})])
def test_the_svg_is_well_formed_and_self_contained(scene: Scene, theme: Theme) -> None:
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


def test_the_svg_has_an_element_for_each_tile_and_pawn() -> None:
    drawing = svg.draw(PLAYED)
    assert {node.get("data-at") for node in _elements(drawing, "tile")} == {place_name(place) for place in PLAYED.tiles}
    assert len(_elements(drawing, "tile")) == 31
    assert {node.get("data-at") for node in _elements(drawing, "pawn")} == {place_name(place) for place in PLAYED.pawns}
    assert len(_elements(drawing, "pawn")) == len(PLAYED.pawns)
    assert [node.get("data-at") for node in _elements(drawing, "sunk")] == ["h4"]
    assert [node.get("data-at") for node in _elements(drawing, "captured")] == ["d1"]


def test_only_the_marks_of_the_scene_are_drawn() -> None:
    drawing, plain = svg.draw(PLAYED), svg.draw(START)
    for mark, count in {"danger": 1, "freedoms": 1, "reach": 2, "removable": 1, "path": 1}.items():
        assert len(_elements(drawing, mark)) == count
        assert _elements(plain, mark) == []


def test_colors_are_also_shown_as_signs() -> None:
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


def test_drawings_are_repeatable_and_have_distinct_ids() -> None:
    assert svg.draw(PLAYED) == svg.draw(dataclasses.replace(PLAYED))
    drawings = [svg.draw(START), svg.draw(PLAYED), svg.draw(START, theme="dark"), svg.draw(START, size=400)]
    ids = [identifier for drawing in drawings for identifier in _ids(drawing)]
    assert len(ids) == len(set(ids))


def test_the_order_of_tiles_and_pawns_does_not_matter() -> None:
    reordered = Scene(dict(reversed(TILES.items())), dict(reversed(PAWNS.items())))
    assert svg.draw(reordered) == svg.draw(START)
    assert text.draw(reordered, color=True) == text.draw(START, color=True)


def test_the_svg_has_a_title_and_a_description() -> None:
    root = ET.fromstring(svg.draw(PLAYED))
    title, description = (root.findtext(f"{{http://www.w3.org/2000/svg}}{tag}") or "" for tag in ("title", "desc"))
    assert "31 tiles" in title
    assert "blue pawns" in title
    assert "from c1 to b1" in description
    assert "Removed: h4" in description
    assert "Captured: d1" in description


def test_labels_can_be_omitted() -> None:
    labels = [node.text for node in ET.fromstring(svg.draw(START)).iter() if node.tag.endswith("}text")]
    assert sorted(labels, key=str) == sorted(map(place_name, TILES))
    assert "<text" not in svg.draw(dataclasses.replace(START, labels=False))


def test_the_view_box_is_centered_and_has_a_constant_aspect() -> None:
    whole, few = view_box(TILES), view_box({(5, 3): "R", (6, 3): "B"})
    assert few.width < whole.width
    for box in (whole, few):
        assert box.height == pytest.approx(box.width * ASPECT)
    x = (center((5, 3))[0] + center((6, 3))[0]) / 2
    assert few.x + few.width / 2 == pytest.approx(x)
    root = ET.fromstring(svg.draw(START, size=500))
    assert (root.get("width"), root.get("height")) == ("500", str(round(500 * ASPECT)))


def test_the_route_of_a_move_avoids_pawns() -> None:
    tiles = dict.fromkeys([(0, 1), (1, 1), (2, 1), (0, 2), (1, 2)], "R")
    around = Scene(tiles, {(1, 1): 1, (2, 1): 0}, moved=((0, 1), (2, 1)))
    assert shortest_route(around) == [(0, 1), (0, 2), (1, 2), (2, 1)]
    assert shortest_route(Scene({}, {}, moved=((0, 1), (2, 1)))) == [(0, 1), (2, 1)]
    # A captured pawn was in the way of the move. The removed tile was still there.
    later = Scene(
        {place: "R" for place in tiles if place != (0, 2)}, {(2, 1): 0}, ((0, 2),), (((1, 1), 1),), around.moved
    )
    assert shortest_route(later) == shortest_route(around)


def test_the_symbols_for_web_pages_have_custom_properties() -> None:
    sheet = symbols.sheet()
    assert ET.fromstring(sheet) is not None
    used = set(re.findall(r"var\((--[\w-]+)", sheet))
    assert {"--limit-stone", "--limit-inlay", "--limit-paint"} <= used
    for palette in PALETTES.values():
        known = {*palette.marks, *palette.tiles["R"], *palette.pawns[0]}
        assert used <= known


@pytest.mark.parametrize("color", [False, True])
@pytest.mark.parametrize("scene", [START, PLAYED, dataclasses.replace(PLAYED, labels=False), Scene({(0, 1): "K"}, {})])
def test_the_text_has_lines_of_equal_width(scene: Scene, color: bool) -> None:
    rows = _plain_rows(text.draw(scene, color=color))
    assert len({len(row) for row in rows}) == 1
    assert len(rows) <= 40
    assert len(rows[0]) <= 100
    assert not any(unicodedata.east_asian_width(character) in "WF" for character in "".join(rows))


def test_the_text_has_colors_only_on_request() -> None:
    assert "\x1b" not in text.draw(PLAYED, color=False)
    colored = text.draw(PLAYED, color=True)
    assert _ANSI.sub("", colored) == text.draw(PLAYED, color=False)
    for line in colored.split("\n"):
        assert "\x1b" not in line or line.rstrip().endswith("\x1b[0m")


def test_the_text_shows_tiles_and_pawns_without_colors() -> None:
    drawing = text.draw(START, color=False)
    assert all(f"{place_name(place)}{color}" in drawing for place, color in TILES.items())
    assert drawing.count("●R") == drawing.count("▬B") == 8
    assert {SIGNS[letter] for letter in "RBY"} == {"●", "▬", "▲"}


def test_the_text_shifts_each_row_by_half_a_tile() -> None:
    rows = _plain_rows(text.draw(START, color=False))
    above, below = rows[0], rows[2]
    assert below.index("a2R") - above.index("a1Y") == 3
    assert above.index("b1K") - above.index("a1Y") == 6


def test_the_text_shows_marks_with_a_legend() -> None:
    drawing = text.draw(PLAYED, color=False)
    for mark in (">●R!", "(▬B)", "~ h4 ~", "<+", "> moved", "! last freedom"):
        assert mark in drawing
    assert "moved" not in text.draw(START, color=False)


def test_places_of_removed_tiles_are_blank() -> None:
    without_tile = Scene({place: color for place, color in TILES.items() if place != (5, 3)}, {})
    before, after = (text.draw(scene, color=False).split("\n") for scene in (Scene(TILES, {}), without_tile))
    column = before[4].index(f"{place_name((5, 3))}{TILES[5, 3]}")
    for row in (4, 5):
        assert before[row][column - 1 : column + 5].strip()
        assert after[row][column - 1 : column + 5] == " " * 6


def test_an_empty_board_can_be_drawn() -> None:
    assert ET.fromstring(svg.draw(Scene({}, {}))) is not None
    assert text.draw(Scene({}, {}), color=True)


def test_the_water_fixture_of_the_page_is_current() -> None:
    tool = run_path(str(Path(__file__).parents[2] / "tools" / "generators" / "water_fixture.py"))
    assert tool["FIXTURE_FILE"].read_text("utf-8") == tool["fixture_text"](), "run `make docs-images`"
