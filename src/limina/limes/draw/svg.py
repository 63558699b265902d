"""Drawings of a Limes display, or of a sheet of cards, as self-contained SVG documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from limina.gamekit.svg import ID, escape_text, format_number, svg_element, unique_ids
from limina.limes.draw import figures, highlight
from limina.limes.draw.ground import draw_ground, draw_uprights, upright_rows
from limina.limes.draw.layers import SIDE
from limina.limes.draw.outline import hand_drawn_bend
from limina.limes.draw.palette import Theme, palette, resolve_colors
from limina.limes.draw.scene import Cell, Figure, Ground, Scene
from limina.limes.draw.sheet import (
    Sheet,
    card_position,
    cell_name,
    draw_caption,
    draw_frame,
    draw_labels,
    draw_paper,
    shading,
)
from limina.limes.draw.symbols import symbol_definitions

_NAMES = {"F": "field", "W": "water", "T": "forest", "R": "rock"}
_UPRIGHT_SYMBOLS = frozenset({"tree", "fir", "ear", "tower", "hut"})


def draw(scene: Scene, *, theme: Theme = "light", size: int = 640) -> str:
    """Draw a display; `size` is the longer side in pixels."""
    ground, highlighted = dict(scene.ground), scene.highlighted
    laid = {(x // 2, y // 2) for x, y in ground}
    frames = [cell for cell in dict.fromkeys(scene.frames) if cell not in laid]
    if not laid and not frames:
        frames = [(3, 3)]
    sheet = Sheet.around([*laid, *frames], scene.labels)
    workers = (
        scene.figures
        if highlighted is None or highlighted.figure in scene.figures
        else (*scene.figures, highlighted.figure)
    )
    names = _UPRIGHT_SYMBOLS | figures.symbol_names(workers) | ({"hut-lit"} if highlighted else set())
    body = [draw_paper(sheet), draw_labels(sheet) if scene.labels else "", *map(draw_frame, frames)]
    body.append(draw_ground(ground, hand_drawn_bend(ground)))
    body.extend(_draw_figures(scene, workers))
    defs = svg_element("defs", symbol_definitions(names), shading(), highlight.glow_gradient() if highlighted else "")
    return _document(sheet, size, theme, _title(scene), _description(scene), defs + "".join(body))


def draw_cards(
    faces: Sequence[Sequence[Ground]], *, columns: int = 6, theme: Theme = "light", numbers: bool = True
) -> str:
    """Draw cards in rows, numbered from 1; each face is given as nw ne sw se."""
    sheet = Sheet.for_cards(len(faces), columns, numbers)
    body = [draw_paper(sheet, measured=False)]
    for i, face in enumerate(faces):
        # Noise depends on the coordinates: cards with coordinates of their own get furrows and trees of their own.
        column, row = i % columns, i // columns
        left, top = 4 * column, 4 * row
        ground = {(left + j % 2, top + j // 2): here for j, here in enumerate(face)}
        upright = (drawn for things in upright_rows(ground, frozenset()).values() for drawn in draw_uprights(things))
        x, y = card_position(column, row, numbers)
        transform = f"translate({format_number(x - left * SIDE)} {format_number(y - top * SIDE)})"
        title_tag = svg_element("title", escape_text(_face_text(face, i + 1)))
        body.append(
            svg_element(
                "g",
                title_tag,
                draw_ground(ground, hand_drawn_bend(ground)),
                *upright,
                data_part="card",
                transform=transform,
            )
        )
        if numbers:
            body.append(draw_caption(str(i + 1), x, y))
    defs = svg_element("defs", symbol_definitions(_UPRIGHT_SYMBOLS), shading())
    title = "1 Limes card" if len(faces) == 1 else f"{len(faces)} Limes cards"
    description = "; ".join(_face_text(face, i + 1) for i, face in enumerate(faces))
    return _document(sheet, round(sheet.longer / 2.2), theme, title, description, defs + "".join(body))


def _draw_figures(scene: Scene, workers: Sequence[Figure]) -> Iterator[str]:
    """Draw trees, towers, huts and workers from back to front.

    With a highlighted worker, draw all workers last, over the light on the zones that count for that worker.
    """
    ground, highlighted = scene.ground, scene.highlighted
    groups = figures.zone_workers(workers, ground)
    upright = upright_rows(ground, {group.zone for group in groups})
    if highlighted is not None:
        for things in upright.values():
            yield from draw_uprights(things)
        drawn = highlight.shapes(highlighted, ground)
        yield highlight.draw_veil(drawn) + highlight.draw_light(highlighted, ground, drawn)
        for placed in (placed for group in groups for placed in group.figures):
            yield figures.draw_worker(placed, faded=placed.figure != highlighted.figure)
        yield highlight.draw_numbers(highlighted, ground)
        return
    for y in sorted(upright.keys() | {group.zone[1] for group in groups}):
        yield from draw_uprights(upright.get(y, []))
        for group in groups:
            if group.zone[1] == y:
                yield from map(figures.draw_worker, group.figures)
                yield figures.draw_count(group)


def _document(sheet: Sheet, size: int, theme: Theme, title: str, description: str, body: str) -> str:
    scale = size / sheet.longer
    box = " ".join(format_number(value) for value in (sheet.left, sheet.top, sheet.width, sheet.height))
    markup = svg_element(
        "svg",
        svg_element("title", escape_text(title), id=f"{ID}title"),
        svg_element("desc", escape_text(description), id=f"{ID}desc"),
        body,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=box,
        width=round(sheet.width * scale),
        height=round(sheet.height * scale),
        role="img",
        aria_labelledby=f"{ID}title {ID}desc",
        # The picture shrinks with its column. `height:auto` would do the same, but CairoSVG then draws nothing.
        style="max-width:100%;block-size:auto",
    )
    return unique_ids(resolve_colors(markup, palette(theme))) + "\n"


def _title(scene: Scene) -> str:
    total = sum(figure.points for figure in scene.figures if figure.scored)
    return f"A Limes display, {total} points" if scene.figures else "A Limes display"


def _description(scene: Scene) -> str:
    cells = sorted({(x // 2, y // 2) for x, y in scene.ground}, key=lambda cell: (cell[1], cell[0]))
    cards = [f"{cell_name(cell)} {_card_text(scene, cell)}" for cell in cells]
    sentences = ["Cards: " + "; ".join(cards) if cards else "No cards yet"]
    sentences.extend(figures.describe_figure(figure) for figure in scene.figures)
    if scene.frames:
        sentences.append("A card may be laid on " + ", ".join(cell_name(cell) for cell in scene.frames))
    return ". ".join(sentences) + "."


def _card_text(scene: Scene, cell: Cell) -> str:
    zones = ((2 * cell[0] + i % 2, 2 * cell[1] + i // 2) for i in range(4))
    return ", ".join(_zone_text(scene.ground[zone]) for zone in zones if zone in scene.ground)


def _zone_text(here: Ground) -> str:
    return _NAMES[here.landscape] + (" with hut" if here.hut else "")


def _face_text(face: Sequence[Ground], card: int) -> str:
    return f"card {card}: " + ", ".join(_zone_text(here) for here in face)
