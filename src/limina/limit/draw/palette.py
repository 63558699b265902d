"""Colors of the Limit drawings, by theme, as values for the CSS custom properties of the symbols in `art/`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

Theme: TypeAlias = Literal["light", "dark"]

Values: TypeAlias = Mapping[str, str]
"""Values of custom properties by name."""


@dataclass(frozen=True, slots=True)
class Palette:
    """The colors of a theme."""

    paper: str
    ink: str
    water: tuple[str, str]
    """Colors at the center and the border."""
    shoals: tuple[tuple[str, str], ...]
    """Colors of the edge and surface of each shoal around the tiles, the outermost first."""
    wave: str
    marks: Values
    tiles: Mapping[str, Values]
    pawns: tuple[Values, ...]


def _tile(stone: str, side: str, inlay: str) -> Values:
    return {"--limit-stone": stone, "--limit-side": side, "--limit-inlay": inlay}


def _pawn(paint: str, sign: str, top: str, wood: str) -> Values:
    return {"--limit-paint": paint, "--limit-sign": sign, "--limit-top": top, "--limit-wood": wood}


_MARKS: Values = {
    "--limit-line": "#22170f",
    "--limit-warn": "#ffe08a",
    "--limit-freedoms": "#fffaf0",
    "--limit-glow": "#fff0c2",
    "--limit-cut": "#fffaf0",
    "--limit-foam": "#a9cfd0",
    "--limit-drowned": "#7fa3a8",
    "--limit-path": "#fff3cf",
}

_LIGHT = Palette(
    paper="#f4e9d2",
    ink="#3b2f22",
    water=("#224956", "#132b36"),
    shoals=(("#2f5e6b", "#264f5d"), ("#3d6f7a", "#2f5d69"), ("#4d818a", "#3a6b75")),
    wave="#8fbcc0",
    marks=_MARKS,
    tiles={
        "R": _tile("#b9694f", "#87432f", "#fbeed6"),
        "B": _tile("#6486a3", "#3d5a74", "#f6f0e0"),
        "Y": _tile("#dfb95f", "#a37d33", "#5c4015"),
        "K": _tile("#4b484b", "#2c2a2d", "#e9e0cf"),
    },
    pawns=(
        _pawn("#a81f1a", "#8c1511", "#f7e6c4", "#dfb67c"),
        _pawn("#1c4e8c", "#123c72", "#f7e6c4", "#dfb67c"),
        _pawn("#d2930a", "#7a5200", "#f7e6c4", "#dfb67c"),
    ),
)

_DARK = Palette(
    paper="#1d2330",
    ink="#e8dcc0",
    water=("#152a35", "#0a141d"),
    shoals=(("#203d49", "#182f3b"), ("#2a4a56", "#1f3a46"), ("#365a65", "#274551")),
    wave="#6e9aa3",
    marks={**_MARKS, "--limit-foam": "#86b3b8", "--limit-drowned": "#64868e"},
    tiles={
        "R": _tile("#9c5440", "#6d3526", "#f3e4c9"),
        "B": _tile("#52728e", "#314a61", "#ece5d4"),
        "Y": _tile("#c29d4b", "#876528", "#432d0c"),
        "K": _tile("#3f3d41", "#252427", "#d9d0be"),
    },
    pawns=(
        _pawn("#a3211c", "#8c1511", "#ecd9b3", "#c99f67"),
        _pawn("#1f5191", "#123c72", "#ecd9b3", "#c99f67"),
        _pawn("#c4880c", "#6d4900", "#ecd9b3", "#c99f67"),
    ),
)

PALETTES: Mapping[Theme, Palette] = {"light": _LIGHT, "dark": _DARK}
"""The palette of each theme."""
