"""One player's display: cards, workers, and what they are worth, by names instead of numbers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import get_args

from limina._kernel import limes as kernel
from limina.limes.draw.scene import LANDSCAPES, Figure, Ground, Lit, Profession, Scene
from limina.limes.notation import CELLS, ZONES, zone_xy

PROFESSIONS: tuple[Profession, ...] = get_args(Profession)


@dataclass(frozen=True, slots=True)
class WorkerScore:
    """A worker's points and what they are made of.

    `counted` holds a group of zones for each point: a farmer's field zones one by one, a fisherman's huts, the whole
    territories beside a woodcutter's forest, the forest zones that a watchman sees.
    """

    zone: str
    profession: Profession
    scored: bool
    """Whether he is the one who scores in his territory."""
    territory: tuple[str, ...]
    counted: tuple[tuple[str, ...], ...]

    @property
    def points(self) -> int:
        """How much he is worth where he stands."""
        return len(self.counted)


@dataclass(frozen=True)
class Display:
    """A view of the kernel's display."""

    board: kernel.Display

    @cached_property
    def ground(self) -> dict[str, Ground]:
        """Each zone's landscape and hut, by its name."""
        return {ZONES[zone]: Ground(LANDSCAPES[land], hut) for zone, land, hut in self.board.zones()}

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells with a card."""
        return tuple(dict.fromkeys(zone.partition(".")[0] for zone in self.ground))

    @property
    def open_cells(self) -> tuple[str, ...]:
        """The cells where the next card may be laid."""
        return tuple(CELLS[cell] for cell in self.board.open_cells())

    @property
    def supply(self) -> int:
        """Workers not yet placed."""
        return self.board.supply

    @property
    def workers(self) -> tuple[str, ...]:
        """The zone of each placed worker."""
        return tuple(ZONES[zone] for zone in self.board.workers())

    @property
    def total(self) -> int:
        """The points of all workers who score."""
        return self.board.total()

    @property
    def territories(self) -> tuple[frozenset[str], ...]:
        """All territories."""
        return tuple(frozenset(ZONES[zone] for zone in territory) for territory in self.board.territories())

    @cached_property
    def scores(self) -> tuple[WorkerScore, ...]:
        """Every worker with his points and their reasons, in the order of the zones' names."""
        found = [
            WorkerScore(
                ZONES[zone],
                PROFESSIONS[profession],
                scored,
                tuple(ZONES[z] for z in territory),
                tuple(tuple(ZONES[z] for z in thing) for thing in counted),
            )
            for zone, profession, scored, territory, counted in self.board.scores()
        ]
        return tuple(sorted(found, key=lambda worker: (worker.zone, not worker.scored)))

    def scene(self, player: int = 0, *, lit: str | None = None, frames: Collection[str] = ()) -> Scene:
        """The display as a drawing takes it; `lit` names the zone of a worker whose points are to be explained."""
        figures = tuple(
            Figure(*zone_xy(worker.zone), worker.profession, worker.points, worker.scored, player)
            for worker in self.scores
        )
        explained = None
        for figure, worker in zip(figures, self.scores, strict=True):
            if worker.zone == lit and explained is None:
                counted = tuple(frozenset(map(zone_xy, thing)) for thing in worker.counted)
                explained = Lit(figure, counted, frozenset(map(zone_xy, worker.territory)))
        return Scene(
            {zone_xy(zone): ground for zone, ground in self.ground.items()},
            figures,
            lit=explained,
            frames=tuple(("abcdefg".index(cell[0]), int(cell[1]) - 1) for cell in frames),
        )
