"""Drawings of Limes as SVG and as text for the terminal."""

from __future__ import annotations

import re
from dataclasses import replace
from runpy import run_path
from xml.etree import ElementTree

import pytest

from limina.gamekit.noise import fnv1a, noise
from limina.limes import rule_examples
from limina.limes.draw import svg, text
from limina.limes.draw.outline import border_loops, outline, territories
from limina.limes.draw.palette import PLAYER_STYLES, Theme, palette, resolve_colors
from limina.limes.draw.scene import ExplainedWorker, Figure, Ground, Scene, Zone
from limina.limes.draw.symbols import symbol_definitions, symbol_file
from support import ROOT

SVG = "{http://www.w3.org/2000/svg}"
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def ground(*rows: str, left: int = 6, top: int = 6) -> dict[Zone, Ground]:
    """Read zones from rows such as `F* W T R`; `-` is a position without a zone."""
    return {
        (left + x, top + y): Ground(word[0], word.endswith("*"))  # type: ignore[arg-type]
        for y, row in enumerate(rows)
        for x, word in enumerate(row.split())
        if word != "-"
    }


LAND = ground(
    "F* F  W  W",
    "T  F  W  R*",
    "T  R  T  T",
    "W  R  T* F",
)
FARMER = Figure(6, 6, "farmer", 3, True, 0)
IDLE = Figure(7, 7, "farmer", 3, False, 0)
FISHERMAN = Figure(8, 6, "fisherman", 11, True, 0)
WOODCUTTER = Figure(8, 8, "woodcutter", 4, True, 0)
WATCHMAN = Figure(9, 7, "watchman", 5, True, 0)
WORKERS = (FARMER, IDLE, FISHERMAN, WOODCUTTER, WATCHMAN)
SCENE = Scene(LAND, WORKERS)
FACES = [list(ground(*rows).values()) for rows in (("F* W", "T R"), ("F F", "F F"), ("R R", "W W"))]

HIGHLIGHTS = {
    "farmer": ExplainedWorker(FARMER, tuple(frozenset([zone]) for zone in ((6, 6), (7, 6), (7, 7))),
                  frozenset([(6, 6), (7, 6), (7, 7)])),
    "fisherman": ExplainedWorker(FISHERMAN, (frozenset([(9, 7)]),), frozenset([(8, 6), (9, 6), (8, 7)])),
    "woodcutter": ExplainedWorker(WOODCUTTER, (frozenset([(9, 7)]), frozenset([(9, 9)])),
                            frozenset([(8, 8), (9, 8), (8, 9)])),
    "watchman": ExplainedWorker(WATCHMAN, (frozenset([(9, 8)]),), frozenset([(9, 7)])),
}  # fmt: skip


def parse(markup: str) -> ElementTree.Element:
    return ElementTree.fromstring(markup)


def parts(markup: str, part: str) -> list[ElementTree.Element]:
    return [element for element in parse(markup).iter() if element.get("data-part") == part]


def ids(markup: str) -> list[str]:
    return [name for element in parse(markup).iter() if (name := element.get("id"))]


def drawings(theme: Theme) -> list[str]:
    scenes = [SCENE, Scene({}), Scene({}, frames=((3, 3), (4, 3))), replace(SCENE, labels=False, frames=((2, 3),))]
    scenes += [replace(SCENE, highlighted=highlighted) for highlighted in HIGHLIGHTS.values()]
    return [svg.draw(scene, theme=theme) for scene in scenes] + [svg.draw_cards(FACES, theme=theme)]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_drawing_is_self_contained(theme: Theme) -> None:
    for markup in drawings(theme):
        root = parse(markup)
        assert root.tag == f"{SVG}svg"
        assert not root.findall(f".//{SVG}script")
        assert "var(" not in markup
        assert "@@" not in markup
        known = set(ids(markup))
        assert len(known) == len(ids(markup))
        for reference in re.findall(r'href="([^"]*)"|url\(([^)]*)\)', markup):
            target = "".join(reference)
            assert target.startswith("#")
            assert target[1:] in known


def test_a_screen_reader_gets_a_title_and_a_description() -> None:
    root = parse(svg.draw(replace(SCENE, frames=((5, 3),))))
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert description is not None
    assert description.text
    assert title.text == "A Limes display, 23 points"
    assert root.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
    assert "farmer on d4.nw: 3 points, red" in description.text
    assert "farmer on d4.se: does not score (3 points)" in description.text
    assert "d4 field with hut, field, forest, field" in description.text
    assert "f4" in description.text


def test_the_same_scene_gives_the_same_drawing() -> None:
    shuffled = Scene(dict(reversed(list(LAND.items()))), WORKERS)
    assert svg.draw(SCENE) == svg.draw(SCENE) == svg.draw(shuffled)


def test_different_drawings_have_different_ids() -> None:
    pages = [ids(svg.draw(scene)) for scene in (SCENE, replace(SCENE, figures=()), Scene({}))]
    pages += [ids(svg.draw(SCENE, theme="dark")), ids(svg.draw(SCENE, size=200)), ids(svg.draw_cards(FACES))]
    all_ids = [name for page in pages for name in page]
    assert len(set(all_ids)) == len(all_ids)


def test_every_worker_shows_profession_and_points() -> None:
    figures = parts(svg.draw(SCENE), "figure")
    assert len(figures) == len(WORKERS)
    numbers = []
    for element in figures:
        number = element.find(f"{SVG}text")
        assert number is not None
        assert number.text
        # Programs without `paint-order` would draw the stroke over the number.
        assert number.get("stroke") is None
        numbers.append(number.text)
    assert sorted(numbers) == sorted(["3", "(3)", "11", "4", "5"])
    used = {use.get("href", "").partition("-")[2] for element in figures for use in element.iter(f"{SVG}use")}
    assert {"farmer", "fisherman", "woodcutter", "watchman"} <= used


def test_a_worker_who_does_not_score_is_recognized_without_color() -> None:
    (idle,) = (element for element in parts(svg.draw(SCENE), "figure") if element.get("data-scored") == "no")
    assert any(use.get("stroke-dasharray") for use in idle.iter(f"{SVG}use"))
    number = idle.find(f"{SVG}text")
    assert number is not None
    assert number.text == "(3)"


@pytest.mark.parametrize(("count", "drawn", "badges"), [(1, 1, 0), (2, 2, 1), (3, 3, 1), (4, 3, 1), (7, 3, 1)])
def test_several_workers_on_one_zone_get_a_count(count: int, drawn: int, badges: int) -> None:
    workers = tuple(replace(FARMER, player=i, scored=i == count - 1) for i in range(count))
    markup = svg.draw(Scene(LAND, workers))
    assert len(parts(markup, "figure")) == drawn
    assert parts(markup, "figure")[0].get("data-scored") == "yes"
    assert len(parts(markup, "count")) == badges
    assert not badges or f"×{count}" in markup


def test_all_huts_are_drawn() -> None:
    assert len(parts(svg.draw(SCENE), "hut")) == 3
    assert len(parts(svg.draw_cards(FACES), "hut")) == 1


def test_each_territory_has_one_outline_and_so_has_each_tower() -> None:
    assert len(parts(svg.draw(Scene(ground("F F", "F F"))), "outline")) == 1
    assert len(parts(svg.draw(Scene(ground("R R"))), "outline")) == 2
    assert len(parts(svg.draw(SCENE), "outline")) == len(territories(LAND)) == 9


def test_outlines_go_around_holes_and_separate_at_corners() -> None:
    ring = {(x, y) for x in range(3) for y in range(3)} - {(1, 1)}
    assert sorted(len(loop) for loop in border_loops(ring)) == [4, 12]
    assert outline(ring).count("M") == 2
    assert [len(loop) for loop in border_loops({(0, 0), (1, 1)})] == [4, 4]
    # A territory that touches itself at a corner has one outline, which passes this corner twice.
    (loop,) = border_loops({(1, 0), (0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1)})
    assert loop.count((2, 1)) == 2


def test_zones_connect_along_sides_only() -> None:
    assert territories(ground("F W", "W F", left=0, top=0)) == [
        frozenset([zone]) for zone in ((0, 0), (1, 0), (0, 1), (1, 1))
    ]


def test_the_view_box_contains_cards_and_frames() -> None:
    def box(markup: str) -> list[float]:
        return [float(value) for value in parse(markup).get("viewBox", "").split()]

    one, two = box(svg.draw(Scene(ground("F F", "F F")))), box(svg.draw(Scene({}, frames=((3, 3), (4, 3)))))
    assert one[2] == one[3]
    assert (two[2] - one[2], two[3]) == (200, one[3])
    root = parse(svg.draw(Scene({}, frames=((3, 3), (4, 3))), size=400))
    assert root.get("width") == "400"
    assert float(root.get("height", "0")) < 400


def test_the_size_does_not_need_css() -> None:
    for markup in drawings("light"):
        root = parse(markup)
        assert float(root.get("width", "0")) > 0
        assert float(root.get("height", "0")) > 0
        # CairoSVG reads a height in the style as the size of the drawing, and draws nothing for `auto`.
        properties = [rule.partition(":")[0].strip() for rule in root.get("style", "").split(";")]
        assert not {"width", "height"} & set(properties)


def test_an_empty_display_offers_the_first_cell() -> None:
    (frame,) = parts(svg.draw(Scene({})), "frame")
    assert frame.get("data-cell") == "d4"


def test_labels_name_the_cells_on_the_margin() -> None:
    (labels,) = parts(svg.draw(SCENE), "labels")
    assert [element.text for element in labels] == ["d", "e", "4", "5"]
    assert not parts(svg.draw(replace(SCENE, labels=False)), "labels")


@pytest.mark.parametrize("profession", list(HIGHLIGHTS))
def test_a_highlighted_worker_has_a_number_for_each_point(profession: str) -> None:
    highlighted = HIGHLIGHTS[profession]
    markup = svg.draw(replace(SCENE, highlighted=highlighted))
    (tally,) = parts(markup, "tally")
    numbers = [element.text for element in tally if element.tag == f"{SVG}text"]
    assert numbers == [str(i + 1) for i in range(len(highlighted.counted))]
    expected = {"fisherman": "lit-hut", "woodcutter": "borders", "watchman": "rays"}
    if profession in expected:
        assert parts(markup, expected[profession])
    assert all(not parts(markup, other) for name, other in expected.items() if name != profession)
    assert len(parts(markup, "figure")) == len(WORKERS)


def test_a_highlighted_worker_may_have_no_points_or_no_veil() -> None:
    nothing = ExplainedWorker(replace(FISHERMAN, points=0), (), HIGHLIGHTS["fisherman"].territory)
    assert parts(svg.draw(Scene(LAND, (nothing.figure,), nothing)), "veil")
    whole = ExplainedWorker(Figure(0, 0, "farmer", 1, True, 0), (frozenset([(0, 0)]),), frozenset([(0, 0)]))
    assert parse(svg.draw(Scene({(0, 0): Ground("F")}, (whole.figure,), whole))) is not None


def test_cards_are_drawn_in_rows_with_their_numbers() -> None:
    markup = svg.draw_cards(FACES, columns=2)
    assert len(parts(markup, "card")) == 3
    assert [element.text for element in parse(markup).findall(f"{SVG}text")] == ["1", "2", "3"]
    assert not parse(svg.draw_cards(FACES, numbers=False)).findall(f"{SVG}text")
    assert parse(svg.draw_cards([])) is not None


def test_the_fixture_for_the_page_is_up_to_date() -> None:
    tool = run_path(str(ROOT / "tools" / "generators" / "landscape_fixture.py"))
    assert tool["FIXTURE_FILE"].read_text("utf-8") == tool["fixture_text"](), "run `make docs-images`"


def test_the_pictures_of_the_documentation_are_up_to_date() -> None:
    tool = run_path(str(ROOT / "tools" / "documentation" / "rule_images.py"))
    for name, fresh in rule_examples.pictures().items():
        assert (tool["IMAGES_FOLDER"] / f"{name}.svg").read_text("utf-8") == tool["simplify_svg"](fresh), (
            "run `make docs-images`"
        )


def test_noise_uses_fnv1a_and_is_evenly_distributed() -> None:
    assert [fnv1a(text) for text in (b"", b"a", b"foobar")] == [0x811C9DC5, 0xE40C292C, 0xBF9CF968]
    numbers = [noise("tree", x, y) for x in range(50) for y in range(50)]
    assert len(set(numbers)) == len(numbers)
    assert all(220 <= sum(i <= 10 * number < i + 1 for number in numbers) <= 280 for i in range(10))


def luminance(color: str) -> float:
    shares = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_white_numbers_have_enough_contrast_on_all_player_colors() -> None:
    assert len({style.mark for style in PLAYER_STYLES}) == len({style.sign for style in PLAYER_STYLES}) == 8
    for style in PLAYER_STYLES:
        assert 1.05 / (luminance(style.color) + 0.05) >= 4.5, style.name


def test_the_symbols_resolve_in_both_themes_and_fall_back_to_light() -> None:
    names = [element.get("id", "") for element in parse(symbol_file()).iter() if element.get("id")]
    assert len(set(names)) == len(names)
    assert {f"mark-{style.mark}" for style in PLAYER_STYLES} <= set(names)
    for theme in ("light", "dark"):
        assert "var(" not in resolve_colors(symbol_definitions(names), palette(theme))
    # A page may omit the custom properties, so each falls back to the color of the light theme.
    for name, fallback in re.findall(r"var\(--([a-z-]+),(#[0-9a-f]+)\)", symbol_file()):
        assert palette("light")[name] == fallback, name
    assert symbol_file().count("var(") == len(re.findall(r"var\(--[a-z-]+,#[0-9a-f]{6}\)", symbol_file()))


TEXT_SCENES = [
    SCENE,
    Scene({}),
    Scene({}, frames=((2, 3), (3, 3))),
    replace(SCENE, frames=((2, 3), (5, 4)), labels=False),
]
TEXT_SCENES += [replace(SCENE, highlighted=highlighted) for highlighted in HIGHLIGHTS.values()]


@pytest.mark.parametrize("scene", TEXT_SCENES)
def test_lines_of_text_have_the_same_length_with_and_without_color(scene: Scene) -> None:
    plain, colored = text.draw(scene, color=False), text.draw(scene, color=True)
    assert "\x1b" not in plain
    assert ANSI.sub("", colored) == plain
    assert len({len(line) for line in plain.splitlines()}) == 1
    # Each line resets its color at the end.
    assert all(ANSI.findall(line)[-1] == "\x1b[0m" for line in colored.splitlines() if ANSI.search(line))


def test_text_shows_ground_huts_workers_and_margin() -> None:
    plain = text.draw(SCENE, color=False)
    assert plain.splitlines()[0].split() == ["d", "e"]
    assert [line[:3].strip() for line in plain.splitlines()[1:] if line[:3].strip()] == ["4", "5"]
    assert plain.count("*") == 3
    for worker in ("[•3]", "(•3)", "[•11]", "[•4]", "[•5]"):
        assert worker in plain
    for landscape in "FWTR":
        assert plain.count(landscape) == sum(here.landscape == landscape for here in LAND.values())


def test_text_draws_lines_between_territories_only() -> None:
    assert text.draw(Scene(ground("W W", "R R"), labels=False), color=False).splitlines() == [
        "┌─────────────┐",
        "│W~~~~~~W~~~~~│",
        "│~~~~~~~~~~~~~│",
        "├──────┬──────┤",
        "│R:::::│R:::::│",
        "│::::::│::::::│",
        "└──────┴──────┘",
    ]


def test_text_counts_workers_on_one_zone() -> None:
    workers = tuple(replace(FARMER, points=12, scored=i == 0) for i in range(4))
    assert "[12]x4" in text.draw(Scene(LAND, workers), color=False)
    assert "[•3]x2" in text.draw(Scene(LAND, (FARMER, replace(FARMER, scored=False))), color=False)


def test_text_shows_frames_and_numbers_of_points() -> None:
    assert "d4" in text.draw(Scene({}), color=False)
    assert "c4" in text.draw(replace(SCENE, frames=((2, 3),)), color=False)
    plain = text.draw(replace(SCENE, highlighted=HIGHLIGHTS["farmer"]), color=False)
    assert all(f"#{i}" in plain for i in (1, 2, 3))
    assert ">•3<" in plain


def test_cards_as_text_fit_into_80_columns() -> None:
    plain = text.draw_cards(FACES * 8, color=False)
    assert {len(line) for line in plain.splitlines()} == {79}
    assert ANSI.sub("", text.draw_cards(FACES * 8, color=True)) == plain
    assert plain.splitlines()[1].startswith("│F*")
    assert len(text.draw_cards(FACES, color=False, columns=2).splitlines()) == 12
    assert len({len(line) for line in text.draw_cards(FACES, color=False, columns=2).splitlines()}) == 1
