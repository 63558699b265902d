"""Why one turn is better than another, in words: who gains or loses points, and which territory stays open."""

from __future__ import annotations

from typing import NamedTuple

from limina.limes.deck import LANDSCAPE_NAMES
from limina.limes.display import Display, WorkerScore
from limina.limes.notation import QUARTERS, Turn, encode, zone_xy
from limina.limes.outline import neighbours
from limina.limes.position import Position

MOST = 3
"""Workers that a sentence names; more would not be read."""


class _Effect(NamedTuple):
    """What a turn does to one display."""

    turn: str
    before: Display
    after: Display
    moved_from: str | None
    moved_to: str | None

    @property
    def gain(self) -> int:
        return self.after.total - self.before.total

    def origin(self, zone: str) -> str | None:
        """Where the worker who now stands on a zone stood before; None if he came from the supply."""
        if zone != self.moved_to:
            return zone
        return self.moved_from


def explain(position: Position, player: int, played: object | None, best: object) -> list[str]:
    """Sentences on what the best turn does, and on what the turn played does instead."""
    good = _effect(position, player, best)
    if played is None:
        return [_points(good), *_openings(good)]
    poor = _effect(position, player, played)
    if poor.after == good.after:
        return []
    return [_points(good), _points(poor), *_compared(good, poor)]


def _effect(position: Position, player: int, turn: object) -> _Effect:
    assert isinstance(turn, str | Turn)
    read = Turn.from_code(encode(turn))
    after = position.play(read, player).display(player)
    return _Effect(str(read), position.display(player), after, read.source, read.target)


# --- points


def _points(effect: _Effect) -> str:
    count = f"{effect.gain:+d} point{'' if abs(effect.gain) == 1 else 's'}" if effect.gain else "no points"
    changes = _changes(effect)
    shown = "; ".join(changes[:MOST])
    more = f"; and {len(changes) - MOST} more" if len(changes) > MOST else ""
    return f"{effect.turn} brings {count} now{': ' if changes else ''}{shown}{more}."


def _changes(effect: _Effect) -> list[str]:
    """What happens to each worker, the largest change first."""
    before = _by_zone(effect.before)
    found: list[tuple[int, str]] = []
    for zone, worker in _by_zone(effect.after).items():
        origin = effect.origin(zone)
        now = _counted(worker)
        if origin is None:
            found.append((now, f"the new {worker.profession} on {zone} is worth {now}"))
            continue
        old = before.get(origin)
        was = _counted(old) if old is not None else 0
        if origin != zone:
            found.append(
                (now - was, f"the worker from {origin} (worth {was}) is worth {now} as {_a(worker)} on {zone}")
            )
        elif worker.points and not worker.scored and was:
            found.append(
                (-was, f"the {worker.profession} on {zone} scores no more: another one has come to his territory")
            )
        elif now > was:
            found.append((now - was, f"the {worker.profession} on {zone} gains {now - was} and is worth {now}"))
        elif now < was:
            found.append((now - was, f"the {worker.profession} on {zone} loses {was - now} and is worth {now}"))
    return [words for _, words in sorted(found, key=lambda each: -abs(each[0]))]


def _by_zone(display: Display) -> dict[str, WorkerScore]:
    """The workers by where they stand; of several on one zone, the one who scores."""
    found: dict[str, WorkerScore] = {}
    for worker in display.scores:
        found.setdefault(worker.zone, worker)
    return found


def _counted(worker: WorkerScore) -> int:
    return worker.points if worker.scored else 0


def _a(worker: WorkerScore) -> str:
    return f"a {worker.profession}"


# --- territories


def _openness(display: Display) -> dict[str, int]:
    """For each zone with a scoring worker: the sides on which his territory can still grow."""
    open_zones = {zone_xy(f"{cell}.{quarter}") for cell in display.open_cells for quarter in QUARTERS}
    found = {}
    for worker in display.scores:
        if worker.scored and worker.profession != "watchman":  # he stands on a rock, and it never grows
            sides = sum(side in open_zones for zone in worker.territory for side in neighbours(zone_xy(zone)))
            found[worker.zone] = sides
    return found


def _territory(effect: _Effect, zone: str) -> str:
    worker = _by_zone(effect.after)[zone]
    landscape = LANDSCAPE_NAMES[effect.after.ground[zone].landscape]
    return f"the {landscape} of the {worker.profession} on {zone}"


def _openings(effect: _Effect) -> list[str]:
    """What a turn opens or closes, compared with before."""
    before, after = _openness(effect.before), _openness(effect.after)
    if not any(after.values()):
        return []
    closed = [zone for zone, sides in before.items() if sides and after.get(zone) == 0]
    wide = [zone for zone, sides in after.items() if sides >= 3 and zone not in before]
    return [
        *(f"{_capital(_territory(effect, zone))} cannot grow any more." for zone in closed[:MOST]),
        *(f"{_capital(_territory(effect, zone))} can grow on {after[zone]} sides." for zone in wide[:MOST]),
    ]


def _compared(good: _Effect, poor: _Effect) -> list[str]:
    """What one turn leaves open and the other does not, and how many workers each leaves."""
    said = []
    here, there = _openness(good.after), _openness(poor.after)
    for zone in here.keys() & there.keys():
        if good.origin(zone) != poor.origin(zone):
            continue
        if here[zone] and not there[zone]:
            sides = f"{here[zone]} side{'' if here[zone] == 1 else 's'}"
            said.append(f"{_capital(_territory(good, zone))} stays open on {sides}; {poor.turn} closes it.")
        elif here[zone] >= there[zone] + 2:
            said.append(
                f"{_capital(_territory(good, zone))} stays open on {here[zone]} sides instead of {there[zone]}."
            )
    said.sort()
    if good.after.supply > poor.after.supply:
        said.append(
            f"{good.turn} keeps a worker for later: {good.after.supply} in the supply instead of {poor.after.supply}."
        )
    elif good.after.supply < poor.after.supply:
        said.append(
            f"{good.turn} puts a worker to work: {good.after.supply} in the supply instead of {poor.after.supply}."
        )
    return said[: MOST + 1]


def _capital(words: str) -> str:
    return words[0].upper() + words[1:]
