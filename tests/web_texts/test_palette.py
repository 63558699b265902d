"""The page and the Python drawings of Limes use the same colors."""

from __future__ import annotations

import re

import pytest

from limina.limes.draw.palette import PALE, PLAYER_STYLES, Theme, palette
from support import ROOT

GAME = ROOT / "web" / "src" / "games" / "limes"
BLOCKS = re.findall(r"^([^{}*/]+) \{([^}]*)\}", (GAME / "board" / "limes.css").read_text(), re.MULTILINE)
LIGHT, DARK = (dict(re.findall(r"--([a-z-]+): (#\w+);", body)) for _, body in BLOCKS[:2])


@pytest.mark.parametrize(("theme", "colors"), [("light", LIGHT), ("dark", {**LIGHT, **DARK})])
def test_the_page_uses_the_same_palettes(theme: Theme, colors: dict[str, str]) -> None:
    assert colors == dict(palette(theme))


def test_the_page_uses_the_same_player_styles() -> None:
    source = (GAME / "draw" / "palette.ts").read_text()
    styles = re.findall(r'color: "(.+?)", mark: "(.+?)", sign: "(.+?)"', source)
    assert styles == [(player.color, player.mark, player.sign) for player in PLAYER_STYLES]
    assert f'PALE = "{PALE}"' in source
