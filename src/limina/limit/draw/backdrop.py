"""The backdrop of a Limit drawing: paper with the frame of a map, and dark water inside it."""

from collections.abc import Collection

from limina.gamekit.svg import format_number
from limina.limit.draw.geometry import ViewBox, hexagon_path, painting_order, wave_path
from limina.limit.draw.palette import Palette
from limina.limit.draw.scene import Place, Scene


def draw_water(scene: Scene, visible: ViewBox, palette: Palette, land: Collection[Place]) -> str:
    """Return the paper, the water with shoals and waves, and the shadow of the tiles on the water."""
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
        coast = "".join(hexagon_path(place) for place in painting_order(land))
        parts.append(f'<defs><path id="coast" d="{coast}" stroke-linejoin="round"/></defs>')
        # Shoals around the coast, as on a nautical chart: each is a surface with a fine line as its edge.
        for width, (line, surface) in zip((96, 62, 30), palette.shoals, strict=True):
            parts.append(
                f'<use href="#coast" stroke="{line}" stroke-width="{width + 2.4}"/>'
                f'<use href="#coast" fill="{surface}" stroke="{surface}" stroke-width="{width}"/>'
            )
    if lines := wave_path(visible, land):
        parts.append(f'<path d="{lines}" fill="none" stroke="{palette.wave}" stroke-opacity=".3" stroke-width="1.4"/>')
    remaining = painting_order(place for place in scene.tiles if place not in scene.sunk)
    if remaining:
        shadow = "".join(hexagon_path(place, 47) for place in remaining)
        parts.append(
            f'<path d="{shadow}" transform="translate(5 17)" stroke="#000" stroke-width="7" stroke-linejoin="round" '
            'opacity=".34"/>'
        )
    return "".join(parts) + "</g>"


def frame(visible: ViewBox, palette: Palette) -> str:
    """Return the frame of a map, which is drawn last and covers what reaches beyond it."""
    unit = visible.width / 640
    outer, inner = 8.25 * unit, 12 * unit
    left, top, right, bottom = visible.x, visible.y, visible.x + visible.width, visible.y + visible.height
    scale = ""
    for length, lines in (
        (visible.width - 2 * inner, [(left + inner, y, "h") for y in (top + outer, bottom - outer)]),
        (visible.height - 2 * inner, [(x, top + inner, "v") for x in (left + outer, right - outer)]),
    ):
        # The scale consists of separate strokes and not of dashes, so that each side begins and ends with a stroke.
        count = 2 * round(length / unit / 44) + 1
        step = length / count
        for x, y, direction in lines:
            gap = f"m{format_number(step)} 0" if direction == "h" else f"m0 {format_number(step)}"
            scale += f"M{format_number(x)} {format_number(y)}" + gap.join(
                [f"{direction}{format_number(step)}"] * (count // 2 + 1)
            )
    ink = f'fill="none" stroke="{palette.ink}"'
    return (
        _rectangle(visible, 4.5, f'{ink} stroke-width="{format_number(unit)}"', 6)
        + f'<path d="{scale}" {ink} stroke-width="{format_number(2.5 * unit)}"/>'
        + _rectangle(visible, 12, f'{ink} stroke-width="{format_number(1.5 * unit)}"', 3)
    )


def _rectangle(visible: ViewBox, inset: float, style: str, corner_radius: float) -> str:
    # Lengths are in pixels of a picture 640 pixels wide, so that the frame has the same width at any zoom.
    unit = visible.width / 640
    margin = inset * unit
    return (
        f'<rect x="{format_number(visible.x + margin)}" y="{format_number(visible.y + margin)}" '
        f'width="{format_number(visible.width - 2 * margin)}" height="{format_number(visible.height - 2 * margin)}" '
        f'rx="{format_number(corner_radius * unit)}" {style}/>'
    )
