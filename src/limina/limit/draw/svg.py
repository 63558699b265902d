"""Draw a Limit position as a self-contained SVG document without scripts, fonts or external references."""

from collections.abc import Iterable

from limina.gamekit.svg import ID, escape_text, format_number, unique_ids
from limina.limit.draw import symbols
from limina.limit.draw.backdrop import draw_water, frame
from limina.limit.draw.geometry import TILT, center, painting_order, shortest_route, smooth_path, view_box
from limina.limit.draw.palette import PALETTES, Palette, Theme
from limina.limit.draw.scene import COLORS, PLAYERS, Place, Scene, place_name

_SANS = "system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif"


def draw(scene: Scene, *, theme: Theme = "light", size: int = 640) -> str:
    """Return the scene as an SVG document that is `size` pixels wide.

    All pictures have the same aspect, and the remaining tiles fill them. Equal scenes give equal documents. The ids do
    not clash with those of other drawings on a page.
    """
    palette = PALETTES[theme]
    land = set(scene.tiles) | set(scene.sunk) | set(scene.pawns)
    visible = view_box(land)
    layers = [
        _definitions(scene, palette),
        draw_water(scene, visible, palette, land),
        _sunk_tiles(scene),
        _tiles(scene, palette),
        _tile_marks(scene),
        _route(scene, palette),
        _pawns(scene),
        frame(visible, palette),
    ]
    title, description = _title_and_description(scene)
    body = f'<title id="t">{escape_text(title)}</title><desc id="d">{escape_text(description)}</desc>' + "\n".join(
        layers
    )
    box = " ".join(format_number(value) for value in (visible.x, visible.y, visible.width, visible.height))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{size}" '
        f'height="{round(size * visible.height / visible.width)}" role="img" aria-labelledby="t" '
        f'font-family="{_SANS}">'
    )
    return unique_ids(symbols.prefix_ids(head + body + "</svg>\n", ID))


def _title_and_description(scene: Scene) -> tuple[str, str]:
    """Return the texts that screen readers speak."""
    remaining = [place for place in scene.tiles if place not in scene.sunk]
    title = f"Limit: {len(remaining)} tiles"
    sentences = []
    for player, letter in enumerate(PLAYERS):
        places = [place for place in painting_order(scene.pawns) if scene.pawns[place] == player]
        if places:
            title += f", {len(places)} {COLORS[letter]} pawn{'s' if len(places) > 1 else ''}"
            sentences.append(f"{COLORS[letter].capitalize()} pawns on {_list(places)}.")
    if scene.moved:
        sentences.append(f"The last pawn moved from {place_name(scene.moved[0])} to {place_name(scene.moved[1])}.")
    if scene.sunk:
        sentences.append(f"Removed: {_list(scene.sunk)}.")
    if scene.captured:
        sentences.append(f"Captured: {_list(place for place, _ in scene.captured)}.")
    if scene.danger:
        sentences.append(f"In their last freedom: {_list(painting_order(scene.danger))}.")
    return title, " ".join(sentences) or "No pawns."


def _list(places: Iterable[Place]) -> str:
    return ", ".join(place_name(place) for place in places)


def _definitions(scene: Scene, palette: Palette) -> str:
    parts = [symbols.gradients(), symbols.symbol("limit-grain")]
    marks = {
        "limit-danger": scene.danger,
        "limit-freedoms": scene.freedoms,
        "limit-reach": scene.reach,
        "limit-removable": scene.removable,
        "limit-sunk": scene.sunk,
    }
    parts += [symbols.colored_symbol(mark, palette.marks) for mark, places in marks.items() if places]
    for letter in COLORS:
        if letter in scene.tiles.values() or letter in PLAYERS:
            parts.append(symbols.symbol(f"limit-sign-{letter}"))
        if letter in scene.tiles.values():
            values = {**palette.marks, **palette.tiles[letter]}
            tile = symbols.colored_symbol("limit-tile", values, new_id=f"tile-{letter}")
            parts.append(tile + _inlays(letter, palette))
    for player in sorted({*scene.pawns.values(), *(player for _, player in scene.captured)}):
        values = {**palette.marks, **palette.pawns[player]}
        parts.append(
            f'<g id="pawn-{player}">'
            + symbols.colored_symbol("limit-pawn", values, new_id=f"body-{player}")
            + f'<use href="#limit-sign-{PLAYERS[player]}" color="{values["--limit-sign"]}" '
            f'transform="translate(0 -33) scale(.72 {round(0.72 * TILT, 3)})"/></g>'
        )
    return f"<defs>{''.join(parts)}</defs>"


def _inlays(letter: str, palette: Palette) -> str:
    """Return the sign of a tile, once in its middle and once as two small ones beside a pawn."""
    inlay, stone = palette.tiles[letter]["--limit-inlay"], palette.tiles[letter]["--limit-stone"]
    sign = f'<use href="#limit-sign-{letter}"'
    flat, small = f'transform="scale(1 {TILT})"', f"scale(.36 {round(0.36 * TILT, 3)})"
    return (
        f'<g id="inlay-{letter}" color="{inlay}" stroke-linejoin="round">'
        f'{sign} stroke="{inlay}" stroke-width="9.4" {flat}/>'
        f'<g color="{stone}">{sign} stroke="{stone}" stroke-width="7" {flat}/></g>{sign} {flat}/></g>'
        f'<g id="beside-{letter}" color="{inlay}">{sign} transform="translate(-32.5 1) {small}"/>'
        f'{sign} transform="translate(32.5 1) {small}"/></g>'
    )


def _sunk_tiles(scene: Scene) -> str:
    markup = ""
    for place in painting_order(scene.sunk):
        markup += f'<g class="sunk" data-at="{place_name(place)}"><title>{place_name(place)}: removed</title>'
        if place in scene.tiles:
            markup += _use(f"tile-{scene.tiles[place]}", place, 'opacity=".3"', dy=12)
        markup += _use("limit-sunk", place) + "</g>"
    return markup


def _tiles(scene: Scene, palette: Palette) -> str:
    occupied = {*scene.pawns, *(place for place, _ in scene.captured)}
    markup = ""
    for place in painting_order(place for place in scene.tiles if place not in scene.sunk):
        letter, (x, y) = scene.tiles[place], center(place)
        inlay = palette.tiles[letter]["--limit-inlay"]
        pawn = scene.pawns.get(place)
        name = place_name(place)
        label = f"{name}: {COLORS[letter]} tile"
        label += "" if pawn is None else f", {COLORS[PLAYERS[pawn]]} pawn"
        grain_angle = (place[0] * 2 + place[1] * 3) % 6 * 60  # so that neighbors look different
        markup += (
            f'<g class="tile tile-{letter}" data-at="{name}" '
            f'transform="translate({format_number(x)} {format_number(y)})">'
            f'<title>{label}</title><use href="#tile-{letter}"/>'
            f'<use href="#limit-grain" transform="scale(1 {TILT}) rotate({grain_angle})"/>'
        )
        # A pawn hides the sign in the middle of its tile, so two small signs beside it show the color.
        inlay_position = "beside" if place in occupied else "inlay"
        markup += f'<use class="sign sign-{letter}" href="#{inlay_position}-{letter}"/>'
        if scene.labels:
            markup += (
                f'<text y="31.5" font-size="13" font-weight="600" text-anchor="middle" fill="{inlay}">{name}</text>'
            )
        markup += "</g>"
    return markup


def _tile_marks(scene: Scene) -> str:
    markup = ""
    for mark, places in (("reach", scene.reach), ("removable", scene.removable), ("freedoms", scene.freedoms)):
        for place in painting_order(places):
            markup += _use(f"limit-{mark}", place, f'class="{mark}"')
    return markup


def _route(scene: Scene, palette: Palette) -> str:
    places = shortest_route(scene)
    if not places:
        return ""
    path, color = smooth_path(places), palette.marks["--limit-path"]
    x, y = center(places[0])
    return (
        f'<g class="path" fill="none" stroke="{color}" stroke-linecap="round" stroke-linejoin="round">'
        f'<path d="{path}" stroke-width="16" stroke-opacity=".3"/>'
        f'<path d="{path}" stroke-width="7.5" stroke-dasharray="0 12" stroke="#000" stroke-opacity=".28"/>'
        f'<path d="{path}" stroke-width="5" stroke-dasharray="0 12" stroke-opacity=".95"/>'
        f'<ellipse cx="{format_number(x)}" cy="{format_number(y)}" rx="21.5" ry="{format_number(21.5 * TILT)}" '
        f'stroke-width="2.4" stroke-dasharray="5 6"/></g>'
    )


def _pawns(scene: Scene) -> str:
    captured = dict(scene.captured)
    markup = ""
    for place in painting_order({*scene.pawns, *captured}):
        if place in scene.pawns:
            markup += f'<g class="pawn pawn-{scene.pawns[place]}" data-at="{place_name(place)}">'
            markup += _use("limit-danger", place, 'class="danger"') if place in scene.danger else ""
            markup += _use(f"pawn-{scene.pawns[place]}", place, dy=-3) + "</g>"
        else:
            x, y = center(place)
            markup += (
                f'<g class="captured captured-{captured[place]}" data-at="{place_name(place)}">'
                f"<title>{place_name(place)}: {COLORS[PLAYERS[captured[place]]]} pawn captured</title>"
                f'<use href="#pawn-{captured[place]}" opacity=".8" '
                f'transform="translate({format_number(x - 15)} {format_number(y + 4)}) rotate(76) scale(.88)"/></g>'
            )
    return markup


def _use(identifier: str, place: Place, extra: str = "", *, dy: float = 0) -> str:
    x, y = center(place)
    return f'<use href="#{identifier}" x="{format_number(x)}" y="{format_number(y + dy)}" {extra}'.rstrip() + "/>"
