"""The page draws with the colors of the Python drawings."""

from __future__ import annotations

import re

import pytest

from limina.limes.draw.palette import PALE, PLAYER_STYLES, Theme, palette
from support import ROOT

GAME = ROOT / "web" / "src" / "games" / "limes"
BLOCKS = re.findall(r"^([^{}*/]+) \{([^}]*)\}", (GAME / "board" / "limes.css").read_text(), re.MULTILINE)
LIGHT, DARK = (dict(re.findall(r"--([a-z-]+): (#\w+);", body)) for _, body in BLOCKS[:2])


@pytest.mark.parametrize(("theme", "shown"), [("light", LIGHT), ("dark", {**LIGHT, **DARK})])
def test_the_page_has_the_same_palettes(theme: Theme, shown: dict[str, str]) -> None:
    assert shown == dict(palette(theme))


def test_the_page_has_the_same_players() -> None:
    page = (GAME / "draw" / "palette.ts").read_text()
    written = re.findall(r'color: "(.+?)", mark: "(.+?)", sign: "(.+?)"', page)
    assert written == [(player.color, player.mark, player.sign) for player in PLAYER_STYLES]
    assert f'PALE = "{PALE}"' in page
