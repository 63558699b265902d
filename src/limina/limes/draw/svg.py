"""Draw a Limes display, or a sheet of cards, as a vector picture that stands by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from limina.gamekit.svg import ID, number, tag, text, unique_ids
from limina.limes.draw import figures, highlight
from limina.limes.draw.ground import draw_row, flat, rows
from limina.limes.draw.layers import SIDE
from limina.limes.draw.outline import hand_drawn
from limina.limes.draw.palette import Theme, paint, palette
from limina.limes.draw.scene import Cell, Figure, Ground, Scene
from limina.limes.draw.sheet import (
    Sheet,
    card_place,
    cell_name,
    draw_caption,
    draw_frame,
    draw_labels,
    draw_paper,
    shading,
)
from limina.limes.draw.symbols import definitions

_NAMES = {"F": "field", "W": "water", "T": "forest", "R": "rock"}
_STANDING = frozenset({"tree", "fir", "ear", "tower", "hut"})


def draw(scene: Scene, *, theme: Theme = "light", size: int = 640) -> str:
    """Draw a display. `size` is the longer side in pixels; the picture scales without loss."""
    ground, lit = dict(scene.ground), scene.lit
    laid = {(x // 2, y // 2) for x, y in ground}
    frames = [cell for cell in dict.fromkeys(scene.frames) if cell not in laid]
    if not laid and not frames:
        frames = [(3, 3)]
    sheet = Sheet.around([*laid, *frames], scene.labels)
    people = scene.figures if lit is None or lit.figure in scene.figures else (*scene.figures, lit.figure)
    names = _STANDING | figures.symbols_of(people) | ({"hut-lit"} if lit else set())
    body = [draw_paper(sheet), draw_labels(sheet) if scene.labels else "", *map(draw_frame, frames)]
    body.append(flat(ground, hand_drawn(ground)))
    body.extend(_standing(scene, people))
    defs = tag("defs", definitions(names), shading(), highlight.glow() if lit else "")
    return _document(sheet, size, theme, _title(scene), _description(scene), defs + "".join(body))


def draw_cards(
    faces: Sequence[Sequence[Ground]], *, columns: int = 6, theme: Theme = "light", numbers: bool = True
) -> str:
    """Draw cards beside each other, each face given as nw ne sw se, numbered from 1 in their order."""
    sheet = Sheet.for_cards(len(faces), columns, numbers)
    body = [draw_paper(sheet, measured=False)]
    for i, face in enumerate(faces):
        # Far apart, so that chance gives every card its own furrows and trees.
        column, row = i % columns, i // columns
        left, top = 4 * column, 4 * row
        ground = {(left + j % 2, top + j // 2): here for j, here in enumerate(face)}
        upright = (drawn for things in rows(ground, frozenset()).values() for drawn in draw_row(things))
        x, y = card_place(column, row, numbers)
        moved = f"translate({number(x - left * SIDE)} {number(y - top * SIDE)})"
        said = tag("title", text(_face(face, i + 1)))
        body.append(tag("g", said, flat(ground, hand_drawn(ground)), *upright, data_part="card", transform=moved))
        if numbers:
            body.append(draw_caption(str(i + 1), x, y))
    defs = tag("defs", definitions(_STANDING), shading())
    title = "1 Limes card" if len(faces) == 1 else f"{len(faces)} Limes cards"
    description = "; ".join(_face(face, i + 1) for i, face in enumerate(faces))
    return _document(sheet, round(sheet.longer / 2.2), theme, title, description, defs + "".join(body))


def _standing(scene: Scene, people: Sequence[Figure]) -> Iterator[str]:
    """Draw everything that stands upright, from back to front; over it the light, if a worker is explained."""
    ground, lit = scene.ground, scene.lit
    crowds = figures.crowds(people, ground)
    upright = rows(ground, {crowd.zone for crowd in crowds})
    if lit is not None:
        for things in upright.values():
            yield from draw_row(things)
        drawn = highlight.shapes(lit, ground)
        yield highlight.veil(drawn) + highlight.light(lit, ground, drawn)
        for placed in (placed for crowd in crowds for placed in crowd.figures):
            yield figures.draw_worker(placed, faded=placed.figure != lit.figure)
        yield highlight.tally(lit, ground)
        return
    for y in sorted(upright.keys() | {crowd.zone[1] for crowd in crowds}):
        yield from draw_row(upright.get(y, []))
        for crowd in crowds:
            if crowd.zone[1] == y:
                yield from map(figures.draw_worker, crowd.figures)
                yield figures.draw_count(crowd)


def _document(sheet: Sheet, size: int, theme: Theme, title: str, description: str, body: str) -> str:
    scale = size / sheet.longer
    box = " ".join(number(value) for value in (sheet.left, sheet.top, sheet.width, sheet.height))
    markup = tag(
        "svg",
        tag("title", text(title), id=f"{ID}title"),
        tag("desc", text(description), id=f"{ID}desc"),
        body,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=box,
        width=round(sheet.width * scale),
        height=round(sheet.height * scale),
        role="img",
        aria_labelledby=f"{ID}title {ID}desc",
        # Shrinks with its column. Not `height:auto`, which means the same here but makes CairoSVG draw nothing.
        style="max-width:100%;block-size:auto",
    )
    return unique_ids(paint(markup, palette(theme))) + "\n"


def _title(scene: Scene) -> str:
    total = sum(figure.points for figure in scene.figures if figure.scored)
    return f"A Limes display, {total} points" if scene.figures else "A Limes display"


def _description(scene: Scene) -> str:
    cells = sorted({(x // 2, y // 2) for x, y in scene.ground}, key=lambda cell: (cell[1], cell[0]))
    cards = [f"{cell_name(cell)} {_card_words(scene, cell)}" for cell in cells]
    said = ["Cards: " + "; ".join(cards) if cards else "No cards yet"]
    said.extend(figures.words(figure) for figure in scene.figures)
    if scene.frames:
        said.append("A card may be laid on " + ", ".join(cell_name(cell) for cell in scene.frames))
    return ". ".join(said) + "."


def _card_words(scene: Scene, cell: Cell) -> str:
    zones = ((2 * cell[0] + i % 2, 2 * cell[1] + i // 2) for i in range(4))
    return ", ".join(_zone_words(scene.ground[zone]) for zone in zones if zone in scene.ground)


def _zone_words(here: Ground) -> str:
    return _NAMES[here.landscape] + (" with hut" if here.hut else "")


def _face(face: Sequence[Ground], card: int) -> str:
    return f"card {card}: " + ", ".join(_zone_words(here) for here in face)
