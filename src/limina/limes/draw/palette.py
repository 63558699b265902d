"""The colors of the Limes drawings in the light and the dark theme, and the colors and marks of the players."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Theme = Literal["light", "dark"]
Palette = Mapping[str, str]

SERIF = "Georgia,'Times New Roman','DejaVu Serif',serif"
SANS = "system-ui,'Segoe UI',Roboto,Helvetica,Arial,'DejaVu Sans',sans-serif"


@dataclass(frozen=True, slots=True)
class PlayerStyle:
    """The color of a player's workers, and a mark that identifies the player without color."""

    name: str
    color: str
    mark: str
    sign: str


#: The styles in the order of the seats. All colors are dark enough for white numbers; `sign` is the mark in a terminal.
PLAYER_STYLES = (
    PlayerStyle("red", "#b3261e", "dot", "•"),
    PlayerStyle("black", "#24211f", "bar", "|"),
    PlayerStyle("blue", "#1f5ca6", "triangle", "▲"),
    PlayerStyle("green", "#2a6e38", "cross", "+"),
    PlayerStyle("purple", "#6b3fa0", "ring", "o"),
    PlayerStyle("orange", "#b4500c", "square", "■"),
    PlayerStyle("teal", "#0d7377", "diamond", "◆"),
    PlayerStyle("brown", "#74451d", "chevron", "^"),
)

#: The color that is mixed into the cloak of a worker who does not score.
PALE = "#fff8e6"

_LIGHT = {
    "paper": "#f4e9d2",
    "paper-edge": "#e3cfa6",
    "ink": "#3b2f22",
    "frame": "#b3261e",
    "soil": "#5b4a35",
    "field": "#e5bf69",
    "field-light": "#f3d992",
    "furrow": "#a9782a",
    "water": "#62a7b0",
    "shallow": "#9accc9",
    "shore": "#f3e8c8",
    "wave": "#1f5f70",
    "forest": "#5a7d46",
    "forest-deep": "#3f5f36",
    "rock": "#aaa49a",
    "rock-light": "#d3cdc1",
    "hatch": "#5f584e",
    "veil": "#f4e9d2",
    "glow": "#ffe27a",
    "glow-line": "#8a3a00",
    "glow-case": "#fff6d6",
    "glow-edge": "#8a3a00",
    # The symbols in art/limes.svg
    "line": "#2b221a",
    "halo": "#fff8e6",
    "leaf": "#7fa35a",
    "leaf-light": "#a5c277",
    "fir": "#4d7a4c",
    "fir-light": "#6f9b62",
    "trunk": "#6b4a2b",
    "shade": "#1f2a14",
    "stone": "#ece5d6",
    "stone-shade": "#c2b8a5",
    "tile": "#a3492b",
    "tile-shade": "#7c3420",
    "roof": "#2f6fb5",
    "roof-shade": "#1e4f8a",
    "wall": "#fbf1dc",
    "wall-shade": "#dccbaa",
    "window": "#3b2f22",
    "flame": "#ffc94a",
    "skin": "#dca97c",
    "straw": "#efc65a",
    "straw-shade": "#c2912c",
    "wood": "#80552f",
    "metal": "#e4e6e6",
    "metal-shade": "#9aa3a8",
}

_DARK = _LIGHT | {
    "paper": "#1d2330",
    "paper-edge": "#141924",
    "ink": "#e8dcc0",
    "frame": "#ff8f7a",
    "soil": "#0e1219",
    "field": "#94773a",
    "field-light": "#b1954f",
    "furrow": "#4f3c17",
    "water": "#174a5e",
    "shallow": "#2a6a7b",
    "shore": "#9c9375",
    "wave": "#8fd0d8",
    "forest": "#24402f",
    "forest-deep": "#182c21",
    "rock": "#4b515d",
    "rock-light": "#767d8a",
    "hatch": "#262b35",
    "veil": "#1d2330",
    "glow": "#ffd668",
    "glow-line": "#ffe9a8",
    "glow-case": "#3a2600",
    "glow-edge": "#3a2600",
    "line": "#14110d",
    "halo": "#e8dcc0",
    "leaf": "#4c7147",
    "leaf-light": "#6b9160",
    "fir": "#2f5a44",
    "fir-light": "#4b7a5b",
    "trunk": "#3d2b1b",
    "shade": "#070b0c",
    "stone": "#b9b7b4",
    "stone-shade": "#85868c",
    "tile": "#8a4230",
    "tile-shade": "#5f2b21",
    "roof": "#4b8ad6",
    "roof-shade": "#2d61a3",
    "wall": "#cfc5b2",
    "wall-shade": "#9c937f",
    "window": "#1d2330",
}

_THEMES: Mapping[Theme, Palette] = MappingProxyType(
    {"light": MappingProxyType(_LIGHT), "dark": MappingProxyType(_DARK)}
)


def palette(theme: Theme) -> Palette:
    """Return the colors of a theme. Each has the name of its custom property in art/limes.svg."""
    return _THEMES[theme]


_VARIABLE = re.compile(r"var\(--([a-z-]+)[^)]*\)")


def resolve_colors(markup: str, colors: Palette) -> str:
    """Replace the custom properties by colors, since many programs that show SVG do not support the properties."""
    return _VARIABLE.sub(lambda match: colors[match[1]], markup)


def player_style(seat_index: int) -> PlayerStyle:
    """Return the style of a player; the ninth player gets that of the first again."""
    return PLAYER_STYLES[seat_index % len(PLAYER_STYLES)]


def mix_colors(color: str, other: str, share: float) -> str:
    """Return `color` mixed with a share of `other`; all colors are written #rrggbb."""
    pairs = [(int(color[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{math.floor(a + (b - a) * share + 0.5):02x}" for a, b in pairs)
