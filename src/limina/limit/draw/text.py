"""Draw a Limit position for a terminal: two lines for each row of hexagons, every second row shifted by half a tile.

A tile shows its name and the letter of its color as in the notation, ``c4R``, and below them the pawn as its sign and
the letter of its player, or marks.
"""

from limina.limit.draw.scene import PLAYERS, SIGNS, Place, Scene, name

# Styles are parameters of the ANSI sequence "select graphic rendition", from the palette of 256 colors.
_EDGE = {"R": "38;5;131", "B": "38;5;67", "Y": "38;5;179", "K": "38;5;243"}
_FACE = {"R": "48;5;131;38;5;230", "B": "48;5;67;38;5;231", "Y": "48;5;179;38;5;52", "K": "48;5;238;38;5;254"}
_PAWN = ("1;48;5;230;38;5;124", "1;48;5;230;38;5;19", "1;48;5;230;38;5;94")
_WATER = "38;5;66"
_LEAST_WIDTH = 4
_SLOPES = "╱╲╲╱"

_Cell = tuple[str, str]
"""A character and its style."""


def draw(scene: Scene, *, color: bool) -> str:
    """The scene as lines of equal width, below them a key to the marks in it; with ``color`` in ANSI colors."""
    places = {*scene.tiles, *scene.sunk, *scene.pawns}
    if not places:
        return "no tiles"
    width = max(_LEAST_WIDTH, *(len(name(place)) + 1 for place in places))
    width += width % 2  # half a tile must be a whole number of characters
    half = width // 2 + 1
    left = min(2 * q + r for q, r in places)
    right = max(2 * q + r for q, r in places)
    first, last = min(r for _, r in places), max(r for _, r in places)
    key = _key(scene, (right - left + 2) * half)
    columns = max([(right - left + 2) * half, *(len(line) for line in key)])
    lines: list[list[_Cell]] = [[(" ", "")] * columns for _ in range(2 * (last - first + 1))]
    for q, r in places:
        start = (2 * q + r - left) * half
        for offset, cells in enumerate(_tile(scene, (q, r), width)):
            lines[2 * (r - first) + offset][start : start + len(cells)] = cells
    drawing = [_line(cells, color=color) for cells in lines]
    return "\n".join([*drawing, *(line.ljust(columns) for line in key)])


def _tile(scene: Scene, place: Place, width: int) -> tuple[list[_Cell], list[_Cell]]:
    """The upper and the lower line of a tile."""
    letter = scene.tiles.get(place, "")
    lower, style = _lower(scene, place)
    if place in scene.sunk:
        upper, edges, edge, face = name(place) if scene.labels else "~", "~~~~", _WATER, _WATER
    else:
        upper, edges = (name(place) if scene.labels else "") + letter, _SLOPES
        edge, face = _EDGE.get(letter, ""), _FACE.get(letter, "")
    return (
        [(edges[0], edge), *((character, face) for character in upper.center(width)), (edges[1], edge)],
        [(edges[2], edge), *((character, style or face) for character in lower.center(width)), (edges[3], edge)],
    )


def _lower(scene: Scene, place: Place) -> tuple[str, str]:
    """What stands on a tile, and its style if that is not the style of the tile."""
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
        "°": place in scene.breath,
    }
    return "".join(mark for mark, shown in marks.items() if shown), ""


def _pawn(player: int) -> str:
    return SIGNS[PLAYERS[player]] + PLAYERS[player]


def _key(scene: Scene, columns: int) -> list[str]:
    """What the marks mean that the scene has, in lines as wide as the drawing where they fit."""
    entries = {
        "> moved": scene.moved is not None,
        "< from": scene.moved is not None and scene.moved[0] not in scene.pawns,
        "~ removed": bool(scene.sunk),
        "( ) captured": bool(scene.captured),
        "! last freedom": bool(scene.danger),
        "° freedom": bool(scene.breath),
        "+ reach": bool(scene.reach),
        "x removable": bool(scene.removable),
    }
    lines: list[str] = []
    for entry in (entry for entry, shown in entries.items() if shown):
        if lines and len(lines[-1]) + 3 + len(entry) <= columns:
            lines[-1] += "   " + entry
        else:
            lines.append(entry)
    return ["", *lines] if lines else []


def _line(cells: list[_Cell], *, color: bool) -> str:
    if not color:
        return "".join(character for character, _ in cells)
    text, current = "", ""
    for character, style in cells:
        if style != current:
            text += ("\x1b[0m" if current else "") + (f"\x1b[{style}m" if style else "")
            current = style
        text += character
    return text + ("\x1b[0m" if current else "")
