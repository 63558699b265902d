"""Limes to print: a sheet of rules, the deck for two players with their backs, their workers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from limina.core.capabilities import PieceSize, PrintJob
from limina.limes.decks.deck import Deck
from limina.limes.draw.palette import player_style
from limina.printing import typeset
from limina.printing.rulebook import rulebook
from limina.printing.sheets import PAPER_SIZES_MM, Grid, standees

PLAYERS, WORKERS = 2, 7
_SHOWN = (
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
    """Prints decks and workers."""

    size = PieceSize("card", 63.0, 40.0, 90.0)

    def pdf(self, job: PrintJob, options: Mapping[str, Any]) -> bytes:
        """All sheets: the rules on two pages, then each player's deck, faces with their backs behind, then workers."""
        from limina.limes.printing import (
            pieces,  # drawn with when it is printed; most commands only ask whether it can be
        )

        deck = Deck.default() if options["deck"] is None else Deck(options["deck"])
        paper, bleed = PAPER_SIZES_MM[job.paper], job.bleed_mm / job.size_mm
        card_note, worker_note = _NOTES[job.language]
        drawn = {f"card-{i}": pieces.draw_face(face, i, bleed) for i, face in enumerate(deck.scene(), 1)}
        faces, sheets, workers = list(drawn), [], []
        for number in range(PLAYERS):
            drawn[f"back-{number}"] = pieces.draw_back(player_style(number).color, bleed)
            drawn[f"worker-{number}"] = pieces.draw_worker(number)
            sheets += Grid(paper, job.size_mm, job.size_mm, job.bleed_mm).sheets(
                faces, f"back-{number}", note=card_note
            )
            workers += [f"worker-{number}"] * WORKERS
        width, height, foot = (job.size_mm / self.size.default_mm * length for length in pieces.WORKER)
        sheets += standees(paper, workers, width, height, foot, note=worker_note, max_columns=WORKERS)
        book, shown = rulebook(
            "limina.limes", job.language, _example, example_ids=_SHOWN, omitted_sections=["notation"]
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
            {**drawn, **shown},
        )


def _example(name: str) -> str:
    """The picture of an example; a whole game explains no worker."""
    from limina.limes.rule_examples import example  # as late as this: it knows how pages are told of a game

    return example(name).svg(0 if name == "full-game" else None)
