"""Draw a Limes display, or a sheet of cards, as a vector picture that stands by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from limina.limes import explain, figures, landscape, parchment
from limina.limes.outline import SIDE, Bend, hand_drawn, path, territories
from limina.limes.palette import Palette, Theme, palette
from limina.limes.scene import Cell, Figure, Ground, Scene, Zone
from limina.limes.symbols import definitions
from limina.svg import ID, number, tag, text, unique_ids

_NAMES = {"F": "field", "W": "water", "T": "forest", "R": "rock"}


def draw(scene: Scene, *, theme: Theme = "light", size: int = 640) -> str:
    """Draw a display. `size` is the longer side in pixels; the picture scales without loss."""
    colours = palette(theme)
    ground = dict(scene.ground)
    laid = {(x // 2, y // 2) for x, y in ground}
    frames = [cell for cell in dict.fromkeys(scene.frames) if cell not in laid]
    if not laid and not frames:
        frames = [(3, 3)]
    sheet = parchment.Sheet.around([*laid, *frames], scene.labels)
    bend = hand_drawn(ground)
    huts = {zone: landscape.hut_place(zone, ground) for zone, here in ground.items() if here.hut}
    names = {"tree", "fir", "ear", "tower", "hut", "hut-lit"} | figures.symbols_of(scene.figures)

    body = [sheet.paper(colours), sheet.labels(colours) if scene.labels else ""]
    body.extend(parchment.frame(cell, colours) for cell in frames)
    outlines = _Outlines()
    body.append(_land(ground, bend, colours, outlines))
    lit = scene.lit
    occupied = {(figure.x, figure.y) for figure in scene.figures}
    if lit is None:
        body.append(_standing(ground, huts, scene.figures, occupied, colours))
    else:
        body.append(_standing(ground, huts, (), occupied, colours))
        body.append(explain.veil(lit, ground, bend, colours))
        body.append(explain.light(lit, huts, bend, colours))
        others = _people([figure for figure in scene.figures if figure != lit.figure], huts, colours)
        body.append(tag("g", *(drawn for _, drawn in others), opacity=0.45))
        same_place = [figure for figure in scene.figures if figure == lit.figure] or [lit.figure]
        body.extend(drawn for _, drawn in _people(same_place, huts, colours))
        body.append(explain.tally(lit, huts, colours))
        names |= figures.symbols_of([lit.figure])
    extra = explain.glow(colours) if lit else ""
    defs = tag("defs", definitions(names, colours), outlines.written(), sheet.shading(colours), extra)
    return _document(sheet, size, _title(scene), _description(scene), defs + "".join(body))


def draw_cards(
    faces: Sequence[Sequence[Ground]], *, columns: int = 6, theme: Theme = "light", numbers: bool = True
) -> str:
    """Draw cards beside each other, each face given as nw ne sw se, numbered from 1 in their order."""
    colours = palette(theme)
    sheet = parchment.Sheet.for_cards(len(faces), columns, numbers)
    outlines = _Outlines()
    body = [sheet.paper(colours)]
    for i, face in enumerate(faces):
        # Far apart, so that chance gives every card its own furrows and trees.
        column, row = i % columns, i // columns
        place = (4 * column, 4 * row)
        ground = {(place[0] + j % 2, place[1] + j // 2): here for j, here in enumerate(face)}
        huts = {zone: landscape.hut_place(zone, ground) for zone, here in ground.items() if here.hut}
        drawn = _land(ground, hand_drawn(ground), colours, outlines)
        drawn += _standing(ground, huts, (), frozenset(), colours)
        x, y = sheet.card(column, row)
        moved = f"translate({number(x - place[0] * SIDE)} {number(y - place[1] * SIDE)})"
        body.append(tag("g", tag("title", text(_face(face, i + 1))), drawn, data_part="card", transform=moved))
        if numbers:
            body.append(parchment.caption(str(i + 1), x + SIDE, y + 2 * SIDE + 34, colours))
    names = {"tree", "fir", "ear", "tower", "hut"}
    defs = tag("defs", definitions(names, colours), outlines.written(), sheet.shading(colours))
    title = "1 Limes card" if len(faces) == 1 else f"{len(faces)} Limes cards"
    description = "; ".join(_face(face, i + 1) for i, face in enumerate(faces))
    return _document(sheet, round(sheet.longer / 2.2), title, description, defs + "".join(body))


class _Outlines:
    """The outlines of the territories: each is written once, and used to fill, to clip and to ink."""

    def __init__(self) -> None:
        self._paths: list[str] = []

    def add(self, line: str) -> str:
        self._paths.append(line)
        return f"t{len(self._paths)}"

    def written(self) -> str:
        return "".join(
            tag(
                "clipPath",
                tag("path", d=line, id=f"{ID}t{i}", clip_rule="evenodd", data_part="outline"),
                id=f"{ID}t{i}-clip",
            )
            for i, line in enumerate(self._paths, start=1)
        )


def _land(ground: Mapping[Zone, Ground], bend: Bend, colours: Palette, outlines: _Outlines) -> str:
    if not ground:
        return ""
    whole = path(frozenset(ground), radius=14)
    drawn = [
        tag("path", d=whole, fill=colours["shade"], opacity=0.25, transform="translate(4 6)"),
        tag("path", d=whole, fill=colours["soil"]),
    ]
    names = []
    for zones in territories(ground):
        kind = ground[min(zones)].landscape
        name = outlines.add(path(zones, bend=bend))
        names.append(name)
        drawn.append(
            tag("g", landscape.cover(name, kind, zones, colours), data_part="territory", data_landscape=_NAMES[kind])
        )
    drawn.append(parchment.card_edges({(x // 2, y // 2) for x, y in ground}, colours))
    inked = (tag("use", href=f"#{ID}{name}") for name in names)
    drawn.append(tag("g", *inked, fill="none", stroke=colours["ink"], stroke_width=3.2, stroke_linejoin="round"))
    return "".join(drawn)


def _standing(
    ground: dict[Zone, Ground],
    huts: Mapping[Zone, float],
    people: Sequence[Figure],
    occupied: set[Zone] | frozenset[Zone],
    colours: Palette,
) -> str:
    """Draw everything that stands upright, from back to front."""
    things = list(_people(people, huts, colours))
    for zone, here in ground.items():
        x, y = zone[0] * SIDE, zone[1] * SIDE
        hut_at = huts.get(zone)
        things.extend(landscape.growth(zone, ground, hut_at))
        if here.landscape == "R":
            if zone in occupied:
                # Behind the watchman's shoulder, and behind the hut if there is one.
                across, foot = (24 if hut_at is not None and hut_at < 50 else 77), 82
            else:
                across, foot = (50 if hut_at is None else 62 if hut_at < 50 else 38), 88
            things.append((y + foot, tag("use", href=f"#{ID}tower", x=x + across, y=y + foot)))
        if hut_at is not None:
            hut = tag("use", href=f"#{ID}hut", x=x + hut_at, y=y + 93, data_part="hut")
            things.append((y + 95, hut))
    return tag("g", *(drawn for _, drawn in sorted(things))) if things else ""


def _people(people: Sequence[Figure], huts: Mapping[Zone, float], colours: Palette) -> list[tuple[float, str]]:
    zones: dict[Zone, list[Figure]] = {}
    for figure in people:
        zones.setdefault((figure.x, figure.y), []).append(figure)
    return [
        (zone[1] * SIDE + 99.0, figures.crowd(here, huts.get(zone), colours)) for zone, here in sorted(zones.items())
    ]


def _document(sheet: parchment.Sheet, size: int, title: str, description: str, body: str) -> str:
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
    return unique_ids(markup) + "\n"


def _title(scene: Scene) -> str:
    total = sum(figure.points for figure in scene.figures if figure.scored)
    return f"A Limes display, {total} points" if scene.figures else "A Limes display"


def _description(scene: Scene) -> str:
    cells = sorted({(x // 2, y // 2) for x, y in scene.ground}, key=lambda cell: (cell[1], cell[0]))
    cards = [f"{parchment.cell_name(cell)} {_card_words(scene, cell)}" for cell in cells]
    said = ["Cards: " + "; ".join(cards) if cards else "No cards yet"]
    said.extend(figures.words(figure) for figure in scene.figures)
    if scene.frames:
        said.append("A card may be laid on " + ", ".join(parchment.cell_name(cell) for cell in scene.frames))
    return ". ".join(said) + "."


def _card_words(scene: Scene, cell: Cell) -> str:
    zones = ((2 * cell[0] + i % 2, 2 * cell[1] + i // 2) for i in range(4))
    return ", ".join(_zone_words(scene.ground[zone]) for zone in zones if zone in scene.ground)


def _zone_words(here: Ground) -> str:
    return _NAMES[here.landscape] + (" with hut" if here.hut else "")


def _face(face: Sequence[Ground], card: int) -> str:
    return f"card {card}: " + ", ".join(_zone_words(here) for here in face)
