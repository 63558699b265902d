"""Print sheets of Limit: the rules, tiles with their backs, and pawns for three players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from limina.core.capabilities import PieceWidthRange, PrintJob
from limina.limit.draw.scene import COLORS, PLAYERS
from limina.printing import typeset
from limina.printing.rulebook import rulebook
from limina.printing.sheets import PAPER_SIZES_MM, Honeycomb, standee_sheets

_RULE_EXAMPLES = (
    "full-game", "reach", "capture-by-move", "capture-by-removal", "own-capture", "isolation", "forbidden-split",
    "first-move",
)  # fmt: skip
_NOTES = {
    "en": (
        "Print in full size, two-sided, flipped on the long edge. Cut the tiles out along their edges.",
        "Cut out, fold at the head and glue, bend both feet outwards.",
    ),
    "de": (
        "In voller Größe und beidseitig drucken, an der langen Seite wenden. Die Plättchen am Rand ausschneiden.",
        "Ausschneiden, am Kopf falten und kleben, beide Füße nach außen knicken.",
    ),
    "fr": (
        "Imprimer à taille réelle, recto verso, en retournant sur le bord long. Découper les tuiles le long du bord.",
        "Découper, plier à la tête et coller, rabattre les deux pieds vers l’extérieur.",
    ),
}


class LimitPrinter:
    """Prints the rules, tiles and pawns."""

    width_range = PieceWidthRange("tile", 40.0, 25.0, 60.0)

    def pdf(self, job: PrintJob, options: Mapping[str, Any]) -> bytes:
        """Return all sheets as a PDF: the rules on two pages, the tiles, each page followed by its backs, the pawns."""
        # Imported late, since most commands only need to know that the game can be printed.
        from limina.limit.printing import pieces

        paper, bleed = PAPER_SIZES_MM[job.paper], job.bleed_mm / job.size_mm
        count = options["size"]
        tile_note, pawn_note = _NOTES[job.language]
        drawn = {"back": pieces.draw_back(bleed)}
        for color in COLORS:
            drawn |= {f"tile-{color}-{turns}": pieces.draw_tile(color, turns, bleed) for turns in range(6)}
        tiles = [f"tile-{color}-{i % 6}" for color in COLORS for i in range(count)]
        sheets = Honeycomb(paper, job.size_mm, job.bleed_mm).sheets(tiles, "back", note=tile_note)
        drawn |= {f"pawn-{player}": pieces.draw_pawn(player) for player in range(len(PLAYERS))}
        scale = job.size_mm / self.width_range.default_mm
        pawns = [f"pawn-{player}" for player in range(len(PLAYERS)) for _ in range(count)]
        width, height, foot = (scale * length for length in pieces.PAWN_MM)
        sheets += standee_sheets(paper, pawns, width, height, foot, note=pawn_note)
        book, shown = rulebook(
            "limina.limit", job.language, _draw_example, example_ids=_RULE_EXAMPLES, omitted_sections=["notation"]
        )
        return typeset.pdf(
            {
                "title": "Limit",
                "width": paper[0],
                "height": paper[1],
                "language": job.language,
                "rules": book | {"picture": 48, "points": 10.8},
                "sheets": [sheet.to_json() for sheet in sheets],
            },
            {**drawn, **shown},
        )


def _draw_example(name: str) -> str:
    from limina.limit.rule_examples import example  # imported late, like `pieces` above

    return example(name).svg()
