"""A view of one player's display: its zones, workers and points, with names instead of the kernel's indices."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import get_args

from limina._kernel import limes as kernel
from limina.limes.draw.scene import LANDSCAPES, ExplainedWorker, Figure, Ground, Profession, Scene
from limina.limes.notation import CELLS, ZONES, zone_xy

PROFESSIONS: tuple[Profession, ...] = get_args(Profession)


@dataclass(frozen=True, slots=True)
class WorkerScore:
    """A worker and the points that the worker counts.

    `counted` has one group of zones for each point. For a farmer each group is one zone of the field, for a fisherman
    the zone of a hut, for a woodcutter a whole territory beside the forest, for a watchman one visible forest zone.
    """

    zone: str
    profession: Profession
    scored: bool
    """True for exactly one worker of each territory, whose points count in the player's total."""
    territory: tuple[str, ...]
    """The zones of the territory in which the worker stands."""
    counted: tuple[tuple[str, ...], ...]

    @property
    def points(self) -> int:
        """The points the worker would score, also if another worker scores in this territory."""
        return len(self.counted)


@dataclass(frozen=True)
class Display:
    """One player's display, read from the kernel's."""

    board: kernel.Display

    @cached_property
    def ground(self) -> dict[str, Ground]:
        """The landscape and hut of each zone, by the zone's name."""
        return {ZONES[zone]: Ground(LANDSCAPES[land], hut) for zone, land, hut in self.board.zones()}

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells that hold a card."""
        return tuple(dict.fromkeys(zone.partition(".")[0] for zone in self.ground))

    @property
    def open_cells(self) -> tuple[str, ...]:
        """The cells where the next card may be laid."""
        return tuple(CELLS[cell] for cell in self.board.open_cells())

    @property
    def supply(self) -> int:
        """The number of workers not yet placed."""
        return self.board.supply

    @property
    def workers(self) -> tuple[str, ...]:
        """The zone of each placed worker; a zone with two workers is listed twice."""
        return tuple(ZONES[zone] for zone in self.board.workers())

    @property
    def total(self) -> int:
        """The sum of the points of all scoring workers."""
        return self.board.total()

    @property
    def territories(self) -> tuple[frozenset[str], ...]:
        """All territories, each as a set of zones."""
        return tuple(frozenset(ZONES[zone] for zone in territory) for territory in self.board.territories())

    @cached_property
    def scores(self) -> tuple[WorkerScore, ...]:
        """All workers with their points, sorted by the name of the zone; on one zone the scoring worker comes first."""
        scores = [
            WorkerScore(
                ZONES[zone],
                PROFESSIONS[profession],
                scored,
                tuple(ZONES[z] for z in territory),
                tuple(tuple(ZONES[z] for z in group) for group in counted),
            )
            for zone, profession, scored, territory, counted in self.board.scores()
        ]
        return tuple(sorted(scores, key=lambda worker: (worker.zone, not worker.scored)))

    def scene(self, player: int = 0, *, highlighted: str | None = None, frames: Collection[str] = ()) -> Scene:
        """Return the display as plain values for a drawing.

        `highlighted` is the zone of a worker whose points the drawing explains. `frames` are cells to mark as open.
        """
        figures = tuple(
            Figure(*zone_xy(worker.zone), worker.profession, worker.points, worker.scored, player)
            for worker in self.scores
        )
        explained: ExplainedWorker | None = None
        for figure, worker in zip(figures, self.scores, strict=True):
            if worker.zone == highlighted and explained is None:
                counted = tuple(frozenset(map(zone_xy, group)) for group in worker.counted)
                explained = ExplainedWorker(figure, counted, frozenset(map(zone_xy, worker.territory)))
        return Scene(
            {zone_xy(zone): ground for zone, ground in self.ground.items()},
            figures,
            highlighted=explained,
            frames=tuple(("abcdefg".index(cell[0]), int(cell[1]) - 1) for cell in frames),
        )
