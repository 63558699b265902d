"""The printed game of Limes: the rules, and cards and workers for two players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from limina._kernel import limes as kernel
from limina.core.capabilities import PieceWidthRange, PrintJob
from limina.limes.decks.deck import Deck
from limina.limes.draw.palette import player_style
from limina.printing import typeset
from limina.printing.rulebook import rulebook
from limina.printing.sheets import PAPER_SIZES_MM, Grid, standee_sheets

PLAYERS = 2
_EXAMPLE_IDS = (
    "moving", "farmer-5", "fisherman-6", "woodcutter-5", "watchman-5", "two-in-one-territory", "full-game", "diagonal",
    "ferryman",
)  # fmt: skip
_NOTES = {
    "en": (
        "Print in full size, two-sided, flipped on the long edge. Cut from mark to mark.",
        "Cut out, fold at the head and glue, bend both feet outwards.",
    ),
    "de": (
        "In voller Größe und beidseitig drucken, an der langen Seite wenden. Von Marke zu Marke schneiden.",
        "Ausschneiden, am Kopf falten und kleben, beide Füße nach außen knicken.",
    ),
    "fr": (
        "Imprimer à taille réelle, recto verso, en retournant sur le bord long. Couper de repère en repère.",
        "Découper, plier à la tête et coller, rabattre les deux pieds vers l’extérieur.",
    ),
}


class LimesPrinter:
    """Prints the rules, cards and workers."""

    width_range = PieceWidthRange("card", 63.0, 40.0, 90.0)

    def pdf(self, job: PrintJob, options: Mapping[str, Any]) -> bytes:
        """Return the rules on two pages, then each player's cards with their backs, then all workers."""
        # Imported here because most commands only read `size`.
        from limina.limes.printing import pieces

        deck = Deck.default() if options["deck"] is None else Deck(options["deck"])
        paper, bleed = PAPER_SIZES_MM[job.paper], job.bleed_mm / job.size_mm
        card_note, worker_note = _NOTES[job.language]
        drawings = {f"card-{i}": pieces.draw_face(face, i, bleed) for i, face in enumerate(deck.scene(), 1)}
        faces, sheets, workers = list(drawings), [], []
        for seat_index in range(PLAYERS):
            drawings[f"back-{seat_index}"] = pieces.draw_back(player_style(seat_index).color, bleed)
            drawings[f"worker-{seat_index}"] = pieces.draw_worker(seat_index)
            sheets += Grid(paper, job.size_mm, job.size_mm, job.bleed_mm).sheets(
                faces, f"back-{seat_index}", note=card_note
            )
            workers += [f"worker-{seat_index}"] * kernel.WORKERS_PER_PLAYER
        width, height, foot = (job.size_mm / self.width_range.default_mm * length for length in pieces.WORKER)
        sheets += standee_sheets(
            paper, workers, width, height, foot, note=worker_note, max_columns=kernel.WORKERS_PER_PLAYER
        )
        book, examples = rulebook(
            "limina.limes", job.language, _draw_example, example_ids=_EXAMPLE_IDS, omitted_sections=["notation"]
        )
        return typeset.pdf(
            {
                "title": f"Limes: {deck.name}" if deck.name else "Limes",
                "width": paper[0],
                "height": paper[1],
                "language": job.language,
                "rules": book | {"picture": 44, "points": 9.6},
                "sheets": [sheet.to_json() for sheet in sheets],
            },
            {**drawings, **examples},
        )


def _draw_example(example_id: str) -> str:
    # Imported here because it imports the presenter, which most commands do not need.
    from limina.limes.rule_examples import example

    return example(example_id).svg(0 if example_id == "full-game" else None)
