"""The explanation of a worker's points: light on the zones that count, numbers for the points, and a veil elsewhere."""

from __future__ import annotations

from collections.abc import Mapping

from limina.gamekit.svg import ID, format_number, svg_element
from limina.limes.draw.landscape import hut_offset
from limina.limes.draw.layers import ART, SIDE, attributes, draw_layers
from limina.limes.draw.outline import Bend, hand_drawn_bend, neighbors, outline, path_point
from limina.limes.draw.palette import SANS
from limina.limes.draw.scene import ExplainedWorker, Ground, Zone

_ART = ART["highlight"]


def shapes(highlighted: ExplainedWorker, ground: Mapping[Zone, Ground]) -> dict[str, str]:
    """Return the path data of the light on the zones that count, and of the veil on the zones that do not."""
    bend = hand_drawn_bend(ground)
    hidden = frozenset(ground) - highlighted.territory.union(*highlighted.counted)
    drawn = {"veil": outline(hidden, bend)}
    if highlighted.figure.profession == "watchman":
        seen = sorted(frozenset[Zone]().union(*highlighted.counted))
        drawn["seen"] = "".join(outline({zone}) for zone in seen)
        drawn["rays"] = "".join(_ray(highlighted, zone) for zone in seen)
        drawn["ends"] = "".join(_end(zone) for zone in seen)
        drawn["post"] = outline({(highlighted.figure.x, highlighted.figure.y)})
    else:
        drawn["home"] = outline(highlighted.territory, bend)
    if highlighted.figure.profession == "woodcutter":
        drawn["borders"] = _borders(highlighted, bend)
    return drawn


def _borders(highlighted: ExplainedWorker, bend: Bend) -> str:
    """Return the path data of an arrowhead at each side where the forest touches a counted territory."""
    back, ahead, half = (_ART["arrow"][key] for key in ("back", "ahead", "half"))
    counted = frozenset[Zone]().union(*highlighted.counted)
    written = ""
    for x, y in sorted(highlighted.territory):
        for nx, ny in neighbors((x, y)):
            if (nx, ny) not in counted:
                continue
            dx, dy = nx - x, ny - y
            low, high = max(x, nx), max(y, ny)
            bent = bend((x, high), (x + 1, high)) if dy else bend((low, y), (low, y + 1))
            cx = (x + 0.5) * SIDE + dx * SIDE / 2 + (bent if dx else 0)
            cy = (y + 0.5) * SIDE + dy * SIDE / 2 + (bent if dy else 0)
            written += (
                f"M{path_point(cx - dx * back + dy * half, cy - dy * back + dx * half)}"
                f"L{path_point(cx + dx * ahead, cy + dy * ahead)}"
                f"L{path_point(cx - dx * back - dy * half, cy - dy * back - dx * half)}Z"
            )
    return written


def _ray(highlighted: ExplainedWorker, zone: Zone) -> str:
    """Return the path data of the line of sight from the tower to a zone."""
    x, y = highlighted.figure.x, highlighted.figure.y
    dx, dy = (zone[0] > x) - (zone[0] < x), (zone[1] > y) - (zone[1] < y)
    begin = _ART["ray"]["begin"]
    start = path_point((x + 0.5) * SIDE + dx * begin, (y + 0.5) * SIDE + dy * begin)
    return f"M{start}L{path_point((zone[0] + 0.5) * SIDE, (zone[1] + 0.5) * SIDE)}"


def _end(zone: Zone) -> str:
    r = _ART["ray"]["end"]
    arc = f"a{r} {r} 0 1 1 "
    return f"M{path_point((zone[0] + 0.5) * SIDE - r, (zone[1] + 0.5) * SIDE)}{arc}{2 * r} 0{arc}{-2 * r} 0Z"


def draw_veil(drawn: Mapping[str, str]) -> str:
    """Draw the pale veil over all zones that do not count."""
    return draw_layers(_ART["veil"], drawn, "lit")


def draw_light(highlighted: ExplainedWorker, ground: Mapping[Zone, Ground], drawn: Mapping[str, str]) -> str:
    """Draw the light on the zones that count; it lies on the ground, below the figures."""
    match highlighted.figure.profession:
        case "farmer":
            return draw_layers(_ART["farmer"], drawn, "lit") + _border(drawn, "home")
        case "fisherman":
            return _border(drawn, "home") + "".join(_hut(x, y) for x, y in hut_positions(highlighted, ground))
        case "woodcutter":
            return _border(drawn, "home") + draw_layers(_ART["woodcutter"], drawn, "lit")
        case "watchman":
            return _border(drawn, "seen") + draw_layers(_ART["watchman"], drawn, "lit") + _border(drawn, "post")


def _border(drawn: Mapping[str, str], shape: str) -> str:
    return draw_layers(_ART["border"], {"border": drawn[shape]}, f"lit-{shape}")


def hut_positions(highlighted: ExplainedWorker, ground: Mapping[Zone, Ground]) -> list[tuple[float, float]]:
    """Return the positions of the counted huts."""
    zones = sorted(frozenset[Zone]().union(*highlighted.counted))
    places = [(x, y, hut_offset((x, y), ground)) for x, y in zones]
    return [(x * SIDE + at, y * SIDE + ART["hut"]["foot"]) for x, y, at in places if at is not None]


def _hut(x: float, y: float) -> str:
    art = _ART["hut"]
    halo = svg_element("circle", cx=x, cy=y - art["up"], r=art["r"], fill=f"url(#{ID}glow)", data_part="lit-hut")
    return halo + svg_element("use", href=f"#{ID}hut-lit", x=x, y=y)


def glow_gradient() -> str:
    """Define the gradient of the light around a counted hut."""
    stops = (
        svg_element("stop", offset=str(at), stop_color="var(--glow)", stop_opacity=str(share))
        for at, share in _ART["hut"]["stops"]
    )
    return svg_element("radialGradient", *stops, id=f"{ID}glow")


def number_positions(highlighted: ExplainedWorker, ground: Mapping[Zone, Ground]) -> list[tuple[float, float]]:
    """Return the position of a number for each counted point, in reading order; the last number is the points."""
    here, art = (highlighted.figure.x, highlighted.figure.y), _ART["number"]
    places = []
    for zones in sorted(highlighted.counted, key=lambda zones: min((y, x) for x, y in zones)):
        # Of the zones of a point, prefer one without the worker, then one without a hut: it has space for the number.
        x, y = min(zones, key=lambda zone: (zone == here, hut_offset(zone, ground) is not None, zone[1], zone[0]))
        hut_at = hut_offset((x, y), ground)
        side = "right" if hut_at is not None and hut_at < SIDE / 2 else "left"
        places.append((x * SIDE + art[side], y * SIDE + art["y"]))
    return places


def draw_numbers(highlighted: ExplainedWorker, ground: Mapping[Zone, Ground]) -> str:
    """Draw the numbers of the counted points."""
    art = _ART["number"]
    drawn = (
        svg_element("circle", cx=x, cy=y, **attributes(art["circle"]))
        + svg_element("text", str(i), x=x, y=format_number(y + art["drop"]))
        for i, (x, y) in enumerate(number_positions(highlighted, ground), start=1)
    )
    return svg_element("g", *drawn, data_part="tally", stroke="none", font_family=SANS, **attributes(art["text"]))
