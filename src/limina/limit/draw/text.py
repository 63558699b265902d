"""Draw a Limit position for a terminal: two lines for each row of hexagons, each row shifted by half a tile.

The upper line of a tile has its name and the letter of its color, such as `c4R`. The lower line has the pawn, as sign
and letter of its player, or marks.
"""

from limina.limit.draw.scene import PLAYERS, SIGNS, Place, Scene, place_name

# Styles are parameters of the ANSI sequence SGR ("select graphic rendition"), with colors from the palette of 256.
_EDGE = {"R": "38;5;131", "B": "38;5;67", "Y": "38;5;179", "K": "38;5;243"}
_FILL = {"R": "48;5;131;38;5;230", "B": "48;5;67;38;5;231", "Y": "48;5;179;38;5;52", "K": "48;5;238;38;5;254"}
_PAWN = ("1;48;5;230;38;5;124", "1;48;5;230;38;5;19", "1;48;5;230;38;5;94")
_WATER = "38;5;66"
_MIN_WIDTH = 4
_SLOPES = "╱╲╲╱"

_Cell = tuple[str, str]
"""A character and its style."""


def draw(scene: Scene, *, color: bool) -> str:
    """Return the scene as lines of equal width, with a legend of its marks below, and with ANSI colors if `color`."""
    places = {*scene.tiles, *scene.sunk, *scene.pawns}
    if not places:
        return "no tiles"
    width = max(_MIN_WIDTH, *(len(place_name(place)) + 1 for place in places))
    width += width % 2  # half a tile must be a whole number of characters
    half = width // 2 + 1
    left = min(2 * q + r for q, r in places)
    right = max(2 * q + r for q, r in places)
    first, last = min(r for _, r in places), max(r for _, r in places)
    legend = _legend(scene, (right - left + 2) * half)
    columns = max([(right - left + 2) * half, *(len(line) for line in legend)])
    lines: list[list[_Cell]] = [[(" ", "")] * columns for _ in range(2 * (last - first + 1))]
    for q, r in places:
        start = (2 * q + r - left) * half
        for offset, cells in enumerate(_tile(scene, (q, r), width)):
            lines[2 * (r - first) + offset][start : start + len(cells)] = cells
    drawing = [_render(cells, color=color) for cells in lines]
    return "\n".join([*drawing, *(line.ljust(columns) for line in legend)])


def _tile(scene: Scene, place: Place, width: int) -> tuple[list[_Cell], list[_Cell]]:
    """Return the upper and the lower line of a tile."""
    letter = scene.tiles.get(place, "")
    lower, style = _lower_text(scene, place)
    if place in scene.sunk:
        upper, edges, edge, fill = place_name(place) if scene.labels else "~", "~~~~", _WATER, _WATER
    else:
        upper, edges = (place_name(place) if scene.labels else "") + letter, _SLOPES
        edge, fill = _EDGE.get(letter, ""), _FILL.get(letter, "")
    return (
        [(edges[0], edge), *((character, fill) for character in upper.center(width)), (edges[1], edge)],
        [(edges[2], edge), *((character, style or fill) for character in lower.center(width)), (edges[3], edge)],
    )


def _lower_text(scene: Scene, place: Place) -> tuple[str, str]:
    """Return the pawn or the marks on a tile, and their style, which is empty for that of the tile."""
    start, end = scene.moved or (None, None)
    if place in scene.pawns:
        player = scene.pawns[place]
        danger = "!" if place in scene.danger else " "
        return (">" if place == end else danger) + _pawn(player) + danger, _PAWN[player]
    for captured, player in scene.captured:
        if captured == place:
            return f"({_pawn(player)})", ""
    marks = {
        "<": place == start,
        "+": place in scene.reach,
        "x": place in scene.removable,
        "°": place in scene.freedoms,
    }
    return "".join(mark for mark, is_shown in marks.items() if is_shown), ""


def _pawn(player: int) -> str:
    return SIGNS[PLAYERS[player]] + PLAYERS[player]


def _legend(scene: Scene, columns: int) -> list[str]:
    """Return the meaning of the marks in the scene, in lines of so many columns, or longer for a long entry."""
    entries = {
        "> moved": scene.moved is not None,
        "< from": scene.moved is not None and scene.moved[0] not in scene.pawns,
        "~ removed": bool(scene.sunk),
        "( ) captured": bool(scene.captured),
        "! last freedom": bool(scene.danger),
        "° freedom": bool(scene.freedoms),
        "+ reach": bool(scene.reach),
        "x removable": bool(scene.removable),
    }
    lines: list[str] = []
    for entry in (entry for entry, is_shown in entries.items() if is_shown):
        if lines and len(lines[-1]) + 3 + len(entry) <= columns:
            lines[-1] += "   " + entry
        else:
            lines.append(entry)
    return ["", *lines] if lines else []


def _render(cells: list[_Cell], *, color: bool) -> str:
    """Return a line of the terminal."""
    if not color:
        return "".join(character for character, _ in cells)
    text, current = "", ""
    for character, style in cells:
        if style != current:
            text += ("\x1b[0m" if current else "") + (f"\x1b[{style}m" if style else "")
            current = style
        text += character
    return text + ("\x1b[0m" if current else "")
