"""What makes a worker worth his points: what he counts is lit, the rest steps back."""

from __future__ import annotations

from collections.abc import Mapping

from limina.gamekit.svg import ID, number, tag
from limina.limes.draw.landscape import hut_place
from limina.limes.draw.layers import ART, SIDE, attributes, layers
from limina.limes.draw.outline import Bend, hand_drawn, neighbors, outline, pair
from limina.limes.draw.palette import SANS
from limina.limes.draw.scene import Ground, Lit, Zone

_ART = ART["highlight"]


def shapes(lit: Lit, ground: Mapping[Zone, Ground]) -> dict[str, str]:
    """Return the path data of the light on what the worker counts, and of the veil on all that has no part in it."""
    bend = hand_drawn(ground)
    hidden = frozenset(ground) - lit.territory.union(*lit.counted)
    drawn = {"veil": outline(hidden, bend)}
    if lit.figure.profession == "watchman":
        seen = sorted(frozenset[Zone]().union(*lit.counted))
        drawn["seen"] = "".join(outline({zone}) for zone in seen)
        drawn["rays"] = "".join(_ray(lit, zone) for zone in seen)
        drawn["ends"] = "".join(_end(zone) for zone in seen)
        drawn["post"] = outline({(lit.figure.x, lit.figure.y)})
    else:
        drawn["home"] = outline(lit.territory, bend)
    if lit.figure.profession == "woodcutter":
        drawn["borders"] = _borders(lit, bend)
    return drawn


def _borders(lit: Lit, bend: Bend) -> str:
    """Mark where the forest touches its neighbors: an arrowhead across the border."""
    back, ahead, half = (_ART["arrow"][key] for key in ("back", "ahead", "half"))
    counted = frozenset[Zone]().union(*lit.counted)
    written = ""
    for x, y in sorted(lit.territory):
        for nx, ny in neighbors((x, y)):
            if (nx, ny) not in counted:
                continue
            dx, dy = nx - x, ny - y
            low, high = max(x, nx), max(y, ny)
            bent = bend((x, high), (x + 1, high)) if dy else bend((low, y), (low, y + 1))
            cx = (x + 0.5) * SIDE + dx * SIDE / 2 + (bent if dx else 0)
            cy = (y + 0.5) * SIDE + dy * SIDE / 2 + (bent if dy else 0)
            written += (
                f"M{pair(cx - dx * back + dy * half, cy - dy * back + dx * half)}"
                f"L{pair(cx + dx * ahead, cy + dy * ahead)}"
                f"L{pair(cx - dx * back - dy * half, cy - dy * back - dx * half)}Z"
            )
    return written


def _ray(lit: Lit, zone: Zone) -> str:
    """Write the line of sight from the tower to a zone."""
    x, y = lit.figure.x, lit.figure.y
    dx, dy = (zone[0] > x) - (zone[0] < x), (zone[1] > y) - (zone[1] < y)
    begin = _ART["ray"]["begin"]
    start = pair((x + 0.5) * SIDE + dx * begin, (y + 0.5) * SIDE + dy * begin)
    return f"M{start}L{pair((zone[0] + 0.5) * SIDE, (zone[1] + 0.5) * SIDE)}"


def _end(zone: Zone) -> str:
    r = _ART["ray"]["end"]
    arc = f"a{r} {r} 0 1 1 "
    return f"M{pair((zone[0] + 0.5) * SIDE - r, (zone[1] + 0.5) * SIDE)}{arc}{2 * r} 0{arc}{-2 * r} 0Z"


def veil(drawn: Mapping[str, str]) -> str:
    """Let everything step back that has no part in the points."""
    return layers(_ART["veil"], drawn, "lit")


def light(lit: Lit, ground: Mapping[Zone, Ground], drawn: Mapping[str, str]) -> str:
    """Draw the light that falls on what the worker counts; it lies on the ground, under the figures."""
    match lit.figure.profession:
        case "farmer":
            return layers(_ART["farmer"], drawn, "lit") + _border(drawn, "home")
        case "fisherman":
            return _border(drawn, "home") + "".join(_hut(x, y) for x, y in huts(lit, ground))
        case "woodcutter":
            return _border(drawn, "home") + layers(_ART["woodcutter"], drawn, "lit")
        case "watchman":
            return _border(drawn, "seen") + layers(_ART["watchman"], drawn, "lit") + _border(drawn, "post")


def _border(drawn: Mapping[str, str], shape: str) -> str:
    return layers(_ART["border"], {"border": drawn[shape]}, f"lit-{shape}")


def huts(lit: Lit, ground: Mapping[Zone, Ground]) -> list[tuple[float, float]]:
    """Return where the counted huts stand."""
    zones = sorted(frozenset[Zone]().union(*lit.counted))
    places = [(x, y, hut_place((x, y), ground)) for x, y in zones]
    return [(x * SIDE + at, y * SIDE + ART["hut"]["foot"]) for x, y, at in places if at is not None]


def _hut(x: float, y: float) -> str:
    art = _ART["hut"]
    halo = tag("circle", cx=x, cy=y - art["up"], r=art["r"], fill=f"url(#{ID}glow)", data_part="lit-hut")
    return halo + tag("use", href=f"#{ID}hut-lit", x=x, y=y)


def glow() -> str:
    """Define the light around a lit hut."""
    stops = (
        tag("stop", offset=str(at), stop_color="var(--glow)", stop_opacity=str(share))
        for at, share in _ART["hut"]["stops"]
    )
    return tag("radialGradient", *stops, id=f"{ID}glow")


def numbers(lit: Lit, ground: Mapping[Zone, Ground]) -> list[tuple[float, float]]:
    """Return where what the worker counts is numbered, so that the last number is his points."""
    here, art = (lit.figure.x, lit.figure.y), _ART["number"]
    places = []
    for zones in sorted(lit.counted, key=lambda zones: min((y, x) for x, y in zones)):
        # A zone without a hut and without the worker himself has the most room for a number.
        x, y = min(zones, key=lambda zone: (zone == here, hut_place(zone, ground) is not None, zone[1], zone[0]))
        hut_at = hut_place((x, y), ground)
        side = "right" if hut_at is not None and hut_at < SIDE / 2 else "left"
        places.append((x * SIDE + art[side], y * SIDE + art["y"]))
    return places


def tally(lit: Lit, ground: Mapping[Zone, Ground]) -> str:
    """Number what the worker counts."""
    art = _ART["number"]
    drawn = (
        tag("circle", cx=x, cy=y, **attributes(art["circle"])) + tag("text", str(i), x=x, y=number(y + art["drop"]))
        for i, (x, y) in enumerate(numbers(lit, ground), start=1)
    )
    return tag("g", *drawn, data_part="tally", stroke="none", font_family=SANS, **attributes(art["text"]))
