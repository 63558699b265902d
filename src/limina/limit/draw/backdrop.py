"""What lies around the tiles of a Limit drawing: a sheet with the frame of a map, and dark water within."""

from collections.abc import Collection

from limina.gamekit.svg import number
from limina.limit.draw.geometry import ViewBox, hexagon, painting_order, waves
from limina.limit.draw.palette import Palette
from limina.limit.draw.scene import Place, Scene


def water(scene: Scene, visible: ViewBox, palette: Palette, land: Collection[Place]) -> str:
    """The paper, the water with its shoals and waves, and the shadow that the tiles throw on it."""
    sea = _rectangle(visible, 12, 'fill="url(#deep)"', 3)
    inner, outer = palette.water
    deep = f'<stop stop-color="{inner}"/><stop offset="1" stop-color="{outer}"/>'
    parts = [
        f'<defs><radialGradient id="deep" r=".72">{deep}</radialGradient></defs>',
        _rectangle(visible, 0, f'fill="{palette.paper}"', 10),
        sea,
    ]
    parts.append(f'<clipPath id="sea">{_rectangle(visible, 12, "", 3)}</clipPath><g clip-path="url(#sea)">')
    if land:
        coast = "".join(hexagon(place) for place in painting_order(land))
        parts.append(f'<defs><path id="coast" d="{coast}" stroke-linejoin="round"/></defs>')
        # soundings around the coast as on a chart: each shoal a surface with a fine line for its edge
        for width, (line, surface) in zip((96, 62, 30), palette.shoals, strict=True):
            parts.append(
                f'<use href="#coast" stroke="{line}" stroke-width="{width + 2.4}"/>'
                f'<use href="#coast" fill="{surface}" stroke="{surface}" stroke-width="{width}"/>'
            )
    if lines := waves(visible, land):
        parts.append(f'<path d="{lines}" fill="none" stroke="{palette.wave}" stroke-opacity=".3" stroke-width="1.4"/>')
    standing = painting_order(place for place in scene.tiles if place not in scene.sunk)
    if standing:
        shade = "".join(hexagon(place, 47) for place in standing)
        parts.append(
            f'<path d="{shade}" transform="translate(5 17)" stroke="#000" stroke-width="7" stroke-linejoin="round" '
            'opacity=".34"/>'
        )
    return "".join(parts) + "</g>"


def frame(visible: ViewBox, palette: Palette) -> str:
    """The frame of a map, drawn over everything that reaches beyond it."""
    unit = visible.width / 640
    near, far = 8.25 * unit, 12 * unit
    left, top, right, bottom = visible.x, visible.y, visible.x + visible.width, visible.y + visible.height
    scale = ""
    for length, lines in (
        (visible.width - 2 * far, [(left + far, y, "h") for y in (top + near, bottom - near)]),
        (visible.height - 2 * far, [(x, top + far, "v") for x in (left + near, right - near)]),
    ):
        # the scale of a map, written as strokes and not as dashes so that every side begins and ends with a stroke
        count = 2 * round(length / unit / 44) + 1
        step = length / count
        for x, y, way in lines:
            move = f"m{number(step)} 0" if way == "h" else f"m0 {number(step)}"
            scale += f"M{number(x)} {number(y)}" + move.join([f"{way}{number(step)}"] * (count // 2 + 1))
    ink = f'fill="none" stroke="{palette.ink}"'
    return (
        _rectangle(visible, 4.5, f'{ink} stroke-width="{number(unit)}"', 6)
        + f'<path d="{scale}" {ink} stroke-width="{number(2.5 * unit)}"/>'
        + _rectangle(visible, 12, f'{ink} stroke-width="{number(1.5 * unit)}"', 3)
    )


def _rectangle(visible: ViewBox, inset: float, style: str, corner: float) -> str:
    # the frame keeps its width on the screen however near the board is seen
    unit = visible.width / 640
    step = inset * unit
    return (
        f'<rect x="{number(visible.x + step)}" y="{number(visible.y + step)}" '
        f'width="{number(visible.width - 2 * step)}" height="{number(visible.height - 2 * step)}" '
        f'rx="{number(corner * unit)}" {style}/>'
    )
